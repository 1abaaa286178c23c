#include "replay/schedule_file.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace heddle::replay {
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

TEST(ScheduleFile, ACallOfHeddleCheck) {
  ScheduleFile file = Sample();
  EXPECT_EQ(ToText(file).find("at-check"), std::string::npos);
  file.at_check = "cb@a \"b\".cpp:7";
  const base::Result<ScheduleFile> read = ParseSchedule(ToText(file), "f.heddle");
  ASSERT_TRUE(read.Ok()) << read.Message();
  EXPECT_EQ(read->at_check, file.at_check);
  EXPECT_TRUE(ShowSameBug(*read, file));
  EXPECT_FALSE(ShowSameBug(*read, Sample()));
  EXPECT_NE(ScheduleFileName(file), ScheduleFileName(Sample()));
  for (const std::string& wrong :
       {std::string("no place"), std::string("@") + std::string(1100, 'a')}) {
    file.at_check = wrong;
    EXPECT_FALSE(ParseSchedule(ToText(file), "f").Ok());
  }
}

TEST(ScheduleFile, NamesThatAreNoUtf8Stay) {
  ScheduleFile file = Sample();
  file.program =
      "/home/me/gr\xfc"
      "n";
  file.arguments = {"plain", "\xff\xfe\n", ""};
  const std::string text = ToText(file);
  const base::Result<ScheduleFile> read = ParseSchedule(text, "f.heddle");
  ASSERT_TRUE(read.Ok()) << read.Message();
  EXPECT_EQ(read->program, file.program);
  EXPECT_EQ(read->arguments, file.arguments);
  EXPECT_TRUE(ShowSameBug(*read, file));
  EXPECT_FALSE(ParseSchedule(Replaced(text, "\"path-hex\": \"2f", "\"path-hex\": \"f"), "f").Ok());
  EXPECT_FALSE(ParseSchedule(Replaced(text, "\"path-hex\": \"2f", "\"path-hex\": \"zz"), "f").Ok());
  EXPECT_EQ(ToText(Sample()).find("-hex"), std::string::npos);
}

TEST(ScheduleFile, ChoicesAreWrappedForReaders) {
  std::string text = ToText(Sample());
  for (size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    EXPECT_LE(end - at, 100u);
  }
}

TEST(ScheduleFile, WhichBugItShowsIsReadWithoutItsChoices) {
  ScheduleFile file = Sample();
  file.message += "\n  \"choices\": [";
  const base::Result<ScheduleFile> read = ParseSchedule(WithoutChoices(ToText(file)), "f");
  ASSERT_TRUE(read.Ok()) << read.Message();
  EXPECT_TRUE(ShowSameBug(*read, file));
  EXPECT_TRUE(read->choices.empty());
  EXPECT_EQ(WithoutChoices("[1, 2]"), "[1, 2]");
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
  EXPECT_EQ(message("{\"verdict\": \"bug\"}"),
            "f is a result, not a schedule: `heddle report` shows it");
  EXPECT_NE(
      message("{\"heddle-schedule\": " + std::string(100000, '[') + std::string(100000, ']') + "}")
          .find("damaged"),
      std::string::npos);
  EXPECT_NE(message(text.substr(0, 400)).find("cut short"), std::string::npos);
  EXPECT_NE(
      message(Replaced(text, "\"heddle-schedule\": 1", "\"heddle-schedule\": 2")).find("version 2"),
      std::string::npos);
  EXPECT_NE(message(Replaced(text, "\"seed\"", "\"sead\"")).find("the field \"seed\" is missing"),
            std::string::npos);
  EXPECT_NE(message(Replaced(text, "\"1.1\"", "\"7.1\"")).find("7.1"), std::string::npos);
  EXPECT_NE(message(Replaced(text, "\"main\"", "\"mine\"")).find("main"), std::string::npos);
  EXPECT_NE(message(Replaced(text, "\"2\"", "\"1\"")).find("twice"), std::string::npos);
}

// The name of a schedule of the program with this path.
std::string NameFor(const std::string& program) {
  ScheduleFile file = Sample();
  file.program = program;
  return ScheduleFileName(file);
}

TEST(ScheduleFile, NameSaysProgramAndKind) {
  const auto begin = [](const std::string& program) {
    const std::string name = NameFor(program);
    return name.substr(0, name.rfind('-'));
  };
  EXPECT_EQ(begin("/home/me/bank_account"), "bank_account-deadlock");
  EXPECT_EQ(begin("/home/me/queue-test.v2"), "queue-test.v2-deadlock");
  EXPECT_EQ(begin("/home/me/a \"quoted\" program"), "a_quoted_program-deadlock");
  EXPECT_EQ(begin("/home/me/two\nlines\x1b[31m"), "two_lines_31m-deadlock");
  EXPECT_EQ(begin("/home/me/Gr\xc3\xb6\xc3\x9f"
                  "e"),
            "Gr_e-deadlock");
  EXPECT_EQ(begin("/home/me/-rf"), "_rf-deadlock");
  EXPECT_EQ(begin("/home/me/..."), "_..-deadlock");
  EXPECT_LT(NameFor("/" + std::string(255, 'x')).size(), 120u);
  const std::string name = NameFor("/bin/true");
  EXPECT_EQ(name.size(), std::string("true-deadlock-1a2b3c4d.heddle").size());
  EXPECT_EQ(ScheduleFileName(Sample(), 2),
            "a_quoted_program-deadlock-" + ScheduleFileName(Sample()).substr(26, 8) + "-2.heddle");
}

TEST(ScheduleFile, WhatIsNotTheSameBugHasAnotherName) {
  const ScheduleFile first = Sample();
  ScheduleFile same = first;
  same.choices = {1};
  same.message = "other words";
  EXPECT_TRUE(ShowSameBug(first, same));
  EXPECT_EQ(ScheduleFileName(same), ScheduleFileName(first));

  std::vector<ScheduleFile> others(6, first);
  others[0].build_id = "00fe";                      // built again
  others[1].program = "/tmp/a \"quoted\" program";  // another one with this name
  others[2].identity = Hex16(0x1a2b3c4d00000000);   // its first eight digits are the same
  others[3].kind = "livelock";
  others[4].arguments = {"--size", "4", ""};
  others[5].arguments = {"--size", "3"};
  std::set<std::string> names = {ScheduleFileName(first)};
  for (const ScheduleFile& other : others) {
    EXPECT_FALSE(ShowSameBug(first, other));
    EXPECT_TRUE(names.insert(ScheduleFileName(other)).second);
  }
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
      {R"("choices": [)", R"("choices": [1.0, )"},
      {R"("choices": [)", R"("choices": [true, )"},
      {R"("preemptions": 2)", R"("preemptions": 4294967298)"},
      {R"("seed": )", R"("seed": 1)"},  // too large
      {R"("races": false)", R"("races": 0)"},
      {R"("kind": "dead)", R"("kind": "\u001b[31mdead)"},
      {R"("identity": ")", R"("identity": "0)"},
      {R"("identity": "1a)", R"("identity": "xy)"},
      {R"("args": ["--size)", R"("args": ["--si\u0000ze)"},
      {R"("path": "/home)", R"("path": "/\u0000home)"},
      {R"("heddle": "1.2.3")", R"("heddle": 1)"},
      {R"("program": {)", R"("program": [], "x": {)"},
      {R"("threads": [)", R"("threads": {}, "x": [)"},
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
}  // namespace heddle::replay
