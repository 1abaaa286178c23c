#include "replay/schedule_line.h"

#include <algorithm>
#include <charconv>
#include <concepts>
#include <optional>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle::replay {
namespace {

using base::Error;

constexpr size_t kMostChoices = 10'000'000;

// What a line has where it says nothing.
ScheduleFile Defaults() {
  ScheduleFile schedule;
  schedule.max_events = 1'000'000;
  schedule.hang_ms = 10'000;
  return schedule;
}

// The options by name. A flag is there where it differs from the default.
template <typename File, typename Visit>
void VisitOptions(File& file, Visit visit) {
  visit("points", file.points);
  visit("timeouts", file.timeouts);
  visit("rewind", file.rewind);
  visit("seed", file.seed);
  visit("max-events", file.max_events);
  visit("hang-after-ms", file.hang_ms);
  visit("idle-rounds", file.idle_rounds);
  visit("leaks", file.leaks);
  visit("uninitialised", file.uninitialised);
  visit("fail-allocations", file.fail_allocations);
  visit("reuse-now", file.reuse_now);
  visit("no-races", file.races);
  visit("spurious-wakeups", file.spurious_wakeups);
  visit("strict", file.strict);
  visit("joint-cycles", file.joint_cycles);
  visit("visited", file.visited);
  visit("thread-ends", file.thread_ends);
  visit("thread-joins", file.thread_joins);
  visit("frame-ends", file.frame_ends);
  visit("signals", file.signals);
  visit("volatile-atomic", file.volatile_atomic);
  visit("test-breaks", file.test_breaks);
  visit("release-sequences", file.release_sequences);
  visit("memory-model", file.memory_model);
  visit("reads-from", file.reads_from);
  visit("end-moment", file.end_moment);
  visit("is-other", file.is_other);
}

std::string ValueOf(const std::string& name, const std::string& value) {
  return name + "=" + value;
}
std::string ValueOf(const std::string& name, std::unsigned_integral auto value) {
  return name + "=" + std::to_string(value);
}
std::string ValueOf(const std::string& name, bool) { return name; }

template <typename Number>
bool Read(std::string_view text, Number& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

bool Set(std::string& option, std::optional<std::string_view> value) {
  if (value) option = *value;
  return value.has_value();
}
bool Set(bool& option, std::optional<std::string_view> value) {
  option = !option;
  return !value;
}
bool Set(std::unsigned_integral auto& option, std::optional<std::string_view> value) {
  return value && Read(*value, option);
}

std::string NameOf(const std::string& path) { return path == "main" ? path : "T" + path; }

// The thread of a name, with its parents before it, in `threads`; nothing: it is none.
std::optional<uint32_t> NumberOf(std::string_view name, std::vector<std::string>& threads) {
  if (name != "main" && !name.starts_with('T')) return std::nullopt;
  const std::string path(name == "main" ? name : name.substr(1));
  if (const auto known = std::ranges::find(threads, path); known != threads.end())
    return static_cast<uint32_t>(known - threads.begin());
  const size_t dot = path.rfind('.');
  uint32_t child = 0;
  if (!Read(std::string_view(path).substr(dot == std::string::npos ? 0 : dot + 1), child) ||
      child == 0)
    return std::nullopt;
  if (dot != std::string::npos && !NumberOf("T" + path.substr(0, dot), threads))
    return std::nullopt;
  threads.push_back(path);
  return static_cast<uint32_t>(threads.size() - 1);
}

// "2.1" as {2, 1}; main as nothing.
std::vector<uint32_t> ChildrenOf(const std::string& path) {
  std::vector<uint32_t> children;
  for (size_t at = 0; path != "main" && at <= path.size();) {
    const size_t dot = std::min(path.find('.', at), path.size());
    uint32_t child = 0;
    Read(std::string_view(path).substr(at, dot - at), child);
    children.push_back(child);
    at = dot + 1;
  }
  return children;
}

// The threads in the order in which they have numbers where the line does not say it: with those
// that their parents created before them, main's children first, then theirs. So it usually is.
std::vector<std::string> InUsualOrder(const std::vector<std::string>& named) {
  constexpr uint32_t kMostElders = 1000;
  std::vector<std::string> all = named;
  for (size_t i = 0; i < all.size(); ++i) {
    const std::vector<uint32_t> children = ChildrenOf(all[i]);
    if (children.empty() || children.back() > kMostElders) continue;
    const std::string parent = all[i].substr(0, all[i].rfind('.') + 1);  // nothing: main
    for (uint32_t elder = 1; elder < children.back(); ++elder) {
      std::string path = parent + std::to_string(elder);
      if (std::ranges::find(all, path) == all.end()) all.push_back(std::move(path));
    }
  }
  std::ranges::sort(all, {}, [](const std::string& path) {
    std::vector<uint32_t> children = ChildrenOf(path);
    return std::pair(children.size(), children);
  });
  return all;
}

// The threads that the line names, main first.
std::vector<std::string> NamedIn(const ScheduleFile& schedule) {
  std::vector<std::string> threads = {"main"};
  for (const uint32_t choice : schedule.choices) {
    const uint32_t number = choice & ~kLeft;
    if ((choice & kOptionTaken) == 0 && number < schedule.threads.size())
      NumberOf(NameOf(schedule.threads[number]), threads);
  }
  return threads;
}

bool HasUsualNumbers(const ScheduleFile& schedule) {
  const std::vector<std::string> named = NamedIn(schedule), usual = InUsualOrder(named);
  return std::ranges::all_of(named, [&](const std::string& path) {
    return std::ranges::find(usual, path) - usual.begin() ==
           std::ranges::find(schedule.threads, path) - schedule.threads.begin();
  });
}

// Numbers threads as usual that have numbers as the line names them.
void NumberAsUsual(ScheduleFile& schedule) {
  const std::vector<std::string> usual = InUsualOrder(schedule.threads);
  for (uint32_t& choice : schedule.choices) {
    if ((choice & kOptionTaken) != 0) continue;
    const auto number = std::ranges::find(usual, schedule.threads[choice & ~kLeft]);
    choice = static_cast<uint32_t>(number - usual.begin()) | (choice & kLeft);
  }
  schedule.threads = usual;
}

Error NoWord(std::string_view word, const char* why) {
  return Error{"the schedule line has \"" + std::string(word) + "\" in it, " + why +
               "; take the whole line that heddle check printed"};
}

std::optional<Error> ReadOption(std::string_view word, ScheduleFile& schedule) {
  const size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  std::optional<std::string_view> value;
  if (equals != std::string_view::npos) value = word.substr(equals + 1);
  if (name == "at" && value) {
    schedule.visible.emplace_back(*value);
    return std::nullopt;
  }
  if (name == "threads" && value) {
    for (size_t at = 0; at <= value->size();) {
      const size_t comma = std::min(value->find(',', at), value->size());
      if (!NumberOf("T" + std::string(value->substr(at, comma - at)), schedule.threads))
        return NoWord(word, "which does not name threads");
      at = comma + 1;
    }
    return std::nullopt;
  }
  bool known = false, fits = false;
  VisitOptions(schedule, [&](const char* option, auto& field) {
    if (name != option) return;
    known = true;
    fits = Set(field, value);
  });
  if (!known) return NoWord(word, "an option that this heddle does not know");
  if (!fits) return NoWord(word, "an option without its value, or with another one");
  return std::nullopt;
}

std::optional<Error> ReadChoice(std::string_view word, ScheduleFile& schedule) {
  uint64_t times = 1;
  std::string_view what = word;
  if (const size_t star = word.find('*'); star != std::string_view::npos) {
    what = word.substr(0, star);
    if (!Read(word.substr(star + 1), times) || times == 0)
      return NoWord(word, "which is not repeated a number of times");
  }
  uint32_t choice = 0;
  if (what.starts_with('=')) {
    if (!Read(what.substr(1), choice) || choice >= kOptionTaken)
      return NoWord(word, "which is no option");
    choice |= kOptionTaken;
  } else {
    const bool left = what.ends_with('~');
    const auto number = NumberOf(left ? what.substr(0, what.size() - 1) : what, schedule.threads);
    if (!number) return NoWord(word, "which is no thread");
    choice = *number | (left ? kLeft : 0);
  }
  if (times > kMostChoices - schedule.choices.size())
    return Error{"the schedule line is longer than this heddle can replay"};
  schedule.choices.insert(schedule.choices.end(), times, choice);
  return std::nullopt;
}

}  // namespace

std::string ChoiceWord(const ScheduleFile& schedule, size_t index) {
  const uint32_t choice = schedule.choices[index];
  if ((choice & kOptionTaken) != 0) return "=" + std::to_string(choice & ~kOptionTaken);
  const uint32_t number = choice & ~kLeft;
  if (number >= schedule.threads.size()) return "";
  return NameOf(schedule.threads[number]) + ((choice & kLeft) != 0 ? "~" : "");
}

std::string ToLine(const ScheduleFile& schedule) {
  std::string line = schedule.kind;
  const ScheduleFile defaults = Defaults();
  VisitOptions(schedule, [&](const char* name, const auto& value) {
    VisitOptions(defaults, [&](const char* other, const auto& usual) {
      if constexpr (std::is_same_v<decltype(value), decltype(usual)>)
        if (std::string_view(name) == other && value != usual) line += " " + ValueOf(name, value);
    });
  });
  if (!HasUsualNumbers(schedule)) {
    for (size_t i = 1; i < schedule.threads.size(); ++i)
      line += (i == 1 ? " threads=" : ",") + schedule.threads[i];
  }
  for (const std::string& place : schedule.visible) line += " at=" + place;
  line += ":";
  for (size_t i = 0; i < schedule.choices.size() && line.size() <= kLongestLine;) {
    size_t times = 1;
    while (i + times < schedule.choices.size() &&
           schedule.choices[i + times] == schedule.choices[i])
      ++times;
    const std::string word = ChoiceWord(schedule, i);
    if (word.empty()) return "";
    line += " " + word + (times > 1 ? "*" + std::to_string(times) : "");
    i += times;
  }
  return line.size() <= kLongestLine ? line : "";
}

base::Result<ScheduleFile> ParseLine(const std::string& line) {
  ScheduleFile schedule = Defaults();
  schedule.threads = {"main"};
  const size_t colon = line.find(':');
  if (colon == std::string::npos)
    return Error{"this is no schedule line: it has no colon (\"deadlock: main*2 T1\")"};
  std::istringstream head(line.substr(0, colon)), choices(line.substr(colon + 1));
  head >> schedule.kind;
  for (std::string word; head >> word;)
    if (auto error = ReadOption(word, schedule)) return *error;
  const bool numbered = schedule.threads.size() > 1;
  for (std::string word; choices >> word;)
    if (auto error = ReadChoice(word, schedule)) return *error;
  if (!numbered) NumberAsUsual(schedule);
  schedule.identity = Hex16(0);
  const std::vector<std::string> places = std::exchange(schedule.visible, {});
  if (const auto wrong = WrongValue(schedule))
    return Error{"the schedule line has a value that heddle never writes (" + *wrong + ")"};
  schedule.visible = places;
  return schedule;
}

}  // namespace heddle::replay
