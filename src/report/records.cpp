#include "report/records.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "channel/orders.h"

namespace heddle::report {
namespace {

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {
    records_.modules.emplace_back();
  }

  Records Read() {
    while (!bytes_.empty()) {
      channel::RecordHead head;
      if (!Copy(bytes_, head) || head.bytes < sizeof head || head.bytes % 8 != 0 ||
          head.bytes > bytes_.size() || !Take(head.kind, bytes_.first(head.bytes))) {
        records_.damaged = true;
        break;
      }
      bytes_ = bytes_.subspan(head.bytes);
    }
    Deliver();
    DropRepeated();
    return std::move(records_);
  }

 private:
  template <typename T>
  static bool Copy(std::span<const std::byte> from, T& to) {
    if (from.size() < sizeof to) return false;
    std::memcpy(&to, from.data(), sizeof to);
    return true;
  }

  // The zero-terminated text after a record's fixed part.
  static std::string Text(std::span<const std::byte> record, size_t fixed) {
    const char* text = reinterpret_cast<const char*>(record.data()) + fixed;
    return std::string(text, strnlen(text, record.size() - fixed));
  }

  // False: the record is too short for its kind.
  bool Take(channel::RecordKind kind, std::span<const std::byte> record) {
    switch (kind) {
      case channel::RecordKind::kModule:
        return TakeModule(record);
      case channel::RecordKind::kFinding:
        return TakeFinding(record);
      case channel::RecordKind::kStep:
        return TakeStep(record);
      case channel::RecordKind::kSchedule:
        return TakeSchedule(record);
      case channel::RecordKind::kFindingEnd:
        if (open_) open_->ended = true;
        Deliver();
        return true;
      case channel::RecordKind::kOutcome:
        return TakeOutcome(record);
      case channel::RecordKind::kPlace:
        return TakePlace(record);
      case channel::RecordKind::kBlock:
        return TakeBlock(record);
      case channel::RecordKind::kNote:
        return TakeNote(record);
      case channel::RecordKind::kGraph:
        return TakeGraph(record);
      case channel::RecordKind::kAtomic:
        return TakeAtomic(record);
      case channel::RecordKind::kOutput:
        if (open_) open_->output = Text(record, sizeof(channel::RecordHead));
        return true;
    }
    return true;  // a kind of a later version: its length is known, so it is passed over
  }

  bool TakeModule(std::span<const std::byte> record) {
    channel::ModuleRecord fixed;
    if (!Copy(record, fixed)) return false;
    Module module = {fixed.bias, fixed.begin, fixed.end, Text(record, sizeof fixed)};
    if (fixed.opened != 0) records_.opened.insert(module.path);
    Deliver();
    if (used_) records_.modules.push_back(records_.modules.back());
    used_ = false;
    std::vector<Module>& modules = records_.modules.back();
    std::erase_if(modules, [&](const Module& other) {
      return other.path == module.path || (other.begin < module.end && module.begin < other.end);
    });
    modules.push_back(std::move(module));
    return true;
  }

  bool TakeFinding(std::span<const std::byte> record) {
    RawFinding finding;
    if (!Copy(record, finding.head)) return false;
    finding.message = Text(record, sizeof finding.head);
    finding.modules = records_.modules.size() - 1;
    Deliver();
    open_ = std::move(finding);
    used_ = true;
    return true;
  }

  // The finding that is open has no more records.
  void Deliver() {
    if (!open_) return;
    switch (open_->head.purpose) {
      case channel::Purpose::kQuestion:
        records_.question = std::move(open_);
        break;
      case channel::Purpose::kWeakPair:
        records_.weak_pairs.push_back(std::move(*open_));
        break;
      case channel::Purpose::kBug:
        DeliverBug(std::move(*open_));
        break;
      case channel::Purpose::kOther:
        for (RawFinding& bug : records_.findings)
          if (open_->ended && bug.head.number == open_->head.number) bug.other = {*open_};
        break;
      case channel::Purpose::kWithdrawn:
        std::erase_if(records_.findings, [&](const RawFinding& other) {
          return other.head.number == open_->head.number;
        });
        break;
    }
    open_.reset();
  }

  // It takes the place of what was told of it before.
  void DeliverBug(RawFinding finding) {
    const auto same = std::find_if(
        records_.findings.begin(), records_.findings.end(), [&](const RawFinding& other) {
          return finding.head.number != 0 && other.head.number == finding.head.number;
        });
    if (same == records_.findings.end())
      records_.findings.push_back(std::move(finding));
    else if (finding.ended || !same->ended)
      *same = std::move(finding);
  }

