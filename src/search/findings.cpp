#include "search/findings.h"

#include <link.h>
#include <string.h>

#include <algorithm>
#include <optional>

#include "explore/minimise.h"
#include "runtime/control.h"
#include "runtime/races.h"
#include "runtime/record.h"
#include "runtime/runtime.h"
#include "runtime/visible.h"

namespace heddle::search {
namespace {

using channel::StepRecord;

// Executions that minimising one finding may cost.
constexpr uint64_t kMinimiseBudget = 400;

// Steps written per finding; the middle of a longer execution is left out by the report anyway.
constexpr size_t kMaxSteps = 20'000;

bool Contains(const std::vector<uint64_t>& set, uint64_t value) {
  return std::find(set.begin(), set.end(), value) != set.end();
}

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
  for (const trace::Choice& choice : execution.choices) options.push_back(choice.chosen);
  return options;
}

// All findings that `execution` shows, the ending first.
std::vector<check::Finding> FindingsOf(const trace::Execution& execution) {
  std::vector<check::Finding> findings;
  check::Finding finding;
  if (check::FindingOfEnding(execution, &finding)) findings.push_back(finding);
  for (const check::Race& race : runtime::RacesOfExecution())
    findings.push_back(check::FindingOfRace(race));
  return findings;
}

class SameKey final : public explore::SameFinding {
 public:
  explicit SameKey(uint64_t key) : key_(key) {}
  bool Holds(const trace::Execution& execution) override {
    for (const check::Finding& finding : FindingsOf(execution))
      if (finding.key == key_) return true;
    return false;
  }

 private:
  const uint64_t key_;
};

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
          s->place = s->pc - info->dlpi_addr;
          for (const char* c = slash != nullptr ? slash : info->dlpi_name; *c != '\0'; ++c)
            s->place = s->place * 0x100000001b3ull + static_cast<unsigned char>(*c);
          return 1;
        }
        return 0;
      },
      &search);
  return search.place;
}

uint64_t Fold(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 29);
}

// Which accesses made the race: the latest matching ones up to the second access.
void MarkRace(std::vector<StepRecord>& steps, const std::vector<uint32_t>& ticks,
              const check::Race& race) {
  size_t second = steps.size();
  auto overlaps = [&](const StepRecord& step) {
    const uint64_t size = step.size == 255 ? step.object2 : step.size;
    return step.object < race.address + race.size && race.address < step.object + size;
  };
  auto is_access = [&](const StepRecord& step, bool atomic, bool write) {
    const auto kind = static_cast<op::Kind>(step.op_kind);
    if (atomic) return kind >= op::Kind::kAtomicLoad && kind <= op::Kind::kAtomicCompareExchange;
    return kind == (write ? op::Kind::kPlainWrite : op::Kind::kPlainRead);
  };
  for (size_t i = 0; i < steps.size() && second == steps.size(); ++i) {
    const StepRecord& step = steps[i];
    if (step.thread == race.second_thread &&
        is_access(step, race.second_atomic, race.second_write) && overlaps(step) &&
        (step.frames == 0 || race.second_pc == 0 || step.pc[0] == race.second_pc)) {
      // The same code may have run before the race: it is this one only if the first access came
      // before it.
      for (size_t j = i; j-- > 0;) {
        const StepRecord& first = steps[j];
        if (first.thread != race.first_thread || !overlaps(first) || ticks[j] != race.first_tick ||
            !is_access(first, race.first_atomic, race.first_write))
          continue;
        steps[j].flags |= channel::kStepRaceFirst;
        second = i;
        break;
      }
    }
  }
  if (second != steps.size()) steps[second].flags |= channel::kStepRaceSecond;
}

bool Matters(const StepRecord& step) {
  const auto kind = static_cast<op::Kind>(step.op_kind);
  if (step.flags & ~uint32_t{channel::kStepPreempts}) return true;
  return kind != op::Kind::kPlainRead && kind != op::Kind::kPlainWrite;
}

// Independent of addresses and of which thread came first.
uint64_t IdentityOf(const check::Finding& finding, const std::vector<StepRecord>& steps) {
  uint64_t places = 0;
  for (const StepRecord& step : steps) {
    constexpr uint32_t kPlaces = channel::kStepRaceFirst | channel::kStepRaceSecond |
                                 channel::kStepEnding | channel::kStepBlocked | channel::kStepLeft |
                                 channel::kStepMade;
    const bool join = static_cast<op::Kind>(step.op_kind) == op::Kind::kThreadJoin;
    if ((step.flags & kPlaces) != 0 && step.frames != 0 &&
        !(join && (step.flags & channel::kStepBlocked) != 0))
      places += Fold(1, StablePlace(step.pc[0]));
  }
  uint64_t identity = Fold(static_cast<uint64_t>(finding.kind) + 1, places);
  if (finding.kind == channel::BugKind::kAssertion || places == 0)
    for (const char* c = finding.message;
         *c != '\0' && finding.kind == channel::BugKind::kAssertion; ++c)
      identity = Fold(identity, static_cast<unsigned char>(*c));
  if (finding.kind == channel::BugKind::kInvariant)
    identity = Fold(identity, StablePlace(finding.address));
  return Fold(identity, static_cast<uint32_t>(finding.status));
}

