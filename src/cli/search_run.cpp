#include "cli/search_run.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "cli/bugs_found.h"
#include "cli/command.h"
#include "cli/interrupt_noted.h"
#include "cli/record_schedules.h"
#include "cli/saving.h"
#include "report/assemble.h"
#include "report/merge_results.h"
#include "report/progress_line.h"
#include "report/shell_word.h"
#include "report/terminal.h"
#include "report/verdict.h"
#include "report/visible.h"
#include "report/wording.h"
#include "session/files.h"
#include "session/pool.h"
#include "session/session.h"

namespace heddle::cli {
namespace {

// So long a search has one job, unless --jobs is given: a short one costs no more, and is the same
// every time.
constexpr uint64_t kJoinsAfterMs = 1000;

report::RunFacts FactsOf(const session::ProgramFile& program,
                         const std::vector<std::string>& command, const SearchOptions& options,
                         const session::SessionEnd& end) {
  report::RunFacts facts;
  facts.program = program.absolute;
  facts.arguments.assign(command.begin() + 1, command.end());
  facts.instrumented = program.instrumented;
  facts.preset = options.preset;
  facts.elapsed_s = end.elapsed_s;
  facts.peak_memory_bytes = end.peak_memory_bytes;
  if (!program.instrumented) {
    facts.notes.push_back(report::IncompleteNote(claim::Incomplete::kUninstrumented, command[0]));
  }
  if (end.kind == session::SessionEndKind::kGaveUp ||
      end.kind == session::SessionEndKind::kInternal) {
    facts.out_of_control = true;
    facts.notes.push_back({"warning", end.message});
  }
  if (end.kind == session::SessionEndKind::kKilled) {
    facts.notes.push_back({"warning", end.message +
                                          ": stopped by force; counts of graphs, outcomes "
                                          "and nodes are missing"});
  }
  return facts;
}

void AddUnused(const std::vector<report::Suppression>& suppressions, const std::string& file,
               std::vector<report::Note>& notes) {
  for (const report::Suppression& one : suppressions) {
    if (one.uses != 0) continue;
    const char* why = "was not used";
    if (!report::HasEffect(one)) why = "has no effect: heddle does not look for what it leaves out";
    // The sanitizers' names of functions have them.
    else if (one.pattern.find('(') != std::string::npos)
      why = "was not used: functions are named without their parameters";
    notes.push_back({"info", "suppression " + one.type + ":" + one.pattern + " (" + file + ":" +
                                 std::to_string(one.line) + ") " + why});
  }
}

void Fill(channel::Header& header, const channel::Settings& settings,
          std::span<const channel::FocusRange> focus) {
  header.settings = settings;
  header.focus_count = static_cast<uint32_t>(focus.size());
  std::ranges::copy(focus, header.focus);
}

// Does a process ask about a finding, in what it has told, that is suppressed? Counts the use.
bool AsksForSuppressed(std::span<const std::byte> told, std::span<const channel::ThreadName> names,
                       std::vector<report::Suppression>& suppressions,
                       report::Symbolizer& symbolizer) {
  report::Records records = report::ReadRecords(told);
  return records.question &&
         report::IsSuppressed(suppressions,
                              report::TellFinding(*records.question, records, names, symbolizer));
}

// Uses are counted on from those of a search that is gone on with, and saved. `saver` may be null.
void KeepUses(session::Saver* saver, std::vector<report::Suppression>& suppressions) {
  if (saver == nullptr) return;
  const std::vector<uint64_t>& uses = saver->Last().suppression_uses;
  for (size_t i = 0; i < std::min(uses.size(), suppressions.size()); ++i)
    suppressions[i].uses = uses[i];
  saver->suppression_uses = [&suppressions] {
    std::vector<uint64_t> now;
    for (const report::Suppression& one : suppressions) now.push_back(one.uses);
    return now;
  };
}

// More than one job only where all that is said of the search holds for all of them together
// (docs/algorithms/parallel.md).
uint32_t JobsOf(const SearchOptions& options, const SearchSubject& subject) {
  const channel::Settings& settings = subject.settings;
  const space::Point point = PointOf(settings);
  const bool divides = space::SharesWork(point) || space::Samples(point);
  if (subject.resumed != nullptr && subject.part == nullptr) {
    const session::SavedSearch::Together& together = subject.resumed->Description().together;
    return together.jobs != 0 ? std::max(static_cast<uint32_t>(together.wanted), 2u) : 1;
  }
  // One job, unless it was asked for: `heddle split` cuts what one job has saved.
  const bool saves = !options.save.empty() || options.save_every_ms != 0;
  // Its branches are small: to divide them takes more time than it saves, so far.
  const bool small = point.reduction == space::Reduction::kReadsFrom && options.jobs == 0;
  const bool alone = !divides || small || subject.part != nullptr || (saves && options.jobs == 0) ||
                     settings.max_executions != 0 || !options.at_check.empty() ||
                     options.fields >= 0 || options.show_output || !subject.may_have_jobs;
  if (alone) return 1;
  if (options.jobs != 0) return static_cast<uint32_t>(options.jobs);
  cpu_set_t ours;
  CPU_ZERO(&ours);
  if (sched_getaffinity(0, sizeof ours, &ours) != 0) return 1;
  return static_cast<uint32_t>(std::clamp(CPU_COUNT(&ours), 1, 64));
}

// What jobs have found, by channel: the numbers of bugs are those of one job.
class BugsOfJobs {
 public:
  struct OfJob {
    OfJob(ScheduleFolder folder, report::Symbolizer& symbolizer, std::set<std::string>& messages)
        : schedules(std::move(folder)), bugs(schedules, symbolizer, messages) {}
    ScheduleFolder schedules;
    BugsFound bugs;
  };
  BugsOfJobs(ScheduleFolder folder, report::Symbolizer& symbolizer)
      : folder_(std::move(folder)), symbolizer_(symbolizer) {}
  OfJob& Of(const session::ChannelMemory& memory) {
    std::unique_ptr<OfJob>& one = jobs_[memory.Number()];
    if (one == nullptr) one = std::make_unique<OfJob>(folder_, symbolizer_, messages_);
    return *one;
  }

