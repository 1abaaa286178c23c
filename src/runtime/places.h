// Places in the code whose plain accesses are scheduling points, because they were seen to race and
// the search goes on nevertheless (--keep-going, a suppression). Part of what is visible
// (visible.h): the list only grows, and grows between searches only.
//
// Likewise the places at which loops wait (loops/await.h), and those at which it matters when a
// thread begins to wait (primitives/life.h).
//
// A place is the return address of a hook. It is kept as (module, offset), because the next process
// may have its modules elsewhere, and a schedule file is replayed in another process still. What
// hot code asks is a hash set of the addresses in this process.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/runtime.h"

namespace heddle::runtime {

// At take-over, after InitVisible's own part: places that the process before this one left, or that
// the schedule to be replayed names.
void InitPlaces();

// Where the place is in this process; 0: its module is not loaded. `module`: the name of its file,
// cut off after 63 bytes; empty: the program itself.
uintptr_t AddressOf(std::string_view module, uint64_t offset);

// How many are in force. They are the first so many records of kind kPlace in the report.
uint32_t PlacesInForce();

bool AnyPlaceIsVisible();
bool AnyPlaceAwaits();
bool AnyPlaceBeginsWait();

// Does a loop wait at the operation that returns to `pc`?
bool IsAwaitPlace(uintptr_t pc);
// One does at one of these: the search begins again with them. On the way of events.
void WishAwaits(std::span<const uintptr_t> pcs);

// Is coming to the wait that returns to `pc` an operation by itself ("begins to wait")? REQUIRES:
// g_state.waits_begin.
bool IsWaitPlace(uintptr_t pc);
// It should be: the search begins again with it. On the way of events.
void WishWaitPlace(uintptr_t pc);

// What frees memory and returns to `pc` should be visible, or what accesses it, because nothing
// orders the two. Likewise.
void WishLifePlace(uintptr_t pc);

// The read that returns to `pc` should be: a loop goes round it for ever, in which no other thread
// can run. Likewise; false if that is not possible.
bool WishSpinPlace(uintptr_t pc);

// A wish was made on the way of events: the execution ends as one that is to be made again.
bool PlacesGrewInside();

// Is the access of the code that returns to `pc` visible? REQUIRES: g_state.places.
bool IsVisiblePlace(uintptr_t pc);

inline bool FreesAreSteps() { return g_state.all_points || (g_state.places & kVisiblePlaces) != 0; }

// Is a plain access there, or a free, a scheduling point?
bool IsStepAt(uintptr_t pc);

// Wishes for it, from the next search on; false if it was wished for before. Not on the way of an
// event.
bool WishPlace(uintptr_t pc);
bool PlacesGrew();

// Puts in force what was wished for.
void GrowPlaces();

}  // namespace heddle::runtime
