#include "replay/schedule_file.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "base/hash.h"
#include "replay/json_fields.h"

namespace heddle::replay {
namespace {

using base::Error;
using Json = nlohmann::ordered_json;

constexpr size_t kLineWidth = 96;

std::string Quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// A JSON array as lines of at most kLineWidth columns: a schedule of 10,000 choices stays readable.
template <typename Items, typename ToItem>
std::string Wrapped(const Items& items, ToItem to_item) {
  std::string text = "[";
  size_t column = kLineWidth;
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string item = to_item(items[i]) + (i + 1 < items.size() ? "," : "");
    if (column + 1 + item.size() > kLineWidth) {
      text += "\n    ";
      column = 4;
    } else {
      text += ' ';
      column += 1;
    }
    text += item;
    column += item.size();
  }
  text += items.empty() ? "]" : "\n  ]";
  return text;
}

constexpr std::string_view kChoices = "\n  \"choices\": [";
constexpr std::string_view kEnd = "\n  ]\n}\n";

std::optional<Error> CheckHead(const Json& json, const std::string& name) {
  if (json.is_object() && json.contains("verdict")) {
    return Error{name + " is a result, not a schedule: `heddle report` shows it"};
  }
  if (!json.is_object() || !json.contains("heddle-schedule")) {
    return Error{name + " is not a heddle schedule"};
  }
  const Json& version = json["heddle-schedule"];
  if (!version.is_number_integer() || version != kScheduleFileVersion) {
    return Error{name + " has schedule version " + version.dump() + ", this heddle reads version " +
                 std::to_string(kScheduleFileVersion) + ": record it again with `heddle check`"};
  }
  return std::nullopt;
}

// A place as the search writes it: a module's name, perhaps none, and an offset in hexadecimal.
bool IsPlace(const std::string& text) {
  const size_t offset = text.rfind("+0x");
  return offset != std::string::npos && offset + 3 < text.size() &&
         text.find_first_not_of("0123456789abcdef", offset + 3) == std::string::npos;
}

bool IsHex(const std::string& text) {
  return text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// ---- texts that are no UTF-8, which JSON cannot hold: names of files, and arguments ----

bool IsUtf8(const std::string& text) {
  return Json::parse(Quoted(text)).get_ref<const std::string&>() == text;
}

std::string ToHex(const std::string& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return hex;
}

// The fields that say what the readable ones do not.
std::string BesidesUtf8(const ScheduleFile& file) {
  std::string text;
  if (!IsUtf8(file.program)) text += ",\n    \"path-hex\": " + Quoted(ToHex(file.program));
  if (!std::ranges::all_of(file.arguments, IsUtf8)) {
    std::vector<std::string> hex;
    for (const std::string& argument : file.arguments) hex.push_back(ToHex(argument));
    text += ",\n    \"args-hex\": " + Json(hex).dump();
  }
  return text;
}

std::string FromHex(const Field& field) {
  const std::string hex = field.get<std::string>();
  if (hex.size() % 2 != 0 || !IsHex(hex)) field.Fail("is not of hexadecimal digits");
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(digit(hex[i]) << 4 | digit(hex[i + 1]));
  }
  return bytes;
}

// The last part of a path, such that nobody has to quote it: each run of other characters is one
// '_'. It does not begin as an option or a hidden file does.
std::string PlainName(const std::string& path) {
  constexpr size_t kLongest = 64;  // names of files end at 255
  std::string plain;
  for (const char c : path.substr(path.rfind('/') + 1)) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    const bool inside = !plain.empty() && (c == '.' || c == '-' || c == '+');
    if (letter || inside) {
      plain += c;
    } else if (plain.empty() || plain.back() != '_') {
      plain += '_';
    }
    if (plain.size() == kLongest) break;
  }
  return plain;
}

