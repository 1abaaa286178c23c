// The smallest program that still does what a larger one does, e.g. makes two sides disagree.
#pragma once

#include <functional>

#include "program.h"

namespace heddle::litmus {

// Takes away threads and instructions, then weakens orders, while `holds`.
Program Shrink(Program program, const std::function<bool(const Program&)>& holds);

}  // namespace heddle::litmus
