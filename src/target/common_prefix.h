// How much of the last execution a plan would repeat: so much of it need not be run again by a
// target that can go back into the middle of an execution.
#pragma once

#include <cstdint>

#include "plan/plan.h"
#include "trace/execution.h"

namespace heddle::target {

struct CommonPrefix {
  uint32_t steps = 0;    // number 0, which is none, included; 0: nothing can be said
  uint32_t choices = 0;  // the first so many choices are those of the plan, too
};

// ENSURES: an execution under `plan` makes the same steps and choices up to where so many steps,
// and no more choices, have been made; at least one step that the plan's script names, if it has
// one, is to come then. Said only of choices that the plan names, or leaves to the default: for
// what it draws, or asks somebody about, the answer is less.
CommonPrefix CommonPrefixOf(const plan::Plan& plan, const trace::Execution& last);

}  // namespace heddle::target
