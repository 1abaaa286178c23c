// Counters of loops that wait, in code written by hand: the anchor is the return of the first call
// of each piece, which stands for the look. `Yield` only yields, `Announce` announces an access,
// `Abort` does not return; every other call is an operation.
#include "runtime/loops/code/round_counters.h"

#include <gtest/gtest.h>

#include "runtime/prim/decode.h"

namespace heddle::runtime {
namespace {

constexpr uint16_t kRbx = 1u << 3, kR12 = 1u << 12;

extern "C" {
[[gnu::used]] void CountersLook() {}
[[gnu::used]] void CountersOther() {}
[[gnu::used]] void CountersYield() {}
[[gnu::used]] void CountersAnnounce() {}
[[gnu::used]] void CountersAbort() {}
extern const char counters_bounded[], counters_relax[], counters_returned[], counters_asked[],
    counters_stored[], counters_endless[], counters_two_ways[], counters_late_exit[],
    counters_effect[], counters_copy[], counters_copy_endless[], counters_slot[],
    counters_slot_kept[], counters_passed[], counters_thrown[], counters_pad[], counters_again[],
    counters_announced[], counters_unknown[], counters_pointer[], counters_tail[];
int counters_global;
}

asm(R"(
  .text
counters_bounded:          # for (i = 0; i < 16; ++i) if (Look()) return 1; return 0;
  1: call CountersLook
  test %eax, %eax
  jne 2f
  add $1, %ebx
  cmp $16, %ebx
  jne 1b
  mov $0, %eax
  jmp 3f
  2: mov $1, %eax
  3: add $8, %rsp
  pop %rbx
  ret
counters_relax:            # pauses at first, and yields later
  jmp 1f
  4: pause
  add $1, %ebx
  1: mov $2, %esi
  call CountersLook
  test %eax, %eax
  je 2f
  cmp $11, %ebx
  jle 4b
  call CountersYield
  add $1, %ebx
  cmp $16, %ebx
  jne 1b
  call CountersOther
  2: pop %rbx
  ret
counters_returned:
  1: call CountersLook
  test %eax, %eax
  jne 2f
  add $1, %ebx
  cmp $16, %ebx
  jne 1b
  2: mov %ebx, %eax
  pop %rbx
  ret
counters_asked:            # if (i == 4) after the loop
  1: call CountersLook
  test %eax, %eax
  jne 2f
  add $1, %ebx
  cmp $16, %ebx
  jne 1b
  2: cmp $4, %ebx
  je 3f
  mov $0, %eax
  3: pop %rbx
  ret
counters_stored:
  1: call CountersLook
  test %eax, %eax
  jne 2f
  add $1, %ebx
  mov %ebx, counters_global(%rip)
  cmp $16, %ebx
  jne 1b
  2: pop %rbx
  ret
counters_endless:          # while (!Look()) ++n;
  1: call CountersLook
  add $1, %ebx
  test %eax, %eax
  je 1b
  pop %rbx
  ret
counters_two_ways:         # leaves at 8 by one way and at 16 by another one
  1: call CountersLook
  test %eax, %eax
  jne 2f
  cmp $8, %ebx
  je 3f
  add $1, %ebx
  cmp $16, %ebx
  jne 1b
  2: mov $0, %eax
  pop %rbx
  ret
  3: mov $1, %eax
  pop %rbx
  ret
counters_late_exit:        # if (i < 3 || !found) goes on: one way out, which depends on both
  1: call CountersLook
  add $1, %ebx
  cmp $3, %ebx
  jle 1b
  test %eax, %eax
  je 1b
  pop %rbx
  ret
counters_effect:           # does something if it finds 1, and counts that round, too
  1: call CountersLook
  cmp $1, %eax
  jne 2f
  call CountersOther
  2: add $1, %ebx
  cmp $16, %ebx
  jne 1b
  pop %rbx
  ret
counters_copy:             # returns what the round before found when the rounds run out
  1: call CountersLook
  test %eax, %eax
  jne 2f
  mov %eax, %r12d
  add $1, %ebx
  cmp $16, %ebx
  jne 1b
  2: mov %r12d, %eax
  pop %r12
  pop %rbx
  ret
counters_copy_endless:     # the same of a loop that cannot run out: the copy is dead at the look
  1: call CountersLook
  mov %eax, %r12d
  add $1, %ebx
  cmp $2, %eax
  jne 1b
  mov %r12d, %eax
  pop %r12
  pop %rbx
  ret
counters_slot:             # the counter lies in the frame
  1: call CountersLook
  test %eax, %eax
  jne 2f
  addl $1, 8(%rsp)
  cmpl $16, 8(%rsp)
  jne 1b
  2: add $24, %rsp
  ret
counters_slot_kept:        # and a call that follows may have its address
  1: call CountersLook
  test %eax, %eax
  jne 2f
  addl $1, 8(%rsp)
  cmpl $16, 8(%rsp)
  jne 1b
  2: call CountersOther
  add $24, %rsp
  ret
counters_passed:
  1: call CountersLook
  test %eax, %eax
  jne 2f
  add $1, %ebx
  cmp $16, %ebx
  jne 1b
  2: mov %ebx, %edi
  call CountersOther
  pop %rbx
  ret
counters_thrown:           # a call behind the loop may throw, and the handler looks at the counter
  1: call CountersLook
  test %eax, %eax
  jne 2f
  add $1, %ebx
  cmp $16, %ebx
  jne 1b
  2: call CountersOther
  pop %rbx
  ret
counters_pad:
  mov %ebx, %eax
  pop %rbx
  ret
counters_again:            # blocks when its rounds run out, and begins anew
  1: mov $0, %ebx
  2: call CountersLook
  test %eax, %eax
  jne 3f
  add $1, %ebx
  cmp $16, %ebx
  jne 2b
  call CountersOther
  jmp 1b
  3: pop %rbx
  ret
counters_announced:        # an access at an address that depends on the counter
  1: call CountersLook
  test %eax, %eax
  jne 2f
  add $1, %ebx
  mov %ebx, %edi
  call CountersAnnounce
  cmp $16, %ebx
  jne 1b
  2: pop %rbx
  ret
counters_unknown:
  1: call CountersLook
  test %eax, %eax
  jne 2f
  add $1, %ebx
  cpuid
  cmp $16, %ebx
  jne 1b
  2: pop %rbx
  ret
counters_pointer:          # what a pointer names may be the counter
  1: call CountersLook
  addl $1, 8(%rsp)
  mov (%r12), %ecx
  cmp $5, %ecx
  je 2f
  test %eax, %eax
  je 1b
  2: add $24, %rsp
  ret
counters_tail:             # leaves the function without a return that is known
  1: call CountersLook
  test %eax, %eax
  jne 2f
  add $1, %ebx
  cmp $16, %ebx
  jne 1b
  2: jmp *%rax
)");

Callee ClassOf(uintptr_t target) {
  if (target == reinterpret_cast<uintptr_t>(&CountersYield)) return Callee::kYields;
  if (target == reinterpret_cast<uintptr_t>(&CountersAnnounce)) return Callee::kAnnounces;
  if (target == reinterpret_cast<uintptr_t>(&CountersAbort)) return Callee::kEnds;
  return Callee::kOther;
}

bool NoPad(uintptr_t, uintptr_t& pad) {
  pad = 0;
  return true;
}

bool Pad(uintptr_t, uintptr_t& pad) {
  pad = reinterpret_cast<uintptr_t>(counters_pad);
  return true;
}

bool UnknownPad(uintptr_t, uintptr_t&) { return false; }

RoundCounters At(const char* code, bool (*pad)(uintptr_t, uintptr_t&) = NoPad) {
  const auto look = reinterpret_cast<uintptr_t>(&CountersLook);
  auto pc = reinterpret_cast<uintptr_t>(code);
  for (int i = 0; i < 20; ++i) {
    const Instruction in = Decode(pc);
    if (in.flow == Flow::kCall && in.target == look)
      return FindCounters(in.next, kNoFrame, ClassOf, pad);
    pc = in.flow == Flow::kJump ? in.target : in.next;
  }
  ADD_FAILURE() << "no look";
  return {};
}

void ExpectNone(const char* code) {
  const RoundCounters found = At(code);
  EXPECT_EQ(found.registers, 0);
  EXPECT_EQ(found.count, 0u);
}

TEST(RoundCountersTest, ALoopThatRunsOut) {
  const RoundCounters found = At(counters_bounded);
  EXPECT_EQ(found.registers, kRbx);
  EXPECT_TRUE(found.run_out);
}

TEST(RoundCountersTest, RoundsThatYieldFromSomeNumberOn) {
  const RoundCounters found = At(counters_relax);
  EXPECT_EQ(found.registers, kRbx);
  EXPECT_TRUE(found.run_out);
}

TEST(RoundCountersTest, BeginsAnewAfterItBlocked) {
  const RoundCounters found = At(counters_again);
  EXPECT_EQ(found.registers, kRbx);
  EXPECT_TRUE(found.run_out);
}

TEST(RoundCountersTest, ALoopWithoutEnd) {
  const RoundCounters found = At(counters_endless);
  EXPECT_EQ(found.registers, kRbx);
  EXPECT_FALSE(found.run_out);
}

TEST(RoundCountersTest, CopiesOfWhatIsFound) {
  EXPECT_EQ(At(counters_copy).registers, 0);
  const RoundCounters endless = At(counters_copy_endless);
  EXPECT_EQ(endless.registers, kRbx | kR12);
  EXPECT_FALSE(endless.run_out);
}

TEST(RoundCountersTest, InTheFrame) {
  const RoundCounters found = At(counters_slot);
  ASSERT_EQ(found.count, 1u);
  EXPECT_EQ(found.ranges[0].begin, 8);
  EXPECT_EQ(found.ranges[0].size, 4u);
  EXPECT_TRUE(found.run_out);
  ExpectNone(counters_slot_kept);
  ExpectNone(counters_pointer);
}

TEST(RoundCountersTest, SomebodyCouldNotice) {
  ExpectNone(counters_returned);
  ExpectNone(counters_asked);
  ExpectNone(counters_stored);
  ExpectNone(counters_passed);
  ExpectNone(counters_announced);
}

TEST(RoundCountersTest, RoundsThatAreNotAlike) {
  ExpectNone(counters_two_ways);
  ExpectNone(counters_effect);
}

TEST(RoundCountersTest, OneWayOutThatDependsOnWhatIsFound) {
  const RoundCounters found = At(counters_late_exit);
  EXPECT_EQ(found.registers, kRbx);
  EXPECT_TRUE(found.run_out);
}

TEST(RoundCountersTest, ExceptionsReachLandingPads) {
  EXPECT_EQ(At(counters_thrown).registers, kRbx);
  EXPECT_EQ(At(counters_thrown, Pad).registers, 0);
  EXPECT_EQ(At(counters_thrown, UnknownPad).registers, 0);
}

TEST(RoundCountersTest, WhatIsNotUnderstoodNotices) {
  ExpectNone(counters_unknown);
  ExpectNone(counters_tail);
}

}  // namespace
}  // namespace heddle::runtime
