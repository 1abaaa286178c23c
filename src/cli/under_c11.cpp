#include "cli/under_c11.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/interrupt_noted.h"
#include "cli/saving.h"
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

// The second search is saved beside the first, so that `--resume` of that goes on with both.
std::string BesideIt(const std::string& saved) { return saved.empty() ? "" : saved + kSavedSuffix; }

}  // namespace

SearchUnderC11::SearchUnderC11(const SearchOptions& options, const SearchSubject& subject)
    : time_(options.time_ms),
      options_(options),
      subject_(subject),
      follows_(LeavesModelOpen(options, subject)) {
  if (!follows_) return;
  options_.memory_model = space::NameOf(space::MemoryModel::kC11);
  options_.save = BesideIt(options.save);
  options_.resume = BesideIt(options.resume);
  saved_ = options.save.empty() ? options.resume : options.save;
  if (!options.resume.empty()) return;
  std::error_code error;  // a finished one, of the search that was in the file before
  std::filesystem::remove(options_.save, error);
}

void SearchUnderC11::TakeAwayLimits(const report::SearchResult& spent) {
  options_.time_ms = time_.ShareMs(1);
  if (options_.executions != 0)
    options_.executions = std::max<uint64_t>(
        options_.executions - std::min(options_.executions, spent.executions), 1);
}

// As the first, but for the model, and where it begins.
std::optional<base::Error> SearchUnderC11::Prepare(const std::vector<std::string>& command) {
  base::Result<SearchSubject> anew = ExploredAnew(subject_, options_);
  if (!anew.Ok()) return base::Error{anew.Message()};
  subject_ = std::move(*anew);
  if (subject_.saved_options)
    subject_.saved_options->push_back({"--memory-model", {options_.memory_model}});
  std::error_code error;
  if (options_.resume.empty() || !std::filesystem::exists(options_.resume, error)) {
    if (options_.save.empty()) options_.save = options_.resume;
    options_.resume.clear();
    return {};
  }
  base::Result<session::SavedImage> image = session::SavedImage::Open(options_.resume);
  if (!image.Ok()) return base::Error{image.Message()};
  if (auto refused = RefuseOthers(*image, command, subject_.program.absolute, subject_.library))
    return refused;
  if (image->Description().options != subject_.saved_options)
    return base::Error{options_.resume + " is not the search that follows: remove it"};
  image_.emplace(std::move(*image));
  subject_.resumed = &*image_;
  return {};
}

std::optional<base::Error> SearchUnderC11::GoOn(const std::vector<std::string>& command,
                                                report::SearchResult& result) {
  if (!follows_ || !report::LeavesWeakMemoryOpen(result)) return {};
  TakeAwayLimits(result);
  if (auto error = Prepare(command)) return error;
  report::SearchResult found;
  if (InterruptNoted::Came()) {
    found.stop = channel::Stop::kInterrupted;
  } else {
    runner_.emplace(options_, subject_);
    base::Result<report::SearchResult> weak = runner_->Run(command);
    if (!weak.Ok()) return base::Error{weak.Message()};
    found = std::move(*weak);
  }
  report::AddWeakSearch(result, found);
  if (!result.saved.empty() && !saved_.empty()) result.saved = saved_;
  return {};
}

bool SearchUnderC11::SaveIsLost() const { return runner_ && runner_->SaveIsLost(); }

void SearchUnderC11::ForgetSave() {
  if (runner_) runner_->ForgetSave();
}

}  // namespace heddle::cli
