#include "search/explain.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "runtime/control.h"
#include "runtime/places.h"
#include "runtime/runtime.h"
#include "runtime/visible.h"
#include "runtime/world/kept_output.h"
#include "search/graph_record.h"

namespace heddle::search {
namespace {

using channel::StepRecord;

// Steps written per finding; the middle of a longer execution is left out by the report anyway.
constexpr size_t kMaxSteps = 20'000;
// Of one that will be written again with all that is found out by then, if there is time.
constexpr size_t kMaxStepsAtFirst = 1000;

constexpr uint32_t kRaceMarks = channel::kStepRaceFirst | channel::kStepRaceSecond;
constexpr uint32_t kPlaceMarks = kRaceMarks | channel::kStepEnding | channel::kStepBlocked |
                                 channel::kStepLeft | channel::kStepMade;

// A code address as something that stays the same under address randomisation: offset in its
// module, and the module's name.
uint64_t StablePlace(uint64_t pc) {
  struct Search {
    uint64_t pc;
    uint64_t place;
  } search = {pc, pc};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* argument) {
        auto* s = static_cast<Search*>(argument);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = info->dlpi_phdr[i];
          const uint64_t begin = info->dlpi_addr + segment.p_vaddr;
          if (segment.p_type != PT_LOAD || s->pc < begin || s->pc >= begin + segment.p_memsz)
            continue;
          const char* slash = strrchr(info->dlpi_name, '/');
          s->place = base::HashText(slash != nullptr ? slash : info->dlpi_name,
                                    base::Spread(s->pc - info->dlpi_addr));
          return 1;
        }
        return 0;
      },
      &search);
  return search.place;
}

// Which accesses made the race: the latest matching ones up to the second access. Where the first
// one was not recorded (the middle of a very long execution), the second alone.
void MarkRace(std::vector<StepRecord>& steps, std::span<const uint32_t> ticks,
              const check::Race& race) {
  auto overlaps = [&](const StepRecord& step) {
    const uint64_t size = step.size == 255 ? step.object2 : step.size;
    return step.object < race.address + race.size && race.address < step.object + size;
  };
  const channel::Settings& settings = runtime::ChannelHeader().settings;
  const bool volatile_atomic = settings.volatile_atomic != 0;
  const bool all_points =
      settings.points == channel::Points::kAll || settings.points == channel::Points::kEvery;
  auto is_access = [&](const StepRecord& step, bool atomic, bool write) {
    const auto kind = static_cast<op::Kind>(step.op_kind);
    if (atomic && op::IsAtomic(kind)) return true;
    if (atomic && !volatile_atomic) return false;
    return kind == (write ? op::Kind::kPlainWrite : op::Kind::kPlainRead);
  };
  // Since its last release the thread may have made visible accesses there, too. Which of them
  // raced decides what becomes visible next. Where all are, none is told from others.
  auto is_first = [&](size_t i) {
    const StepRecord& step = steps[i];
    return step.thread == race.first_thread && ticks[i] == race.first_tick && overlaps(step) &&
           is_access(step, race.first_atomic, race.first_write) &&
           (race.first_atomic || all_points || step.frames == 0 ||
            runtime::IsVisiblePlace(step.pc[0]) == race.first_visible);
  };
  auto is_second = [&](size_t i) {
    const StepRecord& step = steps[i];
    return step.thread == race.second_thread && ticks[i] == race.second_tick && overlaps(step) &&
           is_access(step, race.second_atomic, race.second_write) &&
           (step.frames == 0 || race.second_pc == 0 || step.pc[0] == race.second_pc);
  };
  size_t alone = steps.size();
  for (size_t i = 0; i < steps.size(); ++i) {
    if (!is_second(i)) continue;
    alone = std::min(alone, i);
    // The same code may have run before the race: it is this one only if the first access came
    // before it.
    for (size_t j = i; j-- > 0;) {
      if (!is_first(j)) continue;
      steps[j].flags |= channel::kStepRaceFirst;
      steps[i].flags |= channel::kStepRaceSecond;
      return;
    }
  }
  if (alone != steps.size()) steps[alone].flags |= channel::kStepRaceSecond;
}

