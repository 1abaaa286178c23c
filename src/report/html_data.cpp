#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "channel/records.h"
#include "report/html_parts.h"
#include "report/source.h"
#include "report/source_excerpts.h"
#include "report/visible.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;

// The names by which page.js knows the bits.
constexpr struct {
  const char* name;
  uint32_t flag;
} kFlags[] = {
    {"preempts", channel::kStepPreempts},
    {"raceFirst", channel::kStepRaceFirst},
    {"raceSecond", channel::kStepRaceSecond},
    {"blocked", channel::kStepBlocked},
    {"ending", channel::kStepEnding},
    {"failed", channel::kStepFailed},
    {"timedOut", channel::kStepTimedOut},
    {"left", channel::kStepLeft},
    {"made", channel::kStepMade},
    {"early", channel::kStepEarly},
};

// Ten thousand steps say the same few hundred things: every text is in the page once, and a step
// has its number. 0 is the empty text.
class Texts {
 public:
  size_t Number(const std::string& text) {
    auto [at, is_new] = numbers_.emplace(text, all_.size());
    if (is_new) all_.push_back(Visible(text));
    return at->second;
  }
  const Json& All() const { return all_; }

 private:
  Json all_ = Json::array({""});
  std::map<std::string, size_t> numbers_ = {{"", 0}};
};

class Data {
 public:
  void Add(const std::string& id, const Finding& finding) {
    std::map<std::string, size_t> thread_numbers;
    Json threads = Json::array();
    Json steps = Json::array();
    for (const Step& step : finding.steps) {
      auto [thread, is_new] = thread_numbers.emplace(step.thread, threads.size());
      if (is_new) threads.push_back(Visible(step.thread));
      steps.push_back(Of(step, thread->second));
    }
    findings_.push_back({{"id", id}, {"threads", threads}, {"steps", steps}});
  }

  std::string Dump() {
    Json flags = Json::object();
    for (const auto& [name, flag] : kFlags) flags[name] = flag;
    Json page = {
        {"flags", flags}, {"texts", texts_.All()}, {"files", Files()}, {"findings", findings_}};
    return page.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

 private:
  // The number of the file, from 1; 0: none.
  size_t FileIndex(const Location& location) {
    if (location.file.empty()) return 0;
    if (location.line != 0) places_[location.file].insert(location.line);
    auto [at, is_new] = file_numbers_.emplace(location.file, file_names_.size() + 1);
    if (is_new) file_names_.push_back(location.file);
    return at->second;
  }

  Json Of(const Frame& frame) {
    // Nobody wants to see the lines of a library, which may be thousands.
    const size_t file = frame.library ? 0 : FileIndex(frame.location);
    Json json = {{"function", texts_.Number(frame.location.function)}};
    if (file != 0) {
      json["file"] = file;
      json["line"] = frame.location.line;
    }
    if (frame.library) {
      json["library"] = true;
      json["where"] =
          texts_.Number(frame.location.file.empty()
                            ? frame.module
                            : frame.location.file + ":" + std::to_string(frame.location.line));
    } else if (file == 0) {
      json["where"] = texts_.Number(frame.module);
    }
    return json;
  }

  Json Of(const Step& step, size_t thread) {
    Json json = {{"thread", thread}, {"text", texts_.Number(TextAndRemark(step))}};
    // What is empty or 0 is left out: page.js takes it for that.
    const std::pair<const char*, size_t> numbers[] = {
        {"object", texts_.Number(step.object)},
        {"owner", texts_.Number(step.owner)},
        {"source", texts_.Number(step.source)},
        {"function", texts_.Number(step.location.function)},
        {"file", FileIndex(step.location)},
        {"line", step.location.line},
        {"flags", step.flags},
        {"omitted", step.omitted_before},
    };
    for (const auto& [name, number] : numbers) {
      if (number != 0) json[name] = number;
    }
    if (Changed(step)) json["changed"] = true;
    if (!step.stack.empty()) {
      Json frames = Json::array();
      for (const Frame& frame : step.stack) frames.push_back(Of(frame));
      json["stack"] = frames;
    }
    return json;
  }

  // Was the line another one when the program was checked?
  bool Changed(const Step& step) {
    if (step.source.empty()) return false;
    const std::string& now = sources_.Line(step.location.file, step.location.line);
    return !now.empty() && now != step.source;
  }

  Json Files() const {
    const std::map<std::string, SourceExcerpt> excerpts = ReadExcerpts(places_);
    Json files = Json::array();
    for (const std::string& name : file_names_) {
      Json file = {{"name", Visible(name)},
                   {"short", Visible(std::filesystem::path(name).filename().string())}};
      auto found = excerpts.find(name);
      if (found != excerpts.end() && found->second.readable) {
        Json lines = Json::object();
        for (const auto& [number, text] : found->second.lines) lines[std::to_string(number)] = text;
        file["lines"] = lines;
      }
      files.push_back(file);
    }
    return files;
  }

  Texts texts_;
  SourceFiles sources_;
  SourcePlaces places_;
  std::map<std::string, size_t> file_numbers_;
  std::vector<std::string> file_names_;
  Json findings_ = Json::array();
};

// "</script>" and "<!--" need a '<', which in JSON can only be in a string, where it has another
// spelling.
std::string ForScript(const std::string& json) {
  std::string safe;
  safe.reserve(json.size() + json.size() / 16);
  for (char c : json) {
    if (c == '<') {
      safe += "\\u003c";
    } else if (c == '>') {
      safe += "\\u003e";
    } else if (c == '&') {
      safe += "\\u0026";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace

std::string OtherId(const std::string& finding) { return finding + "-other"; }

std::string FindingId(size_t result, size_t finding) {
  return "r" + std::to_string(result) + "f" + std::to_string(finding);
}

std::string PageData(const std::vector<NamedResult>& results) {
  Data data;
  for (size_t i = 0; i < results.size(); ++i) {
    const std::vector<Finding>& findings = results[i].result.findings;
    for (size_t j = 0; j < findings.size(); ++j) {
      const std::string id = FindingId(i + 1, j + 1);
      if (!findings[j].steps.empty()) data.Add(id, findings[j]);
      for (const Finding& other : findings[j].other)
        if (!other.steps.empty()) data.Add(OtherId(id), other);
    }
  }
  return ForScript(data.Dump());
}

}  // namespace heddle::report
