int simple(int arg) {
ARRAY(unsigned char, a, arg);
ARRAY(unsigned char, b, arg + 3);
for (int i = 0; i < arg; i++) (*a)[i] = i * 7 & 15;
for (int i = 0; i < (arg + 3); i++) (*b)[i] = i * 5 & 15;
ARRAY(int, row, (arg + 3) + 1);
for (int j = 0; j < ((arg + 3) + 1); j++) (*row)[j] = j;
for (int i = 0; i < arg; i++) {
  int diagonal = (*row)[0];
  (*row)[0] = i + 1;
  for (int j = 0; j < (arg + 3); j++) {
    int cost = diagonal;
    if ((*a)[i] != (*b)[j]) cost++;
    diagonal = (*row)[j + 1];
    if (diagonal + 1 < cost) cost = diagonal + 1;
    if ((*row)[j] + 1 < cost) cost = (*row)[j] + 1;
    (*row)[j + 1] = cost;
  }
}
return (*row)[(arg + 3)];
}
