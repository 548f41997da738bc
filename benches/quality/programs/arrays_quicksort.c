int simple(int arg) {
ARRAY(int, a, arg);
int seed = 12345;
for (int i = 0; i < arg; i++) {
  seed = seed * 1103515245 + 12345;
  (*a)[i] = seed >> 8;
}
// The bounds of the parts that are not sorted yet.
ARRAY(int, parts, 128);
int top = 2;
(*parts)[0] = 0;
(*parts)[1] = arg - 1;
while (top > 0) {
  int high = (*parts)[top - 1];
  int low = (*parts)[top - 2];
  top = top - 2;
  while (low < high) {
    int pivot = (*a)[(low + high) >> 1];
    int i = low;
    int j = high;
    while (i <= j) {
      while ((*a)[i] < pivot) i++;
      while ((*a)[j] > pivot) j--;
      if (i <= j) {
        int x = (*a)[i];
        (*a)[i] = (*a)[j];
        (*a)[j] = x;
        i++;
        j--;
      }
    }
    // The longer part waits.
    if (j - low > high - i) {
      (*parts)[top] = low;
      (*parts)[top + 1] = j;
      top = top + 2;
      low = i;
    } else {
      (*parts)[top] = i;
      (*parts)[top + 1] = high;
      top = top + 2;
      high = j;
    }
  }
}
int wrong = 0;
for (int i = 1; i < arg; i++) if ((*a)[i - 1] > (*a)[i]) wrong++;
return wrong * 1000 + (*a)[arg / 2];
}
