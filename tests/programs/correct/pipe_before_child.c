// A thread waits for a pipe, and then main makes a process that writes to it: the wait, which began in the scheduler, ends
// for what came from outside. Without the wait for the process nothing can go on until it has written.
// heddle: check -- waits
// expect: incomplete=child-process executions=1 rewind=fork-checkpoint
// heddle: check -- joins
// expect: incomplete=child-process executions=1 rewind=fork-checkpoint
// Graphs: main goes on when the thread has posted, and the thread when the process has written: 1.
#include <semaphore.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run_threads.h"

static int ends[2];
static sem_t ready;

static void *Read(void *arg) {
  char c;
  sem_post(&ready);
  assert(read(ends[0], &c, 1) == 1 && c == 'c');
  return arg;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  const int waits = strcmp(argv[1], "waits") == 0;
  int status;
  assert(pipe(ends) == 0);
  sem_init(&ready, 0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, Read, 0);
  sem_wait(&ready);
  pid_t child = fork();
  if (child == 0) {
    if (!waits) usleep(100000);
    _exit(write(ends[1], "c", 1) == 1 ? 0 : 1);
  }
  if (waits) assert(waitpid(child, &status, 0) == child && status == 0);
  pthread_join(thread, 0);
  if (!waits) assert(waitpid(child, &status, 0) == child && status == 0);
  sem_destroy(&ready);
}
