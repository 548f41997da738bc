typedef struct { int *tokens; int at; } Text;

static int product(Text *text);
static int factor(Text *text);

static int sum(Text *text) {
  int value = product(text);
  while (text->tokens[text->at] == -1) { text->at = text->at + 1; value = value + product(text); }
  return value;
}
static int product(Text *text) {
  int value = factor(text);
  while (text->tokens[text->at] == -2) { text->at = text->at + 1; value = value * factor(text); }
  return value;
}
static int factor(Text *text) {
  int token = text->tokens[text->at];
  text->at = text->at + 1;
  if (token >= 0) return token;
  int value = sum(text);
  text->at = text->at + 1;
  return value;
}

int simple(int arg) {
int *tokens = allocate(4 * (10 * arg + 2));
int end = 0;
for (int i = 0; i < arg; i++) {
  tokens[end] = -3; tokens[end + 1] = i & 7; tokens[end + 2] = -1; tokens[end + 3] = i & 3;
  tokens[end + 4] = -2; tokens[end + 5] = 5; tokens[end + 6] = -4; tokens[end + 7] = -2;
  tokens[end + 8] = i & 15; tokens[end + 9] = -1;
  end = end + 10;
}
tokens[end] = 1; tokens[end + 1] = -5;
Text *text = allocate(sizeof(Text));
text->tokens = tokens;
return sum(text);
}
