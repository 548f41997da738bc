static int step(flt cr, flt ci, flt x, flt y, int left) {
  if (left == 0) return 1;
  flt xx = x * x;
  flt yy = y * y;
  if (xx + yy > 4.0) return 0;
  return step(cr, ci, xx - yy + cr, 2.0 * x * y + ci, left - 1);
}
static int row(int at, int size) {
  int count = 0;
  flt ci = at * 2.0 / size - 1.0;
  for (int i = 0; i < size; i++) count = count + step(i * 3.0 / size - 2.0, ci, 0.0, 0.0, 30);
  return count;
}

int simple(int arg) {
int count = 0;
for (int at = 0; at < arg; at++) count = count * 3 + row(at, arg);
return count;
}
