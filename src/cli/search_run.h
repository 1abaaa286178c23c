// The searches of one `heddle check`: of a program, or of each case of a test program by itself.
// What is the same for all of them is read once: files that are mapped, symbols, suppressions.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "channel/orders.h"
#include "channel/settings.h"
#include "cli/bugs_found.h"
#include "cli/module_notes.h"
#include "cli/part_of_search.h"
#include "cli/record_schedules.h"
#include "cli/search_options.h"
#include "report/progress_line.h"
#include "report/records.h"
#include "report/search_result.h"
#include "report/suppressions.h"
#include "report/symbolize.h"
#include "session/inspect_elf.h"
#include "session/pool.h"
#include "session/saved_search.h"
#include "session/saver.h"
#include "session/spawn.h"

namespace heddle::cli {

// What is searched, and how.
struct SearchSubject {
  session::ProgramFile program;
  std::string library;  // libheddle.so
  channel::Settings settings;
  std::vector<report::Suppression> suppressions;
  std::vector<channel::FocusRange> focus = {};
  // Where the search goes on; null: it begins.
  const session::SavedImage* resumed = nullptr;
  // What is saved of the options; nothing: this search is never saved.
  std::optional<std::vector<session::SavedSearch::Option>> saved_options;
  std::string suppressions_text = {};  // what `suppressions` was read from
  // Of a search that others have begun: in which directory and environment; null: in ours.
  const session::SavedSearch* begun = nullptr;
  PartOfSearch* part = nullptr;            // null: all of it is explored here
  std::vector<report::Place> places = {};  // visible from the start
  bool may_have_jobs = true;               // false: one of many searches
  bool asserts_told = false;               // WarnOfBuild was called
  std::string test_case = {};              // that is explored alone (--case); empty: none
  // What runs with other memory orders than the program says (order_trials.h).
  std::vector<channel::OrderOverride> orders = {};
};

// The atomic operations that a search has told (Settings::tell_orders).
struct MetAtomics {
  std::vector<report::RawAtomic> all;
  std::vector<std::vector<report::Module>> modules;
};

class SearchRunner {
 public:
  // `options` and `subject` live longer.
  SearchRunner(const SearchOptions& options, const SearchSubject& subject)
      : options_(options), subject_(subject) {}

  // Explores `command`, which begins with the program's name, and writes the schedules of what it
  // finds. An error: the program cannot be brought under control.
  base::Result<report::SearchResult> Run(const std::vector<std::string>& command);
  // The result of the last search has reached the user: nobody needs what it has saved for itself
  // if it is finished.
  void ForgetSave();
  // It was to be saved, is not finished, and its end could not be written.
  bool SaveIsLost() const;
  // What was visible in the last search, beside the usual.
  const std::vector<report::Place>& Places() const { return places_; }
  // Likewise; of a search with one job.
  const MetAtomics& Atomics() const { return atomics_; }

 private:
  base::Result<report::SearchResult> RunJobs(const std::vector<std::string>& command,
                                             uint32_t jobs);
  session::PoolOptions PoolOf(const std::vector<std::string>& command,
                              const channel::Settings& searched, uint32_t jobs) const;
  session::Launch LaunchOf(const std::vector<std::string>& command) const;
  std::unique_ptr<session::Saver> MakeSaver(const std::vector<std::string>& command, int spill);
  void TellNews(const session::ChannelMemory& memory, BugsFound& bugs,
                report::ProgressLine& progress) const;
  report::SearchResult ResultOf(session::ChannelMemory& memory, const session::SessionEnd& end,
                                const std::vector<std::string>& command,
                                const std::vector<report::Note>& notes, ScheduleFolder& schedules,
                                report::Records& records);
  void TellSave(report::SearchResult& result);

  const SearchOptions& options_;
  const SearchSubject& subject_;
  report::Symbolizer symbolizer_;
  ModuleNotes module_notes_;
  std::vector<report::Place> places_;
  MetAtomics atomics_;
  std::unique_ptr<session::Saver> saver_;  // of the last search; null: it was not to be saved
  bool finished_ = false;                  // the last search is
};

// The same program, to be explored from its beginning as `options` say; `subject` lives longer. An
// error: as of MakeSettings.
base::Result<SearchSubject> ExploredAnew(const SearchSubject& subject,
                                         const SearchOptions& options);

// A line for each bug and how to replay it (--quiet).
std::string QuietText(const report::SearchResult& result);

}  // namespace heddle::cli
