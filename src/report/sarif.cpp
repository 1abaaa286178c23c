#include "report/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "channel/records.h"
#include "report/finding_places.h"
#include "report/kind_help.h"
#include "report/shell_word.h"
#include "report/verdict.h"
#include "report/visible.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kSchema[] = "https://json.schemastore.org/sarif-2.1.0.json";
constexpr size_t kMaxFunctionName = 300;  // of a template, and there is one in every step
constexpr char kRoot[] = "%SRCROOT%";

constexpr uint32_t kEssential = kPlaces | channel::kStepPreempts | channel::kStepEarly;

Json Text(const std::string& text) { return {{"text", Visible(text)}}; }

std::string TitleOf(const std::string& kind) { return Capitalised(KindTitle(kind)); }

class Log {
 public:
  explicit Log(const std::string& root)
      : root_(std::filesystem::path(root).lexically_normal().string()) {
    if (!root_.ends_with('/')) root_ += '/';
    for (const KindHelp& help : AllKindHelp()) AddRule(std::string(help.kind));
  }

  void Add(const NamedResult& named) {
    invocations_.push_back(InvocationOf(named));
    for (const Finding& finding : named.result.findings) {
      results_.push_back(ResultOf(finding, named.result, invocations_.size() - 1));
    }
  }

  std::string Dump(const std::string& version) {
    Json driver = {{"name", "heddle"},
                   {"fullName", "heddle, a stateless model checker for C and C++ threads"}};
    if (!version.empty()) driver["version"] = Visible(version);
    driver["rules"] = rules_;
    Json run = {{"tool", {{"driver", driver}}},
                {"columnKind", "unicodeCodePoints"},
                {"originalUriBaseIds", {{kRoot, {{"uri", "file://" + PercentEncoded(root_)}}}}},
                {"invocations", invocations_},
                {"results", results_}};
    Json log = {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
    return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  // ENSURES: rules_[the answer] is the rule of `kind`.
  size_t RuleOf(const std::string& kind) {
    auto found = std::ranges::find(kinds_, kind);
    if (found != kinds_.end()) return static_cast<size_t>(found - kinds_.begin());
    AddRule(kind);
    return kinds_.size() - 1;
  }

  void AddRule(const std::string& kind) {
    const KindHelp& help = KindHelpOf(kind);
    const std::string what(help.what);
    const std::string remedy(help.remedy);
    kinds_.push_back(kind);
    rules_.push_back({{"id", Visible(kind)},
                      {"shortDescription", {{"text", TitleOf(kind)}}},
                      {"fullDescription", {{"text", what}}},
                      {"help",
                       {{"text", what + "\n\n" + remedy},
                        {"markdown", "**" + TitleOf(kind) + ".** " + what + "\n\n" + remedy}}},
                      {"defaultConfiguration", {{"level", "error"}}},
                      {"properties",
                       {{"tags", Json::array({"concurrency", "correctness"})},
                        {"precision", "very-high"},
                        {"problem.severity", "error"}}}});
  }

  Json ArtifactOf(const std::string& file) const {
    const std::string path = std::filesystem::path(file).lexically_normal().string();
    if (path.starts_with(root_)) {
      return {{"uri", PercentEncoded(path.substr(root_.size()))}, {"uriBaseId", kRoot}};
    }
    if (path.starts_with('/')) return {{"uri", "file://" + PercentEncoded(path)}};
    return {{"uri", PercentEncoded(path)}};
  }

  // A location without a file has no physicalLocation: a viewer shows its function.
  Json LocationOf(const Location& location) const {
    Json json = Json::object();
    if (!location.file.empty()) {
      Json physical = {{"artifactLocation", ArtifactOf(location.file)}};
      if (location.line != 0) physical["region"] = {{"startLine", location.line}};
      json["physicalLocation"] = physical;
    }
    if (!location.function.empty()) {
      const std::string name = Visible(Shortened(location.function, kMaxFunctionName));
      json["logicalLocations"] =
          Json::array({{{"fullyQualifiedName", name}, {"kind", "function"}}});
    }
    return json;
  }

  Json StackOf(const Step& step) const {
    Json frames = Json::array();
    for (const Frame& frame : step.stack) {
      Json json = {{"location", LocationOf(frame.location)}};
      if (!frame.module.empty()) json["module"] = Visible(frame.module);
      frames.push_back(json);
    }
    return {{"frames", frames}};
  }

  std::string StepMessage(const Step& step) const {
    std::string text = step.thread + " " + TextAndRemark(step);
    if (!step.owner.empty()) text += ", held by " + step.owner;
    return text;
  }

  // One thread flow for each thread; what order the steps of all have is said by executionOrder.
  Json CodeFlowOf(const Finding& finding) const {
    Json flows = Json::array();
    std::map<std::string, size_t> flow_of;
    int order = 0;
    for (const Step& step : finding.steps) {
      ++order;
      auto [at, is_new] = flow_of.emplace(step.thread, flows.size());
      if (is_new) {
        flows.push_back({{"id", Visible(step.thread)}, {"locations", Json::array()}});
      }
      Json location = LocationOf(step.location);
      location["message"] = Text(StepMessage(step));
      Json json = {{"location", location},
                   {"executionOrder", order},
                   {"importance", (step.flags & kEssential) != 0 ? "essential" : "important"}};
      if (!step.stack.empty()) json["stack"] = StackOf(step);
      flows[at->second]["locations"].push_back(json);
    }
    return {{"threadFlows", flows}};
  }

  // The steps of a race, a deadlock ... other than the one that the result is shown at, with what
  // each of them is.
  Json RelatedOf(const Finding& finding, const Step* primary) const {
    Json related = Json::array();
    for (const Step& step : finding.steps) {
      if ((step.flags & kPlaces) == 0 || &step == primary || step.location.file.empty()) continue;
      Json location = {{"id", related.size() + 1}};
      location.update(LocationOf(step.location));
      location["message"] = Text(StepMessage(step));
      related.push_back(location);
    }
    return related;
  }

  Json ResultOf(const Finding& finding, const SearchResult& result, size_t invocation) {
    std::string message = Headlined(finding);
    if (!finding.may_be_ordered_by.empty()) {
      message += "\n" + Capitalised(LikelyText(finding)) + ".";
    }
    if (const std::string races = RacesText(finding); !races.empty())
      message += "\nIt is " + races + ".";
    if (const std::string cut_short = CutShortText(finding); !cut_short.empty())
      message += "\n" + Capitalised(cut_short) + ".";
    if (finding.not_reproduced) message += "\n" + Capitalised(kNotReproduced) + ".";
    if (!finding.schedule.empty())
      message += "\nReplay: heddle replay " + ShellWord(finding.schedule);
    if (!finding.line.empty()) message += "\nSchedule: " + QuotedShellWord(finding.line);
    const bool certain = finding.may_be_ordered_by.empty() && !finding.not_reproduced;
    const Step* primary = PrimaryStep(finding);
    Json json = {{"ruleId", Visible(finding.kind)},
                 {"ruleIndex", RuleOf(finding.kind)},
                 {"level", certain ? "error" : "warning"},
                 {"message", Text(message)},
                 {"locations", Json::array({LocationOf(PrimaryPlace(finding, result))})}};
    Json related = RelatedOf(finding, primary);
    if (!related.empty()) json["relatedLocations"] = related;
    if (!finding.steps.empty()) json["codeFlows"] = Json::array({CodeFlowOf(finding)});
    for (const Finding& other : finding.other) json["codeFlows"].push_back(CodeFlowOf(other));
    if (!finding.identity.empty()) {
      json["partialFingerprints"] = {{"heddleIdentity/v1", Visible(finding.identity)}};
    }
    json["provenance"] = {{"invocationIndex", invocation}};
    json["properties"] = {{"thread", Visible(finding.thread)},
                          {"preemptions", finding.preemptions},
                          {"early_timeouts", finding.early_timeouts},
                          {"fewer_may_do", finding.fewer_may_do},
                          {"execution", finding.execution}};
    return json;
  }

  Json InvocationOf(const NamedResult& named) const {
    const SearchResult& result = named.result;
    Json notifications = Json::array();
    const bool judged = !IsError(result);
    notifications.push_back(
        {{"level", judged ? "note" : "error"}, {"message", Text(result.guarantee)}});
    for (const Note& note : result.notes) {
      notifications.push_back(
          {{"level", note.kind == "info" ? "note" : "warning"}, {"message", Text(note.text)}});
    }
    Json json = {{"executionSuccessful", judged},
                 {"exitCode", ExitStatus(result, false)},
                 {"toolExecutionNotifications", notifications},
                 {"properties",
                  {{"result", Visible(named.name)},
                   {"verdict", VerdictName(result.verdict)},
                   {"complete", result.complete},
                   {"executions", result.executions}}}};
    if (!result.program.empty()) {
      json["executableLocation"] = ArtifactOf(result.program);
      Json arguments = Json::array();
      for (const std::string& argument : result.arguments) arguments.push_back(Visible(argument));
      json["arguments"] = arguments;
    }
    return json;
  }

  std::string root_;
  std::vector<std::string> kinds_;
  Json rules_ = Json::array();
  Json invocations_ = Json::array();
  Json results_ = Json::array();
};

}  // namespace

std::string PercentEncoded(const std::string& path) {
  constexpr std::string_view kPlain = "/-._~";
  std::string uri;
  for (char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        byte < 0x80 && (std::isalnum(byte) != 0 || kPlain.find(c) != std::string_view::npos);
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

std::string ToSarif(const std::vector<NamedResult>& results, const std::string& root) {
  Log log(root);
  for (const NamedResult& named : results) log.Add(named);
  return log.Dump(results.empty() ? "" : results.front().result.heddle_version);
}

}  // namespace heddle::report
