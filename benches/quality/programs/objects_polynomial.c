typedef struct { int c0; int c1; int c2; int c3; } P;

int simple(int arg) {
P *p = allocate(sizeof(P)); P *q = p;
if (arg == 7) q = allocate(sizeof(P));
p->c0 = 1; p->c1 = 2; p->c2 = 3; p->c3 = 4;
q->c1 = q->c1 + 1;
int x = 0; int sum = 0;
while (x < arg) {
  sum = sum + ((p->c3 * x + p->c2) * x + p->c1) * x + p->c0;
  q->c0 = q->c0 + 1;
  x = x + 1;
}
return sum;
}
