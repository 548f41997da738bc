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
