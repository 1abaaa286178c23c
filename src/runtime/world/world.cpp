#include "runtime/world/world.h"

#include "runtime/fibers/outside.h"
#include "runtime/world/closed_in_call.h"
#include "runtime/world/descriptors.h"
#include "runtime/world/faults.h"
#include "runtime/world/kept_output.h"
#include "runtime/world/leaks.h"
#include "runtime/world/processes.h"
#include "runtime/world/shared_files.h"
#include "runtime/world/signal_delivery.h"
#include "runtime/world/signals.h"
#include "runtime/world/streams.h"
#include "runtime/world/termination.h"
#include "runtime/world/transfer.h"
#include "runtime/world/unseen_calls.h"
#include "runtime/world/world_state.h"

namespace heddle::runtime {

namespace {

bool CanBeSaved() {
  return SignalsAreAsAtBegin() && MappingsAreAsAtBegin() && DescriptorsAreAsAtBegin();
}

}  // namespace

void WorldInit() {
  g_outside = {.is_ready = IsReady,
               .signal_has_come = SignalHasCome,
               .looks_for_signals = LooksForSignals,
               .signal_is_pending = SignalIsPending,
               .look_for_signals = LookForSignals,
               .end_signals = EndSignals,
               .await = AwaitOutside,
               .can_be_saved = CanBeSaved,
               .add_state = AddWorldState};
  InitProcesses();
  InitDescriptors();
  InitKeptOutput();
  InitTransfers();
  InitClosedInCall();
  InitSharedFiles();
  InitLeaks();
  InitSignals();           // keeps what the program had installed ...
  InstallFaultHandlers();  // ... which this replaces
  InitUnseenCalls();
  InitStreams();
  InstallTerminateHandler();
}

void WorldBegin() { LeaveHandler(); }

void WorldRewind() {
  RewindSignals();
  RewindDescriptors();
  RewindMappings();
}

}  // namespace heddle::runtime
