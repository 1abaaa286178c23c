// Which loop has to be left, on code written by hand: of the call of LoopToLeaveHere in each piece.
#include "runtime/loops/code/loop_to_leave.h"

#include <gtest/gtest.h>

#include "runtime/prim/code_flow.h"

namespace heddle::runtime {
namespace {

extern "C" {
[[gnu::used]] void LoopToLeaveHere() {}
[[gnu::used]] void LoopToLeaveOther() {}
[[gnu::used]] void LoopToLeaveEnd() {}
extern const char leave_none[], leave_endless[], leave_while[], leave_while_entry[], leave_inner[],
    leave_inner_entry[], leave_around[], leave_shared[], leave_shared_jump[], leave_continue[],
    leave_assert[], leave_switch[], leave_two_deep[], leave_two_deep_entry[], leave_vector[];
}

asm(R"(
  .text
leave_none:
  call LoopToLeaveHere
  1: call LoopToLeaveOther
  jmp 1b
leave_endless:                 # for (;;) here();
  nop
  1: call LoopToLeaveHere
  jmp 1b
leave_while:                   # while (other()) here();
  nop
leave_while_entry:
  1: call LoopToLeaveOther
  test %eax, %eax
  je 2f
  call LoopToLeaveHere
  jmp 1b
  2: ret
leave_inner:                   # for (;;) { other(); while (here()) {} }
  nop
  1: call LoopToLeaveOther
leave_inner_entry:
  2: call LoopToLeaveHere
  test %eax, %eax
  jne 2b
  jmp 1b
leave_around:                  # for (;;) { here(); while (other()) {} }
  nop
  1: call LoopToLeaveHere
  2: call LoopToLeaveOther
  test %eax, %eax
  jne 2b
  jmp 1b
leave_shared:                  # for (;;) { while (here()) {} other(); }
  nop
  1: call LoopToLeaveHere
  test %eax, %eax
leave_shared_jump:
  jne 1b
  call LoopToLeaveOther
  jmp 1b
leave_continue:                # for (;;) { if (here()) { a = 1; continue; } a = 2; }
  nop
  1: call LoopToLeaveHere
  test %eax, %eax
  je 2f
  mov $1, %ecx
  jmp 1b
  2: mov $2, %ecx
  jmp 1b
leave_assert:                  # for (;;) assert(here());
  nop
  1: call LoopToLeaveHere
  test %eax, %eax
  jne 1b
  call LoopToLeaveEnd
leave_switch:                  # for (;;) { here(); switch ... }
  nop
  1: call LoopToLeaveHere
  test %eax, %eax
  jne 1b
  jmp *%rcx
leave_two_deep:                # for (;;) { do { do here(); while (a); } while (b); other(); }
  nop
  1: nop
leave_two_deep_entry:
  2: nop
  3: call LoopToLeaveHere
  test %eax, %eax
  jne 3b
  test %edx, %edx
  jne 2b
  call LoopToLeaveOther
  jmp 1b
leave_vector:                  # code that decode.h does not know is read, too
  nop
  1: pxor %xmm0, %xmm0
  vaddps 0x12345678(%rax,%rbx,4), %ymm1, %ymm2
  imul $0x1234, 8(%rsp), %eax
  call LoopToLeaveHere
  jmp 1b
)");

uintptr_t Address(const char* code) { return reinterpret_cast<uintptr_t>(code); }

LoopOfCall At(const char* code) {
  uintptr_t pc = Address(code);
  for (;;) {
    const CodeFlow flow = FlowAt(pc);
    pc = flow.next;
    if (flow.flow == Flow::kCall && flow.target == reinterpret_cast<uintptr_t>(&LoopToLeaveHere))
      break;
  }
  return FindLoopToLeave(Address(code), pc, [](uintptr_t target) {
    return target == reinterpret_cast<uintptr_t>(&LoopToLeaveEnd);
  });
}

TEST(LoopToLeaveTest, ACallBeforeTheLoopIsInNone) {
  EXPECT_EQ(At(leave_none).kind, LoopKind::kNone);
}

TEST(LoopToLeaveTest, ALoopWithoutAnEndIsNotToBeLeft) {
  EXPECT_EQ(At(leave_endless).kind, LoopKind::kEndless);
  EXPECT_EQ(At(leave_assert).kind, LoopKind::kEndless) << "a failed assertion is no way out";
  EXPECT_EQ(At(leave_around).kind, LoopKind::kEndless) << "beside an inner loop";
  EXPECT_EQ(At(leave_continue).kind, LoopKind::kEndless) << "two ways round";
  EXPECT_EQ(At(leave_vector).kind, LoopKind::kEndless);
}

TEST(LoopToLeaveTest, OneThatReturnsIs) {
  EXPECT_EQ(At(leave_while).kind, LoopKind::kCanBeLeft);
  EXPECT_EQ(At(leave_while).at, Address(leave_while_entry));
}

TEST(LoopToLeaveTest, AnInnerLoopIs) {
  EXPECT_EQ(At(leave_inner).kind, LoopKind::kCanBeLeft);
  EXPECT_EQ(At(leave_inner).at, Address(leave_inner_entry));
}

TEST(LoopToLeaveTest, OneThatBeginsWhereTheOuterOneDoesIs) {
  EXPECT_EQ(At(leave_shared).kind, LoopKind::kCanBeLeft);
  EXPECT_EQ(At(leave_shared).at, Address(leave_shared_jump));
}

TEST(LoopToLeaveTest, TheOutermostThatCanBeLeftCounts) {
  EXPECT_EQ(At(leave_two_deep).kind, LoopKind::kCanBeLeft);
  EXPECT_EQ(At(leave_two_deep).at, Address(leave_two_deep_entry));
}

TEST(LoopToLeaveTest, CodeThatCannotBeFollowedMayReturn) {
  EXPECT_EQ(At(leave_switch).kind, LoopKind::kCanBeLeft);
}

TEST(LoopToLeaveTest, ACallThatIsNotThereIsNotKnown) {
  const auto never = [](uintptr_t) { return false; };
  EXPECT_EQ(FindLoopToLeave(Address(leave_endless), 1, never).kind, LoopKind::kUnknown);
}

}  // namespace
}  // namespace heddle::runtime
