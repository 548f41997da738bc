int simple(int arg) {
ARRAY(int, row, arg);
int at = 0;
int count = 0;
(*row)[0] = -1;
while (at >= 0) {
  (*row)[at]++;
  if ((*row)[at] == arg) {
    at--;
  } else {
    int i = 0;
    while (i < at) {
      int d = (*row)[at] - (*row)[i];
      if (d == 0) break;
      if (d == at - i) break;
      if (d == i - at) break;
      i++;
    }
    if (i == at) {
      if (at == arg - 1) count++;
      else {
        at++;
        (*row)[at] = -1;
      }
    }
  }
}
return count;
}
