static int rotate(int x, int by) { return ((int)((unsigned)x >> by)) | (x << (32 - by)); }
static int small0(int x) { return rotate(x, 7) ^ rotate(x, 18) ^ ((int)((unsigned)x >> 3)); }
static int small1(int x) { return rotate(x, 17) ^ rotate(x, 19) ^ ((int)((unsigned)x >> 10)); }
static int large0(int x) { return rotate(x, 2) ^ rotate(x, 13) ^ rotate(x, 22); }
static int large1(int x) { return rotate(x, 6) ^ rotate(x, 11) ^ rotate(x, 25); }
static int choose(int x, int y, int z) { return z ^ (x & (y ^ z)); }
static int majority(int x, int y, int z) { return (x & y) | (z & (x | y)); }
static int compress(int *k, int *w, int *hash) {
  for (int i = 16; i < 64; i++) w[i] = w[i - 16] + small0(w[i - 15]) + w[i - 7] + small1(w[i - 2]);
  int a = hash[0]; int b = hash[1]; int c = hash[2]; int d = hash[3];
  int e = hash[4]; int f = hash[5]; int g = hash[6]; int h = hash[7];
  for (int i = 0; i < 64; i++) {
    int t = h + large1(e) + choose(e, f, g) + k[i] + w[i];
    int u = large0(a) + majority(a, b, c);
    h = g; g = f; f = e; e = d + t; d = c; c = b; b = a; a = t + u;
  }
  hash[0] = hash[0] + a; hash[1] = hash[1] + b; hash[2] = hash[2] + c; hash[3] = hash[3] + d;
  hash[4] = hash[4] + e; hash[5] = hash[5] + f; hash[6] = hash[6] + g; hash[7] = hash[7] + h;
  return 0;
}

int simple(int arg) {
int *k = allocate(4 * 64);
k[0] = 1116352408; k[1] = 1899447441; k[2] = -1245643825; k[3] = -373957723;
k[4] = 961987163; k[5] = 1508970993; k[6] = -1841331548; k[7] = -1424204075;
k[8] = -670586216; k[9] = 310598401; k[10] = 607225278; k[11] = 1426881987;
k[12] = 1925078388; k[13] = -2132889090; k[14] = -1680079193; k[15] = -1046744716;
k[16] = -459576895; k[17] = -272742522; k[18] = 264347078; k[19] = 604807628;
k[20] = 770255983; k[21] = 1249150122; k[22] = 1555081692; k[23] = 1996064986;
k[24] = -1740746414; k[25] = -1473132947; k[26] = -1341970488; k[27] = -1084653625;
k[28] = -958395405; k[29] = -710438585; k[30] = 113926993; k[31] = 338241895;
k[32] = 666307205; k[33] = 773529912; k[34] = 1294757372; k[35] = 1396182291;
k[36] = 1695183700; k[37] = 1986661051; k[38] = -2117940946; k[39] = -1838011259;
k[40] = -1564481375; k[41] = -1474664885; k[42] = -1035236496; k[43] = -949202525;
k[44] = -778901479; k[45] = -694614492; k[46] = -200395387; k[47] = 275423344;
k[48] = 430227734; k[49] = 506948616; k[50] = 659060556; k[51] = 883997877;
k[52] = 958139571; k[53] = 1322822218; k[54] = 1537002063; k[55] = 1747873779;
k[56] = 1955562222; k[57] = 2024104815; k[58] = -2067236844; k[59] = -1933114872;
k[60] = -1866530822; k[61] = -1538233109; k[62] = -1090935817; k[63] = -965641998;
int *hash = allocate(4 * 8);
hash[0] = 1779033703; hash[1] = -1150833019; hash[2] = 1013904242; hash[3] = -1521486534;
hash[4] = 1359893119; hash[5] = -1694144372; hash[6] = 528734635; hash[7] = 1541459225;
int *w = allocate(4 * 64);
for (int block = 0; block < arg; block++) {
  for (int i = 0; i < 16; i++) w[i] = block * 16 + i;
  compress(k, w, hash);
}
return hash[0];
}
