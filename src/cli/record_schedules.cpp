#include "cli/record_schedules.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "cli/command.h"
#include "replay/schedule_file.h"
#include "replay/schedule_line.h"
#include "report/assemble.h"
#include "report/names.h"
#include "session/call_places.h"
#include "session/files.h"

namespace heddle::cli {
namespace {

replay::ScheduleFile MakeScheduleFile(const report::RawFinding& raw, const report::Finding& finding,
                                      const report::ThreadNames& threads,
                                      const channel::Settings& settings,
                                      const session::ProgramFile& program,
                                      const std::vector<std::string>& arguments,
                                      std::span<const report::Place> places) {
  replay::ScheduleFile file;
  file.heddle_version = HEDDLE_VERSION;
  file.program = program.absolute;
  file.build_id = program.build_id;
  file.arguments = arguments;
  file.at_check = settings.at_check;
  file.points = space::NameOf(settings.points);
  file.timeouts = report::TimeoutsName(settings.timeouts);
  // One schedule has no prefix in common with another.
  file.rewind = channel::RewindsByFork(settings.rewind) ? "fork" : "memory";
  file.seed = settings.seed;
  file.max_events = settings.max_events;
  file.hang_ms = settings.hang_ms;
  file.idle_rounds = settings.idle_rounds;
  file.leaks = settings.leaks != 0;
  file.uninitialised = settings.uninitialised != 0;
  file.fail_allocations = settings.fail_allocations;
  file.reuse_now = settings.reuse_now != 0;
  file.races = settings.report_races != 0;
  file.spurious_wakeups = settings.spurious_wakeups != 0;
  file.strict = settings.strict != 0;
  file.joint_cycles = raw.schedule.joint_cycles != 0;
  const bool items = settings.visited == channel::Visited::kStates &&
                     settings.order == channel::Order::kContextBounded;
  file.visited = items ? "items" : space::NameOf(settings.visited);
  file.thread_ends = raw.schedule.thread_ends != 0;
  file.thread_joins = raw.schedule.thread_joins != 0;
  file.frame_ends = raw.schedule.frame_ends != 0;
  file.signals = raw.schedule.signals;
  file.volatile_atomic = settings.volatile_atomic != 0;
  file.memory_model = space::NameOf(settings.memory_model);
  file.reads_from = settings.memory_model == space::MemoryModel::kSc &&
                    settings.reduction == space::Reduction::kReadsFrom;
  file.test_breaks = settings.test_breaks != 0;
  file.release_sequences = channel::ReleaseSequencesName(settings.release_sequences);
  const size_t visible = std::min<size_t>(raw.schedule.places, places.size());
  file.visible.assign(places.begin(), places.begin() + static_cast<ptrdiff_t>(visible));
  file.kind = finding.kind;
  file.end_moment = raw.schedule.end_at.moment;
  file.is_other = raw.schedule.end_at.is_other != 0;
  file.identity = finding.identity;
  file.message = finding.message;
  file.preemptions = raw.schedule.preemptions;
  file.steps_hash = replay::Hex16(raw.schedule.steps_hash);
  for (uint32_t i = 0; i < std::max(raw.schedule.thread_count, 1u); ++i) {
    file.threads.push_back(threads.Path(i));
  }
  file.choices = raw.choices;
  return file;
}

// Leaves the line of the schedule, if it has one, and takes from the schedule what only a line has.
std::string TakeLine(replay::ScheduleFile& schedule) {
  static_assert(replay::kOptionTaken == channel::kNotOfThread);
  replay::ScheduleFile named = schedule;
  for (uint32_t& choice : schedule.choices) choice &= ~replay::kOptionTaken;
  for (std::string& place : named.visible) {
    const std::optional<std::string> name = session::NameOfPlace(schedule.program, place);
    if (!name) return "";
    place = *name;
  }
  return replay::ToLine(named);
}

// May a schedule be written to `path`? Nothing is there, or an earlier schedule of the same bug.
bool MayWrite(const std::string& path, const replay::ScheduleFile& schedule) {
  std::error_code error;
  const auto status = std::filesystem::symlink_status(path, error);
  if (!std::filesystem::exists(status)) return true;
  if (!std::filesystem::is_regular_file(status)) return false;
  const base::Result<std::string> text = session::ReadWhole(path);
  if (!text.Ok()) return false;
  const base::Result<replay::ScheduleFile> there =
      replay::ParseSchedule(replay::WithoutChoices(*text), path);
  return there.Ok() && replay::ShowSameBug(*there, schedule);
}

}  // namespace

// The names differ already where the bugs do (replay::ScheduleFileName), but for one pair of names
// in 2^32, and what else somebody put there.
std::string ScheduleFolder::PathFor(uint32_t number, bool other,
                                    const replay::ScheduleFile& schedule) {
  const std::pair key(number, other);
  if (const auto known = path_of_.find(key); known != path_of_.end()) return known->second;
  for (int n = 1;; ++n) {
    std::string path = std::filesystem::path(folder_) / replay::ScheduleFileName(schedule, n);
    if (MayWrite(path, schedule) && used_.insert(path).second) {
      if (number != 0) path_of_[key] = path;
      return path;
    }
  }
}

void ScheduleFolder::Record(const report::Records& records,
                            std::span<const channel::ThreadName> names,
                            const channel::Settings& settings, report::Finding& finding) {
  const report::RawFinding& raw = records.findings[finding.record];
  Record(raw, records, names, settings, finding);
  for (size_t i = 0; i < std::min(raw.other.size(), finding.other.size()); ++i)
    Record(raw.other[i], records, names, settings, finding.other[i]);
}

void ScheduleFolder::Record(const report::RawFinding& raw, const report::Records& records,
                            std::span<const channel::ThreadName> names,
                            const channel::Settings& settings, report::Finding& finding) {
  if (!raw.has_schedule) return;
  const report::ThreadNames threads(names);
  replay::ScheduleFile file =
      MakeScheduleFile(raw, finding, threads, settings, program_, arguments_, records.places);
  finding.line = TakeLine(file);
  // The other schedule of a bug has its number.
  const std::string path = PathFor(raw.head.number, file.is_other, file);
  if (auto error = session::WriteWhole(path, replay::ToText(file))) {
    Fail(error->message + ": the schedule is lost, the bug stands");
  } else {
    finding.schedule = path;
  }
}

}  // namespace heddle::cli
