int simple(int arg) {
ARRAY(int, a, arg);
int seed = 54321;
for (int i = 0; i < arg; i++) {
  seed = seed * 1103515245 + 12345;
  (*a)[i] = seed >> 8;
}
int start = arg / 2;
int end = arg;
while (end > 1) {
  if (start > 0) start--;
  else {
    end--;
    int last = (*a)[end];
    (*a)[end] = (*a)[0];
    (*a)[0] = last;
  }
  int root = start;
  int x = (*a)[root];
  while (root * 2 + 1 < end) {
    int child = root * 2 + 1;
    if (child + 1 < end) if ((*a)[child] < (*a)[child + 1]) child++;
    if (x >= (*a)[child]) break;
    (*a)[root] = (*a)[child];
    root = child;
  }
  (*a)[root] = x;
}
int wrong = 0;
for (int i = 1; i < arg; i++) if ((*a)[i - 1] > (*a)[i]) wrong++;
return wrong * 1000 + (*a)[arg / 2];
}
