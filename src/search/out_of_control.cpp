#include "search/out_of_control.h"

#include <algorithm>
#include <utility>

#include "runtime/bounded_text.h"
#include "runtime/runtime.h"
#include "runtime/world/outside.h"

namespace heddle::search {
namespace {

// Of a process that was killed from outside: how far it had come.
void TellWhereItWasKilled(const trace::Execution& execution, uint64_t number, char* text,
                          size_t size) {
  runtime::BoundedText told = {text, text + size};
  told.Add(
      "the program's process was killed from outside (SIGKILL; was the machine out of memory?) in "
      "execution %llu, after %zu operations",
      static_cast<unsigned long long>(number), execution.events.size());
  if (!execution.events.empty()) {
    const trace::Event& last = execution.events.back();
    told.Add(", the last of them %%T%u%% %s", last.thread, op::Info(last.kind).text);
  }
  constexpr size_t kMostChoices = 16;
  const char* between = "; its last choices: ";
  for (const trace::Choice& choice :
       execution.choices.last(std::min(execution.choices.size(), kMostChoices))) {
    told.Add("%s", std::exchange(between, ", "));
    if (choice.kind == trace::ChoiceKind::kThread)
      told.Add("%%T%u%%", choice.chosen);
    else
      told.Add("option %u", choice.chosen);
  }
}

// `ending` says what heddle met; why a schedule went another way, what the program did before.
void TellCulprit(const trace::Ending& ending, FindingObserver::State* state) {
  runtime::BoundedText told = {state->culprit, state->culprit + sizeof state->culprit};
  told.Add("%s", ending.message);
  if (ending.kind != trace::EndKind::kDiverged) return;
  told.Add("; ");
  runtime::TellLikelyCause(told);
}

}  // namespace

bool IsOutOfControl(const trace::Execution& execution, FindingObserver::State* state) {
  if (check::KilledFromOutside(execution.ending))
    TellWhereItWasKilled(execution, state->executions, state->culprit, sizeof state->culprit);
  else if (trace::ClassOf(execution.ending.kind) == trace::EndClass::kUncontrolled)
    TellCulprit(execution.ending, state);
  else
    return false;
  state->uncontrolled = true;
  return true;
}

void TellNotReproduced(const FindingObserver::Unexplained& unexplained,
                       const trace::Execution& again, FindingObserver::State* state) {
  state->uncontrolled = true;
  if (state->culprit[0] != '\0') return;
  if (again.ending.kind == trace::EndKind::kDiverged) return TellCulprit(again.ending, state);
  runtime::BoundedText told = {state->culprit, state->culprit + sizeof state->culprit};
  told.Add("the schedule of execution %llu did not show its bug when it was run again, but ",
           static_cast<unsigned long long>(unexplained.execution));
  if (again.ending.kind == trace::EndKind::kExit)
    told.Add("ended with status %d", again.ending.status);
  else if (again.ending.message[0] != '\0')
    told.Add("this: %s", again.ending.message);
  else
    told.Add("ended in another way");
  told.Add("; ");
  runtime::TellLikelyCause(told);
}

}  // namespace heddle::search
