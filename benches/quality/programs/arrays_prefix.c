int simple(int arg) {
ARRAY(int, a, arg);
for (int i = 0; i < arg; i++) (*a)[i] = i * i;
for (int round = 0; round < 5; round++)
  for (int i = 1; i < arg; i++) (*a)[i] += (*a)[i - 1];
return (*a)[arg - 1];
}
