int simple(int arg) {
int width = arg;
ARRAY(unsigned char, now, width * width);
ARRAY(unsigned char, next, width * width);
int seed = 7;
for (int i = 0; i < (width * width); i++) {
  seed = seed * 1103515245 + 12345;
  (*now)[i] = (seed >> 16) & 1;
}
for (int round = 0; round < 10; round++) {
  for (int y = 1; y < width - 1; y++)
    for (int x = 1; x < width - 1; x++) {
      int at = y * width + x;
      int count = (*now)[at - width - 1] + (*now)[at - width] + (*now)[at - width + 1];
      count += (*now)[at - 1] + (*now)[at + 1];
      count += (*now)[at + width - 1] + (*now)[at + width] + (*now)[at + width + 1];
      int alive = 0;
      if (count == 3) alive = 1;
      if (count == 2) alive = (*now)[at];
      (*next)[at] = alive;
    }
  for (int i = 0; i < (width * width); i++) (*now)[i] = (*next)[i];
}
int alive = 0;
for (int i = 0; i < (width * width); i++) alive += (*now)[i];
return alive;
}
