#include "report/names.h"

#include <charconv>
#include <cstring>
#include <filesystem>

#include "plan/schedule_file.h"
#include "report/wording.h"

namespace heddle::report {

std::string ThreadNames::Path(uint32_t number) const {
  static_assert(sizeof(channel::ThreadName) == sizeof(plan::ThreadPath));
  std::vector<plan::ThreadPath> paths;
  for (const channel::ThreadName& name : names_) {
    // Number 0 is main whatever the entry says: a program that never created a thread may not have
    // written it.
    bool is_main = paths.empty();
    paths.push_back({is_main ? plan::kNoParent : name.parent, is_main ? 0 : name.child});
  }
  if (number == 0) return "main";
  return plan::PathText(paths, number);
}

std::string ThreadNames::Name(uint32_t number) const {
  if (number == op::kNoThread) return "";
  return number == 0 ? "main" : "T" + Path(number);
}

const ObjectNames::Named& ObjectNames::Name(const char* noun, char letter, uint64_t address) {
  auto [entry, fresh] = names_.try_emplace({letter, address});
  if (fresh) {
    std::string name = symbolizer_.Variable(modules_, address);
    if (name.empty()) name = letter + std::to_string(++counts_[letter]);
    entry->second = {noun, name};
  }
  return entry->second;
}

op::Kind ObjectNames::WaitKind(op::Kind kind, uint64_t address) const {
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
  return name.empty() ? "" : std::string(ObjectKindOf(kind).noun) + " " + name;
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
  std::string noun = std::string(named->noun) + " ";
  // A variable that is no synchronisation object is called by its name alone.
  bool numbered_location = named->name[0] == 'X' && symbolizer_.Variable(modules_, address).empty();
  return noun == "location " && !numbered_location ? named->name : noun + named->name;
}

std::string ObjectNames::Place(uint64_t pc) {
  const Location place = ProgramsOwn(symbolizer_.Frames(modules_, pc, false));
  if (place.file.empty()) return place.function.empty() ? "an unknown place" : place.function;
  return std::filesystem::path(place.file).filename().string() + ":" + std::to_string(place.line);
}

std::string ObjectNames::Function(uint64_t address) {
  // Functions inlined at its first instruction come first.
  const auto& frames = symbolizer_.Frames(modules_, address, true);
  return frames.empty() ? "" : frames.back().location.function;
}

std::string FillIn(const std::string& message, const ThreadNames& threads, ObjectNames& objects) {
  std::string text;
  size_t at = 0;
  while (at < message.size()) {
    size_t end = message[at] == '%' ? message.find('%', at + 1) : std::string::npos;
    char kind = at + 1 < message.size() ? message[at + 1] : '\0';
    uint64_t number = 0;
    bool placeholder = false;
    if (end != std::string::npos && (kind == 'T' || kind == 'O' || kind == 'F' || kind == 'L')) {
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
      text += objects.InMessage(number, text);
    else if (kind == 'F')
      text += objects.Function(number);
    else if (const std::string place = objects.Place(number); text.ends_with(place + " to "))
      text.resize(text.size() - strlen(" to "));  // from a line to itself
    else
      text += place;
    at = end + 1;
  }
  return text;
}

}  // namespace heddle::report
