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
