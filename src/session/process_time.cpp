#include "session/process_time.h"

#include <time.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace heddle::session {
namespace {

uint64_t MsOf(clockid_t clock) {
  timespec time;
  if (clock_gettime(clock, &time) != 0) return 0;
  return static_cast<uint64_t>(time.tv_sec) * 1000 + static_cast<uint64_t>(time.tv_nsec) / 1000000;
}

}  // namespace

uint64_t NowMs() { return MsOf(CLOCK_MONOTONIC); }

uint64_t ProcessorMs(pid_t process) {
  clockid_t clock;
  return clock_getcpuclockid(process, &clock) == 0 ? MsOf(clock) : 0;
}

// proc(5): "PID (NAME) STATE ...", and NAME may contain anything.
bool IsAsleep(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text, '\0');
  const size_t name_end = text.rfind(')');
  if (name_end == std::string::npos || name_end + 2 >= text.size()) return false;
  const char state = text[name_end + 2];
  return state == 'S' || state == 'D';
}

}  // namespace heddle::session
