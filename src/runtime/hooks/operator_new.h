// operator new and delete of the program (operator_new.cpp).
#pragma once

namespace heddle::runtime {

// Looks up what stands behind ours: before main, because a look-up takes away what dlerror() would
// tell the program.
void FindOperators();

}  // namespace heddle::runtime