// Plain accesses by which threads affect each other: of two that conflict, come one after the other
// at the same byte, and are of different threads, both.
class Neighbours {
 public:
  explicit Neighbours(std::span<const StepRecord> steps) : steps_(steps), kept_(steps.size()) {
    for (size_t i = 0; i < steps.size(); ++i) {
      const auto kind = static_cast<op::Kind>(steps[i].op_kind);
      if (!op::IsPlain(kind)) continue;
      const uint64_t bytes = steps[i].size == 255 ? steps[i].object2 : steps[i].size;
      const uint64_t end = steps[i].object + std::clamp<uint64_t>(bytes, 1, kMostBytes);
      for (uint64_t at = steps[i].object; at < end; ++at)
        kind == op::Kind::kPlainWrite ? Write(bytes_[at], i) : Read(bytes_[at], i);
    }
  }
  bool Has(size_t step) const { return kept_[step]; }

 private:
  static constexpr uint64_t kMostBytes = 512;  // of an access, those that it begins with
  static constexpr size_t kNone = ~size_t{0};
  struct Byte {
    size_t write = kNone;       // the last one
    std::vector<size_t> reads;  // since then, the first of each thread
  };

  void Pair(size_t earlier, size_t later) {
    if (earlier == kNone || steps_[earlier].thread == steps_[later].thread) return;
    kept_[earlier] = kept_[later] = true;
  }
  void Read(Byte& byte, size_t step) {
    for (const size_t other : byte.reads)
      if (steps_[other].thread == steps_[step].thread) return;
    byte.reads.push_back(step);
    Pair(byte.write, step);
  }
  void Write(Byte& byte, size_t step) {
    Pair(byte.write, step);
    for (const size_t read : byte.reads) Pair(read, step);
    // What it was computed from.
    for (const size_t read : byte.reads)
      if (steps_[read].thread == steps_[step].thread && kept_[step]) kept_[read] = true;
    byte.reads.clear();
    byte.write = step;
  }

  std::span<const StepRecord> steps_;
  std::vector<bool> kept_;
  std::unordered_map<uint64_t, Byte> bytes_;  // by address
};

bool Matters(const StepRecord& step) {
  const auto kind = static_cast<op::Kind>(step.op_kind);
  if (step.flags & ~uint32_t{channel::kStepPreempts}) return true;
  return !op::IsPlain(kind) || (step.facts & channel::kFactPoint) != 0;
}

}  // namespace

std::vector<plan::Deviation> Dense(const std::vector<uint32_t>& options) {
  std::vector<plan::Deviation> deviations;
  deviations.reserve(options.size());
  for (uint32_t option : options)
    deviations.push_back({static_cast<uint32_t>(deviations.size()), option});
  return deviations;
}

std::vector<uint32_t> OptionsOf(const trace::Execution& execution) {
  std::vector<uint32_t> options;
  options.reserve(execution.choices.size());
  for (const trace::Choice& choice : execution.choices)
    options.push_back(choice.InSchedule(choice.chosen));
  return options;
}

namespace {

// One premature free is one bug, whichever access comes too late. What frees, `delete` or the
// release of a reference, may serve many: its callers tell them apart.
uint64_t PlacesOfFree(std::span<const StepRecord> steps) {
  constexpr uint32_t kFrames = 3;
  uint64_t places = 0;
  for (const StepRecord& step : steps)
    if ((step.flags & kRaceMarks) != 0 && (step.facts & channel::kFactFrees) != 0)
      for (uint32_t i = 0; i < std::min(step.frames, kFrames); ++i)
        places = base::Fold(places + 1, StablePlace(step.pc[i]));
  return places;
}

}  // namespace

