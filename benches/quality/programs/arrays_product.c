int simple(int arg) {
if (arg > 1000) return -1;
ARRAY(int, a, arg * arg);
ARRAY(int, b, arg * arg);
ARRAY(int, c, arg * arg);
for (int i = 0; i < arg * arg; i++) {
  (*a)[i] = i;
  (*b)[i] = i * 3 - 7;
}
for (int i = 0; i < arg; i++)
  for (int j = 0; j < arg; j++) {
    int sum = 0;
    for (int k = 0; k < arg; k++) sum += (*a)[i * arg + k] * (*b)[k * arg + j];
    (*c)[i * arg + j] = sum;
  }
int trace = 0;
for (int i = 0; i < arg; i++) trace += (*c)[i * arg + i];
return trace;
}
