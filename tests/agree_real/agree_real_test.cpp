// The real runtime against the fake target, on random small programs: what `heddle check` says of
// interpreter.c must be what plain enumeration of the same program says.
//
// HEDDLE_AGREE_PROGRAMS sets how many (default 30), HEDDLE_AGREE_SEED the first seed; a failure
// prints the command. The compiler and optimisation of the interpreter go by the seed, and so does
// the way in which executions are undone.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string>

#include "agree/enumerate.h"
#include "agree/from_environment.h"
#include "agree/generate.h"
#include "races.h"

namespace heddle::agree {
namespace {

using nlohmann::json;
using target::FakeTarget;
using trace::EndKind;

constexpr size_t kMostSchedules = 1500;
// Of one search. Enough for kMostSchedules; programs with a race, whose accesses become visible,
// may have more.
constexpr uint64_t kMostExecutions = 10000;
// Each with each of the six reductions in 30 programs.
constexpr std::array<const char*, 5> kRewinds = {"memory", "fork", "checkpoint", "fork",
                                                 "fork-checkpoint"};
// An execution in a process of its own takes some ms. So a program with a race is left there after
// this many in ./dev test, as those with more than kMostExecutions are elsewhere.
constexpr uint64_t kMostForked = 100;

struct Outcome {
  uint64_t count = 0;
  uint32_t preemptions = UINT32_MAX;  // and early timeouts; least
  friend bool operator==(const Outcome&, const Outcome&) = default;
};
std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
  return out << outcome.count << " times, from " << outcome.preemptions << " preemptions on";
}

// Everything that is compared.
struct Answer {
  uint64_t executions = 0;
  uint64_t redundant = 0;
  uint64_t happens_before = 0;
  std::vector<uint64_t> by_preemptions;
  std::map<std::string, Outcome> outcomes;
  std::map<std::string, uint32_t> bugs;  // least preemptions of every kind
};

void Lower(uint32_t& least, uint32_t value) { least = std::min(least, value); }

void AddBug(Answer& answer, const std::string& kind, uint32_t preemptions) {
  Lower(answer.bugs.try_emplace(kind, preemptions).first->second, preemptions);
}

// The outcome as interpreter.c prints it.
std::string Label(const FakeTarget& target, uint32_t threads) {
  constexpr size_t kShownObjects = 2;
  constexpr size_t kShownRegisters = 3;
  std::ostringstream text;
  for (const auto* values : {&target.Variables(), &target.Plain()}) {
    for (size_t i = 0; i < kShownObjects; ++i) {
      if (text.tellp() > 0) text << " ";
      text << (i < values->size() ? (*values)[i] : 0);
    }
  }
  for (uint32_t t = 0; t < threads; ++t) {
    for (size_t r = 0; r < kShownRegisters; ++r) {
      text << (r == 0 ? "; " : " ") << target.Registers(t)[r];
    }
  }
  return text.str();
}

// The graph, and who has finished: the end of a thread is an event of the real runtime. Without a
// data race it follows from the others.
uint64_t Graph(const FakeTarget& target, const trace::Execution& run) {
  uint64_t finished = 0;
  for (uint32_t t = 0; t < run.threads; ++t) finished |= uint64_t{target.Finished(t)} << t;
  return base::Mix(DependentPairs(run) + finished);
}

// By plain enumeration; nothing if the program has too many schedules.
std::optional<Answer> Expected(const target::FakeProgram& program) {
  FakeTarget target(program);
  Answer answer;
  std::map<uint64_t, uint32_t> least;  // preemptions and early timeouts of every graph
  const bool all = ForEachExecution(target, kMostSchedules, [&](const trace::Execution& run) {
    if (Races(run).Any()) AddBug(answer, "data-race", run.Cost());
    if (run.ending.kind == EndKind::kRedundant) {
      ++answer.redundant;
      return;
    }
    ++answer.executions;
    Lower(least.try_emplace(Graph(target, run), run.Cost()).first->second, run.Cost());
    if (run.ending.kind == EndKind::kDeadlock) AddBug(answer, "deadlock", run.Cost());
    if (run.ending.kind == EndKind::kAssertion) AddBug(answer, "assertion", run.Cost());
    if (run.ending.kind != EndKind::kExit) return;
    Outcome& outcome = answer.outcomes[Label(target, run.threads)];
    ++outcome.count;
    Lower(outcome.preemptions, run.Cost());
  });
  if (!all) return std::nullopt;
  answer.happens_before = least.size();
  for (const auto& [graph, preemptions] : least) {
    if (answer.by_preemptions.size() <= preemptions) answer.by_preemptions.resize(preemptions + 1);
    ++answer.by_preemptions[preemptions];
  }
  for (size_t i = 1; i < answer.by_preemptions.size(); ++i) {
    answer.by_preemptions[i] += answer.by_preemptions[i - 1];
  }
  return answer;
}

// What a bound counts.
uint32_t Cost(const json& of) {
  return of["preemptions"].get<uint32_t>() + of["early_timeouts"].get<uint32_t>();
}

Answer Read(const json& result) {
  Answer answer;
  answer.executions = result["executions"];
  answer.redundant = result["redundant"].get<uint64_t>() + result["assumed_away"].get<uint64_t>();
  answer.happens_before = result["coverage"]["happens_before"];
  answer.by_preemptions = result["coverage"]["by_preemptions"].get<std::vector<uint64_t>>();
  for (const auto& [label, outcome] : result["outcomes"].items()) {
    answer.outcomes[label] = {outcome["count"], Cost(outcome)};
  }
  for (const json& bug : result["bugs"]) AddBug(answer, bug["kind"], Cost(bug));
  return answer;
}

// A `heddle check` that is under way.
class Check {
 public:
  // `order`: of the search, or a reduction.
  Check(const std::filesystem::path& folder, const std::string& order, const std::string& rewind,
        const std::string& binary, const target::FakeProgram& program, uint64_t most_executions)
      : result_(folder / (order + ".json")) {
    const bool plain = order == "depth-first" || order == "context-bounded";
    const std::string initial =
        program.semaphores.empty() ? "0" : std::to_string(program.semaphores[0]);
    const std::string needed = program.barriers.empty() ? "1" : std::to_string(program.barriers[0]);
    words_ = {HEDDLE_BUILD_DIR "/heddle",
              "check",
              plain ? "--order" : "--reduction",
              order,
              "--rewind",
              rewind,
              "--keep-going",
              "--quiet",
              "--executions",
              std::to_string(most_executions)};
    if (plain) words_.insert(words_.end(), {"--reduction", "none"});
    if (order != "context-bounded") words_.push_back("--no-minimise");
    for (const std::string& word :
         {std::string("--out"), (folder / order).string(), std::string("--json"), result_.string(),
          std::string("--"), binary, initial, needed}) {
      words_.push_back(word);
    }
    std::istringstream threads(Print(program));
    for (std::string thread; std::getline(threads, thread);) words_.push_back(thread);
    std::filesystem::remove(result_);
    std::vector<char*> arguments;
    for (std::string& word : words_) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const int error =
        posix_spawn(&process_, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    EXPECT_EQ(error, 0) << "cannot start " << arguments[0];
    if (error != 0) process_ = -1;
  }
  Check(const Check&) = delete;
  Check& operator=(const Check&) = delete;

  // The command, to paste.
  std::string Command() const {
    std::string text;
    for (const std::string& word : words_) {
      text += word.find_first_of(" ;") == std::string::npos ? word + " " : "'" + word + "' ";
    }
    return text;
  }

  // Waits for its end; null if it gave no answer.
  json Result() {
    int status = 0;
    if (process_ < 0 || waitpid(process_, &status, 0) != process_) return nullptr;
    std::ifstream file(result_);
    if (!file) return nullptr;
    return json::parse(file, nullptr, false);
  }

 private:
  const std::filesystem::path result_;
  std::vector<std::string> words_;
  pid_t process_ = -1;
};

template <typename Map>
std::set<std::string> NamesOf(const Map& map) {
  std::set<std::string> names;
  for (const auto& entry : map) names.insert(entry.first);
  return names;
}

// A program with a race: its accesses become visible, so more schedules are told apart than the
// reference knows. What that has is among them, and all searches that end agree on what there is:
// `outcomes` has the labels of the first.
void CompareRacy(const Answer& expected, const json& result,
                 std::optional<std::set<std::string>>& outcomes) {
  EXPECT_EQ(result["verdict"], "bug");
  if (result["stop"] == "executions") return;
  EXPECT_EQ(result["complete"], true);
  const Answer answer = Read(result);
  const std::set<std::string> labels = NamesOf(answer.outcomes);
  const std::set<std::string> bugs = NamesOf(answer.bugs);
  EXPECT_TRUE(std::ranges::includes(labels, NamesOf(expected.outcomes)));
  EXPECT_TRUE(std::ranges::includes(bugs, NamesOf(expected.bugs)));
  if (outcomes) {
    EXPECT_EQ(labels, *outcomes);
  }
  outcomes = labels;
}

void Compare(const Answer& expected, Check& check, bool fewest_first,
             std::optional<std::set<std::string>>& racy) {
  const json result = check.Result();
  SCOPED_TRACE(check.Command());
  ASSERT_TRUE(result.is_object()) << "no answer";
  if (expected.bugs.contains("data-race")) return CompareRacy(expected, result, racy);
  EXPECT_EQ(result["verdict"], expected.bugs.empty() ? "clean" : "bug");
  EXPECT_EQ(result["complete"], true);
  EXPECT_EQ(result["restarts"], 0);
  const Answer answer = Read(result);
  EXPECT_EQ(answer.executions, expected.executions);
  EXPECT_EQ(answer.redundant, expected.redundant);
  EXPECT_EQ(answer.happens_before, expected.happens_before);
  EXPECT_EQ(answer.by_preemptions, expected.by_preemptions);
  EXPECT_EQ(answer.outcomes, expected.outcomes);
  if (fewest_first) {
    EXPECT_EQ(answer.bugs, expected.bugs);
    for (const json& bug : result["bugs"]) EXPECT_EQ(bug["fewer_may_do"], false);
  } else {
    auto kinds = [](const Answer& of) {
      std::vector<std::string> names;
      for (const auto& [kind, least] : of.bugs) names.push_back(kind);
      return names;
    };
    EXPECT_EQ(kinds(answer), kinds(expected));
  }
}

// What a reduction must preserve.
void CompareReduced(const Answer& expected, Check& check, bool optimal,
                    std::optional<std::set<std::string>>& racy) {
  const json result = check.Result();
  SCOPED_TRACE(check.Command());
  ASSERT_TRUE(result.is_object()) << "no answer";
  if (expected.bugs.contains("data-race")) return CompareRacy(expected, result, racy);
  EXPECT_EQ(result["complete"], true);
  const Answer answer = Read(result);
  const auto names = [](const auto& map) {
    std::vector<std::string> keys;
    for (const auto& entry : map) keys.push_back(entry.first);
    return keys;
  };
  EXPECT_EQ(names(answer.outcomes), names(expected.outcomes));
  EXPECT_EQ(names(answer.bugs), names(expected.bugs));
  const bool ends_early = expected.redundant != 0 || expected.bugs.contains("assertion");
  if (ends_early) return;  // what others did before such an end is not told apart
  EXPECT_EQ(answer.happens_before, expected.happens_before);
  if (!optimal) return;
  EXPECT_EQ(answer.executions, expected.happens_before);
  EXPECT_EQ(answer.redundant, 0u);
}

TEST(RealRuntimeAgrees, OnRandomPrograms) {
  const uint64_t programs = FromEnvironment("HEDDLE_AGREE_PROGRAMS", 30);
  const uint64_t first = FromEnvironment("HEDDLE_AGREE_SEED", 1);
  const std::array<std::string, 3> binaries = {HEDDLE_BUILD_DIR "/tests/interpreter_gcc_O2",
                                               HEDDLE_BUILD_DIR "/tests/interpreter_gcc_O0",
                                               HEDDLE_BUILD_DIR "/tests/interpreter_clang_O2"};
  std::string folder = std::filesystem::temp_directory_path() / "heddle-agree-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::map<std::string, uint64_t> seen;
  uint64_t compared = 0;
  uint64_t schedules = 0;
  for (uint64_t seed = first; compared < programs && !HasFailure(); ++seed) {
    target::FakeProgram program = Generator(seed, Vocabulary::kAll).Program();
    const std::optional<Answer> expected = Expected(program);
    if (!expected) continue;
    SCOPED_TRACE("HEDDLE_AGREE_SEED=" + std::to_string(seed) + " HEDDLE_AGREE_PROGRAMS=1\n" +
                 Print(program));
    const std::string& binary = binaries[seed % binaries.size()];
    const std::string reduced_by = kRewinds[seed % kRewinds.size()];
    const bool few = expected->executions + expected->redundant <= kMostForked;
    const std::string rewind = few ? reduced_by : kRewinds[0];
    const bool leaves_early = programs < 100 && expected->bugs.contains("data-race");
    const auto most = [&](const std::string& how) {
      const bool forks = how == "fork" || how == "fork-checkpoint";
      return forks && leaves_early ? kMostForked : kMostExecutions;
    };
    Check depth_first(folder, "depth-first", rewind, binary, program, most(rewind));
    Check context_bounded(folder, "context-bounded", rewind, binary, program, most(rewind));
    std::optional<std::set<std::string>> racy;
    Compare(*expected, depth_first, false, racy);
    Compare(*expected, context_bounded, true, racy);
    static constexpr const char* kReductions[] = {"optimal", "dpor",    "bounded",
                                                  "source",  "optimal", "sleep-sets"};
    const std::string reduction = kReductions[seed % std::size(kReductions)];
    Check reduced(folder, reduction, reduced_by, binary, program, most(reduced_by));
    CompareReduced(*expected, reduced, reduction == "optimal", racy);
    ++compared;
    schedules += expected->executions + expected->redundant;
    ++seen[expected->bugs.empty() ? "clean" : "with bugs"];
    for (const auto& [kind, least] : expected->bugs) {
      ++seen[kind];
      if (least > 0) ++seen[kind + " only by preemption"];
    }
  }
  std::filesystem::remove_all(folder);
  std::printf("%llu programs, %llu schedules", static_cast<unsigned long long>(compared),
              static_cast<unsigned long long>(schedules));
  for (const auto& [what, times] : seen) {
    std::printf(", %llu %s", static_cast<unsigned long long>(times), what.c_str());
  }
  std::printf("\n");
  if (programs < 100 || HasFailure()) return;
  for (const char* what : {"clean", "data-race", "deadlock", "assertion"})
    EXPECT_GT(seen[what], 0u);
}

}  // namespace
}  // namespace heddle::agree
