static int place(int all, int columns, int left, int right) {
  if (columns == all) return 1;
  int count = 0;
  int free = ((columns | left | right) & all) ^ all;
  while (free) {
    int here = free & -free;
    free = free - here;
    count = count + place(all, columns | here, (left | here) << 1, (right | here) >> 1);
  }
  return count;
}

int simple(int arg) { return place((1 << arg) - 1, 0, 0, 0); }
