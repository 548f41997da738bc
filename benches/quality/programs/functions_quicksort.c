static int sort(int *b, int left, int right) {
  if (left >= right) return 0;
  int pivot = b[right];
  int i = left;
  for (int j = left; j < right; j++) {
    if (b[j] < pivot) { int t = b[i]; b[i] = b[j]; b[j] = t; i++; }
  }
  b[right] = b[i];
  b[i] = pivot;
  sort(b, left, i - 1);
  return sort(b, i + 1, right);
}

int simple(int arg) {
int *a = allocate(4 * arg);
int seed = 12345;
for (int i = 0; i < arg; i++) {
  seed = seed * 1103515245 + 12345;
  a[i] = (seed >> 16) & 1023;
}
sort(a, 0, arg - 1);
int sum = 0;
for (int i = 0; i < arg; i++) sum = sum * 31 + a[i];
return sum;
}
