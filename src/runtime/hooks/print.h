#pragma once

namespace heddle::runtime {

// Looks up what prints, once, before the first execution: heddle prints into memory itself, on the
// way of events.
void FindPrinting();

}  // namespace heddle::runtime
