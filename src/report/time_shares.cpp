#include "report/time_shares.h"

#include <fmt/format.h>

namespace heddle::report {
namespace {

constexpr uint64_t kSlowNs = 10'000'000;    // a faster execution needs no advice
constexpr uint64_t kLeastNs = 100'000'000;  // nor does a search that was over sooner

bool IsMost(uint64_t part, uint64_t whole) { return part > whole / 2; }

// "62 % of the time (1.24 s of 2.00 s for an execution)"
std::string ShareText(uint64_t part, const TimeShares& time) {
  const auto each = [&](uint64_t ns) {
    return static_cast<double>(ns) / static_cast<double>(time.executions) / 1e9;
  };
  return fmt::format("{} % of the time ({:.2f} s of {:.2f} s for an execution)",
                     100 * part / time.ns, each(part), each(time.ns));
}

}  // namespace

std::string TimeText(const TimeShares& time) {
  if (time.executions < 2 || time.ns < kLeastNs || time.ns / time.executions < kSlowNs) return "";
  if (IsMost(time.before_threads_ns, time.ns))
    return "what main does before its first thread takes " +
           ShareText(time.before_threads_ns, time) +
           ", again in each: do it once, before main (in a constructor) or before heddle::Check, "
           "or let the test use less data";
  if (IsMost(time.restoring_ns, time.ns))
    return "restoring memory takes " + ShareText(time.restoring_ns, time) +
           ": the program writes so much in each execution, and all of it is put back; let the "
           "test use less data, or write it once, before main (in a constructor) or before "
           "heddle::Check";
  return "";
}

}  // namespace heddle::report
