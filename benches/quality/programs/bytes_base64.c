int simple(int arg) {
ARRAY(unsigned char, digits, 64);
for (int i = 0; i < 26; i++) { (*digits)[i] = 65 + i; (*digits)[26 + i] = 97 + i; }
for (int i = 0; i < 10; i++) (*digits)[52 + i] = 48 + i;
(*digits)[62] = 43;
(*digits)[63] = 47;
int length = 3 * arg, size = 4 * arg;
ARRAY(unsigned char, text, length);
for (int i = 0; i < length; i++) (*text)[i] = i * 11;
ARRAY(unsigned char, encoded, size);
int to = 0;
int i = 0;
while (i + 2 < length) {
  int three = ((*text)[i] << 16) | ((*text)[i + 1] << 8) | (*text)[i + 2];
  (*encoded)[to] = (*digits)[three >> 18 & 63];
  (*encoded)[to + 1] = (*digits)[three >> 12 & 63];
  (*encoded)[to + 2] = (*digits)[three >> 6 & 63];
  (*encoded)[to + 3] = (*digits)[three & 63];
  i = i + 3;
  to = to + 4;
}
int sum = 0;
for (int k = 0; k < size; k++) sum = sum * 31 + (*encoded)[k];
return sum;
}
