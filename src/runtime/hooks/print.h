#pragma once

namespace heddle::runtime {

// Looks up what prints, once, before the first execution: heddle prints into memory itself, on the
// way of events. To look up takes the text of the program's last dlerror, which may be printed.
void FindPrinting();

}  // namespace heddle::runtime
