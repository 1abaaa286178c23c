// What `heddle check` does where the memory model is left open: sequential consistency first, and
// where C11's memory model allows more (an execution had a weak pair), that too (docs/claims.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/search_options.h"
#include "cli/search_run.h"
#include "cli/time_limit.h"
#include "report/search_result.h"
#include "session/saved_search.h"

namespace heddle::cli {

class SearchUnderC11 {
 public:
  // Before the first search: what it takes of the limits on time counts from here. Nothing is done,
  // if the options ask for one search.
  SearchUnderC11(const SearchOptions& options, const SearchSubject& subject);

  // Explores `command` under C11's memory model, or goes on with that, and adds what it finds to
  // `result`, which is that of the first search; nothing, if that leaves nothing open. An error: as
  // of SearchRunner::Run.
  std::optional<base::Error> GoOn(const std::vector<std::string>& command,
                                  report::SearchResult& result);

  // As of SearchRunner.
  bool SaveIsLost() const;
  void ForgetSave();

 private:
  void TakeAwayLimits(const report::SearchResult& spent);
  std::optional<base::Error> Prepare(const std::vector<std::string>& command);

  const TimeLimit time_;
  SearchOptions options_;
  SearchSubject subject_;
  const bool follows_;
  std::string saved_;                         // where the first is, if that was asked for
  std::optional<session::SavedImage> image_;  // that it goes on from
  std::optional<SearchRunner> runner_;
};

}  // namespace heddle::cli
