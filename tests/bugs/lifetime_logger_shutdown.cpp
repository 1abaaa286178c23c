// A logger with a thread of its own is shut down while workers may log. Shutdown waits for the workers that are *registered*; a worker
// registers itself when it begins.
// Interleaving: main shuts down when one worker has come and gone and another has not begun; that one then locks a mutex that was destroyed.
// bug: preemptions=0 threads=4
// heddle: check
// expect: verdict=bug kind=misuse
// fixed: check
// expect: verdict=clean complete=true
#include <pthread.h>

#include <cassert>

static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t left = PTHREAD_COND_INITIALIZER;
static int registered, started;

static pthread_mutex_t log_mutex;
static int lines;

static void Register() {
  pthread_mutex_lock(&registry);
  registered++, started++;
  pthread_cond_signal(&left);
  pthread_mutex_unlock(&registry);
}

static void *Work(void *arg) {
#ifndef FIXED
  Register();
#endif
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&log_mutex);
    lines++;
    pthread_mutex_unlock(&log_mutex);
  }
  pthread_mutex_lock(&registry);
  if (--registered == 0) pthread_cond_signal(&left);
  pthread_mutex_unlock(&registry);
  return arg;
}

int main() {
  pthread_mutex_init(&log_mutex, nullptr);
  pthread_t workers[3];
  for (auto &worker : workers) {
#ifdef FIXED
    Register();
#endif
    pthread_create(&worker, nullptr, Work, nullptr);
  }
  pthread_mutex_lock(&log_mutex);
  lines++;
  pthread_mutex_unlock(&log_mutex);
  pthread_mutex_lock(&registry);
  while (started == 0 || registered > 0) pthread_cond_wait(&left, &registry);
  pthread_mutex_unlock(&registry);
  pthread_mutex_destroy(&log_mutex);
  for (auto &worker : workers) pthread_join(worker, nullptr);
}
