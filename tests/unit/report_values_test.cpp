// What the report makes of numbers and addresses, of variables of this very test program.
#include <gtest/gtest.h>
#include <link.h>
#include <unistd.h>

#include <climits>

#include "report/names.h"
#include "report/wording.h"

enum class HeddleTestState { kIdle, kBusy = 7 };
struct HeddleTestNode {
  HeddleTestNode* next;
  int16_t number;
};

HeddleTestState heddle_test_state;
bool heddle_test_flag;
double heddle_test_ratio;
float heddle_test_part;
char heddle_test_letter;
unsigned char heddle_test_byte;
uint32_t heddle_test_unsigned;
HeddleTestNode heddle_test_nodes[3];
HeddleTestNode* heddle_test_head;
void* heddle_test_anything;

namespace heddle::report {
namespace {

std::vector<Module> Self() {
  Module self = {};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        static_cast<Module*>(data)->bias = info->dlpi_addr;
        return 1;  // the program itself comes first
      },
      &self);
  self.begin = self.bias;
  self.end = UINT64_MAX;
  char path[PATH_MAX] = {};
  if (readlink("/proc/self/exe", path, sizeof path - 1) > 0) self.path = path;
  return {self};
}

template <typename T>
uint64_t AddressOf(const T& object) {
  return reinterpret_cast<uint64_t>(&object);
}

class Values : public testing::Test {
 protected:
  template <typename T>
  std::string Of(const T& object, uint64_t value) {
    return objects_.Value(AddressOf(object), value, sizeof object);
  }
  static uint64_t Bits(double number) {
    uint64_t bits = 0;
    memcpy(&bits, &number, sizeof bits);
    return bits;
  }

  static channel::BlockRecord BlockAt(uint64_t address, uint64_t bytes, uint64_t number) {
    channel::BlockRecord block = {};
    block.address = address;
    block.bytes = bytes;
    block.number = number;
    return block;
  }
  static channel::StepRecord Writes(uint64_t number, uint64_t address, uint64_t value) {
    channel::StepRecord step = {};
    step.number = number;
    step.size = 8;
    step.object = address;
    step.written = value;
    step.facts = channel::kFactWritten;
    return step;
  }
  static channel::StepRecord WithFrames(uint64_t number, uint64_t innermost) {
    channel::StepRecord step = {};
    step.number = number;
    step.frames = 3;
    for (uint64_t i = 0; i < 3; ++i) {
      step.pc[i] = i == 0 ? innermost : 10 + 10 * i;
      step.sp[i] = 100 + 100 * i;
    }
    return step;
  }

  Symbolizer symbolizer_;
  std::vector<Module> modules_ = Self();
  ObjectNames objects_{symbolizer_, modules_};
};

TEST_F(Values, AsTheirTypeHasThem) {
  EXPECT_EQ(Of(heddle_test_state, 7), "kBusy");
  EXPECT_EQ(Of(heddle_test_state, 3), "3");
  EXPECT_EQ(Of(heddle_test_flag, 1), "true");
  EXPECT_EQ(Of(heddle_test_flag, 0), "false");
  EXPECT_EQ(Of(heddle_test_flag, 2), "2");
  EXPECT_EQ(Of(heddle_test_ratio, Bits(-1.5)), "-1.5");
  EXPECT_EQ(Of(heddle_test_part, 0x3f000000), "0.5");
  EXPECT_EQ(Of(heddle_test_letter, 'a'), "'a'");
  EXPECT_EQ(Of(heddle_test_letter, 0xff), "-1");
  EXPECT_EQ(Of(heddle_test_byte, 200), "200");
  EXPECT_EQ(Of(heddle_test_unsigned, 0xffffffff), "4294967295");
  EXPECT_EQ(Of(heddle_test_nodes[1].number, 0xffff), "-1");
}

TEST_F(Values, Pointers) {
  EXPECT_EQ(Of(heddle_test_head, 0), "null");
  EXPECT_EQ(Of(heddle_test_head, AddressOf(heddle_test_nodes[2])), "&heddle_test_nodes[2]");
  EXPECT_EQ(Of(heddle_test_nodes[0].next, AddressOf(heddle_test_nodes[1])),
            "&heddle_test_nodes[1]");
  EXPECT_EQ(Of(heddle_test_head, 0x10), "0x10");
  EXPECT_EQ(Of(heddle_test_anything, AddressOf(heddle_test_flag)), "&heddle_test_flag");
}

