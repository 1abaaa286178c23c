"""Operators new and delete that come from elsewhere than a shared C++ library which the program is linked with: what belongs
together is not known, or nothing changes for the program. No false alarm, and its own words from dlerror()."""

import subprocess
import sys

from heddle_run import SECONDS, Case

# A library of the program brings the operators: from memory of its own, from a list that it frees itself, from malloc.
LIBRARY = """
#include <cstdlib>
#include <new>
struct Node { Node *next; };
static Node *list;
static char room[1 << 16];
static std::size_t used;
void *operator new(std::size_t bytes) {
  void *block = nullptr;
  if (KIND == 0) block = room + (used += (bytes + 15) / 16 * 16) - (bytes + 15) / 16 * 16;
  if (KIND == 1) {
    if (list != nullptr) { block = list; list = list->next; } else block = malloc(256);
  }
  if (KIND == 2) block = malloc(bytes);
  return block != nullptr ? block : throw std::bad_alloc();
}
void operator delete(void *block) noexcept {
  if (KIND == 1 && block != nullptr) list = new (block) Node{list};
  if (KIND == 2) free(block);
}
void operator delete(void *block, std::size_t) noexcept { operator delete(block); }
void Drain() {
  while (list != nullptr) { Node *first = list; list = first->next; free(first); }
}
"""
USER = """
#include <string>
void Drain();
int main() {
  std::string text = "which is longer than what a string holds in itself";
  text += text;
  int *volatile one = new int;
  delete one;
  Drain();
}
"""
# A program in C opens a library in C++, with what that needs for itself.
PLUGIN = """
#include <new>
#include <string>
extern "C" int Plug() {
  delete new std::string(100, 'a');
  try {
    void *volatile huge = ::operator new(std::size_t{1} << 62);
    (void)huge;
  } catch (const std::bad_alloc &) {
    return 5;
  }
  return 1;
}
"""
OPENER = """
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  int (*plug)(void) = (int (*)(void))dlsym(library, "Plug");
  return plug() == 5 ? 0 : 1;
}
"""
ADDRESS = """
#include <cstring>
#include <memory>
int main(int argc, char **argv) {
  std::unique_ptr<void, void (*)(void *)> owned(::operator new(4), ::operator delete);
  char *volatile text = new char[10];
  if (argc > 1) delete text; else delete[] text;
}
"""
OWN_MALLOC = """
#include <cstddef>
#include <string>
static char room[1 << 20];
static std::size_t used;
extern "C" void *malloc(std::size_t bytes) { return room + (used += (bytes + 15) / 16 * 16) - (bytes + 15) / 16 * 16; }
extern "C" void free(void *) {}
int main() {
  std::string text(100, 'a');
  delete new int;
}
"""
ERROR = """
#include <dlfcn.h>
#include <cstdio>
struct alignas(64) Wide { char bytes[64]; };
int main() {
  dlopen("/no/such/library.so", RTLD_NOW);
  Wide *volatile wide = new Wide[2];
  const char *error = dlerror();
  std::puts(error != nullptr ? error : "no error");
  dlopen("/no/such/library.so", RTLD_NOW);
  delete[] wide;
}
"""
case = Case(sys.argv[1])


def clean(what, program, *arguments):
    done = case.heddle("check", "--", program, *arguments)
    case.expect(f"{what}: no bug", "no bug found" in done.out and "mismatch" not in done.out, done)


for kind in range(3):
    (case.path / "operators.cpp").write_text(LIBRARY)
    subprocess.run(["g++", "-shared", "-fPIC", f"-DKIND={kind}", "operators.cpp", "-o", f"liboperators{kind}.so"], check=True,
                   cwd=case.path, timeout=SECONDS)
    clean(f"operators of a library, {kind}", case.compile(f"user{kind}", USER, "-L.", f"-loperators{kind}", f"-Wl,-rpath,{case.path}",
                                                        compiler="heddle-c++"))
(case.path / "plugin.cpp").write_text(PLUGIN)
subprocess.run(["g++", "-shared", "-fPIC", "plugin.cpp", "-o", "plugin.so"], check=True, cwd=case.path, timeout=SECONDS)
opener = case.compile("opener", OPENER, "-ldl")
clean("a library in C++ of a program in C", opener, case.path / "plugin.so")
plain = subprocess.run([opener, case.path / "plugin.so"], check=False, timeout=SECONDS)
case.expect("it throws without heddle, too", plain.returncode == 0, case.heddle("--version"))
address = case.compile("address", ADDRESS, "-no-pie", "-fno-pie", compiler="heddle-c++")
clean("the address of an operator", address)
found = case.heddle("check", "--", address, "x")
case.expect("and a mismatch beside it", found.status == 1 and "alloc-dealloc mismatch" in found.out, found)
clean("a malloc of the program's own", case.compile("own_malloc", OWN_MALLOC, compiler="heddle-c++"))
error = case.compile("error", ERROR, compiler="heddle-c++")
clean("an error of dlopen before", error)
told = subprocess.run([error], capture_output=True, text=True, check=False, timeout=SECONDS).stdout
case.expect(f"dlerror has it still: {told}", "no/such/library" in told, case.heddle("--version"))
case.finish()
