#include "cli/under_c11.h"

#include <algorithm>

#include "cli/interrupt_noted.h"
#include "report/weak_search.h"

namespace heddle::cli {
namespace {

// Whoever names an order, a reduction and the like asks for that search.
bool LeavesModelOpen(const SearchOptions& options, const SearchSubject& subject) {
  for (const std::string* axis :
       {&options.memory_model, &options.preset, &options.order, &options.reduction, &options.bound,
        &options.visited, &options.rewind, &options.points, &options.timeouts, &options.priority})
    if (!axis->empty()) return false;
  return options.focus_functions.empty() && options.focus_variables.empty() &&
         options.shard.empty() && subject.part == nullptr && !options.no_races;
}

// What the first search has left of them.
void TakeAwayLimits(const report::SearchResult& spent, SearchOptions& options) {
  const auto spent_ms = static_cast<uint64_t>(spent.elapsed_s * 1000);
  if (options.time_ms != 0)
    options.time_ms = std::max<uint64_t>(options.time_ms - std::min(options.time_ms, spent_ms), 1);
  if (options.executions != 0)
    options.executions =
        std::max<uint64_t>(options.executions - std::min(options.executions, spent.executions), 1);
}

// As the first, but for the model. It is not saved: from what the first has saved, both go on.
base::Result<SearchOptions> OptionsUnderC11(const SearchOptions& options,
                                            const report::SearchResult& spent,
                                            SearchSubject& subject) {
  SearchOptions weak = options;
  weak.memory_model = space::NameOf(space::MemoryModel::kC11);
  weak.save.clear();
  weak.resume.clear();
  TakeAwayLimits(spent, weak);
  base::Result<channel::Settings> settings = MakeSettings(weak);
  if (!settings.Ok()) return base::Error{settings.Message()};
  settings->test_breaks = subject.settings.test_breaks;
  settings->suppressions = subject.settings.suppressions;
  subject.settings = *settings;
  subject.saved_options.reset();
  if (subject.resumed != nullptr) subject.begun = &subject.resumed->Description();
  subject.resumed = nullptr;
  return weak;
}

}  // namespace

std::optional<base::Error> GoOnUnderC11(const SearchOptions& options, const SearchSubject& subject,
                                        const std::vector<std::string>& command,
                                        report::SearchResult& result) {
  if (!LeavesModelOpen(options, subject) || !report::LeavesWeakMemoryOpen(result)) return {};
  SearchSubject weak_subject = subject;
  const base::Result<SearchOptions> weak_options = OptionsUnderC11(options, result, weak_subject);
  if (!weak_options.Ok()) return base::Error{weak_options.Message()};
  report::SearchResult found;
  if (InterruptNoted::Came()) {
    found.stop = channel::Stop::kInterrupted;
  } else {
    SearchRunner runner(*weak_options, weak_subject);
    base::Result<report::SearchResult> weak = runner.Run(command);
    if (!weak.Ok()) return base::Error{weak.Message()};
    found = *std::move(weak);
  }
  report::AddWeakSearch(result, found);
  return {};
}

}  // namespace heddle::cli