ScheduleFile FromJson(const Field& json) {
  ScheduleFile file;
  file.heddle_version = json.at("heddle").get<std::string>();
  const Field program = json.at("program");
  file.program = program.at("path").get<std::string>();
  file.build_id = program.at("build-id").get<std::string>();
  file.arguments = program.at("args").get<std::vector<std::string>>();
  if (program.contains("path-hex")) file.program = FromHex(program.at("path-hex"));
  if (program.contains("args-hex")) {
    file.arguments.clear();
    for (const Field& hex : program.at("args-hex").List()) file.arguments.push_back(FromHex(hex));
  }
  file.at_check = program.value("at-check", "");
  const Field options = json.at("options");
  file.points = options.at("points").get<std::string>();
  file.rewind = options.at("rewind").get<std::string>();
  file.seed = options.at("seed").get<uint64_t>();
  file.max_events = options.at("max-events").get<uint64_t>();
  file.hang_ms = options.at("hang-after-ms").get<uint64_t>();
  file.idle_rounds = options.value("idle-rounds", file.idle_rounds);
  file.leaks = options.value("leaks", false);
  file.uninitialised = options.value("uninitialised", false);
  file.fail_allocations = options.value("fail-allocations", uint32_t{0});
  file.reuse_now = options.value("reuse", "late") == "now";
  file.races = options.at("races").get<bool>();
  file.spurious_wakeups = options.at("spurious-wakeups").get<bool>();
  file.strict = options.value("strict", false);  // version 1 began without these three
  file.timeouts = options.value("timeouts", "any");
  file.thread_ends = options.value("thread-ends", false);
  file.joint_cycles = options.value("joint-cycles", false);
  file.thread_joins = options.value("thread-joins", false);
  file.frame_ends = options.value("frame-ends", false);
  file.signals = options.value("signals", uint64_t{0});
  file.visited = options.value("visited", "none");
  file.volatile_atomic = options.value("volatile-atomic", false);
  file.memory_model = options.value("memory-model", "sc");
  file.reads_from = options.value("reads-from", false);
  file.test_breaks = options.value("test-breaks", false);
  file.release_sequences = options.value("release-sequences", "auto");
  file.visible = options.value("visible", std::vector<std::string>());
  const Field expected = json.at("expected");
  file.kind = expected.at("kind").get<std::string>();
  file.identity = expected.at("identity").get<std::string>();
  file.end_moment = expected.value("end-moment", 0u);
  file.is_other = expected.value("is-other", false);
  file.message = expected.at("message").get<std::string>();
  file.preemptions = expected.at("preemptions").get<uint32_t>();
  file.steps_hash = expected.at("steps-hash").get<std::string>();
  file.threads = json.at("threads").get<std::vector<std::string>>();
  file.choices = json.at("choices").get<std::vector<uint32_t>>();
  return file;
}

}  // namespace

std::optional<std::string> WrongValue(const ScheduleFile& file) {
  const auto one_of = [](const std::string& value, std::initializer_list<const char*> allowed) {
    return std::ranges::find(allowed, value) != allowed.end();
  };
  const auto wrong = [](const char* field, const std::string& value) {
    return std::string(field) + ": " + Quoted(value);
  };
  if (!one_of(file.points, {"sync", "all", "every", "hooks"})) return wrong("points", file.points);
  if (!one_of(file.rewind, {"memory", "fork"})) return wrong("rewind", file.rewind);
  if (!one_of(file.visited, {"none", "states", "items", "counters"}))
    return wrong("visited", file.visited);
  if (!one_of(file.timeouts, {"any", "last"})) return wrong("timeouts", file.timeouts);
  if (!one_of(file.release_sequences, {"auto", "c11", "c++20"})) {
    return wrong("release-sequences", file.release_sequences);
  }
  if (!one_of(file.memory_model, {"sc", "tso", "c11"}))
    return wrong("memory-model", file.memory_model);
  if (file.max_events == 0) return "max-events: 0";
  for (const std::string& place : file.visible) {
    if (!IsPlace(place)) return wrong("visible", place);
  }
  // They would end there.
  if (file.program.find('\0') != std::string::npos) return wrong("path", file.program);
  for (const std::string& argument : file.arguments) {
    if (argument.find('\0') != std::string::npos) return wrong("args", argument);
  }
  const size_t call = file.at_check.find('@');
  if (!file.at_check.empty() &&
      (call == std::string::npos || file.at_check.find('\0') != std::string::npos ||
       file.at_check.size() > kLongestCheckCall)) {
    return wrong("at-check", file.at_check);
  }
  const bool kind = file.kind.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string::npos;
  if (!kind || file.kind.empty()) return wrong("kind", file.kind);
  if (file.identity.size() != 16 || !IsHex(file.identity)) return wrong("identity", file.identity);
  return std::nullopt;
}

