typedef struct F { int n; struct F *below; } F;

int simple(int arg) {
int sum = 0; int i = 0;
while (i < arg) {
  F *top = allocate(sizeof(F)); 
  if (top) top->n = (i - i / 13 * 13);
  while (top) {
    int n = top->n; top = top->below;
    sum = sum + n;
    if (n > 2) {
      F *f = allocate(sizeof(F)); f->n = n / 2; f->below = top; top = f;
      F *g = allocate(sizeof(F)); g->n = n - n / 2 - 1; g->below = top; top = g;
    }
  }
  i = i + 1;
}
return sum;
}
