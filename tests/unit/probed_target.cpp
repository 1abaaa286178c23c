#include "probed_target.h"

#include <utility>

#include "base/check.h"

namespace heddle::tests {

using op::ThreadId;
using target::FakeProgram;
using trace::EndKind;
using trace::Execution;

namespace {

std::vector<target::Instruction> ObjectProbes(const FakeProgram& program) {
  std::vector<target::Instruction> code;
  const auto each = [&](size_t count, auto instruction) {
    for (uint16_t i = 0; i < count; ++i) code.push_back(instruction(i));
  };
  each(program.variables.size(), [](uint16_t i) { return target::Load(i, target::kZero); });
  each(program.mutexes, [](uint16_t i) { return target::TryLock(i, target::kZero); });
  each(program.semaphores.size(), [](uint16_t i) { return target::SemTryWait(i, target::kZero); });
  each(program.rwlocks, [](uint16_t i) { return target::TryReadLock(i, target::kZero); });
  each(program.conditions, [](uint16_t i) { return target::CondBroadcast(i); });
  if (program.thread_ends) {
    each(program.threads.size(), [](uint16_t i) { return target::TryJoin(i, target::kZero); });
  }
  return code;
}

FakeProgram WithProbes(FakeProgram program) {
  const std::vector<target::Instruction> probes = ObjectProbes(program);
  program.threads.push_back({target::Load(0, target::kZero)});
  program.threads.push_back(probes);
  for (uint16_t i = 0; i < program.barriers.size(); ++i) {
    program.threads.push_back({target::Barrier(i)});  // which may block: a thread for each
  }
  return program;
}

uint32_t OptionsIn(const Execution& execution, size_t step) {
  for (const trace::Choice& choice : execution.ChoicesOf(step)) {
    if (choice.kind != trace::ChoiceKind::kThread) return choice.option_count;
  }
  return 1;
}

}  // namespace

ProbedTarget::ProbedTarget(const FakeProgram& program)
    : threads_(static_cast<ThreadId>(program.threads.size())),
      stop_(threads_),
      object_probes_(ObjectProbes(program).size(), threads_ + 1),
      target_(WithProbes(program)) {
  for (size_t i = 0; i < program.barriers.size(); ++i) {
    HEDDLE_CHECK(program.barriers[i] == 2);
    object_probes_.push_back(threads_ + 2 + static_cast<ThreadId>(i));
  }
  const size_t all = program.threads.size() + 2 + program.barriers.size();
  for (ThreadId id = 0; id < all; ++id) {
    if (id != stop_) sleepers_.push_back({.thread = id});
  }
}

std::optional<Outcome> ProbedTarget::Observe(const std::vector<Move>& moves) {
  std::optional<Execution> execution = Run(moves, {});
  if (!execution) return std::nullopt;
  Outcome outcome;
  const size_t last = moves.size();  // its step: step 0 is what comes before the first move
  const auto events = execution->EventsOf(last);
  outcome.events.assign(events.begin(), events.end());
  const size_t begin = execution->steps[last].event;
  const size_t end = begin + events.size();
  for (size_t event = begin; event < end; ++event) {
    std::vector<uint32_t>& objects = outcome.objects.emplace_back();
    if (events[event - begin].object != trace::kNoObject) {
      objects.push_back(events[event - begin].object);
    }
    const trace::AccessList accesses = execution->AccessesOf(event);
    for (size_t i = 1; i < accesses.size(); ++i) objects.push_back(accesses[i].object);
  }
  for (const trace::LetGo& let_go : execution->let_go) {
    if (let_go.event > begin && let_go.event <= end) outcome.released.push_back(let_go.thread);
  }
  outcome.options = OptionsIn(*execution, last);
  outcome.end = execution->ending.kind;
  outcome.ended = execution->steps.size() == last + 1;
  outcome.happens_before = execution->happens_before;
  if (outcome.ended) return outcome;
  ReadStanding(*execution, last + 1, outcome.state);
  execution = Run(moves, object_probes_);
  HEDDLE_CHECK(execution);
  ReadObjects(*execution, last + 1, outcome.state);
  return outcome;
}

// The answer is valid until the next run.
std::optional<Execution> ProbedTarget::Run(const std::vector<Move>& moves,
                                           const std::vector<ThreadId>& probes) {
  std::vector<ThreadId> script;
  std::vector<plan::ScriptOption> options;
  for (const Move& move : moves) {
    script.push_back(move.thread);
    if (move.option) options.push_back({move.thread, *move.option});
  }
  script.insert(script.end(), probes.begin(), probes.end());
  script.push_back(stop_);
  const Execution& execution =
      target_.Run({.deviations = {}, .script = script, .options = options, .sleepers = sleepers_});
  if (execution.ending.kind == EndKind::kDiverged) return std::nullopt;
  return execution;
}

// `step`: that of the thread that stops.
void ProbedTarget::ReadStanding(const Execution& execution, size_t step, State& state) const {
  const trace::Choice& choice = execution.ChoicesOf(step)[0];
  for (ThreadId id = 0; id < threads_; ++id) {
    state.open.push_back(execution.IsOpen(choice, id));
    const trace::Pending& pending = execution.pending[id];
    state.pending.push_back({pending.kind, pending.detail, pending.object});
  }
  state.memory = target_.Variables();
  state.memory.insert(state.memory.end(), target_.Plain().begin(), target_.Plain().end());
  for (ThreadId id = 0; id < threads_; ++id) {
    const auto registers = target_.Registers(id);
    state.memory.insert(state.memory.end(), registers.begin(), registers.end());
  }
}

// `step`: the first one of the probes.
void ProbedTarget::ReadObjects(const Execution& execution, size_t step, State& state) const {
  const size_t begin = execution.steps[step].event;
  // To the end: a thread that leaves the barrier may end the execution.
  for (const trace::Event& event : execution.events.subspan(begin)) {
    if (event.kind == op::Kind::kBarrierLeave) state.at_barriers.push_back(event.thread);
    if (event.thread <= stop_) continue;
    if (event.object >= state.levels.size()) state.levels.resize(event.object + 1);
    state.levels[event.object] = event.level;
  }
  for (const trace::LetGo& let_go : execution.let_go) {
    if (let_go.event > begin && !let_go.timeout_lost) state.waiters.push_back(let_go.thread);
  }
}

}  // namespace heddle::tests
