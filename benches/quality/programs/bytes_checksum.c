int simple(int arg) {
ARRAY(unsigned short, data, 512);
for (int i = 0; i < 512; i++) (*data)[i] = i * 40503 + arg;
int sum = 0;
for (int i = 0; i < arg; i++) sum = sum + (*data)[i & 511];
while ((unsigned)sum >> 16) sum = (sum & 65535) + (int)((unsigned)sum >> 16);
return sum ^ 65535;
}
