// The objects that the program has used: (address, kind) -> Object.
#pragma once

#include <cstdint>

#include "runtime/memory/execution_state.h"
#include "runtime/objects/object.h"

namespace heddle::runtime {

struct ObjectName {
  uintptr_t address;
  ObjectKind kind;
  uint8_t atom_bytes;    // of an atom of memory (fibers/atoms.h); else 0
  uint16_t cuts_wanted;  // bit i: the atom should be cut before its byte i
  bool awaited;          // loops wait for it (loops/await.h), in some execution so far
};

// Once, before the first execution. The names of the objects in the order of their numbers, and how
// many there are, lie where the next process finds them, so that a number means the same object
// there.
void InitObjects(ObjectName* names, uint32_t* name_count);
// How many have a name.
uint32_t ObjectCount();

// The object at `address` used as `kind`, reset if this execution has not touched it yet. Never
// null; `fresh` tells the caller to read its initial state from the program's memory.
Object& FindObject(uintptr_t address, ObjectKind kind, bool* fresh = nullptr);
// Takes up the names of objects that other processes of this search met (a forked execution, one
// that died), so that numbers mean the same everywhere.
void SyncObjects();
// Like FindObject, but null when this execution has not touched it.
Object* LookUpObject(uintptr_t address, ObjectKind kind);

// Whatever lay in [begin, end) is gone, and what is found there next is new: its state is read from
// the program's memory. The events on either are ordered as those on one object. Those that a
// thread stands at or waits for stay.
void ForgetObjects(uintptr_t begin, uintptr_t end);

// The object of this name, as the last execution that touched it left it; null if there is none.
Object* SearchObject(uintptr_t address, ObjectKind kind);

// How many records there are, touched in this execution or not.
uint32_t RecordCount();
// REQUIRES: there is one.
Object& ObjectOfNumber(uint32_t number);

// Calls visit(object) for those that this execution has touched.
template <typename Visit>
void ForEachTouchedObject(Visit visit) {
  for (uint32_t number = 0; number < RecordCount(); ++number) {
    const Object& object = ObjectOfNumber(number);
    if (object.serial == g_execution) visit(object);
  }
}

}  // namespace heddle::runtime
