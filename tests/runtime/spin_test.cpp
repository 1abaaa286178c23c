// Loops that wait (loops/spin.h, loops/await.h): after how many rounds a thread is known to wait,
// for what, and who wakes it. In the drawings time runs downwards, and ~ is a thread that waits.
//
// A loop whose round is one operation waits before its third one: its first operation becomes the
// anchor, the state is taken before the second, and before the third it is met again.
#include "runtime/loops/spin.h"

#include <gtest/gtest.h>

#include <string>

#include "runtime/control.h"
#include "runtime/loops/await.h"
#include "runtime/places.h"
#include "runtime/runtime.h"
#include "runtime/visible.h"
#include "small_program.h"

namespace heddle::runtime {
namespace {

using plan::Plan;
using trace::EndKind;

// While findings are explained, places at which threads wait are not noted: no search begins again
// for them.
class SpinTest : public testing::Test {
 protected:
  SpinTest() {
    BeginSearch();
    EnterPhase(channel::Phase::kExplaining);
  }
  ~SpinTest() override { BeginSearch(); }
  static void EnterPhase(channel::Phase phase) {
    ChannelHeader().phase.store(static_cast<uint32_t>(phase));
  }

  const Body waits_for_x_ = [this] {
    while (Load(memory_.x) == 0) {
    }
  };
  Body Stores(uint32_t& object, uint32_t value) {
    return [&object, value] { Store(object, value); };
  }

