// A recorded execution as the axioms see it, with changes.
#pragma once

#include <string>
#include <vector>

#include "axioms.h"
#include "explain/recorded.h"
#include "program.h"

namespace heddle::litmus {

// By the axioms alone: does the model allow it?
bool Allows(const explain::Recorded& execution, Model model, const explain::Changes& changes = {});

// The executions that C11 allows; with `outcome`, those that end so ("10").
std::vector<explain::Recorded> ExecutionsOf(const Program& program,
                                            const std::string& outcome = "");

// Each instruction becomes a place: thread t's n-th is 10 t + n.
void PlaceEach(explain::Recorded& execution);

}  // namespace heddle::litmus
