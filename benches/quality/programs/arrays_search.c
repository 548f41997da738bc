int simple(int arg) {
ARRAY(int, a, arg);
for (int i = 0; i < arg; i++) (*a)[i] = i * 3;
int found = 0;
for (int key = 0; key < arg * 3; key++) {
  int low = 0;
  int high = arg;
  while (low < high) {
    int middle = (low + high) >> 1;
    if ((*a)[middle] < key) low = middle + 1;
    else high = middle;
  }
  if (low < arg) if ((*a)[low] == key) found++;
}
return found;
}
