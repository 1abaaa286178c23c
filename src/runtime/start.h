// From process start to main.
#pragma once

namespace heddle::runtime {

// The program's main, as __libc_start_main got it, with arguments and environment in memory that is
// rewound.
using Main = int (*)(int, char**, char**);
struct ProgramStart {
  Main main;
  int argc;
  char** argv;
  char** envp;
  // What an execution is instead of main, if it is one of heddle::Check; lives on main's stack.
  void (*body)(void*);
  void* body_argument;
  int thread;  // the kernel's number of main's thread, which glibc writes into what it locks
};
extern ProgramStart g_program;

// The program creates a thread before main (or heddle's pool does: not counted).
void NoteEarlyThread();
bool ThreadsBeforeMain();

}  // namespace heddle::runtime
