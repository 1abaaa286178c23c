#include "report/heap_blocks.h"

#include <algorithm>

namespace heddle::report {

HeapBlocks::HeapBlocks(const std::vector<channel::BlockRecord>& records) {
  for (const channel::BlockRecord& record : records) blocks_.push_back({.record = record});
  std::stable_sort(blocks_.begin(), blocks_.end(), [](const HeapBlock& a, const HeapBlock& b) {
    return a.record.address < b.record.address;
  });
}

HeapBlock* HeapBlocks::At(uint64_t address, uint64_t step) {
  const auto behind = std::upper_bound(
      blocks_.begin(), blocks_.end(), address,
      [](uint64_t wanted, const HeapBlock& block) { return wanted < block.record.address; });
  HeapBlock* found = nullptr;
  if (behind == blocks_.begin()) return found;
  const uint64_t begin = (behind - 1)->record.address;
  for (auto at = behind; at != blocks_.begin() && (at - 1)->record.address == begin;) {
    HeapBlock& block = *--at;
    if (address - begin >= std::max<uint64_t>(block.record.bytes, 1)) continue;
    if (block.record.number >= step) continue;  // not yet
    if (found == nullptr || block.record.number > found->record.number) found = &block;
  }
  return found;
}

void HeapBlocks::Learn(HeapBlock& block, Dwarf_Die type) {
  const uint64_t size = SizeOf(type);
  if (block.type || size == 0 || size > block.record.bytes) return;
  if (const std::string name = TypeName(type); name.empty() || name.starts_with('_')) return;
  block.type = type;
}

const std::string& HeapBlocks::NameOf(HeapBlock& block) {
  if (block.name.empty()) {
    const std::string kind = block.type ? TypeName(*block.type) : "block";
    block.name = kind + "#" + std::to_string(++counts_[kind]);
    named_.push_back(&block);
  }
  return block.name;
}

std::string HeapBlocks::NameOf(HeapBlock& block, uint64_t address, std::optional<Dwarf_Die> as) {
  const std::string& name = NameOf(block);
  uint64_t offset = address - block.record.address;
  if (!block.type) return name + (offset == 0 ? "" : "+" + std::to_string(offset));
  if (offset < block.header) {
    // Of libstdc++'s and libc++'s shared_ptr; libc++ counts from 0, and as longs.
    const bool is_use = offset == 8, is_weak = offset == 12 || (offset == 16 && block.header > 16);
    return name + (is_use ? ".use_count" : is_weak ? ".weak_count" : "+" + std::to_string(offset));
  }
  offset -= block.header;
  const uint64_t size = SizeOf(*block.type);
  const bool is_array = block.record.bytes - block.header >= 2 * size;
  const std::string member = MemberOf(*block.type, offset % size, as).name;
  const bool within = member.empty() && offset % size != 0;
  return name + (is_array ? "[" + std::to_string(offset / size) + "]" : "") + member +
         (within ? "+" + std::to_string(offset % size) : "");
}

std::optional<Dwarf_Die> HeapBlocks::TypeAt(const HeapBlock& block, uint64_t address) {
  const uint64_t offset = address - block.record.address;
  if (!block.type || offset < block.header) return std::nullopt;
  return MemberOf(*block.type, (offset - block.header) % SizeOf(*block.type)).type;
}

}  // namespace heddle::report
