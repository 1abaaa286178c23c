// Everything the runtime needs before the first execution.
#pragma once

namespace heddle::runtime {

// REQUIRES: controlled; the program's constructors have run; called once. Ends the process with a
// reason when the program cannot be brought under control. Takes no snapshot.
void PrepareRuntime();

}  // namespace heddle::runtime
