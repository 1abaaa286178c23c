// Sets of events that are closed under program order: of each thread its first so many events. A
// view of an event is all that comes before it in some partial order, itself included, so that
// "before" is one comparison.
#pragma once

#include <cstdint>
#include <cstring>

namespace heddle::model {

// Indexed by thread. All views of a graph are equally long, by the number of its threads.
using View = uint16_t*;
using ConstView = const uint16_t*;

inline void Join(View view, ConstView other, uint32_t threads) {
  for (uint32_t t = 0; t < threads; ++t) view[t] = view[t] < other[t] ? other[t] : view[t];
}
inline void Assign(View view, ConstView other, uint32_t threads) {
  std::memcpy(view, other, threads * sizeof *view);
}
inline void SetEmpty(View view, uint32_t threads) { std::memset(view, 0, threads * sizeof *view); }

}  // namespace heddle::model