 private:
  const ScheduleFolder folder_;
  report::Symbolizer& symbolizer_;
  std::set<std::string> messages_;
  std::map<uint64_t, std::unique_ptr<OfJob>> jobs_;
};

// Of a bug that several jobs have found, the file has the schedule that is told.
void RecordTold(const std::vector<report::PartOfResult>& parts,
                const std::vector<report::Records>& recorded,
                const std::vector<session::PoolJob>& jobs, BugsOfJobs& told,
                report::SearchResult& result) {
  for (report::Finding& finding : result.findings) {
    const auto is_told = [&](const report::Finding& own) {
      return own.identity == finding.identity && own.execution == finding.execution &&
             own.preemptions == finding.preemptions && own.record == finding.record;
    };
    for (size_t i = 0; i < parts.size() && !finding.schedule.empty(); ++i) {
      if (std::ranges::none_of(parts[i].result.findings, is_told)) continue;
      const session::ChannelMemory& memory = *jobs[i].memory;
      told.Of(memory).schedules.Record(recorded[i], memory.Names(), memory.Header().settings,
                                       finding);
      break;
    }
  }
}

report::EndOfParts EndOf(const session::PoolEnd& end) {
  report::EndOfParts whole;
  whole.stop = end.stop;
  whole.nothing_left = end.nothing_left;
  whole.proved_by = end.proved_by;
  whole.completed_bound = end.completed_bound;
  whole.out_of_control = end.out_of_control;
  whole.executions_alone = end.executions_alone;
  return whole;
}

}  // namespace

base::Result<SearchSubject> ExploredAnew(const SearchSubject& subject,
                                         const SearchOptions& options) {
  base::Result<channel::Settings> settings = MakeSettings(options);
  if (!settings.Ok()) return base::Error{settings.Message()};
  SearchSubject anew = subject;
  anew.settings = *settings;
  anew.settings.test_breaks = subject.settings.test_breaks;
  anew.settings.suppressions = subject.settings.suppressions;
  if (subject.resumed != nullptr) anew.begun = &subject.resumed->Description();
  anew.resumed = nullptr;
  return anew;
}

std::string QuietText(const report::SearchResult& result) {
  std::string text;
  for (const report::Finding& finding : result.findings) {
    const report::Headline headline = report::HeadlineOf(finding);
    text += "heddle: " + report::VisibleLine(headline.kind + headline.rest);
    text += finding.schedule.empty()
                ? "\n"
                : " -- heddle replay " + report::ShellWord(finding.schedule) + "\n";
  }
  return text;
}

std::unique_ptr<session::Saver> SearchRunner::MakeSaver(const std::vector<std::string>& command,
                                                        int spill) {
  if (!subject_.saved_options || subject_.part != nullptr) return nullptr;
  if (subject_.settings.visited != channel::Visited::kNone) return nullptr;  // refuse_visiting.h
  session::SavedSearch search;
  session::SaveOptions save;
  save.path = options_.save;
  save.every_ms = options_.save_every_ms;
  save.spill = spill;
  save.warn = [](const std::string& text) { Warn(text); };
  std::error_code error;
  if (subject_.resumed != nullptr) {
    search = subject_.resumed->Description();
    const std::string& before = subject_.resumed->Path();
    if (save.path.empty()) save.path = before;
    save.exists = std::filesystem::equivalent(save.path, before, error);
  } else {
    search.heddle_version = HEDDLE_VERSION;
    search.program = subject_.program.absolute;
    search.command = command;
    search.environment = session::OwnEnvironment();
    search.directory = std::filesystem::current_path(error).string();
    search.options = *subject_.saved_options;
    search.suppressions_name = options_.suppressions;
    search.suppressions = subject_.suppressions_text;
    search.automatic = true;
    if (save.path.empty())
      save.path = (std::filesystem::path(options_.out) / "search.saved").string();
  }
  if (!options_.save.empty()) search.automatic = false;
  // Meant relative to the directory that the search was begun in.
  const bool here = std::filesystem::current_path(error) == search.directory;
  search.out = here ? options_.out : std::filesystem::absolute(options_.out, error).string();
  return std::make_unique<session::Saver>(std::move(save), std::move(search));
}

void SearchRunner::ForgetSave() {
  if (saver_ != nullptr && finished_) saver_->RemoveIfOwn();
}

bool SearchRunner::SaveIsLost() const {
  return saver_ != nullptr && !saver_->Last().automatic && saver_->LastFailed() && !finished_;
}

session::Launch SearchRunner::LaunchOf(const std::vector<std::string>& command) const {
  session::Launch launch;
  launch.program = subject_.program.path;
  launch.arguments = command;
  launch.library = subject_.library;
  launch.show_output = options_.show_output;
  const session::SavedSearch* begun =
      subject_.resumed != nullptr ? &subject_.resumed->Description() : subject_.begun;
  if (begun == nullptr) return launch;
  // Where the search was begun, whatever the directory and the environment are now.
  launch.program = subject_.program.absolute;
  launch.environment = begun->environment;
  launch.directory = begun->directory;
  return launch;
}

// Bugs that were found since the last time, above the line of the progress.
void SearchRunner::TellNews(const session::ChannelMemory& memory, BugsFound& bugs,
                            report::ProgressLine& progress) const {
  const channel::Header& now = memory.Header();
  const bool goes_on = now.phase != static_cast<uint32_t>(channel::Phase::kFinished);
  if (!goes_on || options_.quiet || options_.fields >= 0 || subject_.part != nullptr) return;
  const std::string text = bugs.Look(memory.Report(), memory.Names(), now.settings,
                                     report::Terminal::Of(STDERR_FILENO, options_.color));
  if (!text.empty()) progress.Interject(text);
}

// What one process has told of its search, with the schedules of what it has found. `notes` come
// behind those on its end.
report::SearchResult SearchRunner::ResultOf(session::ChannelMemory& memory,
                                            const session::SessionEnd& end,
                                            const std::vector<std::string>& command,
                                            const std::vector<report::Note>& notes,
                                            ScheduleFolder& schedules, report::Records& records) {
  channel::Header& header = memory.Header();
  if (end.kind == session::SessionEndKind::kKilled) {
    const bool time = header.stop_request == static_cast<uint32_t>(channel::StopRequest::kTime);
    header.summary = {};  // it may have been killed in the middle of it
    header.summary.stop = time ? channel::Stop::kTime : channel::Stop::kInterrupted;
  }
  if (subject_.part != nullptr) subject_.part->Conclude(memory, end);
  records = report::ReadRecords(memory.Report());
  records.places.insert(records.places.begin(), subject_.places.begin(), subject_.places.end());
  report::RunFacts facts = FactsOf(subject_.program, command, options_, end);
  facts.all_steps = options_.full;
  for (const report::Note& note : notes)
    if (std::ranges::find(facts.notes, note.text, &report::Note::text) == facts.notes.end())
      facts.notes.push_back(note);
  module_notes_.AddTo(records, facts);
  const std::string asserts_off = module_notes_.AssertsOff(subject_.program.absolute);
  for (report::Note& note : facts.notes)
    note.told = subject_.asserts_told && note.text == asserts_off;
  report::SearchResult result =
      report::Assemble(header, records, memory.Names(), facts, symbolizer_);
  for (report::Finding& finding : result.findings)
    schedules.Record(records, memory.Names(), header.settings, finding);
  return result;
}

// The last save of a search that is not finished.
void SearchRunner::TellSave(report::SearchResult& result) {
  finished_ = result.stop == channel::Stop::kExhausted;
  if (saver_ == nullptr) return;
  result.peak_memory_bytes = std::max(result.peak_memory_bytes, saver_->EarlierPeak());
  if (saver_->Path().empty() || finished_) return;
  result.saved = saver_->Path();
  result.saved_executions = saver_->Last().executions;
}

base::Result<report::SearchResult> SearchRunner::Run(const std::vector<std::string>& command) {
  if (const uint32_t jobs = JobsOf(options_, subject_); jobs > 1) return RunJobs(command, jobs);
  base::Result<session::ChannelMemory> memory = session::ChannelMemory::Create();
  if (!memory.Ok()) return base::Error{memory.Message()};
  channel::Header& header = memory->Header();
  Fill(header, subject_.settings, subject_.focus);
  memory->SetOrders(subject_.orders);
  session::UnlinkedFile spill(options_.out);
  if (subject_.resumed != nullptr) {
    if (auto error = subject_.resumed->Restore(*memory, spill.Descriptor())) return *error;
    channel::Settings& settings = header.settings;
    settings.max_executions = options_.executions;
    settings.time_limit_ms = options_.time_ms;
    settings.keep_going = settings.keep_going != 0 || options_.keep_going;
  }
  snprintf(header.spill_path, sizeof header.spill_path, "%s", spill.Path().c_str());
  report::ProgressLine progress(!options_.quiet && report::Terminal::RewritesLines(STDERR_FILENO));
  session::SessionOptions session;
  session.launch = LaunchOf(command);
  if (subject_.part != nullptr) {
    if (auto error = subject_.part->Prepare(*memory)) return *error;
    session.on_look = [this](channel::Header& now) { subject_.part->Look(now); };
  }
  session.hang_ms = options_.hang_ms;
  ScheduleFolder schedules(options_.out, subject_.program, {command.begin() + 1, command.end()});
  std::set<std::string> told;
  BugsFound bugs(schedules, symbolizer_, told);
  session.on_tick = [&](const channel::Header& now, double elapsed_s) {
    TellNews(*memory, bugs, progress);
    progress.Show(now, elapsed_s);
  };
  std::vector<report::Suppression> suppressions = subject_.suppressions;  // counts its uses
  if (!suppressions.empty()) {
    session.is_suppressed = [&](std::span<const std::byte> bytes) {
      return AsksForSuppressed(bytes, memory->Names(), suppressions, symbolizer_);
    };
  }
  saver_ = MakeSaver(command, spill.Descriptor());
  session.saver = saver_.get();
  KeepUses(saver_.get(), suppressions);
  if (InterruptNoted::Came()) return base::Error{"interrupted before the search began"};
  const session::SessionEnd end = session::RunSession(session, *memory);
  progress.Clear();
  if (end.kind == session::SessionEndKind::kSetUpError) return base::Error{end.message};
  std::vector<report::Note> notes;
  if (subject_.part == nullptr) AddUnused(suppressions, options_.suppressions, notes);
  report::Records records;
  report::SearchResult result = ResultOf(*memory, end, command, notes, schedules, records);
  places_ = std::move(records.places);
  atomics_ = {std::move(records.atomics), std::move(records.modules)};
  TellSave(result);
  return result;
}

// What the jobs of a search are, beside what they are to search and whom they tell.
session::PoolOptions SearchRunner::PoolOf(const std::vector<std::string>& command,
                                          const channel::Settings& searched, uint32_t jobs) const {
  session::PoolOptions pool;
  pool.session.launch = LaunchOf(command);
  pool.session.launch.show_output = false;
  pool.session.hang_ms = options_.hang_ms;
  pool.saver = saver_.get();
  pool.resumed = subject_.resumed;
  pool.jobs = jobs;
  pool.joins_after_ms = options_.jobs != 0 ? 0 : kJoinsAfterMs;
  const space::Point point = PointOf(searched);
  pool.divides = !space::Samples(point);
  pool.bounds_in_turn = space::SharesWork(point) && space::BoundsInTurn(point);
  pool.parts_freely = point.reduction == space::Reduction::kNone &&
                      (pool.bounds_in_turn || point.order == space::Order::kBestFirst);
  pool.folder = options_.out;
  if (subject_.resumed != nullptr)
    pool.take_up = [this](channel::Settings& was) {
      was.time_limit_ms = options_.time_ms;
      was.keep_going = was.keep_going != 0 || options_.keep_going;
    };
  pool.fill = [this, searched, take_up = pool.take_up](channel::Header& header) {
    Fill(header, searched, subject_.focus);
    if (take_up) take_up(header.settings);
  };
  return pool;
}

base::Result<report::SearchResult> SearchRunner::RunJobs(const std::vector<std::string>& command,
                                                         uint32_t jobs) {
  saver_ = !options_.save.empty() || subject_.resumed != nullptr ? MakeSaver(command, -1) : nullptr;
  report::ProgressLine progress(!options_.quiet && report::Terminal::RewritesLines(STDERR_FILENO));
  channel::Settings searched = subject_.settings;
  if (subject_.resumed != nullptr) {
    const base::Result<SearchOptions> options =
        ReadOptions(subject_.resumed->Description().options);
    if (!options.Ok()) return base::Error{options.Message()};
    const base::Result<channel::Settings> settings = MakeSettings(*options);
    if (!settings.Ok()) return base::Error{settings.Message()};
    searched = *settings;
  }
  session::PoolOptions pool = PoolOf(command, searched, jobs);
  const std::vector<std::string> arguments = {command.begin() + 1, command.end()};
  BugsOfJobs told(ScheduleFolder(options_.out, subject_.program, arguments), symbolizer_);
  pool.on_tick = [&](std::span<const session::ChannelMemory* const> memories, double elapsed_s) {
    uint64_t others = 0;
    for (const session::ChannelMemory* memory : memories) {
      TellNews(*memory, told.Of(*memory).bugs, progress);
      if (memory != memories.front()) others += memory->Header().progress.executions;
    }
    progress.Show(memories.front()->Header(), elapsed_s, others);
  };
  std::vector<report::Suppression> suppressions = subject_.suppressions;  // counts its uses
  if (!suppressions.empty()) {
    pool.is_suppressed = [&](const session::ChannelMemory& memory) {
      return AsksForSuppressed(memory.Report(), memory.Names(), suppressions, symbolizer_);
    };
  }
  KeepUses(saver_.get(), suppressions);
  if (InterruptNoted::Came()) return base::Error{"interrupted before the search began"};
  session::PoolEnd end = session::RunPool(pool);
  progress.Clear();
  if (end.end.kind == session::SessionEndKind::kSetUpError) return base::Error{end.end.message};

  std::vector<report::Note> notes;
  AddUnused(suppressions, options_.suppressions, notes);
  for (const std::string& note : end.notes) notes.push_back({"info", note});
  if (end.out_of_control && !end.end.message.empty()) notes.push_back({"warning", end.end.message});
  std::vector<report::PartOfResult> parts;
  std::vector<report::Records> recorded(end.jobs.size());
  for (session::PoolJob& job : end.jobs) {
    report::PartOfResult part;
    part.result = ResultOf(*job.memory, job.end, command, std::exchange(notes, {}),
                           told.Of(*job.memory).schedules, recorded[parts.size()]);
    for (const channel::GraphRecord& graph : job.graphs)
      part.graphs.push_back({graph.hash, graph.least});
    part.graphs_known = job.graphs_known;
    part.findings_only = job.thrown_away;
    parts.push_back(std::move(part));
  }
  report::SearchResult result = report::MergeResults(parts, EndOf(end));
  if (parts.size() > 1) RecordTold(parts, recorded, end.jobs, told, result);
  TellSave(result);
  return result;
}

}  // namespace heddle::cli