uint64_t IdentityOf(const check::Finding& finding, std::span<const StepRecord> steps) {
  if (check::IsUseAfterEnd(finding.kind))
    if (const uint64_t places = PlacesOfFree(steps); places != 0)
      return base::Fold(static_cast<uint64_t>(finding.kind) + 1, places);
  uint64_t places = 0;
  for (const StepRecord& step : steps) {
    const bool join = static_cast<op::Kind>(step.op_kind) == op::Kind::kThreadJoin;
    if ((step.flags & kPlaceMarks) != 0 && step.frames != 0 &&
        !(join && (step.flags & channel::kStepBlocked) != 0))
      places += base::Fold(1, StablePlace(step.pc[0]));
  }
  // A race whose accesses could not be found again is still told from others: by the code that
  // noticed it, and by what is raced for.
  if (finding.IsRace() && places == 0)
    places = base::Fold(base::Fold(1, StablePlace(finding.race.second_pc)),
                        StablePlace(finding.address));
  uint64_t identity = base::Fold(static_cast<uint64_t>(finding.kind) + 1, places);
  if (finding.kind == channel::BugKind::kAssertion)
    for (const char* c = finding.message; *c != '\0'; ++c)
      identity = base::Fold(identity, static_cast<unsigned char>(*c));
  if (check::IsTestBreak(finding))
    for (const StepRecord& step : steps)
      if ((step.flags & channel::kStepEnding) != 0)
        for (uint32_t i = 1; i < std::min(step.frames, check::kFramesOfBreak); ++i)
          identity = base::Fold(identity, StablePlace(step.pc[i]));
  if (finding.kind == channel::BugKind::kInvariant)
    identity = base::Fold(identity, StablePlace(finding.address));
  if (finding.kind == channel::BugKind::kLeak)
    for (const StepRecord& step : steps)
      if ((step.flags & channel::kStepMade) != 0)
        for (uint32_t i = 1; i < step.frames; ++i)
          identity = base::Fold(identity, StablePlace(step.pc[i]));
  return base::Fold(identity, static_cast<uint32_t>(finding.status));
}

namespace {

void End() {
  channel::RecordHead end = {channel::RecordKind::kFindingEnd, 0};
  runtime::AppendRecord(&end, sizeof end, nullptr, 0);
}

// The free of what was accessed at the end of the execution. Others may have come to free it again.
void MarkFree(std::vector<StepRecord>& steps, uint64_t address, uint64_t freed_at) {
  const auto frees_it = [address, freed_at](const StepRecord& step) {
    return (step.facts & channel::kFactFrees) != 0 && address - step.object < step.object2 &&
           (step.frames == 0 || freed_at == 0 || step.pc[0] == freed_at);
  };
  const auto last = std::find_if(steps.rbegin(), steps.rend(), frees_it);
  if (last != steps.rend()) last->flags |= channel::kStepRaceFirst;
}

bool IsPlainReadOf(const StepRecord& step, op::ThreadId thread) {
  return step.thread == thread && static_cast<op::Kind>(step.op_kind) == op::Kind::kPlainRead;
}

// Behind it are the plain reads of what an assertion of the thread may have compared: the last few.
size_t BeginOfLastReads(std::span<const StepRecord> steps, op::ThreadId thread) {
  constexpr size_t kLastReads = 32;
  size_t begin = steps.size();
  for (size_t count = 0; begin > 0 && count < kLastReads;)
    count += IsPlainReadOf(steps[--begin], thread) ? 1 : 0;
  return begin;
}

// The steps to report of an execution that was recorded, with `finding`'s accesses marked if it is
// a race. What ended the execution is no part of a race.
std::vector<StepRecord> StepsFor(const trace::Execution& execution, const check::Finding& finding) {
  std::vector<StepRecord> recorded(execution.recorded.begin(), execution.recorded.end());
  // Each leak has a step at the end: those of the others are no part of `finding`.
  if (execution.ending.kind == trace::EndKind::kLeak)
    std::erase_if(recorded, [&](const StepRecord& step) {
      return (step.flags & channel::kStepMade) != 0 &&
             (finding.kind != channel::BugKind::kLeak || step.object != finding.block);
    });
  if (check::IsUseAfterEnd(finding.kind) && !finding.IsRace())
    MarkFree(recorded, finding.address, finding.freed_at);
  if (finding.IsRace()) {
    for (StepRecord& step : recorded) step.flags &= ~(kPlaceMarks & ~kRaceMarks);
    MarkRace(recorded, execution.recorded_ticks, finding.race);
  }
  std::vector<StepRecord> steps;
  constexpr uint32_t kCarried = channel::kStepPreempts | channel::kStepEarly;
  uint32_t carried = 0;  // over from a step that is left out
  const Neighbours neighbours(recorded);
  const size_t last_reads = finding.kind == channel::BugKind::kAssertion
                                ? BeginOfLastReads(recorded, finding.thread)
                                : recorded.size();
  for (size_t i = 0; i < recorded.size(); ++i) {
    StepRecord step = recorded[i];
    carried |= step.flags & kCarried;
    if (!Matters(step) && !neighbours.Has(i)) {
      if (i < last_reads || !IsPlainReadOf(step, finding.thread)) continue;
      step.facts |= channel::kFactInCase;
    }
    step.flags |= std::exchange(carried, 0);
    steps.push_back(step);
  }
  return steps;
}

// The blocks that an access or an object of `steps` lies in.
std::vector<channel::BlockRecord> BlocksOf(const trace::Execution& execution,
                                           std::span<const StepRecord> steps,
                                           const check::Finding& finding) {
  std::vector<uint64_t> touched = {finding.address, finding.block};
  for (const StepRecord& step : steps) {
    touched.insert(touched.end(), {step.object, step.object2});
    if ((step.facts & channel::kFactRead) != 0) touched.push_back(step.value);
    if ((step.facts & channel::kFactWritten) != 0) touched.push_back(step.written);
  }
  std::sort(touched.begin(), touched.end());
  std::vector<channel::BlockRecord> blocks;
  for (const channel::BlockRecord& block : execution.recorded_blocks) {
    const auto at = std::lower_bound(touched.begin(), touched.end(), block.address);
    if (at != touched.end() && *at < block.address + std::max<uint64_t>(block.bytes, 1))
      blocks.push_back(block);
  }
  return blocks;
}

const trace::Execution& Recorded(target::Target& target, const std::vector<uint32_t>& schedule,
                                 plan::EndAt end_at) {
  const std::vector<plan::Deviation> dense = Dense(schedule);
  plan::Plan plan;
  plan.deviations = dense;
  plan.end_at = end_at;
  plan.record = true;
  return target.Run(plan);
}

}  // namespace

