#include "runtime/prim/landing_pad.h"

#include <cstddef>

#include "runtime/prim/copy.h"

// Of libgcc, which has no header for them.
struct dwarf_eh_bases {
  void* text;
  void* data;
  void* function;
};
extern "C" const void* _Unwind_Find_FDE(void* pc, dwarf_eh_bases* bases);

namespace heddle::runtime {
namespace {

// DW_EH_PE_*: how a value is written (Linux Standard Base, 10.5.1).
constexpr uint8_t kOmitted = 0xff, kFormat = 0x0f, kApplication = 0x70, kRelative = 0x10;
constexpr uint8_t kIndirect = 0x80;

class Reader {
 public:
  explicit Reader(uintptr_t at) : at_(at) {}

  uintptr_t At() const { return at_; }
  bool Failed() const { return failed_; }
  void Skip(size_t bytes) { at_ += bytes; }

  template <typename T>
  T Take() {
    const T value = LoadAt<T>(reinterpret_cast<const char*>(at_));
    at_ += sizeof(T);
    return value;
  }

  uint64_t Leb128() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = Take<uint8_t>();
      value |= uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) return value;
    }
    failed_ = true;
    return 0;
  }

  // A value of that encoding; 0 stays 0, which means that there is none.
  uint64_t Encoded(uint8_t encoding) {
    const uintptr_t begin = at_;
    uint64_t value = Plain(encoding & kFormat);
    if ((encoding & kIndirect) != 0) failed_ = true;
    const uint8_t application = encoding & kApplication;
    if (application != 0 && application != kRelative) failed_ = true;
    if (value != 0 && application == kRelative) value += begin;
    return value;
  }

 private:
  uint64_t Plain(uint8_t format) {
    switch (format) {
      case 0x00:
      case 0x04:
      case 0x0c:
        return Take<uint64_t>();
      case 0x01:
        return Leb128();
      case 0x02:
        return Take<uint16_t>();
      case 0x03:
        return Take<uint32_t>();
      case 0x0a:
        return static_cast<uint64_t>(int64_t{Take<int16_t>()});
      case 0x0b:
        return static_cast<uint64_t>(int64_t{Take<int32_t>()});
      default:
        failed_ = true;
        return 0;
    }
  }

  uintptr_t at_;
  bool failed_ = false;
};

constexpr size_t SizeOf(uint8_t format) {
  switch (format & kFormat) {
    case 0x02:
    case 0x0a:
      return 2;
    case 0x03:
    case 0x0b:
      return 4;
    default:
      return 8;
  }
}

// How entries of this common entry write code addresses, and the table of call sites.
struct Encodings {
  uint8_t code = 0;
  uint8_t table = kOmitted;
  bool known = false;
};

Encodings ReadCommonEntry(uintptr_t entry) {
  Reader reader(entry + 8);  // length, and the mark of a common entry
  const auto version = reader.Take<uint8_t>();
  char augmentation[8] = {};
  for (char& letter : augmentation)
    if ((letter = static_cast<char>(reader.Take<uint8_t>())) == 0) break;
  Encodings found;
  if (augmentation[0] != 'z' || augmentation[7] != 0) return found;
  reader.Leb128();  // alignment of code
  reader.Leb128();  // and data
  if (version == 1)
    reader.Skip(1);
  else
    reader.Leb128();  // register of the return address
  reader.Leb128();    // bytes of what follows
  found.known = true;
  for (const char* letter = augmentation + 1; *letter != 0; ++letter) {
    if (*letter == 'R')
      found.code = reader.Take<uint8_t>();
    else if (*letter == 'L')
      found.table = reader.Take<uint8_t>();
    else if (*letter == 'P')
      reader.Skip(SizeOf(reader.Take<uint8_t>()));
    else if (*letter != 'S' && *letter != 'B')
      found.known = false;
  }
  found.known &= !reader.Failed();
  return found;
}

// The function's table of call sites; 0: it has none.
bool TableOf(uintptr_t entry, uintptr_t& table) {
  table = 0;
  const auto back = LoadAt<int32_t>(reinterpret_cast<const char*>(entry + 4));
  const Encodings encodings = ReadCommonEntry(entry + 4 - static_cast<intptr_t>(back));
  if (!encodings.known) return false;
  if (encodings.table == kOmitted) return true;
  Reader reader(entry + 8);
  reader.Skip(2 * SizeOf(encodings.code));  // begin and length
  reader.Leb128();
  table = reader.Encoded(encodings.table);
  return !reader.Failed();
}

}  // namespace

bool LandingPadOf(uintptr_t return_address, uintptr_t& pad) {
  pad = 0;
  dwarf_eh_bases bases = {};
  const void* entry = _Unwind_Find_FDE(reinterpret_cast<void*>(return_address - 1), &bases);
  if (entry == nullptr) return true;  // nothing can be thrown through it
  uintptr_t table;
  if (!TableOf(reinterpret_cast<uintptr_t>(entry), table)) return false;
  if (table == 0) return true;
  const auto function = reinterpret_cast<uintptr_t>(bases.function);
  Reader reader(table);
  const auto base_encoding = reader.Take<uint8_t>();
  const uintptr_t base = base_encoding == kOmitted ? function : reader.Encoded(base_encoding);
  if (reader.Take<uint8_t>() != kOmitted) reader.Leb128();  // types
  const auto encoding = reader.Take<uint8_t>();
  const uint64_t bytes = reader.Leb128();
  const uintptr_t end = reader.At() + bytes;
  const uintptr_t call = return_address - 1 - function;
  while (reader.At() < end && !reader.Failed()) {
    const uint64_t begin = reader.Encoded(encoding);
    const uint64_t size = reader.Encoded(encoding);
    const uint64_t lands = reader.Encoded(encoding);
    reader.Leb128();  // action
    if (call - begin >= size) continue;
    pad = lands != 0 ? base + lands : 0;
    break;
  }
  return !reader.Failed();
}

}  // namespace heddle::runtime
