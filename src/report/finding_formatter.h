// Turns the findings of one search into words, with one set of names and sources for all of them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "channel/layout.h"
#include "report/merge_races.h"
#include "report/names.h"
#include "report/raced.h"
#include "report/records.h"
#include "report/search_result.h"
#include "report/source.h"
#include "report/symbolize.h"

namespace heddle::report {

class FindingFormatter {
 public:
  FindingFormatter(const Records& records, std::span<const channel::ThreadName> names,
                   const std::vector<Library>& not_rebuilt, bool all_steps, Symbolizer& symbolizer)
      : records_(records),
        threads_(names),
        not_rebuilt_(not_rebuilt),
        all_steps_(all_steps),
        symbolizer_(symbolizer) {}

  // A message of the program's process, with names for thread numbers and addresses.
  std::string WithNames(const std::string& message);
  ToldFinding Tell(RawFinding raw);
  // What depends on where the steps of all findings are shown.
  void PlaceSteps(std::vector<ToldFinding>& all);

 private:
  const Records& records_;
  ThreadNames threads_;
  const std::vector<Library>& not_rebuilt_;
  const bool all_steps_;
  Symbolizer& symbolizer_;
  SourceFiles source_;
};

}  // namespace heddle::report
