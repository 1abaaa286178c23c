#include "runtime/fibers/atoms.h"

#include "base/check.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/names_lock.h"
#include "runtime/objects/table.h"
#include "runtime/visible.h"

namespace heddle::runtime {
namespace {

constexpr uintptr_t kMostBytes = 16;

uintptr_t BlockOf(uintptr_t address) { return address & ~(kMostBytes - 1); }

ObjectName& NameOf(const Object& object) { return g_trace->objects[object.number]; }

// The atom that has this byte; null if none has. Its name tells its size: a process that was forked
// for another execution may have made it, so the record may not know yet.
Object* AtomWith(uintptr_t address) {
  for (uintptr_t at = address; at >= BlockOf(address); --at) {
    Object* object = SearchObject(at, ObjectKind::kWord);
    if (object != nullptr && at + NameOf(*object).atom_bytes > address) return object;
    if (at == 0) break;
  }
  return nullptr;
}

bool BeginsAtom(uintptr_t address) {
  const Object* object = SearchObject(address, ObjectKind::kWord);
  return object != nullptr && NameOf(*object).atom_bytes != 0;
}

// A new atom from `begin` on, up to `end` at most, unless another process has made one with byte
// `begin`. REQUIRES: this one knows none.
Object& MakeAtom(uintptr_t begin, uintptr_t end) {
  const NamesLock lock;
  SyncObjects();
  if (const Object* made = AtomWith(begin)) return FindObject(made->address, ObjectKind::kWord);
  const uintptr_t block_end = BlockOf(begin) + kMostBytes;
  if (end > block_end) end = block_end;
  uintptr_t at = begin + 1;
  while (at < end && !BeginsAtom(at)) ++at;
  Object& object = FindObject(begin, ObjectKind::kWord);
  object.atom_bytes = static_cast<uint8_t>(at - begin);
  NameOf(object).atom_bytes = object.atom_bytes;
  return object;
}

void WantCut(const Object& atom, uintptr_t before) {
  ObjectName& name = NameOf(atom);
  const auto cut = static_cast<uint16_t>(1u << (before - atom.address));
  if ((name.cuts_wanted & cut) != 0) return;
  if (WantFinerAtoms()) name.cuts_wanted |= cut;
}

trace::Touch& Append(uint32_t position, uintptr_t pc) {
  const uint64_t at = uint64_t{g_trace->touch_count} + position;
  if (at >= g_trace->touch_capacity)
    EndAsCut(pc,
             "an execution was cut before its end: its operations had touched %u places, too many "
             "to make every access a scheduling point",
             g_trace->touch_capacity);
  return g_trace->touches[at];
}

}  // namespace

Object& AtomAt(uintptr_t address) {
  const Object* known = AtomWith(address);
  if (known == nullptr) return MakeAtom(address, (address | 7) + 1);
  Object& atom = FindObject(known->address, ObjectKind::kWord);
  atom.atom_bytes = NameOf(atom).atom_bytes;
  return atom;
}

op::Level LevelOfBytes(const void* bytes, size_t count) {
  HEDDLE_CHECK(count <= kMostBytes);
  const auto* at = static_cast<const volatile unsigned char*>(bytes);
  uint64_t low = 0;
  uint64_t high = 0;
  for (size_t i = 0; i < count && i < 8; ++i) low |= uint64_t{at[i]} << (8 * i);
  for (size_t i = 8; i < count; ++i) high |= uint64_t{at[i]} << (8 * (i - 8));
  return op::Fold(low) + op::Fold(high) * 0x9e3779b1u;
}

trace::Touch& Touches::operator[](uint32_t i) const {
  return g_trace->touches[g_trace->touch_count + i];
}

Object& Touches::ObjectOf(uint32_t i) const { return ObjectOfNumber((*this)[i].object); }

void Touches::Add(const Object& object, op::Level level, uintptr_t pc) {
  Append(count_, pc) = {g_trace->event_count, object.number, level, 0};
  ++count_;
}

void Touches::Add(uintptr_t address, size_t bytes, uintptr_t pc) {
  const uintptr_t end = address + bytes;
  for (uintptr_t at = address; at < end;) {
    Object* atom = AtomWith(at);
    atom = atom == nullptr ? &MakeAtom(at, end) : &FindObject(atom->address, ObjectKind::kWord);
    atom->atom_bytes = NameOf(*atom).atom_bytes;
    const uintptr_t atom_end = atom->address + atom->atom_bytes;
    if (atom->address < address) WantCut(*atom, address);
    if (atom_end > end) WantCut(*atom, end);
    of_a_part_ |= atom->address < address || atom_end > end;
    Add(*atom, LevelOfBytes(reinterpret_cast<const void*>(atom->address), atom->atom_bytes), pc);
    at = atom_end;
  }
}

void Touches::Expect(uintptr_t address, const void* value, size_t bytes) {
  if (of_a_part_) return;
  const auto* from = static_cast<const char*>(value);
  for (uint32_t i = 0; i < count_; ++i) {
    const Object& atom = ObjectOf(i);
    const uintptr_t offset = atom.address - address;
    HEDDLE_CHECK(offset + atom.atom_bytes <= bytes);
    (*this)[i].expected = LevelOfBytes(from + offset, atom.atom_bytes);
  }
}

void CutAtoms() {
  const uint32_t count = ObjectCount();  // pieces are new objects
  for (uint32_t number = 0; number < count; ++number) {
    const ObjectName name = g_trace->objects[number];
    if (name.cuts_wanted == 0) continue;
    uint8_t first = 0;  // bytes of the piece that keeps the name
    uint8_t begin = 0;
    for (uint8_t at = 1; at <= name.atom_bytes; ++at) {
      if (at != name.atom_bytes && (name.cuts_wanted >> at & 1) == 0) continue;
      const auto bytes = static_cast<uint8_t>(at - begin);
      if (begin == 0) {
        first = bytes;
      } else {
        Object& piece = FindObject(name.address + begin, ObjectKind::kWord);
        piece.atom_bytes = bytes;
        NameOf(piece).atom_bytes = bytes;
      }
      begin = at;
    }
    ObjectOfNumber(number).atom_bytes = first;
    g_trace->objects[number].atom_bytes = first;
    g_trace->objects[number].cuts_wanted = 0;
  }
}

}  // namespace heddle::runtime
