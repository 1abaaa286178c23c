#include "report/junit.h"

#include <fmt/format.h>

#include <filesystem>
#include <pugixml.hpp>
#include <set>
#include <span>
#include <sstream>

#include "report/terminal.h"
#include "report/text.h"
#include "report/verdict.h"
#include "report/visible.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

constexpr int kTextWidth = 100;
constexpr size_t kMaxName = 300;  // of what the tools show in one line of a list

void Set(pugi::xml_node node, const char* attribute, const std::string& value) {
  node.append_attribute(attribute) = Visible(value).c_str();
}

void SetText(pugi::xml_node node, const std::string& text) { node.text() = Visible(text).c_str(); }

void Property(pugi::xml_node properties, const char* name, const std::string& value) {
  pugi::xml_node property = properties.append_child("property");
  Set(property, "name", name);
  Set(property, "value", value);
}

std::string Seconds(double seconds) { return fmt::format("{:.3f}", seconds); }

std::string ClassOf(const NamedResult& named) {
  std::string program = std::filesystem::path(named.result.program).filename().string();
  if (program.empty()) program = named.name;
  // Jenkins takes what stands before the last dot for a package.
  for (char& c : program) {
    if (c == '.') c = '_';
  }
  return "heddle." + program;
}

// Tools tell testcases apart by class and name: the second run of one program has its file's name
// beside its own.
std::string NameOf(const NamedResult& named, std::set<std::string>& names) {
  std::string name = Shortened(ProgramLine(named), kMaxName);
  if (!names.insert(name).second) {
    name += " (" + named.name + ")";
    for (int i = 2; !names.insert(name).second; ++i) name += fmt::format(" #{}", i);
  }
  return name;
}

bool Fails(const SearchResult& result) {
  return result.verdict == Verdict::kBug && !result.findings.empty();
}

void AddFailure(pugi::xml_node testcase, const SearchResult& result, const Terminal& terminal) {
  const Finding& first = result.findings.front();
  const Headline headline = HeadlineOf(first);
  std::string message = headline.kind + headline.rest;
  if (result.findings.size() > 1) {
    message += fmt::format(" (and {} more)", result.findings.size() - 1);
  }
  std::string text;
  for (const Finding& finding : result.findings) text += FindingText(finding, terminal);
  pugi::xml_node failure = testcase.append_child("failure");
  Set(failure, "message", message);
  Set(failure, "type", first.kind);
  SetText(failure, text);
}

void AddError(pugi::xml_node testcase, const SearchResult& result, const Terminal& terminal) {
  pugi::xml_node error = testcase.append_child("error");
  Set(error, "message", result.guarantee);
  Set(error, "type", VerdictName(result.verdict));
  SetText(error, ResultText(result, terminal));
}

void AddProperties(pugi::xml_node node, const SearchResult& result) {
  pugi::xml_node properties = node.append_child("properties");
  Property(properties, "heddle.version", result.heddle_version);
  Property(properties, "heddle.verdict", VerdictName(result.verdict));
  Property(properties, "heddle.complete", result.complete ? "true" : "false");
  Property(properties, "heddle.guarantee", result.guarantee);
  Property(properties, "heddle.executions", std::to_string(result.executions));
  for (const Note& note : result.notes) {
    if (note.kind != "info") Property(properties, ("heddle." + note.kind).c_str(), note.text);
  }
}

// How many there are of what, in a suite or in all.
struct Counts {
  explicit Counts(std::span<const NamedResult> results) : tests(results.size()) {
    for (const NamedResult& named : results) {
      failures += Fails(named.result) ? 1 : 0;
      errors += IsError(named.result) ? 1 : 0;
      seconds += named.result.elapsed_s;
    }
  }

  size_t tests;
  int failures = 0;
  int errors = 0;
  double seconds = 0;
};

void AddTestcase(pugi::xml_node suite, const NamedResult& named, std::set<std::string>& names) {
  const SearchResult& result = named.result;
  const Terminal terminal(kTextWidth, false);
  pugi::xml_node testcase = suite.append_child("testcase");
  Set(testcase, "classname", ClassOf(named));
  Set(testcase, "name", NameOf(named, names));
  Set(testcase, "time", Seconds(result.elapsed_s));
  if (!named.test_case.empty()) AddProperties(testcase, result);
  if (Fails(result)) {
    AddFailure(testcase, result, terminal);
    if (!result.findings.front().locations.empty()) {
      Set(testcase, "file", result.findings.front().locations.front().file);
    }
  } else if (IsError(result)) {
    AddError(testcase, result, terminal);
  }
  SetText(testcase.append_child("system-out"), ResultText(result, terminal));
}

// The result of one search, or those of all cases of a test program.
void AddSuite(pugi::xml_node suites, std::span<const NamedResult> results,
              std::set<std::string>& names) {
  const Counts counts(results);
  pugi::xml_node suite = suites.append_child("testsuite");
  Set(suite, "name", results.front().name);
  suite.append_attribute("tests") = counts.tests;
  suite.append_attribute("failures") = counts.failures;
  suite.append_attribute("errors") = counts.errors;
  suite.append_attribute("skipped") = 0;
  Set(suite, "time", Seconds(counts.seconds));
  if (results.front().test_case.empty()) AddProperties(suite, results.front().result);
  for (const NamedResult& named : results) AddTestcase(suite, named, names);
}

// How many results from `begin` on are in one suite: the cases that were read from one file.
size_t SuiteLength(const std::vector<NamedResult>& results, size_t begin) {
  size_t end = begin + 1;
  while (end < results.size() && !results[begin].test_case.empty() &&
         !results[end].test_case.empty() && results[end].name == results[begin].name)
    ++end;
  return end - begin;
}

}  // namespace

std::string ToJunit(const std::vector<NamedResult>& results) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node suites = document.append_child("testsuites");
  const Counts counts(results);
  Set(suites, "name", "heddle");
  suites.append_attribute("tests") = counts.tests;
  suites.append_attribute("failures") = counts.failures;
  suites.append_attribute("errors") = counts.errors;
  Set(suites, "time", Seconds(counts.seconds));
  std::set<std::string> names;
  for (size_t i = 0; i < results.size();) {
    const size_t length = SuiteLength(results, i);
    AddSuite(suites, std::span(results).subspan(i, length), names);
    i += length;
  }
  std::ostringstream text;
  document.save(text, "  ", pugi::format_default, pugi::encoding_utf8);
  return text.str();
}

}  // namespace heddle::report
