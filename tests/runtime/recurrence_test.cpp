// Does a thread come back to the same place in the same state (loops/recurrence.h)? Threads by
// hand, on the test's own stack.
#include "runtime/loops/recurrence.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "runtime/loops/recent_writes.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

op::Operation At(uintptr_t pc, uintptr_t object) {
  return {.kind = op::Kind::kAtomicLoad, .object = object, .pc = pc};
}

class RecurrenceTest : public testing::Test {
 protected:
  RecurrenceTest() : self_(std::make_unique<Fiber>()) { g_state.bump.Reset(); }
  // NoteWritten leaves out the thread's own stack, and this one's is nowhere.
  void Write(uint64_t& memory, uint64_t value) {
    memory = value;
    NoteWritten(*self_, reinterpret_cast<uintptr_t>(&memory), sizeof memory);
  }
  void Take() { TakeValues(*self_, cycle_); }

  std::unique_ptr<Fiber> self_;
  Recurrence cycle_;
  uint64_t a_ = 0, b_ = 0;
};

// A place is code and what it accesses: a loop over an array never comes back to one.
TEST_F(RecurrenceTest, APlaceIsCodeAndObject) {
  BeginRecurrence(cycle_, *self_, At(10, 100), kFirstLongest);
  EXPECT_TRUE(IsAt(cycle_, At(10, 100)));
  EXPECT_FALSE(IsAt(cycle_, At(10, 108)));
  EXPECT_FALSE(IsAt(cycle_, At(11, 100)));
}

//   events   1  2 ... 8   9            10 ... 24   25
//   anchor   10           the ninth,               the twenty-fifth, and the while doubles again:
//            away 8       away 16                  32
TEST_F(RecurrenceTest, AnAnchorNotMetIsGivenUp) {
  BeginRecurrence(cycle_, *self_, At(10, 0), kFirstLongest);
  for (uintptr_t event = 1; event <= 8; ++event) CountEvent(cycle_, *self_, At(100 + event, 0));
  EXPECT_EQ(cycle_.anchor, 10u);
  CountEvent(cycle_, *self_, At(109, 0));
  EXPECT_EQ(cycle_.anchor, 109u);
  EXPECT_EQ(cycle_.longest, 16u);
  for (uintptr_t event = 1; event <= 16; ++event) CountEvent(cycle_, *self_, At(200 + event, 0));
  EXPECT_EQ(cycle_.anchor, 109u);
  CountEvent(cycle_, *self_, At(217, 0));
  EXPECT_EQ(cycle_.anchor, 217u);
  EXPECT_EQ(cycle_.longest, 32u);
}

//   a = 1   (taken)   a = 2   a = 1
//                     differs the same again
TEST_F(RecurrenceTest, WhatWasWrittenHasTheValueOfThen) {
  Write(a_, 1);
  Take();
  EXPECT_TRUE(IsRestored(*self_, cycle_));
  Write(a_, 2);
  EXPECT_FALSE(IsRestored(*self_, cycle_));
  Write(a_, 1);
  EXPECT_TRUE(IsRestored(*self_, cycle_));
}

//   a = 1   (taken)   b = 0    what b was then is not known, whatever it is now
TEST_F(RecurrenceTest, WhatWasNotWrittenBeforeIsNotKnown) {
  Write(a_, 1);
  Take();
  Write(b_, 0);
  EXPECT_FALSE(IsRestored(*self_, cycle_));
}

//   a = 1   b = 1   (taken)   b = 1   a = 1    in any order
TEST_F(RecurrenceTest, TheOrderOfWritesDoesNotMatter) {
  Write(a_, 1);
  Write(b_, 1);
  Take();
  Write(b_, 1);
  Write(a_, 1);
  EXPECT_TRUE(IsRestored(*self_, cycle_));
  Write(b_, 3);
  EXPECT_FALSE(IsRestored(*self_, cycle_));
}

// The ring holds the last 64 writes: a round of more is not recognised.
TEST_F(RecurrenceTest, ARoundOfTooManyWrites) {
  Write(a_, 1);
  Take();
  for (uint32_t i = 0; i < kRecentWrites; ++i) Write(a_, 1);
  EXPECT_TRUE(IsRestored(*self_, cycle_));
  Write(a_, 1);
  EXPECT_FALSE(IsRestored(*self_, cycle_));
}

