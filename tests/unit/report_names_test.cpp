#include "report/names.h"

#include <gtest/gtest.h>

#include "report/wording.h"

namespace heddle::report {
namespace {

using op::Kind;

const std::vector<channel::ThreadName> kThreads = {{op::kNoThread, 0}, {0, 1}, {1, 2}, {0, 2}};

TEST(Names, ThreadsByCreationPath) {
  ThreadNames threads(kThreads);
  EXPECT_EQ(threads.Name(0), "main");
  EXPECT_EQ(threads.Name(1), "T1");
  EXPECT_EQ(threads.Name(2), "T1.2");
  EXPECT_EQ(threads.Path(3), "2");
  EXPECT_EQ(threads.Name(op::kNoThread), "");
  EXPECT_EQ(ThreadNames({}).Name(0), "main");
}

TEST(Names, ObjectsAreNumberedByKind) {
  Symbolizer symbolizer;
  std::vector<Module> none;
  ObjectNames objects(symbolizer, none);
  EXPECT_EQ(objects.Full(Kind::kMutexLock, 0x10), "mutex M1");
  EXPECT_EQ(objects.Full(Kind::kAtomicLoad, 0x20), "atomic A1");
  EXPECT_EQ(objects.Short(Kind::kMutexTryLock, 0x30), "M2");
  EXPECT_EQ(objects.Full(Kind::kMutexUnlock, 0x10), "mutex M1");
  EXPECT_EQ(objects.Full(Kind::kYield, 0x10), "");
  EXPECT_EQ(objects.Full(Kind::kMutexLock, 0), "");
}

TEST(Names, MessagesAreFilledIn) {
  Symbolizer symbolizer;
  std::vector<Module> none;
  ObjectNames objects(symbolizer, none);
  ThreadNames threads(kThreads);
  objects.Full(Kind::kMutexLock, 0xabc);
  auto filled = [&](const std::string& message) { return FillIn(message, threads, objects); };
  EXPECT_EQ(filled("%T2% waits for %Oabc%, held by %T0%"), "T1.2 waits for mutex M1, held by main");
  EXPECT_EQ(filled("waits for mutex %Oabc%"), "waits for mutex M1");
  EXPECT_EQ(filled("waits for condition variable %Odef%"), "waits for condition variable C1");
  EXPECT_EQ(filled("reads %Of00%"), "reads location X1");
  EXPECT_EQ(filled("calls %S_ZNSt6thread4joinEv%, too"), "calls std::thread::join(), too");
  EXPECT_EQ(filled("made at %Labc%"), "made at an unknown place");
  EXPECT_EQ(filled("a loop at %Labc% to %Labd%"), "a loop at an unknown place");
  EXPECT_EQ(filled("100% of %Tx% and %"), "100% of %Tx% and %");
}

TEST(Wording, Numbers) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1000), "1,000");
  EXPECT_EQ(Grouped(1234567), "1,234,567");
  EXPECT_EQ(Counted(1, "bug"), "1 bug");
  EXPECT_EQ(Counted(0, "bug"), "0 bugs");
}

TEST(Wording, Steps) {
  EXPECT_EQ(StepText(Kind::kMutexLock, "M1", ""), "locks mutex M1");
  EXPECT_EQ(StepText(Kind::kMutexTimedLock, "M1", ""), "locks mutex M1 with a time limit");
  EXPECT_EQ(StepText(Kind::kMutexUnlock, "mutex", ""), "unlocks mutex");
  EXPECT_EQ(StepText(Kind::kRwWriteLock, "table", ""), "locks table for writing");
  EXPECT_EQ(StepText(Kind::kThreadJoin, "", "T1"), "joins thread T1");
  EXPECT_EQ(StepText(Kind::kPlainWrite, "counter", ""), "writes counter");
  EXPECT_EQ(ValueText(0xffffffff, 4), "-1");
  EXPECT_EQ(ValueText(200, 1), "-56");
  EXPECT_EQ(ValueText(5, 8), "5");
}

TEST(Wording, EveryOperationAndBugHasWords) {
  for (unsigned i = 0; i < static_cast<unsigned>(Kind::kCount); ++i) {
    EXPECT_FALSE(StepText(static_cast<Kind>(i), "N", "T1").empty());
  }
  for (uint32_t i = 0; i <= static_cast<uint32_t>(channel::BugKind::kHang); ++i) {
    std::string name = KindName(static_cast<channel::BugKind>(i));
    EXPECT_NE(name, "unknown");
    EXPECT_STRNE(KindTitle(name), "bug");
  }
}

TEST(Symbolize, FunctionNamesAreShort) {
  EXPECT_EQ(ShortFunctionName("Work(int, char*)"), "Work");
  EXPECT_EQ(ShortFunctionName("bank::Account::Balance() const"), "bank::Account::Balance");
  EXPECT_EQ(ShortFunctionName("std::__atomic_base<int>::load(std::memory_order) const volatile"),
            "std::__atomic_base<int>::load");
  EXPECT_EQ(ShortFunctionName("Text::Get() const &&"), "Text::Get");
  EXPECT_EQ(ShortFunctionName("main::{lambda(int)#1}::operator()(int) const"),
            "main::{lambda(int)#1}::operator()");
  EXPECT_EQ(ShortFunctionName("void Run<int>(std::vector<int, std::allocator<int> >&)"),
            "Run<int>");
  EXPECT_EQ(ShortFunctionName("(anonymous namespace)::Work(int)"), "(anonymous namespace)::Work");
  EXPECT_EQ(ShortFunctionName("main"), "main");
}

TEST(Symbolize, UnknownAddressesHaveAFrame) {
  Symbolizer symbolizer;
  EXPECT_EQ(symbolizer.Frames({}, 0x1234, false).size(), 1u);
  std::vector<Module> gone = {{0, 0, 0x10000, "/nonexistent/file"}};
  EXPECT_EQ(symbolizer.Frames(gone, 0x1234, false).size(), 1u);
  EXPECT_EQ(symbolizer.Global(gone, 0x1234).name, "");
}

}  // namespace
}  // namespace heddle::report
