typedef struct { double sum; double squares; int count; } Sums;

int simple(int arg) {
Sums *a = allocate(sizeof(Sums)); Sums *b = allocate(sizeof(Sums)); Sums *p = a;
int i = 0;
while (i < arg) {
  flt x = i * 0.5 - 3.25;
  p->sum = p->sum + x;
  p->squares = p->squares + x * x;
  p->count = p->count + 1;
  Sums *t = a; a = b; b = t;
  p = a;
  i = i + 1;
}
int result = a->count * 10;
if (a->sum < a->squares) result = result + 1;
if (a->squares * a->count < b->sum * b->sum + 1000.0) result = result + 2;
if (b->squares - a->squares < 2.5) result = result + 4;
return result;
}