//   a = 1   (taken)   a = 2    but nobody will read a before it is written again
TEST_F(RecurrenceTest, WhatIsDeadIsLeftOut) {
  Write(a_, 1);
  Take();
  Write(a_, 2);
  DeadMemory dead;
  const auto begin = reinterpret_cast<uintptr_t>(&a_);
  dead.ranges[dead.count++] = {begin, begin + sizeof a_};
  EXPECT_TRUE(IsRestored(*self_, cycle_, dead));
  --dead.ranges[0].end;  // a byte of it is alive
  EXPECT_FALSE(IsRestored(*self_, cycle_, dead));
}

// ---- visits: the state is registers and stack, too ----

// The thread stands before an operation that was called from this function's caller. That is the
// frame whose registers and stack are compared.
[[gnu::noinline]] Visit VisitHere(Fiber& self, Recurrence& cycle, bool idle) {
  self.pending.pc = HEDDLE_CALLER;
  return VisitAnchor(self, cycle, idle);
}

// What the visits answered; not on the stack, which would be another one each time.
Visit answers[100];
uint32_t answered;

class VisitTest : public RecurrenceTest {
 protected:
  VisitTest() {
    answered = 0;
    self_->stack_begin = static_cast<char*>(__builtin_frame_address(0)) - (16 << 10);
    self_->stack_size = (16 << 10) + 1024;
  }

  // So many rounds of a loop that does nothing.
  [[gnu::noinline]] void GoRound(uint32_t rounds) {
    while (answered < rounds) answers[answered++] = VisitHere(*self_, cycle_, true);
  }
  // Of one that counts where the thread's stack is; `idle`: nobody else does anything.
  [[gnu::noinline]] void GoRoundCounting(uint32_t rounds, bool idle) {
    uint32_t count = 0;
    for (; count < rounds; ++count) {
      answers[answered++] = VisitHere(*self_, cycle_, idle);
      asm volatile("" : "+m"(count));  // it is not in a register
    }
  }
};

//   visit   1       2     3
//           taken   met   met
TEST_F(VisitTest, TheSameStateIsMet) {
  GoRound(3);
  EXPECT_EQ(answers[0], Visit::kTaken);
  EXPECT_EQ(answers[1], Visit::kMet);
  EXPECT_EQ(answers[2], Visit::kMet);
}

//   visit   1  2  3  4  5  6  7  8     the state is another one each time, and is taken at powers
//           t  t  -  t  -  -  -  t     of two
TEST_F(VisitTest, ALoopThatCountsIsNeverInTheSameState) {
  GoRoundCounting(8, true);
  for (uint32_t visit = 1; visit <= 8; ++visit) {
    const bool power = visit == 1 || visit == 2 || visit == 4 || visit == 8;
    EXPECT_EQ(answers[visit - 1], power ? Visit::kTaken : Visit::kOther) << visit;
  }
}

//   visit   1  2  3  4  5     what others did may have led the thread to its new state: nothing old
//           t  t  t  t  t     is compared with
TEST_F(VisitTest, WhenOthersInterfereItIsTakenAnew) {
  GoRoundCounting(5, false);
  for (uint32_t visit = 1; visit <= 5; ++visit) EXPECT_EQ(answers[visit - 1], Visit::kTaken);
}

//   visit   1      2      3      4        what the thread wrote elsewhere is part of its state
//           a = 1  a = 2  a = 2  a = 1
//           taken  taken  met    taken
TEST_F(VisitTest, WritesArePartOfTheState) {
  static const uint64_t values[] = {1, 2, 2, 1};
  while (answered < 4) {
    Write(a_, values[answered]);
    answers[answered++] = VisitHere(*self_, cycle_, true);
  }
  EXPECT_EQ(answers[0], Visit::kTaken);
  EXPECT_EQ(answers[1], Visit::kTaken);
  EXPECT_EQ(answers[2], Visit::kMet);
  EXPECT_EQ(answers[3], Visit::kTaken);
}

}  // namespace
}  // namespace heddle::runtime
