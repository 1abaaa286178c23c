// Who keeps what at the roots of heddle's heap (memory/own_heap.h): the data that outlives the
// process.
#pragma once

namespace heddle::runtime {

enum RootNumber : unsigned {
  kSearchRoot,
  kNotesRoot,
  kRacesRoot,
  kWarningsRoot,
  kVisibleRoot,
  kPlacesRoot,
  kAwaitsRoot,
  kOpenedRoot
};

}  // namespace heddle::runtime
