// (address, kind) -> Object, open addressing. Records persist over executions; the first touch in
// an execution resets what belongs to the execution.

#include "runtime/objects/table.h"

#include <cstddef>

#include "base/check.h"
#include "base/hash.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/names_lock.h"
#include "runtime/memory/pages.h"
#include "runtime/memory/tables.h"
#include "runtime/objects/object.h"
#include "runtime/prim/lifetime.h"

namespace heddle::runtime {
namespace {

// Records never move (hooks hold references across switches), so the index grows, not the records.
Object* const records = reinterpret_cast<Object*>(TableAddress(kObjectsTable));
[[HEDDLE_LASTS("numbers are names")]] uint32_t record_count;
constexpr uint64_t kMaxRecords = 1ull << 26;  // address space only

// Numbers of the objects that the execution has touched, in that order.
[[HEDDLE_LASTS("the memory lasts, how much of it counts does not")]] uint32_t* touched;
[[HEDDLE_OF_EXECUTION]] uint32_t touched_count;

[[HEDDLE_LASTS("where names are")]] ObjectName* names;
[[HEDDLE_LASTS("as above")]] uint32_t* name_count;  // others may raise it

// Small, so that it stays in the cache, and at most a quarter full: an entry that belongs to
// another object costs a look at that object.
[[HEDDLE_LASTS("of the names")]] uint32_t* index_table;  // record number + 1; 0: free
[[HEDDLE_LASTS("of the names")]] uint32_t index_capacity;

uint64_t HashOf(uintptr_t address, ObjectKind kind) {
  return base::Spread(address ^ static_cast<uint64_t>(kind) << 56) >> 28;
}

void GrowIndex() {
  uint32_t* old = index_table;
  const uint32_t old_capacity = index_capacity;
  index_capacity = old == nullptr ? 256 : old_capacity * 2;
  index_table = static_cast<uint32_t*>(ReserveMemory(index_capacity * sizeof(uint32_t)));
  for (uint32_t i = 0; i < record_count; ++i) {
    uint64_t at = HashOf(records[i].address, records[i].kind) & (index_capacity - 1);
    while (index_table[at] != 0) at = (at + 1) & (index_capacity - 1);
    index_table[at] = i + 1;
  }
  if (old != nullptr) UnmapMemory(old, old_capacity * sizeof(uint32_t));
}

Object* Search(uintptr_t address, ObjectKind kind) {
  uint64_t at = HashOf(address, kind) & (index_capacity - 1);
  for (; index_table[at] != 0; at = (at + 1) & (index_capacity - 1)) {
    Object& object = records[index_table[at] - 1];
    if (object.address == address && object.kind == kind) return &object;
  }
  return nullptr;
}

Object& Add(uintptr_t address, ObjectKind kind) {
  HEDDLE_CHECK(record_count < kMaxRecords);
  Object& object = records[record_count];
  object.address = address;
  object.kind = kind;
  object.number = record_count++;
  if (record_count > ObjectCount()) {
    names[object.number] = {address, kind, 0, 0, false};
    __atomic_store_n(name_count, record_count, __ATOMIC_RELEASE);
  }
  object.atom_bytes = names[object.number].atom_bytes;
  if (4 * record_count > index_capacity) {
    GrowIndex();  // enters the new record, too
  } else {
    uint64_t at = HashOf(address, kind) & (index_capacity - 1);
    while (index_table[at] != 0) at = (at + 1) & (index_capacity - 1);
    index_table[at] = record_count;
  }
  return object;
}

// Of which another process may know already.
Object* AddNew(uintptr_t address, ObjectKind kind) {
  const NamesLock lock;
  SyncObjects();
  Object* known = Search(address, kind);
  return known != nullptr ? known : &Add(address, kind);
}

// What its record has of its life, but not of its events.
void BeginLife(Object& object) {
  object.forgotten = false;
  object.level = 0;
  object.release.Clear();
  object.condition = {};  // the largest member: all zero
  object.reader_release.Clear();
  object.made_to_wait.Clear();
  object.making = nullptr;
  object.destroyed_at = 0;
  object.destroyed_by = op::kNoThread;
}

// Of the execution, which touches it for the first time.
void Begin(Object& object) {
  object.serial = g_execution;
  touched[touched_count++] = object.number;
  object.pending_threads = nullptr;
  object.version = object.uses = 0;
  object.spinners = 0;
  object.level = 0;
  object.group = {};
  object.release.Clear();
  if (object.kind == ObjectKind::kWord) {
    object.heads = {};
    return;  // one line of the cache less, for each word of each execution
  }
  BeginLife(object);
}

bool IsInUse(const Object& object) {
  if (object.pending_threads != nullptr || object.spinners != 0) return true;
  if (object.kind == ObjectKind::kCondition) return object.condition.waiters.count != 0;
  return object.kind == ObjectKind::kFutex && object.futex.sleepers.count != 0;
}

// A word of memory has no more than the first part.
size_t BytesOf(const Object& object) {
  return object.kind == ObjectKind::kWord ? offsetof(Object, made_to_wait) : sizeof(Object);
}

void SaveObjects(base::SavedBytes& to) {
  to.Put(touched, touched_count);
  for (uint32_t i = 0; i < touched_count; ++i) {
    const Object& object = records[touched[i]];
    to.Put(reinterpret_cast<const char*>(&object), BytesOf(object));
  }
}

void RestoreObjects(base::SavedBytesReader& from) {
  from.Get(touched, touched_count);
  for (uint32_t i = 0; i < touched_count; ++i) {
    Object& object = records[touched[i]];
    from.Get(reinterpret_cast<char*>(&object), BytesOf(object));  // its kind lasts
    object.serial = g_execution;
  }
}

}  // namespace

void InitObjects(ObjectName* where_names_are, uint32_t* where_their_count_is) {
  names = where_names_are;
  name_count = where_their_count_is;
  MapTable(kObjectsTable, kMaxRecords * sizeof(Object));
  touched = static_cast<uint32_t*>(ReserveMemory(kMaxRecords * sizeof(uint32_t)));
  AddExecutionTable({.reset = nullptr, .save = SaveObjects, .restore = RestoreObjects});
  GrowIndex();
}

void SyncObjects() {
  while (record_count < ObjectCount()) {
    const ObjectName name = names[record_count];
    Add(name.address, name.kind);
  }
}

Object& FindObject(uintptr_t address, ObjectKind kind, bool* fresh) {
  Object* object = Search(address, kind);
  if (object == nullptr) object = AddNew(address, kind);
  const bool first = object->serial != g_execution;
  if (first) Begin(*object);
  if (fresh == nullptr) return *object;
  *fresh = first || object->forgotten;
  if (object->forgotten) BeginLife(*object);
  return *object;
}

void ForgetObjects(uintptr_t begin, uintptr_t end) {
  for (uint32_t i = 0; i < touched_count; ++i) {
    Object& object = records[touched[i]];
    const bool inside = object.address >= begin && object.address < end;
    if (!inside || object.kind == ObjectKind::kWord || IsInUse(object)) continue;
    // Of the others all zero need not be a state: who finds one makes that.
    if (object.kind == ObjectKind::kCondition || object.kind == ObjectKind::kFutex)
      BeginLife(object);
    else
      object.forgotten = true;
  }
}

uint32_t ObjectCount() { return __atomic_load_n(name_count, __ATOMIC_ACQUIRE); }

Object* SearchObject(uintptr_t address, ObjectKind kind) { return Search(address, kind); }

uint32_t RecordCount() { return record_count; }

Object& ObjectOfNumber(uint32_t number) {
  HEDDLE_CHECK(number < record_count);
  return records[number];
}

Object* LookUpObject(uintptr_t address, ObjectKind kind) {
  if (index_table == nullptr) return nullptr;
  Object* object = Search(address, kind);
  return object != nullptr && object->serial == g_execution ? object : nullptr;
}

}  // namespace heddle::runtime
