#include "runtime/memory/pages.h"

#include "runtime/prim/lifetime.h"

namespace heddle::runtime {

// Above the stacks and TLS blocks of the program's threads (fibers/pool.cpp).
[[HEDDLE_LASTS("address space")]] constinit uintptr_t g_reserve_from = 0x500000000000;

}  // namespace heddle::runtime
