/* The next object, and the start of the heap. */
#define NEXT (*(char **)0x10000000)

static inline __attribute__((always_inline)) void *allocate(int size) {
  int *object = (int *)NEXT;
  NEXT += size;
  object[0] = 0;
  return object;
}

typedef struct { int x; int y; } V;

int simple(int arg) {
V *a = allocate(sizeof(V)); V *b = allocate(sizeof(V));
a->x = 1; b->y = 2; a->y = arg; b->x = 5;
int i = arg;
while (i) {
  int t = a->x; a->x = b->y; b->y = t;
  t = a->y; a->y = b->x + 1; b->x = t;
  V *w = a; a = b; b = w;
  i = i - 1;
}
return a->x * 1000 + a->y * 100 + b->x * 10 + b->y;
}
