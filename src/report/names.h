// Names for what the channel knows by number or address: threads by creation path, objects by the
// variable they are, the local variables of other threads and the blocks of the heap among them
// (heap_blocks.h), or numbered by kind in the order in which the report first meets them (M1, A1).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "channel/layout.h"
#include "channel/records.h"
#include "op/operation.h"
#include "report/heap_blocks.h"
#include "report/source.h"
#include "report/stack_frames.h"
#include "report/symbolize.h"

namespace heddle::report {

class ThreadNames {
 public:
  explicit ThreadNames(std::span<const channel::ThreadName> names)
      : names_(names.begin(), names.end()) {}

  std::string Path(uint32_t number) const;  // "main", "1", "1.2": as in schedule files
  std::string Name(uint32_t number) const;  // "main", "T1", "T1.2"; empty for none

 private:
  std::vector<channel::ThreadName> names_;
};

// What the steps and the message of one finding are about.
class ObjectNames {
 public:
  ObjectNames(Symbolizer& symbolizer, const std::vector<Module>& modules,
              std::span<const channel::StepRecord> steps = {},
              const std::vector<channel::BlockRecord>& blocks = {}, SourceFiles* source = nullptr);

  // What is asked from here on is about the step with this number: memory may have been another
  // variable's before.
  void At(uint64_t step) { step_ = step; }

  // A thread that nobody has signalled yet is blocked before kCondReacquire, but what it waits for
  // is the condition variable: then kCondWait. Likewise of a futex. Else `kind`.
  op::Kind WaitKind(op::Kind kind, uint64_t address) const;
  // Without its noun: "account_lock", "M1". Empty for address 0 and for operations without an
  // object.
  std::string Short(op::Kind kind, uint64_t address);
  // With it: "mutex account_lock".
  std::string Full(op::Kind kind, uint64_t address);
  // For an address in a message: what an earlier step called it, else the variable, else a number.
  // `before` is the text that precedes it: a noun there is not said twice.
  std::string InMessage(uint64_t address, const std::string& before);
  // Is it a variable, or a part of a block, so that the noun tells nothing more?
  bool IsVariable(uint64_t address) { return !VariableAt(address).empty(); }
  // What an access of `size` bytes at `address` read or wrote, as the type there has it: "-3",
  // "true", "Node#1", "null", "0x7f12".
  std::string Value(uint64_t address, uint64_t value, unsigned size);
  // Where the call is that returns to `pc`, in the program's own code: "queue.cpp:12".
  std::string CodeLocation(uint64_t pc);
  // The function that begins at `address`.
  std::string Function(uint64_t address);

  // The name of the block that begins at `address`, or empty.
  std::string BlockName(uint64_t address);
  // Who allocated the block that `address` lies in, and where: ", allocated by T1 at queue.cpp:12",
  // or empty.
  std::string Allocation(uint64_t address, const ThreadNames& threads);
  // The block that `address` lies in when the step with this number was made, or null.
  const HeapBlock* BlockAt(uint64_t address, uint64_t step) { return blocks_.At(address, step); }
  // The blocks of the heap that were named.
  const std::vector<const HeapBlock*>& NamedBlocks() const { return blocks_.Named(); }
  struct Numbered {
    std::string noun, name;
  };
  // The objects that have a number for a name.
  std::vector<Numbered> NumberedObjects() const;

 private:
  struct Named {
    const char* noun;
    std::string name;
    bool numbered = false;  // it is no variable and no block
  };
  const Named& Name(const char* noun, char letter, uint64_t address);
  // The global or local variable, or the part of a block: its name, or its type.
  std::string VariableAt(uint64_t address, std::optional<Dwarf_Die> as = std::nullopt);
  std::optional<Dwarf_Die> TypeAt(uint64_t address);
  Variable Local(uint64_t address, std::optional<Dwarf_Die> as) const;
  std::string Pointer(uint64_t value, std::optional<Dwarf_Die> pointee);
  void LearnTypes(std::span<const channel::StepRecord> steps);

  Symbolizer& symbolizer_;
  const std::vector<Module>& modules_;
  StackFrames frames_;
  HeapBlocks blocks_;
  uint64_t step_ = ~uint64_t{0};
  std::map<std::pair<char, uint64_t>, Named> names_;
  std::map<char, int> counts_;
};

// `message` with %T<n>%, %O<hex>%, %F<hex>%, %L<hex>% and %B<hex>% replaced by the names of
// threads, objects, functions, source lines and blocks of the heap; and %A<hex>% by who allocated
// the block that holds the address, and where: ", allocated by T1 at queue.cpp:12", or nothing.
std::string FillIn(const std::string& message, const ThreadNames& threads, ObjectNames& objects);

}  // namespace heddle::report
