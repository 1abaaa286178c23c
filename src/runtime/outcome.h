// The label that the running execution was given by heddle_outcome().
#pragma once

namespace heddle::runtime {

const char* OutcomeOfExecution();

}  // namespace heddle::runtime
