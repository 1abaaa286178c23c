// A finding about this very test program, told with its own addresses: the report must find its
// lines, its variables and their members.
#include "report/assemble.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <mutex>

#include "op/operation.h"
#include "report/json.h"
#include "report/text.h"
#include "self_module.h"

struct HeddleTestAccount {
  int balance[3];
  std::mutex lock;
};
HeddleTestAccount heddle_test_accounts[4];
int heddle_test_counter;
extern "C" {
int i;  // which demangles to "int"
}

namespace heddle::report {
namespace {

__attribute__((noinline)) uint64_t ReturnAddress() {
  asm volatile("");  // or the compiler merges two calls
  return reinterpret_cast<uint64_t>(__builtin_return_address(0));
}

constexpr uint32_t kLine = __LINE__ + 2;
__attribute__((noinline)) uint64_t PcInHere() {
  uint64_t pc = ReturnAddress();
  asm volatile("" : "+r"(pc));
  return pc;
}

channel::StepRecord MakeStep(uint32_t thread, op::Kind kind, const void* object, uint32_t flags) {
  channel::StepRecord step = {};
  step.thread = thread;
  step.op_kind = static_cast<uint8_t>(kind);
  step.size = 4;
  step.object = reinterpret_cast<uint64_t>(object);
  step.other = op::kNoThread;
  step.flags = flags;
  step.frames = 1;
  step.pc[0] = PcInHere();
  return step;
}

class AssembleTest : public testing::Test {
 protected:
  AssembleTest() {
    records_.modules.push_back({Self()});
    RawFinding finding = {};
    finding.head.kind = channel::BugKind::kDataRace;
    finding.head.identity = 0x1122334455667788;
    finding.head.thread = 1;
    finding.head.preemptions = 1;
    char message[100];
    std::snprintf(
        message, sizeof message, "%%T0%% and %%T1%% race on %%O%llx%%",
        static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(&heddle_test_counter)));
    finding.message = message;
    finding.ended = true;
    records_.findings.push_back(finding);
    header_.settings.order = channel::Order::kContextBounded;
    header_.settings.bound = {};
    header_.settings.report_races = 1;
    header_.summary.stop = channel::Stop::kBug;
    header_.progress.executions = 12;
  }
  std::vector<channel::StepRecord>& Steps() { return records_.findings[0].steps; }
  SearchResult Result() {
    Symbolizer symbolizer;
    return Assemble(header_, records_, names_, RunFacts{}, symbolizer);
  }

  channel::Header header_ = {};
  Records records_;
  std::vector<channel::ThreadName> names_ = {{op::kNoThread, 0}, {0, 1}};
};

TEST_F(AssembleTest, FindsLinesAndVariables) {
  using op::Kind;
  Steps().push_back(MakeStep(0, Kind::kMutexLock, &heddle_test_accounts[2].lock, 0));
  Steps().push_back(MakeStep(0, Kind::kPlainRead, &heddle_test_counter, channel::kStepRaceFirst));
  Steps().push_back(
      MakeStep(1, Kind::kAtomicLoad, &heddle_test_accounts[3].balance[1], channel::kStepPreempts));
  Steps().push_back(MakeStep(1, Kind::kPlainWrite, &::i, channel::kStepRaceSecond));
  SearchResult result = Result();
  ASSERT_EQ(result.findings.size(), 1u);
  const Finding& finding = result.findings[0];
  EXPECT_EQ(finding.message, "main and T1 race on heddle_test_counter");
  ASSERT_EQ(finding.steps.size(), 4u);
  EXPECT_EQ(finding.steps[0].text, "locks mutex heddle_test_accounts[2].lock");
  EXPECT_EQ(finding.steps[3].text, "writes i");
  EXPECT_EQ(finding.steps[2].text, "loads heddle_test_accounts[3].balance[1]");
  ASSERT_EQ(finding.locations.size(), 2u);
  EXPECT_TRUE(finding.locations[0].file.ends_with("report_assemble_test.cpp"))
      << finding.locations[0].file;
  EXPECT_EQ(finding.locations[0].line, kLine);
  EXPECT_TRUE(finding.locations[0].function.ends_with("PcInHere")) << finding.locations[0].function;
  EXPECT_EQ(finding.steps[1].source, "uint64_t pc = ReturnAddress();");
  EXPECT_EQ(result.verdict, Verdict::kBug);
}

TEST_F(AssembleTest, JsonHoldsEverythingThatTextShows) {
  Steps().push_back(MakeStep(0, op::Kind::kMutexLock, &heddle_test_accounts[2].lock, 0));
  Steps().push_back(MakeStep(1, op::Kind::kPlainWrite, &heddle_test_counter,
                             channel::kStepPreempts | channel::kStepEnding));
  records_.outcomes.push_back({"r1=0", 7, 1, 0});
  records_.notes.push_back(
      {channel::NoteKind::kIncomplete, "a spin loop was cut", claim::Incomplete::kCut});
  SearchResult result = Result();
  base::Result<ResultFile> read = FromJson(ToJson(result), "r.json");
  ASSERT_TRUE(read.Ok()) << read.Message();
  Terminal terminal(100, false);
  EXPECT_EQ(ResultText(std::get<SearchResult>(*read), terminal), ResultText(result, terminal));
  EXPECT_EQ(ToJson(std::get<SearchResult>(*read)), ToJson(result));
}

TEST_F(AssembleTest, AReasonTakesTheClaimsBack) {
  records_.findings.clear();
  header_.summary.stop = channel::Stop::kExhausted;
  header_.summary.complete = header_.summary.whole_space = 1;
  header_.progress.completed_bound = 3;
  EXPECT_TRUE(Result().complete);
  records_.notes.push_back({channel::NoteKind::kInfo, "slower"});
  EXPECT_TRUE(Result().complete);
  using claim::Incomplete;
  records_.notes.push_back(
      {channel::NoteKind::kIncomplete, "a branch is lost", Incomplete::kUnreadable});
  EXPECT_FALSE(Result().complete);
  EXPECT_EQ(Result().completed_bound, 3);
  records_.notes.push_back({channel::NoteKind::kIncomplete, "a loop polls", Incomplete::kAlarm});
  SearchResult result = Result();
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.completed_bound, -1);
  EXPECT_EQ(result.verdict, Verdict::kIncomplete);
  const std::string text = ResultText(result, Terminal(100, false));
  EXPECT_TRUE(text.starts_with("heddle: no bug found; not a proof: a branch is lost; ")) << text;
  EXPECT_NE(text.find("\n  not a proof: a loop polls\n"), std::string::npos) << text;
}

