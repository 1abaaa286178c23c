// What `heddle check` says of random small programs under the real runtime, against a reference
// that knows nothing of steps that need no choice, of dependence and of reductions: the same
// outcomes, the same endings, the same kinds of bugs, whatever the search.
//
//   HEDDLE_ORACLE_PROGRAMS    how many (default 60); HEDDLE_ORACLE_SEED: from which seed on
//   HEDDLE_ORACLE_THEMES      names of generate.cpp, separated by commas: only these
//   HEDDLE_ORACLE_SEARCHES    names below, separated by commas: only these, and all of them
//   HEDDLE_ORACLE_KEEP_GOING  tell of all programs that disagree, not only of the first
//   HEDDLE_ORACLE_REDUCE      leave out what the disagreement does not need
//   HEDDLE_ORACLE_HEDDLE      the heddle to ask, if not the one that was built here
// A failure prints the seed and the command.
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
#include <sstream>

#include "generate.h"
#include "reference.h"

namespace heddle::oracle {
namespace {

using nlohmann::json;

constexpr uint64_t kMostStates = 15'000;
constexpr const char* kMostExecutions = "3000";

std::string FromEnvironment(const char* name, const std::string& otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : text;
}

uint64_t NumberFromEnvironment(const char* name, uint64_t otherwise) {
  return std::stoull(FromEnvironment(name, std::to_string(otherwise)));
}

std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

// A search, and the options that ask for it.
struct Search {
  std::string name;
  std::vector<std::string> options;
  bool all_points = false;   // plain accesses are steps: nothing depends on the order of a race
  bool may_give_up = false;  // and say so: the search is not complete
};

const std::vector<Search>& Searches() {
  static const std::vector<Search> searches = {
      {"optimal", {}},
      {"source", {"--reduction", "source"}},
      {"dpor", {"--reduction", "dpor"}},
      {"sleep-sets", {"--reduction", "sleep-sets"}},
      {"none", {"--reduction", "none"}},
      {"context-bounded", {"--order", "context-bounded", "--reduction", "none"}},
      {"bounded", {"--order", "context-bounded"}},
      {"happens-before", {"--preset", "cb-por"}, false, true},
      {"reads-from", {"--reduction", "reads-from"}, false, true},
      {"states", {"--visited", "states"}},
      {"zing", {"--preset", "zing"}},
      {"all-points", {"--points", "all"}, true},
      {"every-point", {"--points", "every"}, true},
  };
  return searches;
}

const Search& SearchOf(const std::string& name) {
  for (const Search& search : Searches())
    if (search.name == name) return search;
  throw std::runtime_error("no search " + name);
}

// As reference.cpp calls it.
std::string NameOfBug(const json& bug) {
  const std::string kind = bug["kind"];
  if (kind == "assertion") {
    const std::string message = bug["message"];
    const size_t at = message.find("thread ");
    return "assertion of " + (at == std::string::npos ? message : message.substr(at, 8));
  }
  if (kind != "misuse") return kind;
  std::string function = "?";
  for (const json& location : bug["locations"]) function = location["function"];
  return "misuse of " + function.substr(0, function.find('_'));
}

// A `heddle check` that is under way.
class Check {
 public:
  Check(const std::filesystem::path& folder, const Search& search, const std::string& binary,
        const Program& program)
      : search_(search), result_(folder / (search.name + ".json")) {
    words_ = {FromEnvironment("HEDDLE_ORACLE_HEDDLE", HEDDLE_BUILD_DIR "/heddle"),
              "check",
              "--keep-going",
              "--quiet",
              "--no-minimise",
              "--memory-model",
              "sc",
              "--executions",
              kMostExecutions,
              "--out",
              (folder / search.name).string(),
              "--json",
              result_.string()};
    words_.insert(words_.end(), search.options.begin(), search.options.end());
    words_.insert(words_.end(), {"--", binary});
    for (const std::string& text : Print(program)) words_.push_back(text);
    std::filesystem::remove(result_);
    std::vector<char*> arguments;
    for (std::string& word : words_) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int output : {STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0);
    const int error =
        posix_spawn(&process_, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) process_ = -1;
  }
  Check(const Check&) = delete;
  Check& operator=(const Check&) = delete;

  // The command, to paste.
  std::string Command() const {
    std::string text;
    for (const std::string& word : words_)
      text += word.find_first_of(" ;") == std::string::npos ? word + " " : "'" + word + "' ";
    return text;
  }

