// The process ends where heddle does not see it, and the next one has a library more.
// flags: -ldl
// heddle: check
// expect: incomplete=unseen-assembly,unseen-code,moved
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

// _exit(0), but that heddle does not see the call.
void Vanish(void);
__asm__(
    ".pushsection .text.vanish, \"ax\"\n"
    ".globl Vanish\n"
    ".type Vanish, @function\n"
    "Vanish: mov $231, %eax\n"
    "xor %edi, %edi\n"
    "syscall\n"
    ".size Vanish, . - Vanish\n"
    ".popsection");

static const char kMark[] = "moved.mark";
static int is_second;

__attribute__((constructor)) static void Open(void) {
  is_second = rmdir(kMark) == 0;
  if (is_second) dlopen("libz.so.1", RTLD_NOW);
}

int main(void) {
  if (is_second) return 0;
  mkdir(kMark, 0700);
  Vanish();
}