std::string Hex16(uint64_t value) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(value));
  return digits;
}

std::string WithoutChoices(std::string text) {
  const size_t choices = text.find(kChoices);  // no text in the file has a line's end in it
  if (choices == std::string::npos || !text.ends_with(kEnd)) return text;
  text.erase(choices + kChoices.size(), text.size() - kEnd.size() - choices - kChoices.size());
  return text;
}

bool ShowSameBug(const ScheduleFile& a, const ScheduleFile& b) {
  return a.kind == b.kind && a.identity == b.identity && a.program == b.program &&
         a.build_id == b.build_id && a.arguments == b.arguments && a.at_check == b.at_check;
}

std::string ScheduleFileName(const ScheduleFile& file, int number) {
  uint64_t hash = base::kEmptyHash;
  // With the zero at its end, so that no two lists of texts are the same bytes.
  const auto add = [&](const std::string& text) {
    hash = base::HashBytes(text.c_str(), text.size() + 1, hash);
  };
  for (const std::string* text : {&file.kind, &file.identity, &file.program, &file.build_id}) {
    add(*text);
  }
  for (const std::string& argument : file.arguments) add(argument);
  if (!file.at_check.empty()) add(file.at_check);
  return PlainName(file.program) + "-" + file.kind + "-" + Hex16(base::Mix(hash)).substr(0, 8) +
         (number > 1 ? "-" + std::to_string(number) : "") + ".heddle";
}

std::string ToText(const ScheduleFile& file) {
  auto flag = [](bool value) { return value ? "true" : "false"; };
  std::string text = "{\n";
  text += "  \"heddle-schedule\": " + std::to_string(kScheduleFileVersion) + ",\n";
  text += "  \"heddle\": " + Quoted(file.heddle_version) + ",\n";
  text += "  \"program\": {\n    \"path\": " + Quoted(file.program) +
          ",\n    \"build-id\": " + Quoted(file.build_id) + ",\n    \"args\": " +
          Json(file.arguments).dump(-1, ' ', false, Json::error_handler_t::replace) +
          BesidesUtf8(file) +
          (file.at_check.empty() ? "" : ",\n    \"at-check\": " + Quoted(file.at_check)) +
          "\n  },\n";
  text += "  \"options\": {\n    \"points\": " + Quoted(file.points) +
          ",\n    \"timeouts\": " + Quoted(file.timeouts) +
          ",\n    \"rewind\": " + Quoted(file.rewind) +
          ",\n    \"seed\": " + std::to_string(file.seed) +
          ",\n    \"max-events\": " + std::to_string(file.max_events) +
          ",\n    \"hang-after-ms\": " + std::to_string(file.hang_ms) +
          ",\n    \"idle-rounds\": " + std::to_string(file.idle_rounds) +
          (file.leaks ? ",\n    \"leaks\": true" : "") +
          (file.uninitialised ? ",\n    \"uninitialised\": true" : "") +
          (file.fail_allocations != 0
               ? ",\n    \"fail-allocations\": " + std::to_string(file.fail_allocations)
               : "") +
          (file.reuse_now ? ",\n    \"reuse\": \"now\"" : "") +
          ",\n    \"races\": " + flag(file.races) +
          ",\n    \"spurious-wakeups\": " + flag(file.spurious_wakeups) +
          ",\n    \"strict\": " + flag(file.strict) +
          ",\n    \"thread-ends\": " + flag(file.thread_ends) +
          ",\n    \"thread-joins\": " + flag(file.thread_joins) +
          (file.joint_cycles ? ",\n    \"joint-cycles\": true" : "") +
          (file.frame_ends ? ",\n    \"frame-ends\": true" : "") +
          (file.signals != 0 ? ",\n    \"signals\": " + std::to_string(file.signals) : "") +
          (file.visited != "none" ? ",\n    \"visited\": " + Quoted(file.visited) : "") +
          (file.memory_model != "sc" ? ",\n    \"memory-model\": " + Quoted(file.memory_model)
                                      : "") +
          (file.reads_from ? ",\n    \"reads-from\": true" : "") +
          ",\n    \"volatile-atomic\": " + flag(file.volatile_atomic) +
          ",\n    \"test-breaks\": " + flag(file.test_breaks) +
          ",\n    \"release-sequences\": " + Quoted(file.release_sequences) +
          ",\n    \"visible\": " +
          Json(file.visible).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n  },\n";
  text += "  \"expected\": {\n    \"kind\": " + Quoted(file.kind) +
          ",\n    \"identity\": " + Quoted(file.identity) +
          (file.end_moment == 0 ? ""
                                : ",\n    \"end-moment\": " + std::to_string(file.end_moment) +
                                      ",\n    \"is-other\": " + flag(file.is_other)) +
          ",\n    \"message\": " + Quoted(file.message) +
          ",\n    \"preemptions\": " + std::to_string(file.preemptions) +
          ",\n    \"steps-hash\": " + Quoted(file.steps_hash) + "\n  },\n";
  text += "  \"threads\": " + Wrapped(file.threads, Quoted) + ",\n";
  const auto number = [](uint32_t choice) { return std::to_string(choice); };
  text += "  \"choices\": " + Wrapped(file.choices, number) + "\n}\n";
  return text;
}