  // Waits for its end, and says what is wrong with its answer; nothing if all is well.
  std::string Compare(const Behaviour& expected, bool& complete) {
    int status = 0;
    if (process_ < 0 || waitpid(process_, &status, 0) != process_) return "it did not start";
    std::ifstream file(result_);
    const json result = file ? json::parse(file, nullptr, false) : json();
    if (!result.is_object()) return "no answer, status " + std::to_string(status);
    if (result["verdict"] == "uncontrolled") return "uncontrolled: " + result["notes"].dump();
    if (result["restarts"] != 0) return "the program's process died";
    complete = result["complete"];
    if (!complete && result["stop"] != "executions" && !search_.may_give_up)
      return "incomplete: " + result["notes"].dump();
    const bool ends_by_itself = expected.race && !search_.all_points;
    std::string wrong;
    std::set<std::string> outcomes;
    std::set<std::string> bugs;
    for (const auto& [label, outcome] : result["outcomes"].items()) outcomes.insert(label);
    for (const json& bug : result["bugs"]) bugs.insert(NameOfBug(bug));
    const bool race = bugs.erase("data-race") != 0;
    if (race && !expected.race) wrong += "; a data race that is none";
    if (!race && expected.race && complete) wrong += "; the data race is missed";
    if (ends_by_itself) return wrong;
    Differ(expected.outcomes, expected.possible_outcomes, outcomes, "outcome", wrong, complete);
    Differ(expected.bugs, expected.possible_bugs, bugs, "bug", wrong, complete);
    return wrong;
  }

 private:
  static void Differ(const std::set<std::string>& expected, const std::set<std::string>& possible,
                     const std::set<std::string>& answer, const char* what, std::string& wrong,
                     bool complete) {
    for (const std::string& name : expected)
      if (complete && !answer.contains(name))
        wrong += std::string("; missed ") + what + " '" + name + "'";
    for (const std::string& name : answer)
      if (!expected.contains(name) && !possible.contains(name))
        wrong += std::string("; false ") + what + " '" + name + "'";
  }

  const Search& search_;
  const std::filesystem::path result_;
  std::vector<std::string> words_;
  pid_t process_ = -1;
};

// All that heddle has to know, if nothing else is asked for.
uint32_t AllowedThemes() {
  uint32_t themes = 0;
  const std::vector<std::string> names = Split(FromEnvironment("HEDDLE_ORACLE_THEMES", ""));
  for (unsigned i = 0; i < static_cast<unsigned>(Theme::kCount); ++i)
    if (names.empty() ? std::ranges::find(kStillWrong, static_cast<Theme>(i)) == kStillWrong.end()
                      : std::ranges::find(names, NameOf(static_cast<Theme>(i))) != names.end())
      themes |= 1u << i;
  return themes;
}

// The default one, and one other.
std::vector<std::string> SearchesFor(uint64_t seed, bool race) {
  const std::vector<std::string> asked = Split(FromEnvironment("HEDDLE_ORACLE_SEARCHES", ""));
  if (!asked.empty()) return asked;
  std::vector<std::string> names = {"optimal"};
  const auto& all = Searches();
  const size_t with_plain = all.size() - 2;  // the last two
  names.push_back(all[race ? with_plain + seed % 2 : 1 + seed % (all.size() - 1)].name);
  return names;
}

// `program` without instruction `at` of a thread: what is skipped over is one less.
Program Without(const Program& program, size_t thread, size_t at) {
  Program less = program;
  auto& code = less.threads[thread];
  for (size_t i = 0; i < at; ++i) {
    const bool skips = code[i].code == Code::kSkipIf || code[i].code == Code::kSkipUnless;
    if (skips && i + static_cast<size_t>(code[i].value2) >= at) --code[i].value2;
  }
  code.erase(code.begin() + static_cast<ptrdiff_t>(at));
  return less;
}

// Is a thread joined, or detached, that nobody creates any more? That is no program.
bool NamesNoThread(const Program& program) {
  uint32_t created = 0;
  uint32_t named = 0;
  for (const auto& thread : program.threads) {
    for (const Instruction& i : thread) {
      if (i.code == Code::kCreate) created |= 1u << i.object;
      if (i.code >= Code::kJoin && i.code <= Code::kDetach) named |= 1u << i.object;
    }
  }
  return (named & ~created) != 0;
}

// What is said of a disagreement, as far as it must stay while the program is reduced.
std::string KindOf(const std::string& wrong) {
  const std::string first = wrong.substr(0, wrong.find(';', 1));
  if (first.find(" bug ") != std::string::npos) return first;
  return first.substr(0, first.find_first_of("':"));
}

// The least program, instruction by instruction, whose answer is wrong in the same way.
Program Reduced(Program program, const std::string& kind, const std::filesystem::path& folder,
                const Search& search, const std::string& binary) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (size_t t = 0; t < program.threads.size(); ++t) {
      for (size_t at = program.threads[t].size(); at-- > 0;) {
        const Program less = Without(program, t, at);
        if (NamesNoThread(less)) continue;
        const std::optional<Behaviour> expected = AllBehaviour(less, kMostStates);
        bool complete = true;
        if (!expected ||
            KindOf(Check(folder, search, binary, less).Compare(*expected, complete)) != kind)
          continue;
        program = less;
        smaller = true;
      }
    }
  }
  return program;
}

