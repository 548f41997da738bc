static int tak(int x, int y, int z) {
  return y < x ? tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y)) : z;
}

int simple(int arg) { return tak(arg, arg - 4, arg - 8); }
