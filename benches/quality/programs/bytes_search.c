int simple(int arg) {
ARRAY(unsigned char, text, arg);
ARRAY(unsigned char, word, 4);
int seed = 3;
for (int i = 0; i < arg; i++) {
  seed = seed * 1103515245 + 12345;
  (*text)[i] = (seed >> 16) & 3;
}
(*word)[0] = 1;
(*word)[1] = 2;
(*word)[2] = 1;
(*word)[3] = 3;
int found = 0;
for (int i = 0; i + 4 <= arg; i++) {
  int j = 0;
  while (j < 4) {
    if ((*text)[i + j] != (*word)[j]) break;
    j++;
  }
  if (j == 4) found++;
}
return found;
}
