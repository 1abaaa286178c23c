// A task waits for its own future: directly, while main waits for it, too; or by destroying what holds it.
// heddle: check
// expect: verdict=bug kind=deadlock message~"lock cycle: main waits" message~"T1 waits at future_of_itself.cpp:" message~"held by main until T1 has ended: the thread waits for its own future"
// heddle: check -- destroys
// expect: verdict=bug kind=uncaught-exception thread=T1 message~"T1 waits for its own end, by a future or std::thread of its own"
#include <future>
#include <memory>

struct Job {
  std::future<void> done;
};

static std::future<void> own;

int main(int argc, char **) {
  std::promise<void> ready;
  std::shared_future<void> go = ready.get_future().share();
  if (argc == 1) {
    own = std::async(std::launch::async, [go] {
      go.wait();
      own.wait();
    });
    ready.set_value();
    own.wait();
    return 0;
  }
  auto job = std::make_shared<Job>();
  job->done = std::async(std::launch::async, [go, job]() mutable {
    go.wait();
    auto last = std::move(job);
  });
  job.reset();
  ready.set_value();
  std::promise<void>().get_future().wait_for(std::chrono::hours(1));
}