  Memory memory_;
};

uint32_t EventsOf(const trace::Execution& run, op::ThreadId thread, op::Kind kind) {
  uint32_t count = 0;
  for (const trace::Event& event : run.events)
    count += event.thread == thread && event.kind == kind;
  return count;
}

//   T1          T2
//   x? 0
//   x? 0
//   ~           x = 1     no choice: T1 is not open
//   x? 1
TEST_F(SpinTest, AThreadWaitsForWhatItsLoopReads) {
  const trace::Execution& run = RunOnce({waits_for_x_, Stores(memory_.x, 1)});
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  EXPECT_EQ(StepsOf(run), "1 1 (2) (1)");
}

//   T1          T2
//   x? 0
//   x? 0
//   ~           x = 0     leaves x as it was, and T1 would see nothing new
//   ~           x = 1
//   x? 1
TEST_F(SpinTest, AWriteOfTheSameValueWakesNobody) {
  const trace::Execution& run = RunOnce({waits_for_x_, [this] {
                                           Store(memory_.x, 0);
                                           Store(memory_.x, 1);
                                         }});
  EXPECT_EQ(StepsOf(run), "1 1 (2) (2) (1)");
}

//   T1          T2
//   x? 0
//   x? 0
//   ~           y = 1     another object
//   ~           x = 1
//   x? 1
TEST_F(SpinTest, AWriteOfAnotherObjectWakesNobody) {
  const trace::Execution& run = RunOnce({waits_for_x_, [this] {
                                           Store(memory_.y, 1);
                                           Store(memory_.x, 1);
                                         }});
  EXPECT_EQ(StepsOf(run), "1 1 (2) (2) (1)");
}

//   T1          T2
//   x? 0                  the anchor
//   y? 0
//   x? 0                  the state was taken before this one
//   y? 0
//   ~           y = 1     T1 waits for both
//   x? 0
//   y? 1
TEST_F(SpinTest, ALoopMayReadSeveralObjects) {
  const trace::Execution& run = RunOnce({[this] {
                                           while (Load(memory_.x) == 0 && Load(memory_.y) == 0) {
                                           }
                                         },
                                         Stores(memory_.y, 1)});
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  EXPECT_EQ(StepsOf(run), "1 1 1 1 (2) (1) (1)");
}

//   T1          T2
//   x? 0                  the anchor
//   y? 0
//   x? 0                  the state was taken before this one
//               x = 1
//   y? 0                  back at the anchor in the same state; but x is another one than T1 has
//   x? 1                  seen, so it must not wait
TEST_F(SpinTest, WhatChangedMeanwhileIsLookedAtAgain) {
  const Script script = {1, 1, 1, 2, 1};
  Plan plan;
  plan.script = script;
  const trace::Execution& run = RunOnce({[this] {
                                           while (Load(memory_.x) == 0 && Load(memory_.y) == 0) {
                                           }
                                         },
                                         Stores(memory_.x, 1)},
                                        plan);
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  EXPECT_EQ(StepsOf(run), "1 1 1 2* (1) (1)");
}

//   T1          T2
//   x? 0
//   x? 0
//   ~           h         nobody is left to write x
TEST_F(SpinTest, WhenNobodyIsLeftToWriteItIsALivelock) {
  const trace::Execution& run = RunOnce({waits_for_x_, [] { Hook(); }});
  EXPECT_EQ(run.ending.kind, EndKind::kLivelock);
  EXPECT_EQ(run.ending.thread, 1u);
  EXPECT_EQ(StepsOf(run), "1 1 (2)");
}

// A loop that gets something done each time is no wait: nothing is the same again.
TEST_F(SpinTest, ALoopThatChangesSomethingDoesNotWait) {
  const trace::Execution& run = RunOnce({[this] {
                                           for (uint32_t i = 1; Load(memory_.x) < 20; ++i)
                                             Store(memory_.x, i);
                                         },
                                         [] { Hook(); }});
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  EXPECT_EQ(EventsOf(run, 1, op::Kind::kAtomicLoad), 21u);   // 0 to 20
  EXPECT_EQ(EventsOf(run, 1, op::Kind::kAtomicStore), 20u);  // 1 to 20
  EXPECT_EQ(run.preemptions, 0u);
}

// ---- loops that change memory and change it back ----

class BlinkTest : public SpinTest {
 protected:
  const Body blinks_ = [this] {
    while (Load(memory_.y) == 0) {
      Store(memory_.x, 1);
      Store(memory_.x, 0);
    }
  };
  // Who was open after T2's first step.
  std::string OpenAfter(const trace::Execution& run) {
    size_t step = 1;
    while (run.steps[step].thread != 2) ++step;
    const auto choices = run.ChoicesOf(step + 1);
    if (choices.empty()) return std::to_string(run.steps[step + 1].thread);
    return OptionsOf(run, static_cast<size_t>(choices.data() - run.choices.data()));
  }
};

//   T1             T2
//   y? 0
//   x = 1; x = 0              16 times: only then is it looked at whether a loop restores
//   ...
//   ~              z? 0       nobody saw x
//   ~              y = 1
//   y? 1
TEST_F(BlinkTest, WhatRestoresItselfWaits) {
  const trace::Execution& run = RunOnce({blinks_, [this] {
                                           Load(memory_.z);
                                           Store(memory_.y, 1);
                                         }});
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  EXPECT_GE(EventsOf(run, 1, op::Kind::kAtomicStore), 32u);
  EXPECT_LE(EventsOf(run, 1, op::Kind::kAtomicStore), 64u);
  EXPECT_EQ(OpenAfter(run), "2");
}

//   T1             T2
//   ~              x? 0       could have seen 1: so T1 goes on blinking
//   ...            y = 1
TEST_F(BlinkTest, WhoReadsWhatItChangesWakesIt) {
  const trace::Execution& run = RunOnce({blinks_, [this] {
                                           Load(memory_.x);
                                           Store(memory_.y, 1);
                                         }});
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  EXPECT_EQ(OpenAfter(run), "1,2");
}

// ---- loops that count ----

class CountTest : public SpinTest {
 protected:
  // Looks at x twenty times at most.
  const Body counts_ = [this] {
    for (uint32_t i = 0; i < 20; ++i) {
      asm volatile("" : "+m"(i));  // in memory, or it might be unrolled
      if (Load(memory_.x) != 0) return;
    }
    Hook();
  };
};

//   T1          T2
//   x? 0                  the anchor
//   x? 0                  the state was taken before it; the next time it is the same but for i
//   ~           x = 1
//   x? 1
TEST_F(CountTest, ALoopThatCountsWaitsBeforeItsThirdRound) {
  const trace::Execution& run = RunOnce({counts_, Stores(memory_.x, 1)});
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  EXPECT_EQ(StepsOf(run), "1 1 2 (1)");
  EXPECT_EQ(OptionsOf(run, 2), "1,2");  // its rounds may run out, which is not early
}

//   T1          T2
//   x? 0
//   x? 0
//   x? 0 ...              18 rounds in one step, and the same look is one event
//   h
//               x = 1
TEST_F(CountTest, OrItsRoundsRunOut) {
  const plan::Deviation runs_out[] = {{2, 1}};
  Plan plan;
  plan.deviations = runs_out;
  const trace::Execution& run = RunOnce({counts_, Stores(memory_.x, 1)}, plan);
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  EXPECT_EQ(StepsOf(run), "1 1 1* 1 (2)");
  EXPECT_EQ(run.EventsOf(3).size(), 1u);
  EXPECT_EQ(run.EventsOf(4)[0].kind, op::Kind::kHook);
  EXPECT_EQ(run.preemptions, 0u);
  EXPECT_EQ(run.early_timeouts, 0u);
}

// ---- polling under a lock ----

class PollTest : public SpinTest {
 protected:
  // What the threads tell each other by memory that heddle does not see.
  volatile bool done_ = false;
  const Body polls_ = [this] {
    for (bool over = false; !over;) {
      Lock(memory_.m);
      over = done_;
      Unlock(memory_.m);
    }
  };
};

//   T1              T2
//   lock, unlock             the anchor
//   lock, unlock             the state was taken before it
//   ~               h        any step of another wakes T1, which yields from now on
//                   h
//   lock, unlock
TEST_F(PollTest, WhoPollsWaitsForAnyStepOfAnother) {
  const trace::Execution& run = RunOnce({polls_, [this] {
                                           Hook();
                                           Hook();
                                           done_ = true;
                                         }});
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  EXPECT_EQ(StepsOf(run), "1 1 1 1 (2) 2 (1) (1)");
  const trace::Choice& yields = run.choices[4];
  EXPECT_EQ(yields.running, 2u);
  EXPECT_EQ(OptionsOf(run, 4), "1,2");
  EXPECT_EQ(run.preemptions, 0u);
}

//   T1
//   lock, unlock    two rounds, and then a hundred more, because memory that heddle does not see
//   ...             may count them
TEST_F(PollTest, WhoPollsAloneGoesRoundAHundredTimes) {
  const trace::Execution& run = RunOnce({polls_});
  EXPECT_EQ(run.ending.kind, EndKind::kLivelock);
  EXPECT_EQ(EventsOf(run, 1, op::Kind::kMutexLock), 102u);
}

// ---- rounds in vain ----

// In a search: when a thread is known to wait, the place is noted, and the search begins again with
// it.
class AwaitTest : public SpinTest {
 protected:
  AwaitTest() { EnterPhase(channel::Phase::kSearching); }

