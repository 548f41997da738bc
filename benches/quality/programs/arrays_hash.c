int simple(int arg) {
ARRAY(int, keys, 8192);
ARRAY(int, values, 8192);
int seed = 99;
for (int i = 0; i < arg; i++) {
  seed = seed * 1103515245 + 12345;
  int key = ((seed >> 12) & 4095) + 1;
  int at = (key * 40503) & 8191;
  while ((*keys)[at] != 0) {
    if ((*keys)[at] == key) break;
    at = (at + 1) & 8191;
  }
  (*keys)[at] = key;
  (*values)[at] += i;
}
int sum = 0;
for (int key = 1; key < 4097; key++) {
  int at = (key * 40503) & 8191;
  while ((*keys)[at] != 0) {
    if ((*keys)[at] == key) {
      sum = sum * 31 + (*values)[at];
      break;
    }
    at = (at + 1) & 8191;
  }
}
return sum;
}
