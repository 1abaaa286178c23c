// A library that heddle-cc did not build.
// flags: -Wl,--no-as-needed -l:libz.so.1
// heddle: check
// expect: incomplete=not-rebuilt
int main(void) {}
