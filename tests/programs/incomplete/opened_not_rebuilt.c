// The same, opened while the program runs.
// flags: -ldl
// heddle: check
// expect: incomplete=opened-not-rebuilt
#include <dlfcn.h>

int main(void) { dlopen("libz.so.1", RTLD_NOW); }
