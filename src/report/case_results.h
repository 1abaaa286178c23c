// The results of the cases of a test program, each explored by itself (heddle check --each).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/named_result.h"
#include "report/search_result.h"
#include "report/step_table.h"
#include "report/terminal.h"

namespace heddle::report {

struct CaseResult {
  std::string name;
  SearchResult result;
};

struct CaseResults {
  std::string heddle_version;
  std::string program;
  std::vector<std::string> arguments;  // as the user gave them
  std::string framework;               // "GoogleTest"
  std::vector<CaseResult> cases;       // in the order of the framework's list
  std::vector<std::string> not_begun;  // interrupted before
  double elapsed_s = 0;                // listing and all else included
};

struct CaseTotals {
  uint64_t clean = 0, bug = 0, incomplete = 0, uncontrolled = 0;
  uint64_t findings = 0, executions = 0;
};

CaseTotals TotalsOf(const CaseResults& results);

// The gravest of the cases': 3, then 1, then 4, then 0.
int ExitStatus(const CaseResults& results, bool require_complete);

// "clean        12 executions, complete       0.03 s  Queue.PushPop"
std::string CaseLine(const CaseResult& one, const Terminal& terminal);

// What follows the lines of the cases: the findings of each, what is to be said of several, and the
// line of totals.
std::string CasesSummary(const CaseResults& results, const Terminal& terminal, Steps steps);

// The same without the findings.
std::string CasesConclusion(const CaseResults& results, const Terminal& terminal);

// All of it.
std::string CasesText(const CaseResults& results, const Terminal& terminal, Steps steps);

// For the formats that take several results; `file` is where they were read from.
std::vector<NamedResult> NamedResults(const std::string& file, const CaseResults& results);

}  // namespace heddle::report
