int simple(int arg) {
ARRAY(double, f, arg);
for (int i = 0; i < arg; i++) (*f)[i] = i / 4.0;
double sum = 0.0;
for (int round = 0; round < 5; round++)
  for (int i = 0; i < arg; i++) {
    sum = sum + (*f)[i] * 0.5;
    (*f)[i] = (*f)[i] + 1.0;
  }
return sum < 1000.0;
}
