#include "runtime/memory/execution_state.h"

#include "runtime/memory/pages.h"
#include "runtime/prim/copy.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/optimizer.h"

namespace heddle::runtime {

[[HEDDLE_LASTS("counts the executions")]] uint64_t g_execution;

namespace {

constexpr unsigned kMostTables = 20;
[[HEDDLE_LASTS("tables are added before the first execution")]] ExecutionTable tables[kMostTables];
[[HEDDLE_LASTS("as above")]] unsigned table_count;

// The section as every execution finds it.
[[HEDDLE_LASTS("copied from, never to, once there are executions")]] char* first_section;

size_t SectionBytes() {
  return static_cast<size_t>(__stop_heddle_execution - __start_heddle_execution);
}

}  // namespace

void AddExecutionTable(const ExecutionTable& table) {
  HEDDLE_CHECK(table_count < kMostTables);
  tables[table_count++] = table;
}

void* MapTable(unsigned number, size_t bytes) {
  HEDDLE_CHECK(bytes <= kTableBytes && MapAt(TableAddress(number), bytes));
  return reinterpret_cast<void*>(TableAddress(number));
}

HEDDLE_OPAQUE void KeepFirstState() {
  if (first_section == nullptr) first_section = static_cast<char*>(ReserveMemory(SectionBytes()));
  CopyForward(first_section, __start_heddle_execution, SectionBytes());
}

HEDDLE_OPAQUE void ResetExecution() {
  for (unsigned i = 0; i < table_count; ++i)
    if (tables[i].reset != nullptr) tables[i].reset();
  CopyForward(__start_heddle_execution, first_section, SectionBytes());
  ++g_execution;
}

HEDDLE_OPAQUE void SaveExecution(base::SavedBytes& to) {
  to.Put(__start_heddle_execution, SectionBytes());
  for (unsigned i = 0; i < table_count; ++i) tables[i].save(to);
}

HEDDLE_OPAQUE void RestoreExecution(base::SavedBytesReader& from) {
  from.Get(__start_heddle_execution, SectionBytes());
  ++g_execution;
  for (unsigned i = 0; i < table_count; ++i) tables[i].restore(from);
}

}  // namespace heddle::runtime
