/* The next object, and the start of the heap. */
#define NEXT (*(char **)0x10000000)

static inline __attribute__((always_inline)) void *allocate(int size) {
  int *object = (int *)NEXT;
  NEXT += size;
  object[0] = 0;
  return object;
}

typedef struct { int x; int y; } Pt;

int simple(int arg) {
Pt *best = allocate(sizeof(Pt));
int i = 0;
while (i < arg) {
  Pt *p = allocate(sizeof(Pt));
  p->x = i * i - 7 * i;
  p->y = i;
  if (p->x < best->x) best = p;
  i = i + 1;
}
return best->y;
}
