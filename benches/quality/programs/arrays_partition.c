int simple(int arg) {
ARRAY(int, a, arg);
int seed = 12345;
for (int i = 0; i < arg; i++) {
  seed = seed * 1103515245 + 12345;
  (*a)[i] = seed >> 8;
}
ARRAY(int, parts, 128);
int top = 2;
(*parts)[0] = 0;
(*parts)[1] = arg - 1;
while (top > 0) {
  int high = (*parts)[top - 1];
  int low = (*parts)[top - 2];
  top = top - 2;
  while (low < high) {
    if (low < 0 | high >= arg) return -1;
    int pivot = (*a)[high];
    int i = low;
    for (int j = low; j < high; j++) {
      if ((*a)[j] < pivot) {
        int x = (*a)[i];
        (*a)[i] = (*a)[j];
        (*a)[j] = x;
        i++;
      }
    }
    (*a)[high] = (*a)[i];
    (*a)[i] = pivot;
    if (i - low > high - i) {
      (*parts)[top] = low;
      (*parts)[top + 1] = i - 1;
      top = top + 2;
      low = i + 1;
    } else {
      (*parts)[top] = i + 1;
      (*parts)[top + 1] = high;
      top = top + 2;
      high = i - 1;
    }
  }
}
int wrong = 0;
for (int i = 1; i < arg; i++) if ((*a)[i - 1] > (*a)[i]) wrong++;
return wrong * 1000 + (*a)[arg / 2];
}
