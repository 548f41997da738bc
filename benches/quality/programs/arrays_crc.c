int simple(int arg) {
ARRAY(int, table, 256);
for (int i = 0; i < 256; i++) {
  int c = i;
  for (int k = 0; k < 8; k++) {
    int low = c & 1;
    c = (unsigned)c >> 1;
    if (low) c = c ^ (0 - 306674912);
  }
  (*table)[i] = c;
}
int crc = -1;
for (int i = 0; i < arg; i++) crc = (*table)[(crc ^ i * 7) & 255] ^ (int)((unsigned)crc >> 8);
return crc;
}