TEST_F(AssembleTest, AFullReportIsNoCompleteReport) {
  header_.summary.complete = 1;
  header_.report_lost = 2;
  SearchResult result = Result();
  EXPECT_FALSE(result.complete);
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].text.find("2 records"), std::string::npos);
  EXPECT_EQ(result.notes[0].reason, "report-full");
}

TEST_F(AssembleTest, WarningsNamePlaces) {
  Steps().push_back(MakeStep(0, op::Kind::kMutexLock, &heddle_test_accounts[2].lock, 0));
  char text[64];
  snprintf(text, sizeof text, "the mutex initialised at %%L%lx%%", Steps()[0].pc[0]);
  records_.notes.push_back({channel::NoteKind::kWarning, text});
  SearchResult result = Result();
  const std::string told =
      "the mutex initialised at report_assemble_test.cpp:" + std::to_string(kLine);
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_EQ(result.notes[0].text, told);
  EXPECT_NE(ToJson(result).find("\"warnings\": [\n    \"" + told + "\"\n  ]"), std::string::npos);
}

TEST_F(AssembleTest, LongSchedulesKeepWhatMatters) {
  for (int i = 0; i < 100000; ++i) {
    uint32_t flags = i == 50000 ? channel::kStepRaceFirst : 0u;
    Steps().push_back(
        MakeStep(static_cast<uint32_t>(i) & 1, op::Kind::kPlainWrite, &heddle_test_counter, flags));
  }
  SearchResult result = Result();
  const Finding& finding = result.findings[0];
  EXPECT_LT(finding.steps.size(), 1000u);
  uint64_t all = finding.steps.size();
  for (const Step& step : finding.steps) all += step.omitted_before;
  EXPECT_EQ(all, 100000u);
  EXPECT_EQ(finding.locations.size(), 1u);
  std::string text = FindingText(finding, Terminal(100, false));
  EXPECT_NE(text.find(" steps ..."), std::string::npos);
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 120);
}

TEST_F(AssembleTest, BrokenJsonIsRefusedInOneLine) {
  std::string text = ToJson(Result());
  for (size_t size = 0; size + 2 < text.size(); size += 11) {
    base::Result<ResultFile> read = FromJson(text.substr(0, size), "r.json");
    ASSERT_FALSE(read.Ok()) << size;
    EXPECT_EQ(read.Message().find('\n'), std::string::npos);
  }
  EXPECT_FALSE(FromJson("{\"verdict\": 3}", "r.json").Ok());
}

}  // namespace
}  // namespace heddle::report
