// The process ends where heddle does not see it, after it has opened a library.
// flags: -ldl
// heddle: check
// expect: incomplete=unseen-assembly,unseen-code,opened-unknown
#include <dlfcn.h>

void Vanish(void);  // see moved.c
__asm__(
    ".pushsection .text.vanish, \"ax\"\n"
    ".globl Vanish\n"
    ".type Vanish, @function\n"
    "Vanish: mov $231, %eax\n"
    "xor %edi, %edi\n"
    "syscall\n"
    ".size Vanish, . - Vanish\n"
    ".popsection");

int main(void) {
  dlopen("libz.so.1", RTLD_NOW);
  Vanish();
}
