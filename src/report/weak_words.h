// Sentences about a weak execution, the same in text and HTML.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/search_result.h"

namespace heddle::report {

// What comes before what, in a circle: its first event, then how each next one comes after it, the
// last being the first again: "T1 stores flag: 1, relaxed (mp.cpp:7), later in its thread".
std::vector<std::string> CycleText(const WeakExecution& weak);
// Before that.
inline constexpr const char* kNotSequential =
    "no interleaving of the threads does this: each of these comes before the next, and the last "
    "is "
    "the first again";

// Who can do it, if it is not sequentially consistent; else that it needs no weak memory.
std::string MachinesText(const WeakExecution& weak);

// "memory_order_release at mp.cpp:7 and memory_order_acquire at mp.cpp:12"
std::string ChangesText(const std::vector<OrderChange>& changes);
// "with these, every execution explored (3): no bug", of the set with that index; empty: nobody has
// looked.
std::string ConfirmedText(const WeakExecution& weak, size_t set);
// Where each of them was tried, and does not suffice: that; else empty.
std::string NoneSufficesText(const WeakExecution& weak);
// Where none of them, or not all, were found: why. Else empty.
std::string UntriedText(const WeakExecution& weak);

// The graph as a picture: the events of each thread from top to bottom, edges rf and mo, and the
// cycle. `id`: begins the names in it. Empty: there is nothing to draw.
std::string GraphSvg(const WeakExecution& weak, const std::string& id);

}  // namespace heddle::report
