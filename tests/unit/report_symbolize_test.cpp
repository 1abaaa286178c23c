#include "report/symbolize.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>

#include "self_module.h"

namespace heddle::report {
namespace {

__attribute__((noinline)) uint64_t ReturnAddress() {
  asm volatile("");  // or the compiler merges two calls
  return reinterpret_cast<uint64_t>(__builtin_return_address(0));
}

__attribute__((noinline)) uint64_t PcInHere() {
  uint64_t pc = ReturnAddress();
  asm volatile("" : "+r"(pc));
  return pc;
}

__attribute__((noinline)) uint64_t PcInThere() {
  uint64_t pc = ReturnAddress();
  asm volatile("nop" : "+r"(pc));  // or it would be one function with the other
  return pc;
}

std::string FunctionAt(Symbolizer& symbolizer, const std::vector<Module>& modules, uint64_t pc) {
  return symbolizer.Frames(modules, pc, false).front().location.function;
}

// The file is gone when the second address is looked up: what was opened is used.
TEST(Symbolizer, OpensEachFileOnce) {
  char folder[] = "/tmp/heddle-unit-XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  const std::string link = std::string(folder) + "/program";
  Module self = Self();
  ASSERT_EQ(symlink(self.path.c_str(), link.c_str()), 0);
  self.path = link;
  Symbolizer symbolizer;
  EXPECT_EQ(FunctionAt(symbolizer, {self}, PcInHere()), "PcInHere");
  ASSERT_EQ(unlink(link.c_str()), 0);
  EXPECT_EQ(FunctionAt(symbolizer, {self}, PcInThere()), "PcInThere");
  Symbolizer other;
  EXPECT_EQ(FunctionAt(other, {self}, PcInHere()), "");
  EXPECT_EQ(rmdir(folder), 0);
}

TEST(Symbolize, AFunctionThatWasSplitIsOneFrame) {
  const auto frame = [](const char* function, uint32_t line, bool is_part = false) {
    Frame one;
    one.location = {"/src/a.cpp", line, function};
    one.is_part = is_part;
    return one;
  };
  const auto lines = [](const std::vector<Frame>& stack) {
    std::vector<uint32_t> all;
    for (const Frame& one : stack) all.push_back(one.location.line);
    return all;
  };
  using Lines = std::vector<uint32_t>;
  std::vector<Frame> stack;
  AppendFrames(stack, {frame("abort_if", 3), frame("Notify", 13, true)});
  AppendFrames(stack, {frame("Notify", 12), frame("Send", 35)});
  EXPECT_EQ(lines(stack), (Lines{3, 13, 35}));
  // A function that calls itself, and a part that others call.
  stack.clear();
  AppendFrames(stack, {frame("Walk", 5)});
  AppendFrames(stack, {frame("Walk", 6)});
  EXPECT_EQ(lines(stack), (Lines{5, 6}));
  stack.clear();
  AppendFrames(stack, {frame("Notify", 13, true)});
  AppendFrames(stack, {frame("Send", 35)});
  EXPECT_EQ(lines(stack), (Lines{13, 35}));
}

}  // namespace
}  // namespace heddle::report
