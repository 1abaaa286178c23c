#include "search/unshown_output.h"

#include "runtime/control.h"
#include "runtime/world/kept_output.h"

namespace heddle::search {
namespace {

bool IsOutputShown() { return runtime::ChannelHeader().settings.show_output != 0; }

}  // namespace

// Checkpoints that are processes have the descriptors of the time at which they were made.
UnshownOutput::UnshownOutput(ProgramTarget& target) : target_(target) {
  if (!IsOutputShown()) return;
  target_.ForgetCheckpoints();
  runtime::BeginDiscardingOutput();
}

UnshownOutput::~UnshownOutput() {
  if (!IsOutputShown()) return;
  target_.ForgetCheckpoints();
  runtime::EndDiscardingOutput();
}

}  // namespace heddle::search