namespace {

// Does the program often print why it ends so?
bool MayPrintWhy(const check::Finding& finding) {
  using channel::BugKind;
  constexpr BugKind kKinds[] = {BugKind::kAssertion, BugKind::kAbort, BugKind::kCrash,
                                BugKind::kExitStatus, BugKind::kUncaughtException};
  return std::ranges::find(kKinds, finding.kind) != std::end(kKinds);
}

}  // namespace

plan::EndAt EndOf(const check::Finding& finding) {
  if (finding.kind != channel::BugKind::kRaceCondition) return {};
  return {finding.moment, finding.status == trace::kOtherOrder};
}

namespace {

// Why a program ends it says last, on stderr; a test framework says on stdout what failed.
std::string Printed(op::ThreadId thread, bool breaks) {
  std::string first = runtime::PrintedBefore(thread, breaks ? 2 : 1);
  const std::string last = runtime::PrintedBefore(thread, breaks ? 1 : 2);
  if (!first.empty() && !last.empty() && !first.ends_with('\n')) first += '\n';
  return first + last;
}

// Runs the schedule, with what the program prints kept aside if `prints`.
Explanation ExplainOnce(target::Target& target, const std::vector<uint32_t>& schedule,
                        const check::Finding& otherwise, bool prints) {
  Explanation answer;
  if (prints) runtime::BeginKeepingOutput();
  answer.execution = &Recorded(target, schedule, EndOf(otherwise));
  answer.graph = GraphOfLastExecution();
  if (prints) {
    answer.output = Printed(answer.execution->ending.thread, check::IsTestBreak(otherwise));
    runtime::EndKeepingOutput();
  }
  for (const check::Finding& finding : check::FindingsOf(*answer.execution))
    if (!answer.finding && finding.key == otherwise.key) answer.finding = finding;
  return answer;
}

}  // namespace

Explanation Explain(target::Target& target, const std::vector<uint32_t>& schedule,
                    const check::Finding& otherwise) {
  const bool prints = MayPrintWhy(otherwise);
  Explanation answer = ExplainOnce(target, schedule, otherwise, prints);
  // A program may look where its output goes.
  if (prints && !answer.finding && !check::IsTestBreak(otherwise))
    answer = ExplainOnce(target, schedule, otherwise, false);
  if (!answer.finding && runtime::IsOutputDiscarded()) {
    runtime::EndDiscardingOutput();
    answer = ExplainOnce(target, schedule, otherwise, false);
    runtime::BeginDiscardingOutput();
  }
  const check::Finding& told = answer.finding ? *answer.finding : otherwise;
  answer.steps = StepsFor(*answer.execution, told);
  answer.blocks = BlocksOf(*answer.execution, answer.steps, told);
  answer.identity = IdentityOf(told, answer.steps);
  return answer;
}

