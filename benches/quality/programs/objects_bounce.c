typedef struct V { int x; int y; int vx; int vy; int hits; } V;

int simple(int arg) {
V *v = allocate(sizeof(V)); v->x = 10; v->y = 20; v->vx = 3; v->vy = 5; int i = 0;
while (i < arg) {
  v->x = v->x + v->vx; v->y = v->y + v->vy;
  if (v->x < 0) { v->x = -v->x; v->vx = -v->vx; v->hits = v->hits + 1; }
  if (v->x > 100) { v->x = 200 - v->x; v->vx = -v->vx; v->hits = v->hits + 1; }
  if (v->y < 0) { v->y = -v->y; v->vy = -v->vy; v->hits = v->hits + 1; }
  if (v->y > 80) { v->y = 160 - v->y; v->vy = -v->vy; v->hits = v->hits + 1; }
  i = i + 1;
}
return v->hits * 1000 + v->x;
}