void WriteFinding(const check::Finding& finding, uint64_t identity,
                  const trace::Execution& execution, uint64_t number, bool reproduced,
                  const std::vector<StepRecord>& steps) {
  channel::FindingRecord record = {};
  record.head.kind = channel::RecordKind::kFinding;
  record.kind = finding.kind;
  record.thread = finding.thread;
  record.preemptions = execution.preemptions;
  record.status = finding.status;
  record.identity = identity;
  record.execution = number;
  record.address = finding.kind == channel::BugKind::kDeadlock ? 0 : finding.address;
  record.size = finding.size;
  record.not_reproduced = !reproduced;
  runtime::AppendRecord(&record.head, sizeof record, finding.message,
                        static_cast<unsigned>(strlen(finding.message) + 1));
  const size_t skipped = steps.size() > kMaxSteps ? steps.size() - kMaxSteps : 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (i >= kMaxSteps / 2 && i < kMaxSteps / 2 + skipped) continue;
    StepRecord step = steps[i];
    runtime::AppendRecord(&step.head, sizeof step, nullptr, 0);
  }
  const std::vector<uint32_t> options = OptionsOf(execution);
  channel::ScheduleRecord schedule = {};
  schedule.head.kind = channel::RecordKind::kSchedule;
  schedule.count = static_cast<uint32_t>(options.size());
  schedule.preemptions = execution.preemptions;
  schedule.steps_hash = execution.steps_hash;
  schedule.thread_count = execution.threads;
  schedule.thread_ends = runtime::Visible().thread_ends;
  runtime::AppendRecord(&schedule.head, sizeof schedule, options.data(),
                        static_cast<unsigned>(options.size() * sizeof(uint32_t)));
  channel::RecordHead end = {channel::RecordKind::kFindingEnd, 0};
  runtime::AppendRecord(&end, sizeof end, nullptr, 0);
}

// Runs `schedule` with everything recorded. Answers the finding with `key` (any if 0), and the
// steps that matter to it.
std::optional<check::Finding> Explain(target::Target& target, const std::vector<uint32_t>& schedule,
                                      uint64_t key, std::vector<StepRecord>* steps,
                                      const trace::Execution** execution) {
  const std::vector<plan::Deviation> dense = Dense(schedule);
  plan::Plan plan;
  plan.deviations = dense;
  plan.record = true;
  *execution = &target.Run(plan);
  std::optional<check::Finding> found;
  for (const check::Finding& finding : FindingsOf(**execution))
    if (!found && (key == 0 || finding.key == key)) found = finding;
  std::vector<StepRecord>& recorded = runtime::RecordedSteps();
  if (found && found->kind == channel::BugKind::kDataRace)
    MarkRace(recorded, runtime::RecordedTicks(), found->race);
  steps->clear();
  bool preempts = false;  // carried over from a step that is left out
  for (StepRecord step : recorded) {
    preempts |= (step.flags & channel::kStepPreempts) != 0;
    if (!Matters(step)) continue;
    if (preempts) step.flags |= channel::kStepPreempts;
    preempts = false;
    steps->push_back(step);
  }
  return found;
}

// Plain accesses are many: only those to the raced bytes are to be recorded. The minimised schedule
// may race on other bytes than the one that was found, so it runs once to see.
void WatchRacedBytes(const check::Finding& finding, target::Target& target,
                     const std::vector<uint32_t>& schedule) {
  runtime::WatchAccesses(0, 0);
  if (finding.kind != channel::BugKind::kDataRace) return;
  const std::vector<plan::Deviation> dense = Dense(schedule);
  plan::Plan plan;
  plan.deviations = dense;
  for (const check::Finding& shown : FindingsOf(target.Run(plan)))
    if (shown.key == finding.key) return runtime::WatchAccesses(shown.address, shown.size);
}

std::vector<uint32_t> MinimisedSchedule(const FindingObserver::Pending& pending,
                                        target::Target& target, bool preemptions_minimal) {
  const std::vector<plan::Deviation> dense = Dense(pending.schedule);
  plan::Plan plan;
  plan.deviations = dense;
  explore::Minimise::State state;
  SameKey same(pending.finding.key);
  explore::Minimise::Start(&state, target.Run(plan), preemptions_minimal, kMinimiseBudget);
  explore::Minimise minimise(&state, same);
  while (const std::optional<plan::Plan> next = minimise.NextPlan())
    minimise.Learn(target.Run(*next));
  return minimise.Schedule();
}

}  // namespace

