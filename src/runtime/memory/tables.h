// Who has which of the tables of an execution (execution_state.h).
#pragma once

namespace heddle::runtime {

enum TableNumber : unsigned {
  kFibersTable,
  kThreadSetsTable,
  kSleepersTable,
  kThreadWorldsTable,
  kObjectsTable,
  kBumpTable,
  kKeysTable,
  kFollowedTable,
  kClosedInCallTable,
  kSharedFilesTable,
  kSignalsPutOffTable,
  kFaultTable,
  kJointTable,
  kAllocationPlacesTable,
};

}  // namespace heddle::runtime
