// Actors on a pool of two workers: an actor has a mailbox and a flag "scheduled"; who posts to it and finds the flag down, raises it and hands the
// actor to the pool. A worker empties the mailbox, then lowers the flag.
// Interleaving: the worker finds the mailbox empty; a message is posted, and the flag is still up; the worker lowers it: nobody runs the actor.
// Right: after lowering the flag it looks again.
// bug: preemptions=2 threads=3
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

static constexpr int kActors = 2, kMessages = 2;

struct Actor {
  std::atomic<int> messages{0}, handled{0};
  std::atomic<bool> scheduled{false};
};

static Actor actors[kActors];
static std::mutex mutex;
static std::condition_variable changed;
static std::deque<Actor *> ready;
static bool stop;

static void Schedule(Actor *actor) {
  if (actor->scheduled.exchange(true)) return;
  std::lock_guard<std::mutex> guard(mutex);
  ready.push_back(actor);
  changed.notify_one();
}

static void Post(Actor *actor) {
  actor->messages++;
  Schedule(actor);
}

static void Run(Actor *actor) {
  while (actor->messages > 0) {
    actor->messages--;
    actor->handled++;
  }
  actor->scheduled = false;
#ifdef FIXED
  if (actor->messages > 0) Schedule(actor);
#endif
}

static void Work() {
  for (;;) {
    Actor *actor;
    {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait(lock, [] { return !ready.empty() || stop; });
      if (ready.empty()) return;
      actor = ready.front();
      ready.pop_front();
    }
    Run(actor);
  }
}

int main() {
  std::thread worker(Work);
  std::thread poster([] {
    for (int i = 0; i < kMessages; i++)
      for (auto &actor : actors) Post(&actor);
  });
  poster.join();
  {
    std::lock_guard<std::mutex> guard(mutex);
    stop = true;
  }
  changed.notify_all();
  worker.join();
  for (auto &actor : actors) assert(actor.handled == kMessages);
}
