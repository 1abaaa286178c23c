// A static constructor maps memory that is shared with other processes: nothing takes back what is written there.
// heddle: check
// expect: incomplete=shared-memory
#define _GNU_SOURCE
#include <sys/mman.h>

static int* shared;

__attribute__((constructor)) static void Map(void) {
  shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

int main(void) { ++*shared; }
