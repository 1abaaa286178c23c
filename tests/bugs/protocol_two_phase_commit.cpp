// Two-phase commit: a coordinator asks three participants and collects votes by messages. A vote that comes too late counts as "no". The late
// "yes" of the first transaction is counted in the second one, because votes do not carry the transaction's number.
// Interleaving: the limit of the first transaction passes before the slow participant votes; its "yes" arrives in the second, where somebody
// says "no": three are counted as in favour of what one has refused.
// bug: preemptions=0 timeouts=1 threads=3
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

static constexpr int kParticipants = 2, kTransactions = 2;

struct Message {
  int transaction, from;
  bool yes;
};

template <typename T>
class Mailbox {
 public:
  void Post(T message) {
    std::lock_guard<std::mutex> guard(mutex_);
    messages_.push_back(message);
    arrived_.notify_one();
  }
  bool Take(T *message, bool limited) {
    std::unique_lock<std::mutex> lock(mutex_);
    while (messages_.empty()) {
      if (!limited)
        arrived_.wait(lock);
      else if (arrived_.wait_for(lock, std::chrono::milliseconds(10)) == std::cv_status::timeout)
        return false;
    }
    *message = messages_.front();
    messages_.pop_front();
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<T> messages_;
};

static Mailbox<int> asked[kParticipants];
static Mailbox<Message> votes;
static bool refused[kTransactions];

static void Participate(int self) {
  for (int i = 0; i < kTransactions; i++) {
    int transaction;
    asked[self].Take(&transaction, false);
    votes.Post({transaction, self, !refused[transaction] || self != 0});
  }
}

int main() {
  refused[1] = true;  // by participant 0
  std::thread participants[kParticipants];
  for (int i = 0; i < kParticipants; i++) participants[i] = std::thread(Participate, i);
  for (int transaction = 0; transaction < kTransactions; transaction++) {
    for (auto &box : asked) box.Post(transaction);
    int in_favour = 0;
    for (int heard = 0; heard < kParticipants;) {
      Message vote;
      if (!votes.Take(&vote, true)) break;
#ifdef FIXED
      if (vote.transaction != transaction) continue;
#endif
      heard++;
      in_favour += vote.yes;
    }
    if (in_favour == kParticipants) assert(!refused[transaction]);
  }
  for (auto &participant : participants) participant.join();
}
