typedef struct { int n; int sum; int max; } Box;

int simple(int arg) {
Box *a = allocate(sizeof(Box)); Box *b = allocate(sizeof(Box)); Box *p = a;
int i = 0;
while (i < arg) {
  p->sum = p->sum + i;
  p->n = p->n + 1;
  if (p->max < i) p->max = i;
  Box *t = a; a = b; b = t;
  p = a;
  i = i + 1;
}
return a->sum * 3 + b->sum + a->n + b->max;
}
