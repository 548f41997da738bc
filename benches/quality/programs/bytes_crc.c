int simple(int arg) {
ARRAY(unsigned char, text, 512);
for (int i = 0; i < 512; i++) (*text)[i] = i * 7 + arg;
ARRAY(unsigned short, table, 256);
for (int i = 0; i < 256; i++) {
  unsigned short c = i;
  for (int k = 0; k < 8; k++) {
    int low = c & 1;
    c = c >> 1;
    if (low) c = c ^ 40961;
  }
  (*table)[i] = c;
}
unsigned short crc = 0;
for (int i = 0; i < arg; i++) crc = (*table)[(crc ^ (*text)[i & 511]) & 255] ^ (crc >> 8);
return crc;
}
