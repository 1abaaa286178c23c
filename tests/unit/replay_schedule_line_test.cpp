#include "replay/schedule_line.h"

#include <gtest/gtest.h>

namespace heddle::replay {
namespace {

ScheduleFile ByHand() {
  ScheduleFile schedule;
  schedule.kind = "deadlock";
  schedule.max_events = 1'000'000;
  schedule.hang_ms = 10'000;
  schedule.identity = Hex16(0);
  schedule.threads = {"main", "1", "1.1"};
  schedule.choices = {0, 0, 1, 2 | kLeft, kOptionTaken | 3, kOptionTaken | 3, 1};
  return schedule;
}

ScheduleFile Parsed(const std::string& line) {
  base::Result<ScheduleFile> schedule = ParseLine(line);
  EXPECT_TRUE(schedule.Ok()) << line;
  return schedule.Ok() ? *schedule : ScheduleFile();
}

std::string Refused(const std::string& line) {
  const base::Result<ScheduleFile> schedule = ParseLine(line);
  EXPECT_FALSE(schedule.Ok()) << line;
  return schedule.Ok() ? "" : schedule.Message();
}

TEST(ScheduleLine, NamesThreadsAndRepeatsWords) {
  EXPECT_EQ(ToLine(ByHand()), "deadlock: main*2 T1 T1.1~ =3*2 T1");
}

TEST(ScheduleLine, ComesBackAsItWas) {
  const ScheduleFile schedule = ByHand();
  const ScheduleFile again = Parsed(ToLine(schedule));
  EXPECT_EQ(again.kind, schedule.kind);
  EXPECT_EQ(again.threads, schedule.threads);
  EXPECT_EQ(again.choices, schedule.choices);
  EXPECT_EQ(ToText(again), ToText(schedule));
}

TEST(ScheduleLine, HasTheOptionsThatDiffer) {
  ScheduleFile schedule = ByHand();
  schedule.points = "all";
  schedule.seed = 7;
  schedule.races = false;
  schedule.thread_ends = true;
  schedule.fail_allocations = 2;
  schedule.visible = {"@Lock#2", "Push#1"};
  schedule.choices = {1};
  schedule.threads = {"main", "1"};
  const std::string line = ToLine(schedule);
  EXPECT_EQ(line,
            "deadlock points=all seed=7 fail-allocations=2 no-races thread-ends at=@Lock#2 "
            "at=Push#1: T1");
  EXPECT_EQ(ToText(Parsed(line)), ToText(schedule));
}

// The numbers decide in which order signals wake waiters.
TEST(ScheduleLine, KeepsNumbersOfThreadsThatComeInAnotherOrder) {
  ScheduleFile schedule = ByHand();
  schedule.threads = {"main", "2", "1"};
  schedule.choices = {2, 1};
  EXPECT_EQ(ToLine(schedule), "deadlock threads=2,1: T1 T2");
  EXPECT_EQ(Parsed(ToLine(schedule)).threads, schedule.threads);
}

TEST(ScheduleLine, ThreadsHaveTheNumbersInWhichTheyAreUsuallyCreated) {
  const ScheduleFile schedule = Parsed("deadlock: T2.1.3 T1");
  EXPECT_EQ(schedule.threads,
            (std::vector<std::string>{"main", "1", "2", "2.1", "2.1.1", "2.1.2", "2.1.3"}));
  EXPECT_EQ(schedule.choices, (std::vector<uint32_t>{6, 1}));
  EXPECT_EQ(ToLine(schedule), "deadlock: T2.1.3 T1");
  EXPECT_EQ(Parsed("deadlock: T4000000000").threads,
            (std::vector<std::string>{"main", "4000000000"}));
}

TEST(ScheduleLine, IsNotLongerThanALineMayBe) {
  ScheduleFile schedule = ByHand();
  for (int i = 0; i < 1000; ++i) schedule.choices.push_back(i % 2);
  EXPECT_EQ(ToLine(schedule), "");
  schedule.choices.assign(100'000, 1);
  EXPECT_EQ(ToLine(schedule), "deadlock: T1*100000");
}

TEST(ScheduleLine, WhatIsNoneIsRefusedByItsWord) {
  EXPECT_NE(Refused("main T1").find("no colon"), std::string::npos);
  for (const char* word : {"T0", "T", "T1.", "T1.0", "t1", "T1*", "T1*0", "T1*x", "=", "=x", "~",
                           "T1**2", "main~~", "=1073741824"})
    EXPECT_NE(Refused(std::string("deadlock: main ") + word).find(word), std::string::npos);
  for (const char* word : {"sed=1", "seed", "seed=", "seed=-1", "leaks=1", "threads=0", "at"})
    EXPECT_NE(Refused(std::string("deadlock ") + word + ": main").find(word), std::string::npos);
  EXPECT_NE(Refused("deadlock points=some: main").find("points"), std::string::npos);
  EXPECT_NE(Refused("DEADLOCK: main").find("kind"), std::string::npos);
  EXPECT_NE(Refused(": main").find("kind"), std::string::npos);
  EXPECT_NE(Refused("deadlock: T1*9999999 T2*9999999").find("longer"), std::string::npos);
}

}  // namespace
}  // namespace heddle::replay
