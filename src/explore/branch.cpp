#include "explore/branch.h"

#include <iterator>
#include <utility>

#include "base/hash.h"
#include "explore/varint.h"

namespace heddle::explore {
namespace {

// branch := version cost deviations node script options asleep begun stale next graph hash
//
// Lists begin with their length; all numbers are varints, but for the hash of all before it, which
// is the last eight bytes, lowest first.
constexpr uint64_t kVersion = 2;
constexpr size_t kHashBytes = 8;

uint64_t HashOf(std::span<const uint8_t> bytes) {
  return base::Mix(base::HashBytes(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

// A label's flags: the first is the lowest bit.
constexpr bool Label::*kFlags[] = {&Label::covers,  &Label::vain,  &Label::ends,
                                   &Label::unknown, &Label::alone, &Label::open};

class Writer {
 public:
  void Put(uint64_t number) { AppendVarint(bytes_, number); }
  void Put(const plan::Deviation& deviation) {
    Put(deviation.choice);
    Put(deviation.option);
  }
  void Put(const plan::ScriptOption& option) {
    Put(option.thread);
    Put(option.option);
  }
  void Put(const Touch& touch) {
    Put(touch.object);
    Put(static_cast<uint64_t>(touch.access));
  }
  void Put(const Label& label) {
    Put(label.thread);
    uint64_t flags = 0;
    for (size_t i = 0; i < std::size(kFlags); ++i) flags |= uint64_t{label.*kFlags[i]} << i;
    Put(flags);
    Put(label.touches);
    Put(label.options);
  }
  template <typename T>
  void Put(const std::vector<T>& list) {
    Put(list.size());
    for (const T& item : list) Put(item);
  }

  std::vector<uint8_t> Finish() {
    for (uint64_t hash = HashOf(bytes_), i = 0; i < kHashBytes; ++i, hash >>= 8) {
      bytes_.push_back(static_cast<uint8_t>(hash));
    }
    return std::move(bytes_);
  }

 private:
  std::vector<uint8_t> bytes_;
};

// What does not fit makes it fail, and from then on everything is zero.
class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes) : left_(bytes) {}

  void Take(uint64_t& number) {
    number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (left_.empty()) break;
      const uint8_t byte = left_.front();
      left_ = left_.subspan(1);
      number |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return;
    }
    failed_ = true;
    number = 0;
  }
  void Take(uint32_t& number) {
    uint64_t wide;
    Take(wide);
    if (wide > UINT32_MAX) failed_ = true;
    number = failed_ ? 0 : static_cast<uint32_t>(wide);
  }
  void Take(plan::Deviation& deviation) {
    Take(deviation.choice);
    Take(deviation.option);
  }
  void Take(plan::ScriptOption& option) {
    Take(option.thread);
    Take(option.option);
  }
  void Take(Touch& touch) {
    uint32_t access;
    Take(touch.object);
    Take(access);
    if (access > static_cast<uint32_t>(op::Access::kWrite)) failed_ = true;
    touch.access = failed_ ? op::Access::kNone : static_cast<op::Access>(access);
  }
  void Take(Label& label) {
    uint32_t flags;
    Take(label.thread);
    Take(flags);
    for (size_t i = 0; i < std::size(kFlags); ++i) label.*kFlags[i] = (flags >> i & 1) != 0;
    Take(label.touches);
    Take(label.options);
  }
  template <typename T>
  void Take(std::vector<T>& list) {
    uint64_t size;
    Take(size);
    if (size > left_.size()) failed_ = true;  // an item takes a byte at least
    for (uint64_t i = 0; i < size && !failed_; ++i) Take(list.emplace_back());
  }

  bool Succeeded() const { return !failed_ && left_.empty(); }

 private:
  std::span<const uint8_t> left_;
  bool failed_ = false;
};

}  // namespace

std::vector<uint8_t> Save(const Branch& branch) {
  Writer writer;
  writer.Put(kVersion);
  writer.Put(branch.cost);
  writer.Put(branch.deviations);
  writer.Put(branch.node);
  writer.Put(branch.script);
  writer.Put(branch.options);
  writer.Put(branch.asleep);
  writer.Put(branch.begun);
  writer.Put(branch.stale);
  writer.Put(branch.next);
  writer.Put(branch.graph);
  return writer.Finish();
}

std::optional<Branch> LoadBranch(std::span<const uint8_t> bytes) {
  if (bytes.size() < kHashBytes) return std::nullopt;
  const auto content = bytes.first(bytes.size() - kHashBytes);
  uint64_t hash = 0;
  for (size_t i = bytes.size(); i-- > content.size();) hash = hash << 8 | bytes[i];
  if (hash != HashOf(content)) return std::nullopt;
  Reader reader(content);
  uint64_t version;
  reader.Take(version);
  if (version != kVersion) return std::nullopt;
  Branch branch;
  reader.Take(branch.cost);
  reader.Take(branch.deviations);
  reader.Take(branch.node);
  reader.Take(branch.script);
  reader.Take(branch.options);
  reader.Take(branch.asleep);
  reader.Take(branch.begun);
  reader.Take(branch.stale);
  reader.Take(branch.next);
  reader.Take(branch.graph);
  if (!reader.Succeeded()) return std::nullopt;
  return branch;
}

}  // namespace heddle::explore
