typedef struct Tree { struct Tree *left, *right; } Tree;

static Tree *grow(int depth) {
  Tree *tree = allocate(sizeof(Tree));
  if (depth > 0) { tree->left = grow(depth - 1); tree->right = grow(depth - 1); }
  return tree;
}
static int count(Tree *tree) {
  return tree ? 1 + count(tree->left) + count(tree->right) : 0;
}

int simple(int arg) { return count(grow(arg)); }
