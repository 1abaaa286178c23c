// The values that a failed assertion compares, as far as its thread read them from memory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/records.h"
#include "report/source.h"
#include "report/symbolize.h"

namespace heddle::report {

// Marks kStepCompared the reads of the assertion's thread that it was made of: on its line, by the
// program or by the library for it (`table.size()`), the last one of each object; and before it,
// the last one of a variable that its text names. The other reads that were recorded in case they
// were such (kFactInCase) are taken out of the steps.
void MarkCompared(RawFinding& raw, const std::vector<Module>& modules, Symbolizer& symbolizer,
                  SourceFiles& source);

// Does `expression` name the variable? By its own name: "log.files[2].size" by "size", "hits[1]" by
// "hits".
bool NamesVariable(std::string_view expression, std::string_view variable);

}  // namespace heddle::report
