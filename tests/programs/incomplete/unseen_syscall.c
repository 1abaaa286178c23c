// A system call that heddle does not know, made by syscall(); those that only ask are known (correct/by_syscall.c).
// heddle: check
// expect: incomplete=unseen-syscall
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

#include "run_threads.h"

static void *End(void *arg) { return arg; }

int main() {
  syscall(SYS_mq_unlink, "/heddle");
  RunSame(2, End);
}
