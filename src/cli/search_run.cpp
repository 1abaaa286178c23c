#include "cli/search_run.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/bugs_found.h"
#include "cli/command.h"
#include "cli/interrupt_noted.h"
#include "cli/record_schedules.h"
#include "report/assemble.h"
#include "report/progress_line.h"
#include "report/shell_word.h"
#include "report/terminal.h"
#include "report/verdict.h"
#include "report/visible.h"
#include "report/wording.h"
#include "session/files.h"
#include "session/session.h"

namespace heddle::cli {
namespace {

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
    facts.notes.push_back(
        {"forbids", command[0] + " was not built with heddle-cc or heddle-c++: only its "
                                 "synchronisation calls are seen, no atomics and no data races"});
  }
  if (end.kind == session::SessionEndKind::kGaveUp ||
      end.kind == session::SessionEndKind::kInternal) {
    facts.out_of_control = true;
    facts.notes.push_back({"warning", end.message});
  }
  if (end.kind == session::SessionEndKind::kKilled) {
    facts.notes.push_back({"warning", end.message +
                                          ": the search was ended before it could tell its "
                                          "graphs, outcomes and nodes, which are missing here"});
  }
  return facts;
}

void AddUnused(const std::vector<report::Suppression>& suppressions, const std::string& file,
               report::RunFacts& facts) {
  for (const report::Suppression& one : suppressions) {
    if (one.uses != 0) continue;
    facts.notes.push_back({"info", "suppression " + one.type + ":" + one.pattern + " (" + file +
                                       ":" + std::to_string(one.line) + ") was not used"});
  }
}

// The last save of a search that is not finished.
void TellSave(const session::Saver& saver, report::SearchResult& result) {
  if (saver.Path().empty() || result.stop == report::StopName(channel::Stop::kExhausted)) return;
  result.saved = saver.Path();
  result.saved_executions = saver.Last().executions;
}

}  // namespace

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
  if (!subject_.saved_options) return nullptr;
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

void SearchRunner::ForgetSave(const report::SearchResult& result) {
  if (saver_ != nullptr && result.stop == report::StopName(channel::Stop::kExhausted))
    saver_->RemoveIfOwn();
}

base::Result<report::SearchResult> SearchRunner::Run(const std::vector<std::string>& command) {
  base::Result<session::ChannelMemory> memory = session::ChannelMemory::Create();
  if (!memory.Ok()) return base::Error{memory.Message()};
  channel::Header& header = memory->Header();
  header.settings = subject_.settings;
  header.focus_count = static_cast<uint32_t>(subject_.focus.size());
  std::ranges::copy(subject_.focus, header.focus);
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
  session.launch.program = subject_.program.path;
  session.launch.arguments = command;
  session.launch.library = subject_.library;
  session.launch.show_output = options_.show_output;
  if (subject_.resumed != nullptr) {
    session.launch.program = subject_.program.absolute;
    session.launch.environment = subject_.resumed->Description().environment;
    session.launch.directory = subject_.resumed->Description().directory;
  }
  session.hang_ms = options_.hang_ms;
  ScheduleFolder schedules(options_.out, subject_.program, {command.begin() + 1, command.end()});
  BugsFound bugs(schedules, symbolizer_);
  const report::Terminal stderr_terminal = report::Terminal::Of(STDERR_FILENO, options_.color);
  session.on_tick = [&](const channel::Header& now, double elapsed_s) {
    const bool goes_on = now.phase != static_cast<uint32_t>(channel::Phase::kFinished);
    if (goes_on && !options_.quiet && options_.fields < 0) {
      const std::string text =
          bugs.Look(memory->Report(), memory->Names(), now.settings, stderr_terminal);
      if (!text.empty()) progress.Interject(text);
    }
    progress.Show(now, elapsed_s);
  };
  std::vector<report::Suppression> suppressions = subject_.suppressions;  // counts its uses
  if (!suppressions.empty()) {
    session.is_suppressed = [&](std::span<const std::byte> bytes) {
      report::Records records = report::ReadRecords(bytes);
      return records.question &&
             report::IsSuppressed(suppressions, report::TellFinding(*records.question, records,
                                                                    memory->Names(), symbolizer_));
    };
  }
  saver_ = MakeSaver(command, spill.Descriptor());
  session.saver = saver_.get();
  if (saver_ != nullptr) {
    const std::vector<uint64_t>& uses = saver_->Last().suppression_uses;
    for (size_t i = 0; i < std::min(uses.size(), suppressions.size()); ++i)
      suppressions[i].uses = uses[i];
    saver_->suppression_uses = [&] {
      std::vector<uint64_t> now;
      for (const report::Suppression& one : suppressions) now.push_back(one.uses);
      return now;
    };
  }
  if (InterruptNoted::Came()) return base::Error{"interrupted before the search began"};
  session::SessionEnd end = session::RunSession(session, *memory);
  progress.Clear();
  if (end.kind == session::SessionEndKind::kSetUpError) return base::Error{end.message};
  if (end.kind == session::SessionEndKind::kKilled) {
    const bool time = header.stop_request == static_cast<uint32_t>(channel::StopRequest::kTime);
    header.summary = {};  // it may have been killed in the middle of it
    header.summary.stop = time ? channel::Stop::kTime : channel::Stop::kInterrupted;
  }

  report::Records records = report::ReadRecords(memory->Report());
  report::RunFacts facts = FactsOf(subject_.program, command, options_, end);
  facts.all_steps = options_.full;
  if (saver_ != nullptr)
    facts.peak_memory_bytes = std::max(facts.peak_memory_bytes, saver_->EarlierPeak());
  AddUnused(suppressions, options_.suppressions, facts);
  module_notes_.AddTo(records, facts);
  report::SearchResult result =
      report::Assemble(header, records, memory->Names(), facts, symbolizer_);
  for (report::Finding& finding : result.findings)
    schedules.Record(records, memory->Names(), header.settings, finding);
  if (saver_ != nullptr) TellSave(*saver_, result);
  return result;
}

}  // namespace heddle::cli
