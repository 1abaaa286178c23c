#include "report/names.h"

#include <dwarf.h>
#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <filesystem>

#include "replay/schedule_file.h"
#include "report/allocated_type.h"
#include "report/symbolize.h"
#include "report/wording.h"

namespace heddle::report {

std::string ThreadNames::Path(uint32_t number) const {
  static_assert(sizeof(channel::ThreadName) == sizeof(replay::ThreadPath));
  std::vector<replay::ThreadPath> paths;
  for (const channel::ThreadName& name : names_) {
    // Number 0 is main whatever the entry says: a program that never created a thread may not have
    // written it.
    bool is_main = paths.empty();
    paths.push_back({is_main ? replay::kNoParent : name.parent, is_main ? 0 : name.child});
  }
  if (number == 0) return "main";
  return replay::PathText(paths, number);
}

std::string ThreadNames::Name(uint32_t number) const {
  if (number == op::kNoThread) return "";
  return number == 0 ? "main" : "T" + Path(number);
}

ObjectNames::ObjectNames(Symbolizer& symbolizer, const std::vector<Module>& modules,
                         std::span<const channel::StepRecord> steps,
                         const std::vector<channel::BlockRecord>& blocks, SourceFiles* source)
    : symbolizer_(symbolizer), modules_(modules), frames_(steps), blocks_(blocks) {
  for (HeapBlock& block : blocks_.All()) LearnAllocated(block, symbolizer_, modules_, source);
  LearnTypes(steps);
}

// A block holds what a typed pointer to it points to. Pointers lie in blocks, too, so what was
// learned may teach more.
void ObjectNames::LearnTypes(std::span<const channel::StepRecord> steps) {
  constexpr int kRounds = 3;
  if (blocks_.Empty()) return;
  for (int round = 0; round < kRounds; ++round) {
    for (const channel::StepRecord& step : steps) {
      if (step.size != sizeof(uint64_t)) continue;
      At(step.number);
      for (const auto& [fact, value] : {std::pair(channel::kFactRead, step.value),
                                        std::pair(channel::kFactWritten, step.written)}) {
        HeapBlock* block = (step.facts & fact) != 0 ? blocks_.At(value, step.number) : nullptr;
        if (block == nullptr || block->type || block->record.address != value) continue;
        const std::optional<Dwarf_Die> type = TypeAt(step.object);
        const std::optional<Dwarf_Die> pointee = type ? Pointee(*type) : std::nullopt;
        if (pointee) HeapBlocks::Learn(*block, *pointee);
      }
    }
  }
}

Variable ObjectNames::Local(uint64_t address, std::optional<Dwarf_Die> as) const {
  for (const StackFrame& frame : frames_.At(address, step_)) {
    Variable found = symbolizer_.Local(modules_, frame.pc, frame.begin, frame.end, address, as);
    if (!found.name.empty()) return found;
  }
  return {};
}

std::optional<Dwarf_Die> ObjectNames::TypeAt(uint64_t address) {
  if (const Variable global = symbolizer_.Global(modules_, address); !global.name.empty())
    return global.type;
  if (HeapBlock* block = blocks_.At(address, step_)) return HeapBlocks::TypeAt(*block, address);
  return Local(address, std::nullopt).type;
}

std::string ObjectNames::VariableAt(uint64_t address, std::optional<Dwarf_Die> as) {
  if (Variable global = symbolizer_.Global(modules_, address, as); !global.name.empty())
    return global.name;
  if (HeapBlock* block = blocks_.At(address, step_)) return blocks_.NameOf(*block, address, as);
  return Local(address, as).name;
}

const ObjectNames::Named& ObjectNames::Name(const char* noun, char letter, uint64_t address) {
  std::string name = VariableAt(address);
  Named& named = names_[{letter, address}];
  if (!name.empty()) {
    named = {noun, std::move(name), false};
  } else if (named.name.empty() || !named.numbered) {
    named = {noun, letter + std::to_string(++counts_[letter]), true};
  }
  return named;
}

std::string ObjectNames::BlockName(uint64_t address) {
  HeapBlock* const block = blocks_.At(address, step_);
  return block != nullptr && HeapBlocks::IsBegin(*block, address) ? blocks_.NameOf(*block) : "";
}

std::string ObjectNames::Allocation(uint64_t address, const ThreadNames& threads) {
  const HeapBlock* const block = blocks_.At(address, step_);
  if (block == nullptr) return "";
  const std::string thread = threads.Name(block->record.thread);
  std::vector<Frame> stack;
  for (uint32_t i = 0; i < block->record.frames; ++i) {
    const auto& frames = symbolizer_.Frames(modules_, block->record.pc[i], false);
    stack.insert(stack.end(), frames.begin(), frames.end());
  }
  const Location place = ProgramsOwn(stack);
  if (thread.empty() || place.file.empty()) return "";
  return ", allocated by " + thread + " at " + PlaceText(place);
}

std::string ObjectNames::Pointer(uint64_t value, std::optional<Dwarf_Die> pointee) {
  if (value == 0) return "null";
  if (std::string block = BlockName(value); !block.empty()) return block;
  const std::string name = VariableAt(value, pointee);
  return name.empty() ? fmt::format("{:#x}", value) : "&" + name;
}

std::string ObjectNames::Value(uint64_t address, uint64_t value, unsigned size) {
  std::optional<Dwarf_Die> type = TypeAt(address);
  if (type && dwarf_tag(&*type) == DW_TAG_pointer_type) return Pointer(value, Pointee(*type));
  std::string text = type ? ValueOf(*type, value, size) : "";
  if (!text.empty()) return text;
  if (!type && size == sizeof(uint64_t) && blocks_.At(value, step_) != nullptr)
    return Pointer(value, std::nullopt);
  constexpr uint64_t kLikelyPointers = uint64_t{1} << 40, kEnd = uint64_t{1} << 47;
  if (!type && size == sizeof(uint64_t) && value >= kLikelyPointers && value < kEnd)
    return fmt::format("{:#x}", value);
  return ValueText(value, size);
}

op::Kind ObjectNames::WaitKind(op::Kind kind, uint64_t address) const {
  if (kind == op::Kind::kFutexWoken) return op::Kind::kFutexWait;
  bool condition = names_.contains({ObjectKindOf(op::Kind::kCondWait).letter, address});
  return kind == op::Kind::kCondReacquire && condition ? op::Kind::kCondWait : kind;
}

std::string ObjectNames::Short(op::Kind kind, uint64_t address) {
  ObjectKind object = ObjectKindOf(kind);
  if (object.noun == nullptr || address == 0) return "";
  return Name(object.noun, object.letter, address).name;
}

std::string ObjectNames::Full(op::Kind kind, uint64_t address) {
  std::string name = Short(kind, address);
  if (name.empty() || name == ObjectKindOf(kind).noun) return name;
  return std::string(ObjectKindOf(kind).noun) + " " + name;
}

std::string ObjectNames::InMessage(uint64_t address, const std::string& before) {
  for (unsigned i = 0; i < static_cast<unsigned>(op::Kind::kCount); ++i) {
    ObjectKind said = ObjectKindOf(static_cast<op::Kind>(i));
    if (said.noun != nullptr && before.ends_with(std::string(said.noun) + " ")) {
      return Name(said.noun, said.letter, address).name;
    }
  }
  const Named* named = nullptr;
  for (const auto& [key, value] : names_) {
    if (key.second == address && (named == nullptr || key.first != 'X')) named = &value;
  }
  if (named == nullptr) named = &Name("location", 'X', address);
  // A variable that is no synchronisation object, or has its kind for a name, is called by that
  // alone.
  const std::string noun = named->noun;
  const bool plain = noun == "location" && !named->numbered;
  return plain || noun == named->name ? named->name : noun + " " + named->name;
}

std::vector<ObjectNames::Numbered> ObjectNames::NumberedObjects() const {
  std::vector<Numbered> all;
  for (const auto& [key, named] : names_)
    if (named.numbered) all.push_back({named.noun, named.name});
  return all;
}

std::string ObjectNames::CodeLocation(uint64_t pc) {
  const Location place = ProgramsOwn(symbolizer_.Frames(modules_, pc, false));
  if (place.file.empty()) return place.function.empty() ? "an unknown place" : place.function;
  return PlaceText(place);
}

std::string ObjectNames::Function(uint64_t address) {
  // Functions inlined at its first instruction come first.
  const auto& frames = symbolizer_.Frames(modules_, address, true);
  return frames.empty() ? "" : frames.back().location.function;
}

namespace {

// "waits for mutex" of a mutex called mutex: the name is there already.
void AddObject(std::string& text, const std::string& name) {
  const bool said = text.ends_with(" " + name + " ") || text == name + " ";
  if (said)
    text.pop_back();
  else
    text += name;
}

// A block that was allocated before main, or whose allocation was not recorded, has no name.
std::string NameOrBlock(std::string name) { return name.empty() ? "a block" : name; }

}  // namespace

std::string FillIn(const std::string& message, const ThreadNames& threads, ObjectNames& objects) {
  std::string text;
  size_t at = 0;
  while (at < message.size()) {
    size_t end = message[at] == '%' ? message.find('%', at + 1) : std::string::npos;
    char kind = at + 1 < message.size() ? message[at + 1] : '\0';
    uint64_t number = 0;
    bool placeholder = false;
    if (end != std::string::npos && kind == 'S') {  // a symbol
      text += Demangled(message.substr(at + 2, end - at - 2).c_str());
      at = end + 1;
      continue;
    }
    if (end != std::string::npos && kind != '\0' && std::strchr("TOFLBA", kind) != nullptr) {
      const char* last = message.data() + end;
      auto parsed = std::from_chars(message.data() + at + 2, last, number, kind == 'T' ? 10 : 16);
      placeholder = parsed.ec == std::errc() && parsed.ptr == last;
    }
    if (!placeholder) {
      text += message[at++];
      continue;
    }
    if (kind == 'T')
      text += threads.Name(static_cast<uint32_t>(number));
    else if (kind == 'O')
      AddObject(text, objects.InMessage(number, text));
    else if (kind == 'F')
      text += objects.Function(number);
    else if (kind == 'A')
      text += objects.Allocation(number, threads);
    else if (kind == 'B')
      text += NameOrBlock(objects.BlockName(number));
    else if (const std::string place = objects.CodeLocation(number); text.ends_with(place + " to "))
      text.resize(text.size() - strlen(" to "));  // from a line to itself
    else
      text += place;
    at = end + 1;
  }
  return text;
}

}  // namespace heddle::report