void TellReduced(const Program& program, const std::string& wrong,
                 const std::filesystem::path& folder, const Search& search,
                 const std::string& binary) {
  const Program reduced = Reduced(program, KindOf(wrong), folder, search, binary);
  const std::optional<Behaviour> expected = AllBehaviour(reduced, kMostStates);
  Check check(folder, search, binary, reduced);
  bool complete = true;
  std::printf("REDUCED %s\n", check.Compare(*expected, complete).c_str());
  for (const std::string& text : Print(reduced)) std::printf("  '%s'\n", text.c_str());
  std::printf("  expected:");
  for (const std::string& outcome : expected->outcomes) std::printf(" '%s'", outcome.c_str());
  for (const std::string& bug : expected->bugs) std::printf(" %s", bug.c_str());
  std::printf("\n  %s\n", check.Command().c_str());
}

TEST(Oracle, OnRandomPrograms) {
  const uint64_t programs = NumberFromEnvironment("HEDDLE_ORACLE_PROGRAMS", 60);
  const uint64_t first = NumberFromEnvironment("HEDDLE_ORACLE_SEED", 1);
  const bool keep_going = !FromEnvironment("HEDDLE_ORACLE_KEEP_GOING", "").empty();
  const bool reduce = !FromEnvironment("HEDDLE_ORACLE_REDUCE", "").empty();
  const std::array<std::string, 3> binaries = {HEDDLE_BUILD_DIR "/tests/oracle_gcc_O2",
                                               HEDDLE_BUILD_DIR "/tests/oracle_gcc_O0",
                                               HEDDLE_BUILD_DIR "/tests/oracle_clang_O2"};
  std::string folder = std::filesystem::temp_directory_path() / "heddle-oracle-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const uint32_t themes = AllowedThemes();
  std::map<std::string, uint64_t> seen;
  uint64_t states = 0;
  uint64_t compared = 0;
  for (uint64_t seed = first; compared < programs && (keep_going || !HasFailure()); ++seed) {
    const Generated generated = Generate(seed, themes);
    const std::optional<Behaviour> expected = AllBehaviour(generated.program, kMostStates);
    if (!expected) continue;
    ++compared;
    states += expected->states;
    std::vector<std::unique_ptr<Check>> checks;
    const std::vector<std::string> names = SearchesFor(seed, expected->race);
    for (const std::string& name : names)
      checks.push_back(
          std::make_unique<Check>(folder, SearchOf(name), binaries[seed % 3], generated.program));
    std::string used;
    for (unsigned i = 0; i < static_cast<unsigned>(Theme::kCount); ++i) {
      if (!generated.Has(static_cast<Theme>(i))) continue;
      ++seen[NameOf(static_cast<Theme>(i))];
      used += std::string(used.empty() ? "" : ",") + NameOf(static_cast<Theme>(i));
    }
    for (size_t i = 0; i < checks.size(); ++i) {
      bool complete = true;
      const std::string wrong = checks[i]->Compare(*expected, complete);
      if (!complete) ++seen["incomplete"];
      if (wrong.empty()) continue;
      ADD_FAILURE() << "HEDDLE_ORACLE_SEED=" << seed << " HEDDLE_ORACLE_PROGRAMS=1 [" << used
                    << "] " << names[i] << wrong << "\n"
                    << checks[i]->Command();
      if (reduce)
        TellReduced(generated.program, wrong, folder, SearchOf(names[i]), binaries[seed % 3]);
    }
    if (expected->race) ++seen["data-race"];
    for (const std::string& bug : expected->bugs) ++seen[bug];
    if (expected->bugs.empty() && !expected->race) ++seen["clean"];
  }
  std::filesystem::remove_all(folder);
  std::printf("%llu programs, %llu states", static_cast<unsigned long long>(compared),
              static_cast<unsigned long long>(states));
  for (const auto& [what, times] : seen)
    std::printf(", %llu %s", static_cast<unsigned long long>(times), what.c_str());
  std::printf("\n");
}

}  // namespace
}  // namespace heddle::oracle
