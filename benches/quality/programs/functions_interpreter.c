static int step(int op, int x, int y) {
  if (op == 1) return x + y;
  return x * y;
}
static int execute(int *program, int *stack, int at, int top, int n, int sum) {
  int op = program[at];
  if (op == 0) { stack[top] = n; return execute(program, stack, at + 1, top + 1, n, sum); }
  if (op == 3) { stack[top] = sum; return execute(program, stack, at + 1, top + 1, n, sum); }
  if (op == 4) return execute(program, stack, at + 1, top - 1, n, stack[top - 1]);
  if (op == 5) return execute(program, stack, n > 1 ? 0 : at + 1, top, n - 1, sum);
  if (op == 6) return sum;
  stack[top - 2] = step(op, stack[top - 2], stack[top - 1]);
  return execute(program, stack, at + 1, top - 1, n, sum);
}

int simple(int arg) {
int *code = allocate(80);
code[0] = 0; code[1] = 0; code[2] = 2; code[3] = 3; code[4] = 1; code[5] = 4;
code[6] = 5; code[7] = 6;
return execute(code, allocate(32), 0, 0, arg, 0);
}
