#include "plan/schedule_file.h"

#include <gtest/gtest.h>

#include <numeric>

namespace heddle::plan {
namespace {

ScheduleFile Sample() {
  ScheduleFile file;
  file.heddle_version = "1.2.3";
  file.program = "/home/me/a \"quoted\" program";
  file.build_id = "00ff";
  file.arguments = {"--size", "3", ""};
  file.points = "all";
  file.timeouts = "last";
  file.rewind = "fork";
  file.seed = 18446744073709551615u;
  file.max_events = 1000;
  file.hang_ms = 10000;
  file.races = false;
  file.spurious_wakeups = true;
  file.strict = true;
  file.volatile_atomic = true;
  file.release_sequences = "c11";
  file.visible = {"+0x1139", "libq \"1\".so+0x55"};
  file.kind = "deadlock";
  file.identity = Hex16(0x1a2b3c4d5e6f7788);
  file.message = "main waits for mutex M1";
  file.preemptions = 2;
  file.steps_hash = Hex16(7);
  file.threads = {"main", "1", "1.1", "2"};
  file.choices.resize(1000);
  std::iota(file.choices.begin(), file.choices.end(), 0u);
  return file;
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ScheduleFile, WhatIsWrittenIsRead) {
  ScheduleFile file = Sample();
  base::Result<ScheduleFile> read = ParseSchedule(ToText(file), "f.heddle");
  ASSERT_TRUE(read.Ok()) << read.Message();
  EXPECT_EQ(ToText(*read), ToText(file));
  EXPECT_EQ(read->arguments, file.arguments);
  EXPECT_EQ(read->choices, file.choices);
  EXPECT_EQ(read->threads, file.threads);
  EXPECT_EQ(read->visible, file.visible);
  EXPECT_TRUE(read->volatile_atomic);
  EXPECT_EQ(read->release_sequences, "c11");
  EXPECT_EQ(read->seed, file.seed);
  EXPECT_FALSE(read->races);
  EXPECT_TRUE(read->spurious_wakeups);
  EXPECT_TRUE(read->strict);
  EXPECT_EQ(read->timeouts, "last");
}

TEST(ScheduleFile, ChoicesAreWrappedForReaders) {
  std::string text = ToText(Sample());
  for (size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    EXPECT_LE(end - at, 100u);
  }
}

TEST(ScheduleFile, EveryPrefixIsRefusedInOneLine) {
  std::string text = ToText(Sample());
  for (size_t size = 0; size + 2 < text.size(); size += 7) {
    base::Result<ScheduleFile> read = ParseSchedule(text.substr(0, size), "f.heddle");
    ASSERT_FALSE(read.Ok()) << size;
    EXPECT_EQ(read.Message().find('\n'), std::string::npos);
    EXPECT_EQ(read.Message().find("f.heddle"), 0u);
  }
}

TEST(ScheduleFile, SaysWhatIsWrong) {
  std::string text = ToText(Sample());
  auto message = [](const std::string& given) {
    base::Result<ScheduleFile> read = ParseSchedule(given, "f");
    return read.Ok() ? "accepted" : read.Message();
  };
  EXPECT_EQ(message("{\"a\": 1}"), "f is not a heddle schedule");
  EXPECT_EQ(message("hello"), "f is not a heddle schedule");
  EXPECT_EQ(message("\x7f"
                    "ELF"),
            "f is not a heddle schedule");
  EXPECT_NE(message(text.substr(0, 400)).find("cut short"), std::string::npos);
  EXPECT_NE(
      message(Replaced(text, "\"heddle-schedule\": 1", "\"heddle-schedule\": 2")).find("version 2"),
      std::string::npos);
  EXPECT_NE(message(Replaced(text, "\"seed\"", "\"sead\"")).find("lacks a field"),
            std::string::npos);
  EXPECT_NE(message(Replaced(text, "\"1.1\"", "\"7.1\"")).find("7.1"), std::string::npos);
  EXPECT_NE(message(Replaced(text, "\"main\"", "\"mine\"")).find("main"), std::string::npos);
  EXPECT_NE(message(Replaced(text, "\"2\"", "\"1\"")).find("twice"), std::string::npos);
}

TEST(ScheduleFile, NameSaysKindAndIdentity) {
  EXPECT_EQ(ScheduleFileName("data-race", 0x1a2b3c4d5e6f7788), "data-race-1a2b3c4d.heddle");
  EXPECT_EQ(ScheduleFileName("hang", 1), "hang-00000000.heddle");
}

TEST(ScheduleFile, ThreadPathsThereAndBack) {
  std::vector<std::string> texts = {"main", "2", "1", "2.10", "2.10.3"};
  base::Result<std::vector<ThreadPath>> paths = ParsePaths(texts);
  ASSERT_TRUE(paths.Ok()) << paths.Message();
  for (uint32_t i = 0; i < texts.size(); ++i) EXPECT_EQ(PathText(*paths, i), texts[i]);
}

TEST(ScheduleFile, DamagedThreadListsEnd) {
  EXPECT_EQ(PathText({{kNoParent, 0}, {1, 1}}, 1)[0], '?');  // its own parent
  EXPECT_EQ(PathText({}, 3), "?");
}

TEST(ScheduleFile, RefusesValuesThatHeddleNeverWrites) {
  const std::string good = ToText(Sample());
  ASSERT_TRUE(ParseSchedule(good, "x").Ok());
  const std::pair<const char*, const char*> wrong[] = {
      {R"("points": "all")", R"("points": "foo")"},
      {R"("timeouts": "last")", R"("timeouts": "foo")"},
      {R"("release-sequences": "c11")", R"("release-sequences": "c++99")"},
      {R"("max-events": )", R"("max-events": -)"},
      {R"("visible": [)", R"("visible": ["nonsense", )"},
      {R"("visible": [)", R"("visible": ["libx.so+0x", )"},
      {R"("visible": [)", R"("visible": ["libx.so+0x12g", )"},
      {R"("choices": [)", R"("choices": [4294967296, )"},
      {R"("choices": [)", R"("choices": [-1, )"},
  };
  for (const auto& [from, to] : wrong) {
    std::string text = good;
    const size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, std::string(from).size(), to);
    EXPECT_FALSE(ParseSchedule(text, "x").Ok()) << to;
  }
}

}  // namespace
}  // namespace heddle::plan
