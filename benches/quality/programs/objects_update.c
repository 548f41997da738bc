typedef struct { int sum; int count; int last; } Total;

int simple(int arg) {
Total *t = allocate(sizeof(Total)); Total *p = t;
if (arg > 100) p = allocate(sizeof(Total));
int i = 0;
while (i < arg) {
  t->sum = t->sum + i * 3;
  p->count = p->count - i;
  t->last = p->sum + t->count;
  i = i + 1;
}
return t->sum + t->count + t->last;
}
