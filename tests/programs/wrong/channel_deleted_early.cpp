// A channel whose workers are still at it when it is deleted, as in Figure 3 of PLDI'07. Close() sends every worker a stop and waits
// for their alerts, which is taken for their end. But a worker that has alerted the application goes on with the lock of the channel.
// The last of them has to be interrupted between the two. That is the only preemption; in all other switches a thread waits or ends:
//   main waits for the workers to start, T1 and T2 for work; main closes and waits; T1 ends; T2 alerts, and is interrupted; main deletes
//   the channel and waits for the end of T2, which locks what is gone: to T1, T2, main, T1, T2, by preemption main, and T2
// Depth-first search changes the end first, and does not come there in any time: it has to finish the merge of two threads before,
// which can have the lock in (40 choose 20) orders, more than 10^11.
// compilers: gcc clang
// heddle: check --order context-bounded
// expect: verdict=bug kind=use-after-free preemptions=1 switches=7 location=@enter message~"lies in memory that was freed"
// expect: guarantee~"any other bug needs at least 1 preemption"
// heddle: check --bound preemptions=0
// expect: verdict=clean complete=true completed_bound=0 guarantee~"any bug left needs at least 1 preemption"
// heddle: check --order depth-first --reduction none --executions 50000
// expect: verdict=incomplete executions=50000
#include <cassert>
#include <cstddef>

#include <pthread.h>
#include <semaphore.h>

namespace {

constexpr int kWorkers = 2;
constexpr int kStop = 0;

class Lock {
 public:
  Lock() { pthread_mutex_init(&mutex_, nullptr); }
  ~Lock() { pthread_mutex_destroy(&mutex_); }
  void Enter() { pthread_mutex_lock(&mutex_); }  // @enter
  void Leave() { pthread_mutex_unlock(&mutex_); }

 private:
  pthread_mutex_t mutex_;
};

class Counter {
 public:
  Counter() { sem_init(&semaphore_, 0, 0); }
  ~Counter() { sem_destroy(&semaphore_); }
  void Post() { sem_post(&semaphore_); }
  void Wait(int times = 1) {
    for (int i = 0; i < times; i++) sem_wait(&semaphore_);
  }

 private:
  sem_t semaphore_;
};

// What workers are to do.
class WorkQueue {
 public:
  void Put(int message) {
    lock_.Enter();
    messages_[end_++] = message;
    lock_.Leave();
    waiting_.Post();
  }
  int Take() {
    waiting_.Wait();
    lock_.Enter();
    int message = messages_[begin_++];
    lock_.Leave();
    return message;
  }

 private:
  Lock lock_;
  Counter waiting_;
  int messages_[8] = {};
  int begin_ = 0, end_ = 0;
};

WorkQueue queue;
Counter started, alerts;  // the workers that are
pthread_t workers[kWorkers];

class Channel {
 public:
  Channel() {
    for (pthread_t &worker : workers) {
      pthread_create(
          &worker, nullptr,
          [](void *channel) -> void * {
            static_cast<Channel *>(channel)->Work();
            return nullptr;
          },
          this);
    }
    started.Wait(kWorkers);
  }
  ~Channel() {
    base_.Enter();
    assert(received_ == 7);
    base_.Leave();
  }
  void Send(int item) { queue.Put(item); }
  void Close() {
    for (int i = 0; i < kWorkers; i++) queue.Put(kStop);
    alerts.Wait(kWorkers);
  }

 private:
  void Work() {
    started.Post();
    while (int item = queue.Take()) {
      base_.Enter();
      received_ += item;
      base_.Leave();
    }
    AlertApplication();
  }
  void AlertApplication() {
    alerts.Post();
    // here main goes on and deletes the channel
    base_.Enter();
    stopped_++;
    base_.Leave();
  }

  Lock base_;
  int received_ = 0, stopped_ = 0;
};

Lock merge;
int merged;

void *Merge(void *) {
  for (int i = 0; i < 20; i++) {
    merge.Enter();
    merged++;
    merge.Leave();
  }
  return nullptr;
}

}  // namespace

int main() {
  auto *channel = new Channel;
  channel->Send(7);
  channel->Close();
  delete channel;  // as if nobody used it any more
  for (pthread_t worker : workers) pthread_join(worker, nullptr);

  pthread_t mergers[2];
  for (pthread_t &merger : mergers) pthread_create(&merger, nullptr, Merge, nullptr);
  for (pthread_t merger : mergers) pthread_join(merger, nullptr);
  assert(merged == 40);
}
