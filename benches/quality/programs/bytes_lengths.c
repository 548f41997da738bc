int simple(int arg) {
ARRAY(unsigned char, text, arg);
for (int i = 0; i < arg; i++) (*text)[i] = i * 37 + (i >> 3);
int count = 0;
for (int i = 0; i < arg; i++) if (((*text)[i] & 192) != 128) count++;
return count;
}