  // `threads` under `plan` in a search that has noted its places.
  const trace::Execution& RunSearching(const std::vector<Body>& threads, const Plan& plan = {}) {
    for (;;) {
      memory_.x = memory_.y = memory_.z = 0;
      const trace::Execution& run = RunOnce(threads, plan);
      if (run.ending.kind != EndKind::kNeedsMorePoints) return run;
      ++beginnings_;
      GrowVisible();
    }
  }

  uint32_t beginnings_ = 0;
};

//   T1          T2
//   x? 0                  in vain: it leads T1 back to where it was
//   ~           x = 1
//   x? 1
TEST_F(AwaitTest, EvenTheFirstRoundIsInVain) {
  const trace::Execution& run = RunSearching({waits_for_x_, Stores(memory_.x, 1)});
  EXPECT_EQ(beginnings_, 1u);
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  EXPECT_EQ(StepsOf(run), "1 (2) (1)");
  EXPECT_EQ(run.vain_steps, 1u);
  EXPECT_EQ(run.steps[1].vain, 1u);
  EXPECT_EQ(run.steps[1].repeatable, 1u);  // it reads nothing but x
  EXPECT_NE(run.steps[1].await, 0u);
  EXPECT_EQ(run.steps[3].vain, 0u);
  EXPECT_EQ(run.EventsOf(1)[0].access, op::Access::kRead);  // it stays in the trace
  const uint64_t graph = run.happens_before;

  //   T1          T2
  //               x = 1     without the round: the same graph
  //   x? 1
  const plan::Deviation other[] = {{0, 2}};
  Plan plan;
  plan.deviations = other;
  const trace::Execution& without = RunSearching({waits_for_x_, Stores(memory_.x, 1)}, plan);
  EXPECT_EQ(StepsOf(without), "2* (1)");
  EXPECT_EQ(without.vain_steps, 0u);
  EXPECT_EQ(without.happens_before, graph);
}

[[gnu::noinline]] bool TryForAWhile(uint32_t& object) {
  for (uint32_t i = 0; i < 20; ++i) {
    asm volatile("" : "+r"(i));  // as below
    if (Load(object) != 0) return true;
  }
  return false;
}

class LastLookTest : public AwaitTest {
 protected:
  // Looks at x twenty times at most.
  const Body counts_ = [this] {
    for (uint32_t i = 0; i < 20; ++i) {
      asm volatile("" : "+r"(i));  // or it might be unrolled
      if (Load(memory_.x) != 0) return;
    }
    Hook();
  };
};

//   T1          T2
//               x = 1     others go first, as at a yield
//   x? 1
TEST_F(LastLookTest, ComesAfterWhatOthersDo) {
  const trace::Execution& run = RunSearching({counts_, Stores(memory_.x, 1)});
  EXPECT_EQ(beginnings_, 1u);
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  EXPECT_EQ(StepsOf(run), "2 (1)");
  EXPECT_EQ(run.preemptions, 0u);
}

//   T1          T2
//   x? 0 ...              20 rounds in one step, and all looks are one event
//   h
//               x = 1
TEST_F(LastLookTest, OrBefore) {
  const plan::Deviation stays[] = {{0, 1}};
  Plan plan;
  plan.deviations = stays;
  const trace::Execution& run = RunSearching({counts_, Stores(memory_.x, 1)}, plan);
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  EXPECT_EQ(StepsOf(run), "1* 1 (2)");
  EXPECT_EQ(run.EventsOf(1).size(), 1u);
  EXPECT_EQ(run.EventsOf(2)[0].kind, op::Kind::kHook);
  EXPECT_EQ(run.vain_steps, 0u);
  EXPECT_EQ(run.preemptions, 0u);
}

// The loop in the loop ends, the outer one does not: the thread waits as in any loop without an
// end.
TEST_F(LastLookTest, OfALoopThatBeginsAgainIsNoLastOne) {
  const Body again = [this] {
    while (!TryForAWhile(memory_.x)) {
    }
  };
  const trace::Execution& run = RunSearching({again, Stores(memory_.x, 1)});
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  const trace::Execution& alone = RunSearching({again});
  EXPECT_EQ(alone.ending.kind, EndKind::kLivelock);
}

//   T1          T2
//   x? 0                  in vain
//   ~           x = 1
//   x? 1                  in vain: the state is the same, whatever value was found
//   ~           x = 2
//   x? 2
TEST_F(AwaitTest, EveryValueThatIsNotWaitedForIsInVain) {
  const Body waits = [this] {
    while (Load(memory_.x) != 2) {
    }
  };
  const Body counts = [this] {
    Store(memory_.x, 1);
    Store(memory_.x, 2);
  };
  const Script script = {1, 2, 1, 2, 1};
  Plan plan;
  RunSearching({waits, counts}, plan);  // the places
  plan.script = script;
  const trace::Execution& run = RunSearching({waits, counts}, plan);
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  EXPECT_EQ(run.vain_steps, 0u);  // rounds of a script are steps like any others
  const plan::Deviation looks[] = {{1, 1}};
  plan = {};
  plan.deviations = looks;
  const trace::Execution& vain = RunSearching({waits, counts}, plan);
  EXPECT_EQ(StepsOf(vain), "1 (2) 1* (2) (1)");
  EXPECT_EQ(vain.vain_steps, 2u);
}

// A function of its own, or a compiler might give a loop's first look other code than the next.
[[gnu::noinline]] bool LookOrYield(const uint32_t& x) {
  if (Load(x) != 0) return true;
  Yield();
  return false;
}

//   T1               T2
//   x? 0, yields             one step, in vain
//   ~                x = 1
//   x? 1
TEST_F(AwaitTest, AYieldInARoundIsNoSchedulingPoint) {
  const Body waits = [this] {
    while (!LookOrYield(memory_.x)) {
    }
  };
  // Nobody is known to wait as long as T2 goes first. Choices 1 and 3 are T1's first two yields.
  const plan::Deviation stays[] = {{1, 1}, {3, 1}};
  Plan plan;
  plan.deviations = stays;
  EXPECT_EQ(RunOnce({waits, Stores(memory_.x, 1)}, plan).ending.kind, EndKind::kNeedsMorePoints);
  GrowVisible();
  memory_.x = 0;
  const trace::Execution& run = RunSearching({waits, Stores(memory_.x, 1)});
  EXPECT_EQ(StepsOf(run), "1 (2) (1)");
  EXPECT_EQ(run.vain_steps, 1u);
}

// The last step of a script is in vain: its place is reached otherwise, so the plan may want the
// execution to end there.
TEST_F(AwaitTest, AVainStepMayEndTheExecution) {
  RunSearching({waits_for_x_, Stores(memory_.x, 1)});  // the places
  const Script script = {1};
  Plan plan;
  plan.script = script;
  plan.end_if_vain = true;
  const trace::Execution& run = RunSearching({waits_for_x_, Stores(memory_.x, 1)}, plan);
  EXPECT_EQ(run.ending.kind, EndKind::kRedundant);
  EXPECT_EQ(StepsOf(run), "1");
}

//   T1      T2       T3
//   x? 0
//   ~                h      for reductions: who ends a wait goes last
//                    h
//           x = 1
//   x? 1
TEST_F(AwaitTest, LooksComeFirstAndWhatEndsThemLast) {
  const Body twice = [] {
    Hook();
    Hook();
  };
  const std::vector<Body> threads = {waits_for_x_, Stores(memory_.x, 1), twice};
  // By default T2 follows T1, then T3 follows T2, which it preempts nobody for.
  EXPECT_EQ(StepsOf(RunSearching(threads)), "1 2 3 3 (1)");
  Plan plan;
  plan.looks_first = true;
  EXPECT_EQ(StepsOf(RunSearching(threads, plan)), "1 3* 3 (2) (1)");
}

}  // namespace
}  // namespace heddle::runtime
