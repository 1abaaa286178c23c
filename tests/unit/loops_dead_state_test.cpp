// What of a thread's state is dead where its code goes on, on code written by hand: the anchor is
// the return of the first call of each piece. All other calls are harmless if they go to
// `Harmless`.
#include "runtime/loops/code/dead_state.h"

#include <gtest/gtest.h>

#include "runtime/prim/decode.h"

namespace heddle::runtime {
namespace {

constexpr int kRbx = 3;

extern "C" {
[[gnu::used]] void DeadStateHarmless() {}
[[gnu::used]] void DeadStateOther() {}
extern const char dead_overwritten[], dead_other_call[], dead_one_path[], dead_partly[],
    dead_pointer[], dead_unknown[], dead_byte[], dead_frame_moves[], dead_copy[];
int dead_state_global;
}

// Each piece: a loop of which only the part after the first call matters.
asm(R"(
  .text
dead_overwritten:
  1: call DeadStateOther
dead_overwritten_anchor:
  mov %eax, %ebx
  lea -0x24(%rbp), %rdi
  call DeadStateHarmless
  mov %ebx, -0x24(%rbp)
  cmpl $4, -0x24(%rbp)
  jne 1b
  movzbl -0x10(%rbp), %eax
  movb $0, -0x10(%rbp)
  call DeadStateOther
dead_other_call:
  1: call DeadStateOther
  call DeadStateOther
  mov %eax, %ebx
  movl $1, 8(%rsp)
  jmp 1b
dead_one_path:
  1: call DeadStateOther
  cmp $4, %eax
  je 2f
  movl %eax, 8(%rsp)
  movl %eax, 16(%rsp)
  jmp 1b
  2: movl 8(%rsp), %ecx
  movl $0, 16(%rsp)
  hlt
dead_partly:
  1: call DeadStateOther
  movb $0, 8(%rsp)
  movw $0, 16(%rsp)
  movl 8(%rsp), %edx
  movl $0, 8(%rsp)
  movl $0, 16(%rsp)
  jmp 1b
dead_pointer:
  1: call DeadStateOther
  movl (%rdi), %ecx
  movl $0, 8(%rsp)
  mov %ecx, %ebx
  jmp 1b
dead_unknown:
  1: call DeadStateOther
  cpuid
  movl $0, 8(%rsp)
  jmp 1b
dead_byte:
  1: call DeadStateOther
  mov %al, %bl
  mov %eax, %r12d
  mov %ax, %r13w
  xor %r14d, %r14d
  add $1, %r15d
  jmp 1b
dead_frame_moves:
  1: call DeadStateOther
  lea 8(%rbp), %rbp
  movl $0, -8(%rbp)
  jmp 1b
dead_copy:
  1: call DeadStateOther
  mov %eax, dead_state_global(%rip)
  jmp 1b
)");

// The return of the call with which `code` begins.
DeadState At(const char* code, int64_t frame = kNoFrame) {
  const Instruction call = Decode(reinterpret_cast<uintptr_t>(code));
  EXPECT_EQ(call.flow, Flow::kCall);
  return FindDead(call.next, frame, [](uintptr_t target) {
    return target == reinterpret_cast<uintptr_t>(&DeadStateHarmless);
  });
}

bool Has(const DeadState& dead, int64_t begin, uint32_t size) {
  for (uint32_t i = 0; i < dead.count; ++i)
    if (dead.ranges[i].begin == begin && dead.ranges[i].size == size)
      return dead.ranges[i].on_stack;
  return false;
}

// In a loop without end a register that it does not use is dead, too.
bool HasRegister(const DeadState& dead, int reg) { return (dead.registers >> reg & 1) != 0; }

TEST(DeadStateTest, OverwrittenBeforeItIsRead) {
  const DeadState dead = At(dead_overwritten, 0x30);
  EXPECT_EQ(dead.registers, 1u << kRbx);
  EXPECT_TRUE(Has(dead, 0x30 - 0x24, 4));
  EXPECT_EQ(dead.count, 1u);  // not what is read after the loop
}

TEST(DeadStateTest, WithoutFrameItsOperandsAreAnywhere) {
  EXPECT_EQ(At(dead_overwritten).count, 0u);
}

TEST(DeadStateTest, OtherCallsReadEverything) {
  const DeadState dead = At(dead_other_call);
  EXPECT_EQ(dead.registers, 0u);
  EXPECT_EQ(dead.count, 0u);
}

TEST(DeadStateTest, OnePathThatReadsIsEnough) {
  const DeadState dead = At(dead_one_path);
  EXPECT_FALSE(Has(dead, 8, 4));
  EXPECT_TRUE(Has(dead, 16, 4));
}

TEST(DeadStateTest, APartIsNotAll) {
  const DeadState dead = At(dead_partly);
  EXPECT_TRUE(Has(dead, 8, 1));
  EXPECT_FALSE(Has(dead, 8, 4));
  EXPECT_TRUE(Has(dead, 16, 2));
  EXPECT_TRUE(Has(dead, 16, 4));
}

TEST(DeadStateTest, APointerMayReadMemoryButNoRegister) {
  const DeadState dead = At(dead_pointer);
  EXPECT_EQ(dead.count, 0u);
  EXPECT_TRUE(HasRegister(dead, kRbx));
}

TEST(DeadStateTest, WhatIsNotUnderstoodReadsEverything) {
  const DeadState dead = At(dead_unknown);
  EXPECT_EQ(dead.count, 0u);
  EXPECT_EQ(dead.registers, 0u);
}

TEST(DeadStateTest, PartsOfRegistersStay) {
  const DeadState dead = At(dead_byte);
  EXPECT_FALSE(HasRegister(dead, kRbx));
  EXPECT_TRUE(HasRegister(dead, 12));
  EXPECT_FALSE(HasRegister(dead, 13));
  EXPECT_TRUE(HasRegister(dead, 14));
  EXPECT_FALSE(HasRegister(dead, 15));
}

TEST(DeadStateTest, AFrameThatMoves) { EXPECT_EQ(At(dead_frame_moves, 0x30).count, 0u); }

TEST(DeadStateTest, Globals) {
  const DeadState dead = At(dead_copy);
  ASSERT_EQ(dead.count, 1u);
  EXPECT_FALSE(dead.ranges[0].on_stack);
  EXPECT_EQ(dead.ranges[0].begin, reinterpret_cast<intptr_t>(&dead_state_global));
}

}  // namespace
}  // namespace heddle::runtime
