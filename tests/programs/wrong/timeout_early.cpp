// A time limit of a second passes although the other thread, which would post, could go on. That
// takes no preemption: it is counted by its own name, and a bound and its guarantee count both. Time
// limits that pass only when nothing else can run never show it.
// heddle: check
// expect: verdict=bug kind=assertion preemptions=0 early_timeouts=1 fewer_may_do=false thread=T1
// heddle: check --bound preemptions=0
// expect: verdict=clean complete=true guarantee~"without a preemption or early timeout explored"
// expect: guarantee~"any bug left needs at least 1 preemption or early timeout"
// heddle: check --bound preemptions=1
// expect: verdict=bug kind=assertion preemptions=0 early_timeouts=1
// heddle: check --timeouts last
// expect: verdict=clean complete=true executions=1
// expect: guarantee~"in which time limits pass only when nothing else can run"
// heddle: check --timeouts last --order depth-first
// expect: verdict=clean complete=true
// Graphs: the wait times out before the post, or takes it, 2.
// traces: 2 --keep-going
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t posted;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* Wait(void*) {
  timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 1;
  const int result = sem_timedwait(&posted, &limit);
  assert(result == 0);
  return nullptr;
}

static void* Post(void*) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  sem_post(&posted);
  return nullptr;
}

int main() {
  sem_init(&posted, 0, 0);
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, Wait, nullptr);
  pthread_create(&threads[1], nullptr, Post, nullptr);
  pthread_join(threads[0], nullptr);
  pthread_join(threads[1], nullptr);
  sem_destroy(&posted);
}
