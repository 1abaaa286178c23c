// A handler takes the lock that the code which it interrupts holds. The report says where it is run, and which signal that was.
// heddle: check
// expect: verdict=bug kind=deadlock thread=T1 location=@handler message~"self-deadlock: T1 waits at" step~"takes SIGUSR1: its handler runs here" step~"sends SIGUSR1"
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void Handle(int signal) {
  (void)signal;
  pthread_mutex_lock(&mutex);  // @handler
  pthread_mutex_unlock(&mutex);
}

static void *Work(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  signal(SIGUSR1, Handle);
  pthread_t thread;
  pthread_create(&thread, 0, Work, 0);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, 0);
}
