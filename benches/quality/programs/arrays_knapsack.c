int simple(int arg) {
ARRAY(int, best, arg + 1);
for (int item = 1; item < 20; item++) {
  int weight = item * 7 % 13 + 1;
  int value = item * 11 % 17 + 3;
  for (int room = arg; room >= weight; room--) {
    int with = (*best)[room - weight] + value;
    if (with > (*best)[room]) (*best)[room] = with;
  }
}
return (*best)[arg];
}