std::vector<Explanation> ExplainAll(target::Target& target, const std::vector<uint32_t>& schedule,
                                    plan::EndAt end_at) {
  const trace::Execution& execution = Recorded(target, schedule, end_at);
  std::vector<Explanation> all;
  for (const check::Finding& finding : check::FindingsOf(execution)) {
    Explanation& one = all.emplace_back();
    one.finding = finding;
    one.steps = StepsFor(execution, finding);
    one.blocks = BlocksOf(execution, one.steps, finding);
    one.identity = IdentityOf(finding, one.steps);
    one.execution = &execution;
    one.graph = GraphOfLastExecution();
  }
  if (all.empty()) all.emplace_back().execution = &execution;
  return all;
}

// Names the function that the program called.
static void NameCall(StepRecord& step) {
  Dl_info info;
  if (step.hook == 0 || dladdr(reinterpret_cast<void*>(step.hook), &info) == 0) return;
  if (info.dli_sname == nullptr) return;  // of no symbol that the program sees
  strncpy(step.call, info.dli_sname, sizeof step.call - 1);
}

namespace {

void AppendSchedule(const check::Finding& finding, const trace::Execution& execution) {
  std::vector<uint32_t> options = OptionsOf(execution);
  for (size_t i = 0; i < options.size(); ++i)
    if (execution.choices[i].kind != trace::ChoiceKind::kThread)
      options[i] |= channel::kNotOfThread;
  channel::ScheduleRecord schedule = {};
  schedule.head.kind = channel::RecordKind::kSchedule;
  schedule.count = static_cast<uint32_t>(options.size());
  schedule.preemptions = execution.preemptions;
  schedule.steps_hash = execution.steps_hash;
  schedule.thread_count = execution.threads;
  schedule.thread_ends = runtime::Visible().thread_ends;
  schedule.thread_joins = runtime::Visible().thread_joins;
  schedule.joint_cycles = runtime::Visible().joint_cycles;
  schedule.frame_ends = runtime::Visible().frame_ends;
  schedule.signals = runtime::Visible().signals;
  schedule.places = runtime::PlacesInForce();
  const plan::EndAt end_at = EndOf(finding);
  schedule.end_at = {end_at.moment, end_at.is_other ? 1u : 0u};
  runtime::AppendRecord(&schedule.head, sizeof schedule, options.data(),
                        static_cast<unsigned>(options.size() * sizeof(uint32_t)));
}

}  // namespace

void WriteFinding(const Telling& telling, const check::Finding& finding, const Explanation& told) {
  const channel::Purpose purpose = telling.purpose;
  const trace::Execution& execution = *told.execution;
  const bool has_schedule =
      purpose == channel::Purpose::kBug || purpose == channel::Purpose::kOther;
  const std::vector<StepRecord>& steps = told.steps;
  channel::FindingRecord record = {};
  record.head.kind = channel::RecordKind::kFinding;
  record.kind = finding.kind;
  record.thread = finding.thread;
  record.preemptions = execution.preemptions;
  record.early_timeouts = execution.early_timeouts;
  record.status = finding.status;
  record.identity = told.identity;
  record.execution = telling.execution;
  record.address = finding.kind == channel::BugKind::kDeadlock ? 0 : finding.address;
  record.size = finding.size;
  record.not_reproduced = !telling.reproduced;
  record.fewer_may_do = told.fewer_may_do;
  record.found_by = runtime::ChannelHeader().finder;
  record.purpose = purpose;
  record.number = telling.number;
  record.missing = telling.missing;
  runtime::AppendRecord(&record.head, sizeof record, finding.message,
                        static_cast<unsigned>(strlen(finding.message) + 1));
  const size_t most = telling.again ? kMaxStepsAtFirst : kMaxSteps;
  const size_t skipped = steps.size() > most ? steps.size() - most : 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    const bool middle = i >= most / 2 && i < most / 2 + skipped;
    const bool brief = middle || !has_schedule;
    if (brief && (steps[i].flags & kPlaceMarks) == 0) continue;
    StepRecord step = steps[i];
    if ((step.flags & kPlaceMarks) != 0) NameCall(step);
    runtime::AppendRecord(&step.head, sizeof step, nullptr, 0);
  }
  for (channel::BlockRecord block : told.blocks)
    runtime::AppendRecord(&block.head, sizeof block, nullptr, 0);
  if (!told.output.empty()) {
    channel::RecordHead head = {channel::RecordKind::kOutput, 0};
    runtime::AppendRecord(&head, sizeof head, told.output.data(),
                          static_cast<unsigned>(told.output.size()));
  }
  if (has_schedule) WriteGraph(told.graph);
  if (has_schedule) AppendSchedule(finding, execution);
  End();
}

}  // namespace heddle::search
