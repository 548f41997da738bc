typedef struct L { int v; struct L *next; } L;

int simple(int arg) {
L *x = allocate(sizeof(L)); L *y = allocate(sizeof(L)); L *p = x; L *q = y; int i = 0;
while (i < arg) {
  L *f = allocate(sizeof(L)); f->v = i * 3; p->next = f; p = f;
  L *g = allocate(sizeof(L)); g->v = i * 5 - 20; q->next = g; q = g;
  i = i + 1;
}
L *out = allocate(sizeof(L)); L *tail = out; L *a = x->next; L *b = y->next;
while (a) {
  if (!b) break;
  if (a->v <= b->v) { tail->next = a; tail = a; a = a->next; }
  else { tail->next = b; tail = b; b = b->next; }
}
if (a) tail->next = a; else tail->next = b;
int sum = 0; int k = 0; L *r = out->next;
while (r) { sum = sum + r->v * k; k = k + 1; r = r->next; }
return sum;
}
