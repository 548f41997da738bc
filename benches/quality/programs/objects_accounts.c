typedef struct A { int balance; int moves; } A;

int simple(int arg) {
A *x = allocate(sizeof(A)); A *y = allocate(sizeof(A)); x->balance = 1000; y->balance = 500; int i = 0;
while (i < arg) { int amount = ((i * 37) - (i * 37) / 90 * 90); if (x->balance >= amount) { x->balance = x->balance - amount; y->balance = y->balance + amount; x->moves = x->moves + 1; } else { y->balance = y->balance - 400; x->balance = x->balance + 400; y->moves = y->moves + 1; } i = i + 1; }
return x->balance * 1000 + y->balance + x->moves * 7 + y->moves;
}
