// Memory as objects. Two accesses are dependent only if they have a byte in common, so memory is
// divided into *atoms*: ranges of bytes that all accesses seen so far treat alike. Where a program
// uses a word as a word only, the word is one atom; where it also uses one of its bytes alone, that
// byte is one, and those before and behind it are others:
//
//   store to w (4 bytes)     [  w  ]             one atom
//   store to byte 1 of w     [0][1][2 3]         three: the store to w touches all of them
//
// An atom is an object of kind kWord at its first byte, and does not cross a boundary of 16 bytes,
// so that what lies at an address is found by looking at no more than 16.
//
// Atoms are fixed for a search: what was learnt about an object must stay true of it. An access
// that begins or ends in the middle of one touches all of it, as if it were larger; that is sound,
// but makes neighbours dependent. So the atom is noted to be cut there, and the search begins again
// with finer atoms (visible.h), a limited number of times. The execution goes on to its end before
// that, to find all the others, too.
//
// Atoms outlive executions, forked executions and processes: they are part of the names of objects
// (fibers/trace_buffers.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/runtime.h"

namespace heddle::runtime {

// The atom that consists of just these bytes; null if they are not one (yet): FindTouches then.
inline Object* FindAtom(uintptr_t address, size_t bytes) {
  Object& object = FindObject(address, ObjectKind::kWord);
  return __builtin_expect(object.atom_bytes == bytes, 1) ? &object : nullptr;
}

// The atom that has this byte. If there is none yet: this byte and what follows it in its word.
Object& AtomAt(uintptr_t address);

// What an operation that is about to be made touches: entries behind the touches of the trace
// (TraceBuffers::touches), which CommitTouches makes count. Between the two no other thread runs.
class Touches {
 public:
  // Adds the atoms of these bytes, and what they hold now. REQUIRES: the memory can be read, if any
  // of them is touched the first time.
  void Add(uintptr_t address, size_t bytes, uintptr_t pc);
  // Adds an object that is no memory.
  void Add(const Object& object, op::Level level, uintptr_t pc);
  // A compare-exchange of the bytes added, which are the only ones, looks for this value.
  void Expect(uintptr_t address, const void* value, size_t bytes);

  uint32_t Count() const { return count_; }
  // Some atom is larger than what is accessed of it.
  bool OfAPart() const { return of_a_part_; }
  trace::Touch& operator[](uint32_t i) const;
  Object& ObjectOf(uint32_t i) const;

 private:
  uint32_t count_ = 0;
  bool of_a_part_ = false;
};

// What memory holds, as a level: `bytes` is at most that of an atom.
op::Level LevelOfBytes(const void* bytes, size_t count);

// Cuts the atoms as was noted. REQUIRES: away from executions; a new search begins.
void CutAtoms();

}  // namespace heddle::runtime
