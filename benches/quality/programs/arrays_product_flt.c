int simple(int arg) {
if (arg > 1000) return -1;
ARRAY(flt, a, arg * arg);
ARRAY(flt, b, arg * arg);
ARRAY(flt, c, arg * arg);
for (int i = 0; i < arg * arg; i++) {
  (*a)[i] = i / 2.0;
  (*b)[i] = i - 7.0;
}
for (int i = 0; i < arg; i++)
  for (int j = 0; j < arg; j++) {
    flt sum = 0.0;
    for (int k = 0; k < arg; k++) sum += (*a)[i * arg + k] * (*b)[k * arg + j];
    (*c)[i * arg + j] = sum;
  }
flt trace = 0.0;
for (int i = 0; i < arg; i++) trace += (*c)[i * arg + i];
return trace < 1000.0;
}
