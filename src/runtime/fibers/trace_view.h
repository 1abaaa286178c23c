// The execution in the buffers, as data.
#pragma once

#include <cstdint>

#include "trace/execution.h"

namespace heddle::runtime {

trace::Execution ViewOfTrace(uint32_t threads);
// The same in place, once per execution.
void ViewTrace(uint32_t threads, trace::Execution& view);

}  // namespace heddle::runtime
