int simple(int arg) {
// A machine with a stack of numbers: it sums the numbers from arg down to 1.
ARRAY(unsigned char, code, 16);
ARRAY(int, stack, 16);
ARRAY(int, variables, 4);
(*variables)[0] = arg;
// push x, push y, add, to y; push x, 1, subtract, to x; push x, jump if not zero; end
(*code)[0] = 1;
(*code)[1] = 0;
(*code)[2] = 1;
(*code)[3] = 1;
(*code)[4] = 3;
(*code)[5] = 2;
(*code)[6] = 1;
(*code)[7] = 4;
(*code)[8] = 2;
(*code)[9] = 0;
(*code)[10] = 1;
(*code)[11] = 0;
(*code)[12] = 5;
(*code)[13] = 0;
(*code)[14] = 0;
int at = 0;
int top = 0;
while ((*code)[at] != 0) {
  int op = (*code)[at];
  at++;
  if (op == 1) {
    (*stack)[top] = (*variables)[(*code)[at]];
    at++;
    top++;
  } else if (op == 2) {
    top--;
    (*variables)[(*code)[at]] = (*stack)[top];
    at++;
  } else if (op == 3) {
    top--;
    (*stack)[top - 1] = (*stack)[top - 1] + (*stack)[top];
  } else if (op == 4) {
    (*stack)[top] = (*variables)[0] - 1;
    top++;
  } else {
    top--;
    if ((*stack)[top] != 0) at = (*code)[at];
    else at++;
  }
}
return (*variables)[1];
}
