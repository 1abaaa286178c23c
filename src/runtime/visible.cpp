#include "runtime/visible.h"

#include <stdio.h>

#include "base/check.h"
#include "runtime/control.h"
#include "runtime/fibers/atoms.h"
#include "runtime/memory/own_heap.h"
#include "runtime/places.h"
#include "runtime/prim/lifetime.h"
#include "runtime/roots.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

// In heddle's heap: what a forked execution wishes for is known afterwards.
struct Sets {
  VisibleSet in_force;
  VisibleSet wished;
  bool grew = false;
  bool finer_atoms = false;  // wanted
  uint32_t cuttings = 0;     // how often the search began again for them
};
[[HEDDLE_LASTS("of the search")]] Sets* sets;

// Every search that begins again for finer atoms finds the next overlap later, if at all. This many
// times is enough for all programs tried; larger atoms are sound, so there is a limit.
constexpr uint32_t kMostCuttings = 20;

bool Replays() { return ChannelHeader().settings.mode == channel::Mode::kReplay; }

[[noreturn]] void Grow(const char* what, const char* why) {
  sets->grew = true;
  char note[256];
  snprintf(note, sizeof note, "%s: the search began again, with %s as steps of their own", why,
           what);
  AppendNote(channel::NoteKind::kInfo, note);
  EndExecution(trace::EndKind::kNeedsMorePoints, 0, 0, 0, "%s", why);
}

}  // namespace

const VisibleSet& Visible() { return sets->in_force; }

void InitVisible() {
  void*& root = g_own_heap.Root(kVisibleRoot);
  if (root == nullptr) {
    auto* made = new Sets;
    const bool tells_finished = ChannelHeader().settings.strict != 0 && !Replays();
    made->in_force.thread_ends = ChannelHeader().settings.thread_ends != 0 || tells_finished;
    made->in_force.thread_joins = ChannelHeader().settings.thread_joins != 0;
    // Changes nothing but the time that one execution takes; a search that explores a part of
    // another one is not to begin again for it.
    made->in_force.shares_apart = Replays() || ChannelHeader().sharing.waits_first != 0;
    made->in_force.joint_cycles = ChannelHeader().settings.joint_cycles != 0;
    made->in_force.frame_ends = ChannelHeader().settings.frame_ends != 0;
    made->in_force.signals = ChannelHeader().settings.signals;
    made->wished = made->in_force;
    root = made;
  }
  sets = static_cast<Sets*>(root);
  InitPlaces();
}

void TakeUpVisible() {
  g_state.thread_ends = sets->in_force.thread_ends || g_state.every_point;
  g_state.thread_finishes = ChannelHeader().settings.strict != 0 && g_state.thread_ends;
  g_state.thread_joins = sets->in_force.thread_joins;
  g_state.frame_ends = sets->in_force.frame_ends;
  g_state.shares_apart = sets->in_force.shares_apart;
  g_state.signals = sets->in_force.signals != 0;
  g_state.places = (AnyPlaceIsVisible() ? kVisiblePlaces : 0) |
                   (g_state.signals ? kWatchHandlers : 0) |
                   (ChannelHeader().settings.uninitialised != 0 ? kWatchUnwritten : 0);
  g_state.awaits = AnyPlaceAwaits();
  g_state.waits_begin = AnyPlaceBeginsWait();
  g_state.state_has_clock = sets->in_force.state_has_clock || g_state.timeouts_last;
}

void NeedThreadEnds(const char* why) {
  if (g_state.thread_ends || Replays()) return;
  sets->wished.thread_ends = true;
  Grow("the ends of threads", why);
}

void NeedThreadJoins(const char* why) {
  if (g_state.thread_joins || Replays()) return;
  sets->wished.thread_joins = sets->wished.thread_ends = true;
  Grow("joining and detaching threads", why);
}

void NeedFrameEnds(const char* why) {
  if (g_state.frame_ends || Replays()) return;
  sets->wished.frame_ends = true;
  Grow("returns of functions", why);
}

void NeedSignal(int number) {
  const uint64_t bit = uint64_t{1} << (number - 1);
  if ((sets->in_force.signals & bit) != 0 || Replays()) return;
  sets->wished.signals |= bit;
  Grow("looks for signals", "a signal is sent that other threads may take, or at other times");
}

void NeedSharesApart() {
  HEDDLE_CHECK(!g_state.shares_apart);
  sets->wished.shares_apart = sets->grew = true;
  EndExecution(trace::EndKind::kNeedsMorePoints, 0, 0, 0,
               "release sequences are kept apart by thread");
}

void NeedJointCycles() {
  HEDDLE_CHECK(!sets->in_force.joint_cycles);
  sets->wished.joint_cycles = sets->grew = true;
  EndExecution(trace::EndKind::kNeedsMorePoints, 0, 0, 0, "threads go round together in loops");
}

void NeedTimes() {
  if (!g_state.takes_states || g_state.state_has_clock || Replays()) return;
  sets->wished.state_has_clock = sets->grew = true;
  EndExecution(trace::EndKind::kNeedsMorePoints, 0, 0, 0, "times are part of the state");
}

bool WantFinerAtoms() {
  if (Replays() || sets->cuttings == kMostCuttings) return false;
  sets->finer_atoms = sets->grew = true;
  return true;
}

void WantOrderedAdds() {
  if (!Replays()) sets->grew = true;
}

bool VisibleGrew() { return sets->grew || PlacesGrew(); }

bool EndsAsGrown() {
  const auto phase = static_cast<channel::Phase>(ChannelHeader().phase.load());
  return (sets->grew || PlacesGrewInside()) && phase == channel::Phase::kSearching;
}

void GrowVisible() {
  sets->in_force = sets->wished;
  if (sets->finer_atoms) {
    CutAtoms();
    ++sets->cuttings;
  }
  sets->grew = sets->finer_atoms = false;
  GrowPlaces();
}

}  // namespace heddle::runtime
