// An instruction that heddle-cc does not decode writes to memory.
// heddle: check
// expect: incomplete=unseen-assembly
static char to[4], from[4];

int main(void) {
  char *source = from, *target = to;
  long bytes = 4;
  __asm__ volatile("repe cmpsb" : "+S"(source), "+D"(target), "+c"(bytes) : : "memory", "cc");
}
