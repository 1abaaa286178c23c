#include "runtime/races.h"

#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/own_heap.h"
#include "runtime/objects/plain.h"
#include "runtime/roots.h"

namespace heddle::runtime {
namespace {

// One bug shows as many races; the first ones tell what it is.
constexpr unsigned kMost = 64;
struct List {
  unsigned count;
  check::Race races[kMost];
};
List* list;  // in heddle's heap: a forked execution's races are known afterwards

void Keep(const check::Race& race) {
  ++g_trace->findings;
  for (unsigned i = 0; i < list->count; ++i) {
    const check::Race& known = list->races[i];
    if (known.second_pc == race.second_pc && known.first_write == race.first_write &&
        known.second_write == race.second_write)
      return;
  }
  if (list->count < kMost) list->races[list->count++] = race;
}

}  // namespace

void WatchRaces() {
  void*& root = g_own_heap.Root(kRacesRoot);
  if (root == nullptr) root = new List();
  list = static_cast<List*>(root);
  SetUpRaceCheck();
  check::g_race_sink = Keep;
}
void ForgetRaces() {
  list->count = 0;
  check::BeginExecution();
}
std::span<const check::Race> RacesOfExecution() { return {list->races, list->count}; }

}  // namespace heddle::runtime
