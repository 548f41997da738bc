int simple(int arg) {
ARRAY(unsigned char, composite, arg + 1);
int count = 0;
for (int i = 2; i <= arg; i++) {
  if ((*composite)[i] == 0) {
    count++;
    for (int j = i + i; j <= arg; j += i) (*composite)[j] = 1;
  }
}
return count;
}
