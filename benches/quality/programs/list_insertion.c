typedef struct N N;
struct N { int value; N *next; };
int simple(int arg) {
N *head = allocate(sizeof(N));
int seed = 42; int i = 0;
while (i < arg) {
    seed = seed * 1103515245 + 12345;
    N *fresh = allocate(sizeof(N));
    fresh->value = seed / 65536;
    N *p = head;
    N *q = p->next;
    while (q) {
        if (q->value >= fresh->value) break;
        p = q;
        q = p->next;
    }
    fresh->next = q;
    p->next = fresh;
    i = i + 1;
}
int sum = 0; int k = 1;
N *r = head->next;
while (r) { sum = sum + r->value * k; k = k + 1; r = r->next; }
return sum;
}
