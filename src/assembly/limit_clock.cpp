#include "assembly/limit_clock.h"

namespace heddle::assembly {
namespace {

constexpr std::string_view kNow = "_ZNSt6chrono3_V212steady_clock3nowEv";

// In all of these the moment computed is passed to a wait only.
constexpr HeaderCall kUses[] = {
    {kNow, "/condition_variable", "now() +", "heddle_now_for_limit"},
    {kNow, "/condition_variable", "now() < __atime", "heddle_now_after_limit"},
    {kNow, "/mutex", "now() + __rt", "heddle_now_for_limit"},
    {kNow, "/shared_mutex", "now() + __rt", "heddle_now_for_limit"},
    {kNow, "/bits/atomic_futex.h", "__clock_t::now() + chrono::__detail::ceil<",
     "heddle_now_for_limit"},  // of a future; the library hands it to the futex as it is
};

}  // namespace

bool ReadsSteadyClock(std::string_view text) { return NamesCallee(text, kUses); }

std::string WithLimitClock(std::string_view text, const SourceLine& source) {
  return WithHeaderCalls(text, kUses, source);
}

}  // namespace heddle::assembly
