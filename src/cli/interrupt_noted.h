// Ctrl-C and the like when no session waits for them, between two searches and while a report is
// made: the first one is noted, so that what was found is reported. A second one kills.
#pragma once

#include <signal.h>

#include <cstddef>
#include <iterator>

namespace heddle::cli {

class InterruptNoted {
 public:
  InterruptNoted() {
    noted = 0;
    struct sigaction action = {};
    action.sa_handler = [](int) { noted = 1; };
    action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
    for (size_t i = 0; i < std::size(kSignals); ++i) {
      sigaction(kSignals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
    }
  }
  InterruptNoted(const InterruptNoted&) = delete;
  InterruptNoted& operator=(const InterruptNoted&) = delete;
  ~InterruptNoted() {
    for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }
  static bool Came() { return noted != 0; }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
  static inline volatile sig_atomic_t noted = 0;
  struct sigaction before_[std::size(kSignals)];
};

}  // namespace heddle::cli