TEST_F(Values, OfAPartOfAVariableAreNumbers) {
  EXPECT_EQ(objects_.Value(AddressOf(heddle_test_ratio) + 4, 1, 4), "1");
  EXPECT_EQ(objects_.Value(AddressOf(heddle_test_ratio), 5, 4), "5");
  EXPECT_EQ(objects_.Value(0x20, 0xffffffff, 4), "-1");
}

TEST_F(Values, BlocksOfTheHeapLearnTheirType) {
  constexpr uint64_t kFirst = 0x110000000010;
  constexpr uint64_t kSecond = 0x110000000110;
  const std::vector<channel::BlockRecord> blocks = {
      BlockAt(kFirst, 16, 1), BlockAt(kSecond, 32, 1),
      BlockAt(kFirst, 16, 9),  // the same memory later
      BlockAt(0x110000000210, 8, 1)};
  // The head points to the first, and the first to the second.
  const std::vector<channel::StepRecord> steps = {Writes(2, kFirst, kSecond),
                                                  Writes(3, AddressOf(heddle_test_head), kFirst)};
  ObjectNames objects(symbolizer_, modules_, steps, blocks);
  objects.At(4);
  EXPECT_EQ(objects.Value(AddressOf(heddle_test_head), kFirst, 8), "HeddleTestNode#1");
  EXPECT_EQ(objects.Short(op::Kind::kPlainRead, kFirst), "HeddleTestNode#1.next");
  EXPECT_EQ(objects.Short(op::Kind::kPlainRead, kSecond + 24), "HeddleTestNode#2[1].number");
  EXPECT_EQ(objects.Value(kSecond + 8, 0xffff, 2), "-1");
  EXPECT_EQ(objects.Short(op::Kind::kPlainRead, 0x110000000214), "block#1+4");
  objects.At(10);
  EXPECT_EQ(objects.Short(op::Kind::kPlainRead, kFirst), "block#2");
  EXPECT_EQ(objects.Short(op::Kind::kPlainRead, kSecond + 32), "X1") << "behind it";
  ASSERT_EQ(objects.NamedBlocks().size(), 4u);
  EXPECT_EQ(objects.NamedBlocks()[1]->record.address, kSecond);
}

TEST_F(Values, FramesNearestInTimeComeFirst) {
  const StackFrames frames(std::vector{WithFrames(1, 10), WithFrames(5, 11)});
  ASSERT_EQ(frames.At(150, 2).size(), 2u);
  EXPECT_EQ(frames.At(150, 2)[0].pc, 10u);
  EXPECT_EQ(frames.At(150, 5)[0].pc, 11u);
  EXPECT_EQ(frames.At(200, 5)[0].pc, 20u);
  EXPECT_TRUE(frames.At(300, 5).empty()) << "where the last frame ends is not known";
  EXPECT_TRUE(frames.At(99, 5).empty());
}

TEST(Wording, WhatAnAccessReadAndWrote) {
  using op::Kind;
  EXPECT_EQ(WithValues("loads x", Kind::kAtomicLoad, false, {"1", "", ""}), "loads x: 1");
  EXPECT_EQ(WithValues("stores x", Kind::kAtomicStore, false, {"", "2", ""}), "stores x: 2");
  EXPECT_EQ(WithValues("updates x", Kind::kAtomicFetch, false, {"1", "2", ""}),
            "updates x: 1 -> 2");
  EXPECT_EQ(WithValues("swaps x", Kind::kAtomicCompareExchange, false, {"1", "2", "1"}),
            "swaps x: 1 -> 2");
  EXPECT_EQ(WithValues("swaps x", Kind::kAtomicCompareExchange, true, {"3", "", "1"}),
            "swaps x: fails, it is 3, not 1");
  EXPECT_EQ(WithValues("swaps x", Kind::kAtomicCompareExchange, true, {}), "swaps x: fails");
  EXPECT_EQ(WithValues("reads x", Kind::kPlainRead, false, {}), "reads x");
}

}  // namespace
}  // namespace heddle::report
