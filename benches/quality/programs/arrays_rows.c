int simple(int arg) {
int **a = allocate(4 * arg);
for (int i = 0; i < arg; i++) {
  int *row = allocate(4 * arg);
  for (int j = 0; j < arg; j++) row[j] = i * j + 1;
  a[i] = row;
}
int sum = 0;
for (int round = 0; round < 10; round++)
  for (int i = 0; i < arg; i++) {
    int *row = a[i];
    if (row) for (int j = 0; j < arg; j++) sum += row[j];
  }
return sum;
}
