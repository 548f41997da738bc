typedef struct Node { int value; struct Node *next; } Node;

int simple(int arg) {
Node *head = 0;
int i = 0;
while (i < arg) {
  Node *n = allocate(sizeof(Node));
  n->value = i * i;
  n->next = head;
  head = n;
  i = i + 1;
}
int sum = 0;
int round = 0;
while (round < 10) {
  Node *at = head;
  while (at) {
    sum = sum + at->value;
    at = at->next;
  }
  round = round + 1;
}
return sum;
}
