// The process ends where heddle does not see it, after it has opened a library.
// flags: -ldl
// heddle: check
// expect: incomplete=unseen-assembly,unseen-code,opened-unknown
#include <dlfcn.h>

#include "vanish.h"

int main(void) {
  dlopen("libz.so.1", RTLD_NOW);
  Vanish();
}
