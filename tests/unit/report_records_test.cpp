#include "report/records.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace heddle::report {
namespace {

// Records as the program's process writes them.
class Area {
 public:
  template <typename T>
  void Add(channel::RecordKind kind, T record, const std::string& tail = "") {
    size_t bytes = (sizeof record + tail.size() + 1 + 7) / 8 * 8;
    record.head = {kind, static_cast<uint32_t>(bytes)};
    size_t at = bytes_.size();
    bytes_.resize(at + bytes);
    std::memcpy(bytes_.data() + at, &record, sizeof record);
    std::memcpy(bytes_.data() + at + sizeof record, tail.data(), tail.size());
  }
  void AddModule(const std::string& path, uint64_t begin, uint64_t end, bool opened = false) {
    channel::ModuleRecord module = {};
    module.opened = opened;
    module.bias = begin;
    module.begin = begin;
    module.end = end;
    Add(channel::RecordKind::kModule, module, path);
  }
  struct Telling {
    uint32_t number = 0;
    channel::Missing missing = channel::Missing::kNothing;
    channel::Purpose purpose = channel::Purpose::kBug;
  };
  void AddFinding(uint64_t identity, int steps, bool ended) {
    AddFinding(identity, steps, ended, Telling());
  }
  void AddFinding(uint64_t identity, int steps, bool ended, const Telling& telling) {
    channel::FindingRecord finding = {};
    finding.kind = channel::BugKind::kDeadlock;
    finding.identity = identity;
    finding.number = telling.number;
    finding.missing = telling.missing;
    finding.purpose = telling.purpose;
    Add(channel::RecordKind::kFinding, finding, "stuck");
    for (int i = 0; i < steps; ++i) Add(channel::RecordKind::kStep, channel::StepRecord{});
    channel::ScheduleRecord schedule = {};
    schedule.count = 2;
    Add(channel::RecordKind::kSchedule, schedule, std::string("\1\0\0\0\2\0\0\0", 8));
    struct {
      channel::RecordHead head;
    } end;
    if (ended) Add(channel::RecordKind::kFindingEnd, end);
  }
  std::span<const std::byte> Bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

// In one execution one library is opened at an address, in the next one another.
TEST(Records, OpenedLibrariesThatFollowEachOther) {
  Area area;
  area.AddModule("/bin/program", 0x1000, 0x2000);
  area.AddModule("/lib/one.so", 0x5000, 0x7000, true);
  area.AddModule("/lib/two.so", 0x5000, 0x6000, true);
  const Records records = ReadRecords(area.Bytes());
  EXPECT_EQ(records.opened, (std::set<std::string>{"/lib/one.so", "/lib/two.so"}));
  ASSERT_EQ(records.modules.size(), 1u);
  ASSERT_EQ(records.modules[0].size(), 2u);
  EXPECT_EQ(records.modules[0][1].path, "/lib/two.so");
}

TEST(Records, AllKinds) {
  Area area;
  area.AddModule("/bin/program", 0x1000, 0x2000);
  area.AddFinding(1, 3, true);
  channel::OutcomeRecord outcome = {};
  outcome.count = 7;
  area.Add(channel::RecordKind::kOutcome, outcome, "r1=0");
  channel::NoteRecord note = {};
  area.Add(channel::RecordKind::kNote, note, "careful");
  Records records = ReadRecords(area.Bytes());
  EXPECT_FALSE(records.damaged);
  ASSERT_EQ(records.findings.size(), 1u);
  EXPECT_EQ(records.findings[0].message, "stuck");
  EXPECT_EQ(records.findings[0].steps.size(), 3u);
  EXPECT_EQ(records.findings[0].choices, (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(records.modules[records.findings[0].modules][0].path, "/bin/program");
  ASSERT_EQ(records.outcomes.size(), 1u);
  EXPECT_EQ(records.outcomes[0].label, "r1=0");
  ASSERT_EQ(records.notes.size(), 1u);
  EXPECT_EQ(records.notes[0].text, "careful");
}

TEST(Records, AFindingToldTwiceCountsOnce) {
  Area area;
  area.AddFinding(1, 1, false);  // the process died while it told this
  area.AddFinding(2, 1, true);
  area.AddFinding(1, 5, true);
  area.AddFinding(2, 9, true);
  Records records = ReadRecords(area.Bytes());
  ASSERT_EQ(records.findings.size(), 2u);
  EXPECT_EQ(records.findings[0].steps.size(), 5u);
  EXPECT_EQ(records.findings[1].steps.size(), 1u);
}

// Noticed, recorded, minimised; the last one that was told to its end counts.
TEST(Records, ABugIsToldAgainAsMoreIsKnown) {
  using channel::Missing;
  Area area;
  area.AddFinding(1, 0, true, {.number = 1, .missing = Missing::kRecording});
  area.AddFinding(2, 3, true, {.number = 1, .missing = Missing::kMinimising});
  area.AddFinding(9, 0, true, {.number = 2, .missing = Missing::kRecording});
  const Records before = ReadRecords(area.Bytes());
  ASSERT_EQ(before.findings.size(), 2u);
  EXPECT_EQ(before.findings[0].steps.size(), 3u);
  EXPECT_EQ(before.findings[0].head.missing, Missing::kMinimising);
  EXPECT_EQ(before.findings[1].head.missing, Missing::kRecording);
  area.AddFinding(3, 1, false, {.number = 1});  // killed on the way
  EXPECT_EQ(ReadRecords(area.Bytes()).findings[0].steps.size(), 3u);
  area.AddFinding(3, 2, true, {.number = 1});
  const Records after = ReadRecords(area.Bytes());
  ASSERT_EQ(after.findings.size(), 2u);
  EXPECT_EQ(after.findings[0].head.identity, 3u);
  EXPECT_EQ(after.findings[0].head.missing, Missing::kNothing);
}

TEST(Records, AWithdrawnBugIsNone) {
  Area area;
  area.AddFinding(1, 0, true, {.number = 1, .missing = channel::Missing::kRecording});
  area.AddFinding(2, 1, true, {.number = 2});
  area.AddFinding(1, 0, true, {.number = 1, .purpose = channel::Purpose::kWithdrawn});
  const Records records = ReadRecords(area.Bytes());
  ASSERT_EQ(records.findings.size(), 1u);
  EXPECT_EQ(records.findings[0].head.number, 2u);
}

TEST(Records, ARestartedProgramHasItsOwnModules) {
  Area area;
  area.AddModule("/bin/program", 0x1000, 0x2000);
  area.AddFinding(1, 1, true);
  area.AddModule("/bin/program", 0x5000, 0x6000);
  area.AddFinding(2, 1, true);
  Records records = ReadRecords(area.Bytes());
  ASSERT_EQ(records.findings.size(), 2u);
  EXPECT_EQ(records.modules[records.findings[0].modules][0].begin, 0x1000u);
  ASSERT_EQ(records.modules[records.findings[1].modules].size(), 1u);
  EXPECT_EQ(records.modules[records.findings[1].modules][0].begin, 0x5000u);
}

TEST(Records, EveryTruncationIsRead) {
  Area area;
  area.AddModule("/bin/program", 0x1000, 0x2000);
  area.AddFinding(1, 2, true);
  for (size_t size = 0; size < area.Bytes().size(); ++size) {
    EXPECT_LE(ReadRecords(area.Bytes().first(size)).findings.size(), 1u);
  }
}

TEST(Records, NoiseIsSurvived) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    Area area;
    area.AddModule("/bin/program", 0x1000, 0x2000);
    area.AddFinding(1, 2, true);
    std::vector<std::byte> bytes(area.Bytes().begin(), area.Bytes().end());
    for (int i = 0; i < 4; ++i) bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    EXPECT_LE(ReadRecords(bytes).findings.size(), 4u);
  }
}

}  // namespace
}  // namespace heddle::report