explore::Observer::Verdict FindingObserver::OnExecution(const plan::Plan&,
                                                        const trace::Execution& execution) {
  if (execution.ending.kind == trace::EndKind::kGrew) return Verdict::kStop;
  if (execution.ending.kind == trace::EndKind::kRedundant)
    ++state_->redundant;
  else
    ++state_->executions;
  state_->events += execution.events.size();
  if (execution.ending.kind == trace::EndKind::kDiverged ||
      execution.ending.kind == trace::EndKind::kUnsupported) {
    state_->uncontrolled = true;
    state_->unsupported = execution.ending.kind == trace::EndKind::kUnsupported;
    memcpy(state_->culprit, execution.ending.message, sizeof state_->culprit);
    return Verdict::kStop;
  }
  check::Finding finding;
  if (check::FindingOfEnding(execution, &finding)) Notice(finding, execution);
  if (execution.findings != 0)
    for (const check::Race& race : runtime::RacesOfExecution())
      Notice(check::FindingOfRace(race), execution);
  return state_->pending.empty() ? Verdict::kContinue : Verdict::kStop;
}

void FindingObserver::Notice(const check::Finding& finding, const trace::Execution& execution) {
  if (Contains(state_->known, finding.key)) return;
  state_->known.push_back(finding.key);
  state_->pending.push_back(
      {finding, OptionsOf(execution), execution.preemptions, state_->executions});
}

namespace {

// What is known of an execution that cannot be explained: who was chosen where.
void WriteUnexplained(const FindingObserver::Pending& pending) {
  std::vector<trace::Choice> choices(pending.schedule.size());
  for (size_t i = 0; i < choices.size(); ++i) choices[i].chosen = pending.schedule[i];
  trace::Execution execution;
  execution.choices = choices;
  execution.preemptions = pending.preemptions;
  execution.threads = runtime::ChannelHeader().name_count.load();
  // An execution that hangs and was killed for it again did show its bug.
  const bool reproduced = pending.finding.kind == channel::BugKind::kHang;
  WriteFinding(pending.finding, IdentityOf(pending.finding, {}), execution, pending.execution,
               reproduced, {});
}

}  // namespace

unsigned ReportPending(FindingObserver::State* state, target::Target& target, target::Target& apart,
                       bool minimise, bool preemptions_minimal) {
  unsigned fresh = 0;
  while (!state->pending.empty()) {
    // It stays in the list until it is written: the process may die in between.
    const uint32_t attempt = state->pending.front().attempts++;
    const FindingObserver::Pending pending = state->pending.front();
    const auto done = [state] { state->pending.erase(state->pending.begin()); };
    constexpr uint32_t kAttempts = 2;
    if (attempt == kAttempts) {
      WriteUnexplained(pending);
      state->uncontrolled |= pending.finding.kind != channel::BugKind::kHang;
      ++fresh;
      done();
      continue;
    }
    const bool died = attempt != 0 || pending.finding.thread == op::kNoThread;
    const bool cheap = !died && pending.finding.kind != channel::BugKind::kHang;
    const std::vector<uint32_t> schedule =
        minimise && cheap ? MinimisedSchedule(pending, target, preemptions_minimal)
                          : pending.schedule;
    WatchRacedBytes(pending.finding, target, schedule);
    std::vector<StepRecord> steps;
    const trace::Execution* execution;
    const std::optional<check::Finding> again =
        Explain(died ? apart : target, schedule, pending.finding.key, &steps, &execution);
    // Recording is slow: it may run into the time limit where the search ran into that on events.
    const bool better = again && again->kind != channel::BugKind::kHang;
    const check::Finding& finding = better ? *again : pending.finding;
    const uint64_t identity = IdentityOf(finding, steps);
    if (!Contains(state->reported, identity)) {
      state->reported.push_back(identity);
      ++fresh;
      if (!again) state->uncontrolled = true;
      WriteFinding(finding, identity, *execution, pending.execution, again.has_value(), steps);
    }
    done();
  }
  return fresh;
}

bool ExplainSchedule(FindingObserver::State* state, target::Target& target,
                     const std::vector<uint32_t>& schedule) {
  std::vector<StepRecord> steps;
  const trace::Execution* execution;
  runtime::WatchAllAccesses();  // the program must run once only: its output is shown
  const std::optional<check::Finding> found = Explain(target, schedule, 0, &steps, &execution);
  state->executions = 1;
  state->events = execution->events.size();
  if (execution->ending.kind == trace::EndKind::kDiverged ||
      execution->ending.kind == trace::EndKind::kUnsupported) {
    state->uncontrolled = true;
    memcpy(state->culprit, execution->ending.message, sizeof state->culprit);
  }
  if (found) WriteFinding(*found, IdentityOf(*found, steps), *execution, 1, true, steps);
  return found.has_value();
}

}  // namespace heddle::search
