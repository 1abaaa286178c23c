#include "cli/refuse_visiting.h"

#include <string>

namespace heddle::cli {

std::optional<base::Error> RefuseVisiting(const SearchOptions& options, space::Visited visited) {
  if (options.exact && visited != space::Visited::kStates)
    return base::Error{
        "--exact compares states of the whole program: it goes with --visited states (or --preset "
        "zing); other searches keep none"};
  if (visited == space::Visited::kNone) return std::nullopt;
  // Counters need nothing of that, unless all memory is compared: then the program is told so.
  const bool by_memory = visited == space::Visited::kStates;
  const char* why = nullptr;
  if (by_memory && options.verify_determinism) {
    why =
        " ends schedules where another one has been, so none is run a second time: drop "
        "--verify-determinism";
  } else if (by_memory && options.rewind.starts_with("fork")) {
    why =
        " compares memory with what it was when main began, which a process for each execution "
        "does not have: --rewind memory or checkpoint";
  } else if (by_memory && options.uninstrumented) {
    why = " needs a program built with heddle-cc: what else is in registers is not known";
  } else if (!options.save.empty() || options.save_every_ms != 0 || !options.resume.empty()) {
    why = " is not saved: its table is large, and what is in it is true of this process only";
  } else {
    return std::nullopt;
  }
  return base::Error{"--visited " + options.visited + why};
}

}  // namespace heddle::cli
