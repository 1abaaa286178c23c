// The part of the search over happens-before graphs that the execution in flight asks (cb_por.h).
#pragma once

#include <cstdint>
#include <span>

#include "base/hash.h"
#include "op/operation.h"
#include "plan/plan.h"
#include "plan/steering.h"

namespace heddle::explore {

// Of a CbPor::State.
const plan::Steering& SteeringByStates();

// Where the options of a step stand in the table: those of its first choice, and of the one after
// `option` was taken. Beside the states, which are sums of such numbers.
inline uint64_t OptionsKey(uint64_t graph, op::ThreadId thread) {
  return base::MixTwo(graph, ~uint64_t{thread});
}
inline uint64_t OptionsKeyAfter(uint64_t key, uint32_t option) {
  return base::MixTwo(key, (uint64_t{1} << 32) + option);
}
inline uint64_t OptionsKey(uint64_t graph, op::ThreadId thread,
                           std::span<const plan::ScriptOption> taken) {
  uint64_t key = OptionsKey(graph, thread);
  for (const plan::ScriptOption& option : taken) key = OptionsKeyAfter(key, option.option);
  return key;
}

}  // namespace heddle::explore