  bool TakePlace(std::span<const std::byte> record) {
    channel::PlaceRecord fixed;
    if (!Copy(record, fixed)) return false;
    char offset[32];
    std::snprintf(offset, sizeof offset, "+0x%llx", static_cast<unsigned long long>(fixed.offset));
    records_.places.push_back(Text(record, sizeof fixed) + offset);
    return true;
  }

  bool TakeAtomic(std::span<const std::byte> record) {
    RawAtomic atomic;
    if (!Copy(record, atomic.record)) return false;
    atomic.record.frames = std::min(atomic.record.frames, channel::kMaxFrames);
    atomic.record.places =
        std::min({atomic.record.places, atomic.record.frames, channel::kMaxOrderFrames});
    atomic.modules = records_.modules.size() - 1;
    used_ = true;
    records_.atomics.push_back(atomic);
    return true;
  }

  bool TakeStep(std::span<const std::byte> record) {
    channel::StepRecord step;
    if (!Copy(record, step)) return false;
    step.frames = std::min(step.frames, channel::kMaxFrames);
    if (open_) open_->steps.push_back(step);
    return true;
  }

  bool TakeBlock(std::span<const std::byte> record) {
    channel::BlockRecord block;
    if (!Copy(record, block)) return false;
    block.frames = std::min(block.frames, channel::kMaxFrames);
    if (open_) open_->blocks.push_back(block);
    return true;
  }

  bool TakeGraph(std::span<const std::byte> record) {
    channel::WeakGraphRecord fixed;
    if (!Copy(record, fixed)) return false;
    record = record.subspan(sizeof fixed);
    if (fixed.count > record.size() / sizeof(channel::GraphEvent)) return false;
    if (!open_) return true;
    open_->graph_head = fixed;
    open_->graph.resize(fixed.count);
    const size_t events = fixed.count * sizeof(channel::GraphEvent);
    if (events != 0) std::memcpy(open_->graph.data(), record.data(), events);
    record = record.subspan(events);
    open_->known.resize(record.size() / sizeof(uint16_t));
    if (!open_->known.empty())
      std::memcpy(open_->known.data(), record.data(), open_->known.size() * sizeof(uint16_t));
    return true;
  }

  bool TakeSchedule(std::span<const std::byte> record) {
    channel::ScheduleRecord fixed;
    if (!Copy(record, fixed)) return false;
    if (fixed.count > (record.size() - sizeof fixed) / sizeof(uint32_t)) return false;
    if (!open_) return true;
    RawFinding& finding = *open_;
    finding.schedule = fixed;
    finding.has_schedule = true;
    finding.choices.resize(fixed.count);
    std::memcpy(finding.choices.data(), record.data() + sizeof fixed,
                fixed.count * sizeof(uint32_t));
    return true;
  }

  bool TakeOutcome(std::span<const std::byte> record) {
    channel::OutcomeRecord fixed;
    if (!Copy(record, fixed)) return false;
    records_.outcomes.push_back(
        {Text(record, sizeof fixed), fixed.count, fixed.preemptions, fixed.early_timeouts});
    return true;
  }

  bool TakeNote(std::span<const std::byte> record) {
    channel::NoteRecord fixed;
    if (!Copy(record, fixed)) return false;
    records_.notes.push_back({fixed.kind, Text(record, sizeof fixed), fixed.reason});
    return true;
  }

  void DropRepeated() {
    std::vector<RawFinding> kept;
    for (RawFinding& finding : records_.findings) {
      auto same = std::find_if(kept.begin(), kept.end(), [&](const RawFinding& other) {
        return other.head.identity == finding.head.identity && other.head.kind == finding.head.kind;
      });
      if (same == kept.end()) {
        kept.push_back(std::move(finding));
      } else if (!same->ended) {
        *same = std::move(finding);
      }
    }
    records_.findings = std::move(kept);
  }

  std::span<const std::byte> bytes_;
  Records records_;
  std::optional<RawFinding> open_;  // is still being told
  bool used_ = false;               // by a finding: records_.modules.back()
};

}  // namespace

Records ReadRecords(std::span<const std::byte> bytes) { return Reader(bytes).Read(); }

}  // namespace heddle::report
