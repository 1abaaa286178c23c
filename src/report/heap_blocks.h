// The blocks of the program's heap that a finding touches, and what they are called: "Node#1" where
// the allocation says what it is for (allocated_type.h) or a typed pointer to the block was seen,
// else "block#1".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "channel/records.h"
#include "report/variable_name.h"

namespace heddle::report {

struct HeapBlock {
  channel::BlockRecord record;
  std::optional<Dwarf_Die> type = {};  // of what it holds, or of the elements
  uint64_t header = 0;                 // bytes before that: the counts of make_shared
  std::string name = {};               // empty: nobody has asked for it
};

class HeapBlocks {
 public:
  explicit HeapBlocks(const std::vector<channel::BlockRecord>& records);

  std::vector<HeapBlock>& All() { return blocks_; }

  // The block at `address` when the step with this number was made, or null.
  HeapBlock* At(uint64_t address, uint64_t step);

  // A pointer to `type` to the begin of the block was seen.
  static void Learn(HeapBlock& block, Dwarf_Die type);
  // Is it what a pointer to the block points to?
  static bool IsBegin(const HeapBlock& block, uint64_t address) {
    return address == block.record.address || address == block.record.address + block.header;
  }

  // What lies at `address`, which is in the block: "Node#1.next", "block#1+8".
  // `as`: MemberOf.
  std::string NameOf(HeapBlock& block, uint64_t address, std::optional<Dwarf_Die> as);
  // The block; it has a name from here on.
  const std::string& NameOf(HeapBlock& block);
  static std::optional<Dwarf_Die> TypeAt(const HeapBlock& block, uint64_t address);

  bool Empty() const { return blocks_.empty(); }

  // Those that have a name, in the order in which they were given.
  const std::vector<const HeapBlock*>& Named() const { return named_; }

 private:
  std::vector<HeapBlock> blocks_;  // by address, those at one address by number
  std::map<std::string, int> counts_;
  std::vector<const HeapBlock*> named_;
};

}  // namespace heddle::report
