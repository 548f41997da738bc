typedef struct Node { int value; struct Node *next; } Node;

int simple(int arg) {
Node *head = 0;
int i = 0;
while (i < arg) {
  Node *n = allocate(sizeof(Node));
  n->value = i;
  n->next = head;
  head = n;
  i = i + 1;
}
int round = 0;
while (round < 9) {
  Node *reversed = 0;
  while (head) {
    Node *next = head->next;
    head->next = reversed;
    reversed = head;
    head = next;
  }
  head = reversed;
  round = round + 1;
}
int mixed = 0;
while (head) {
  mixed = mixed * 3 + head->value;
  head = head->next;
}
return mixed;
}
