int simple(int arg) {
ARRAY(int, a, arg);
int seed = 12345;
for (int i = 0; i < arg; i++) {
  seed = seed * 1103515245 + 12345;
  (*a)[i] = (seed >> 16) & 1023;
}
for (int i = 1; i < arg; i++) {
  int x = (*a)[i];
  int j = i;
  while (j > 0) {
    if ((*a)[j - 1] <= x) break;
    (*a)[j] = (*a)[j - 1];
    j--;
  }
  (*a)[j] = x;
}
int sum = 0;
for (int i = 0; i < arg; i++) sum = sum * 31 + (*a)[i];
return sum;
}
