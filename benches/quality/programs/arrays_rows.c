int simple(int arg) {
ARRAY(void *, a, arg);
for (int i = 0; i < arg; i++) {
  ARRAY(int, row, arg);
  for (int j = 0; j < arg; j++) (*row)[j] = i * j + 1;
  (*a)[i] = row;
}
int sum = 0;
for (int round = 0; round < 10; round++)
  for (int i = 0; i < arg; i++) {
    int (*row)[arg] = (*a)[i];
    if (row) for (int j = 0; j < arg; j++) sum += (*row)[j];
  }
return sum;
}