base::Result<ScheduleFile> ParseSchedule(const std::string& text, const std::string& name) {
  size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return Error{name + " is empty, not a heddle schedule"};
  const std::optional<Json> json = ParseJson(text);
  if (!json) {
    bool ours = text[begin] == '{' && text.find("\"heddle-schedule\"") != std::string::npos;
    return Error{name + (ours ? " is damaged or cut short: record it again with `heddle check`"
                              : " is not a heddle schedule")};
  }
  if (auto refusal = CheckHead(*json, name)) return *refusal;
  ScheduleFile file;
  try {
    file = FromJson(Field(*json));
  } catch (const WrongField& wrong) {
    return Error{name + " is no schedule that this heddle can read: " + wrong.why +
                 "; record it again with `heddle check`"};
  }
  if (const auto wrong = WrongValue(file)) {
    return Error{name + " has a value that heddle never writes (" + *wrong +
                 "): record it again with `heddle check`"};
  }
  base::Result<std::vector<ThreadPath>> paths = ParsePaths(file.threads);
  if (!paths.Ok()) return Error{name + ": " + paths.Message()};
  return file;
}

std::string PathText(const std::vector<ThreadPath>& threads, uint32_t number) {
  std::string text;
  // A damaged list must not send us round in circles: no path is longer than the list.
  for (size_t steps = 0; steps <= threads.size(); ++steps) {
    if (number >= threads.size()) return "?" + text;
    const ThreadPath& thread = threads[number];
    if (thread.parent == kNoParent) return text.empty() ? "main" : text.substr(1);
    text.insert(0, "." + std::to_string(thread.child));
    number = thread.parent;
  }
  return "?" + text;
}

base::Result<std::vector<ThreadPath>> ParsePaths(const std::vector<std::string>& threads) {
  std::map<std::string, uint32_t> numbers;
  std::vector<ThreadPath> paths;
  for (const std::string& text : threads) {
    uint32_t number = static_cast<uint32_t>(paths.size());
    if (number == 0) {
      if (text != "main") return Error{"the first thread is not main"};
      paths.push_back({kNoParent, 0});
    } else {
      size_t dot = text.rfind('.');
      std::string parent = dot == std::string::npos ? "main" : text.substr(0, dot);
      const char* digits = text.data() + (dot == std::string::npos ? 0 : dot + 1);
      const char* end = text.data() + text.size();
      uint32_t child = 0;
      auto parsed = std::from_chars(digits, end, child);
      auto found = numbers.find(parent);
      if (parsed.ec != std::errc() || parsed.ptr != end || child == 0 || found == numbers.end()) {
        return Error{"thread \"" + text + "\" is not the creation path of a thread"};
      }
      paths.push_back({found->second, child});
    }
    if (!numbers.emplace(text, number).second)
      return Error{"thread \"" + text + "\" is there twice"};
  }
  if (paths.empty()) return Error{"no thread is named"};
  return paths;
}

}  // namespace heddle::replay
