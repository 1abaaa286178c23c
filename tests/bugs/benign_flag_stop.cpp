// Workers look at a plain flag `paused` now and then, a race that is meant: whether they see it sooner or later does not matter. Behind it: a worker
// that was paused registers itself as sleeping after it has given up the lock, so that `Resume` can miss it.
// Interleaving: the worker decides to sleep; Resume finds no sleeper and signals nobody; the worker waits for ever.
// bug: preemptions=2 threads=4 search="--no-races"
// heddle: check --no-races
// expect: verdict=bug kind=deadlock
// heddle: check --keep-going --executions 2000
// expect: verdict=bug kinds=data-race,deadlock
// fixed: check --no-races
// expect: verdict=clean complete=true
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable resumed;
static bool paused;  // racy on purpose
static bool really_paused;
static int sleepers, generation, work_done;

static void Pause() {
  std::lock_guard<std::mutex> guard(mutex);
  paused = really_paused = true;
}

static void Resume() {
  std::lock_guard<std::mutex> guard(mutex);
  paused = really_paused = false;
  if (sleepers > 0) generation++, resumed.notify_all();
}

static void Work() {
  for (int i = 0; i < 3; i++) {
    if (!paused) {
      std::lock_guard<std::mutex> guard(mutex);
      work_done++;
      continue;
    }
#ifdef FIXED
    std::unique_lock<std::mutex> lock(mutex);
    sleepers++;
    while (really_paused) resumed.wait(lock);
    sleepers--;
#else
    bool sleep;
    {
      std::lock_guard<std::mutex> guard(mutex);
      sleep = really_paused;
    }
    if (!sleep) continue;
    std::unique_lock<std::mutex> lock(mutex);
    sleepers++;
    int mine = generation;
    while (generation == mine) resumed.wait(lock);
    sleepers--;
#endif
  }
}

int main() {
  std::thread a(Work), b(Work), boss([] { Pause(), Resume(); });
  a.join(), b.join(), boss.join();
}
