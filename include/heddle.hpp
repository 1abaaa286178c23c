// heddle inside a test, of whatever framework:
//
//   TEST(Queue, PushPop) {
//     Queue queue;
//     const heddle::Report report = heddle::Check([&] {
//       std::thread producer([&] { queue.Push(1); });
//       std::thread consumer([&] { queue.Pop(); });
//       producer.join();
//       consumer.join();
//     });
//     EXPECT_TRUE(report.Clean()) << report;
//   }
//
// The program is built with heddle-c++ and run as ever. heddle then starts it once more, up to this
// call, takes the snapshot there, and runs the body in every interleaving that matters. In a
// program that is not linked with libheddle the body runs once, and the report says that nothing
// was explored.
//
// Include this header after the test framework's own: then only the present test is run up to the
// call (GoogleTest, Catch2 2, doctest), otherwise everything before it.
//
// C++11 and later; GCC and Clang.
#ifndef HEDDLE_HPP
#define HEDDLE_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "heddle.h"

// What libheddle.so defines; use heddle::Check instead.
extern "C" __attribute__((weak, visibility("default"))) char* heddle_check_(
    void (*body)(void*), void* argument, const char* place, const char* const* options,
    const char* const* test_arguments, std::size_t* bytes);

namespace heddle {

// As for `heddle check`, one text a word: {"--bound", "preemptions=2", "--time=10s"}.
struct Options {
  Options() = default;
  Options(std::initializer_list<std::string> list) : words(list) {}
  std::vector<std::string> words;
};

enum class Verdict {
  kClean,  // no bug within what was asked; Report::complete and guarantee say what that is
  kBug,
  kIncomplete,    // no bug, but the search ended before all was explored
  kUncontrolled,  // something that heddle does not control influences the body
  kNotExplored,   // no libheddle: the body ran once, as ordinary code
  kError,         // heddle could not begin; `text` says why
  kPart,          // a call within an execution: the body ran once, as a part of what is explored
};

struct Bug {
  std::string kind;  // "data-race", "deadlock", "assertion" ... (docs/json.md)
  std::string message;
  std::string file;  // of the first location; empty: not known
  unsigned line = 0;
  std::string schedule;  // for `heddle replay`
  std::string replay;    // the same as a line for heddle::Replay; empty: it is too long for one
};

struct Report {
  Verdict verdict = Verdict::kNotExplored;
  bool complete = false;  // every schedule within the bound asked for was explored
  std::string guarantee;  // what was shown, in a sentence
  std::uint64_t executions = 0;
  std::vector<Bug> bugs;
  std::string text;  // as `heddle check` prints it

  // No bug, and the search came to its end. Of a part of what is explored anyway (heddle check
  // --each) the search says that itself, and the test can go on.
  bool Clean() const { return verdict == Verdict::kClean || verdict == Verdict::kPart; }
  bool FoundBug() const { return verdict == Verdict::kBug; }
};

inline std::ostream& operator<<(std::ostream& out, const Report& report) {
  if (!report.text.empty()) return out << report.text;
  return out << (report.verdict == Verdict::kPart ? "heddle: this is a part of what is explored\n"
                                                  : "heddle: nothing was explored here\n");
}

namespace internal {

// ---- the arguments that make this program run the present test only, and break at what fails ----
// Empty where the framework is not known. Each file that includes this has functions of its own: it
// may include a framework, or not.
namespace {

inline std::vector<std::string> TestArguments() {
  std::vector<std::string> arguments;
#if defined(GTEST_TEST)
  const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
  if (test != nullptr) {
    std::string name = std::string(test->test_suite_name()) + "." + test->name();
    for (char& c : name)
      if (c == ':' || c == '-' || c == '*') c = '?';  // which a filter has no way to write
    arguments = {"--gtest_filter=" + name, "--gtest_break_on_failure"};
  }
#elif defined(DOCTEST_VERSION) && !defined(DOCTEST_CONFIG_DISABLE)
  const ::doctest::ContextOptions* context = ::doctest::getContextOptions();
  if (context != nullptr && context->currentTest != nullptr) {
    std::string name;
    for (const char* at = context->currentTest->m_name; *at != '\0'; ++at) {
      if (*at == ',' || *at == '\\') name += '\\';
      name += *at;
    }
    arguments = {"--test-case=" + name, "--no-breaks=false"};
    if (name.empty())  // doctest takes an empty filter for none
      arguments = {"--test-case=*", "--test-case-exclude=?*", "--no-breaks=false"};
  }
#elif defined(CATCH_VERSION_MAJOR)
  std::string name;
  for (const char c : std::string(::Catch::getResultCapture().getCurrentTestName())) {
    if (c == ',' || c == '[' || c == ']' || c == '\\' || c == '*' || c == '"') name += '\\';
    name += c;
  }
  arguments = {name, "--break"};
#endif
  return arguments;
}

}  // namespace

inline std::vector<const char*> Pointers(const std::vector<std::string>& words) {
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  pointers.push_back(nullptr);
  return pointers;
}

inline Verdict VerdictOf(const std::string& name) {
  switch (name.empty() ? 'e' : name[0]) {
    case 'c':
      return Verdict::kClean;
    case 'b':
      return Verdict::kBug;
    case 'i':
      return Verdict::kIncomplete;
    case 'u':
      return Verdict::kUncontrolled;
    case 'n':
      return Verdict::kNotExplored;
    case 'p':
      return Verdict::kPart;
    default:
      return Verdict::kError;
  }
}

inline void TakeField(Report& report, const std::string& name, const std::string& value) {
  if (name == "verdict") report.verdict = VerdictOf(value);
  if (name == "complete") report.complete = value == "true";
  if (name == "guarantee") report.guarantee = value;
  if (name == "executions") report.executions = std::strtoull(value.c_str(), nullptr, 10);
  if (name == "text") report.text = value;
  if (name == "bug") report.bugs.push_back({});
  if (report.bugs.empty()) return;
  Bug& bug = report.bugs.back();
  if (name == "bug") bug.kind = value;
  if (name == "bug.message") bug.message = value;
  if (name == "bug.file") bug.file = value;
  if (name == "bug.line")
    bug.line = static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10));
  if (name == "bug.schedule") bug.schedule = value;
  if (name == "bug.replay") bug.replay = value;
}

// "NAME BYTES\nVALUE\n", one after the other. What is cut off is left out.
inline Report ReadReport(const std::string& fields) {
  Report report;
  report.verdict = Verdict::kError;
  for (std::size_t at = 0; at < fields.size();) {
    const std::size_t space = fields.find(' ', at);
    const std::size_t line = space == std::string::npos ? space : fields.find('\n', space);
    if (line == std::string::npos) break;
    const std::size_t bytes = std::strtoull(fields.c_str() + space, nullptr, 10);
    if (bytes > fields.size() - line - 1) break;
    TakeField(report, fields.substr(at, space - at), fields.substr(line + 1, bytes));
    at = line + 1 + bytes + 1;
  }
  return report;
}

template <typename Body>
Report Ask(Body& body, const std::vector<std::string>& words, const char* file, int line) {
  using Function = typename std::remove_reference<Body>::type;
  static_assert(!std::is_same<decltype(std::declval<Function&>()()), bool>::value,
                "heddle::Check does not look at what its body returns: have the body fail (assert, "
                "an expectation of the framework, an exception) in place of returning false");
  if (heddle_check_ == nullptr) {
    body();
    return Report();
  }
  const std::vector<std::string> test = TestArguments();
  const std::string place = std::string(file) + ":" + std::to_string(line);
  std::size_t bytes = 0;
  struct Call {
    Function* body;  // an object, or a function
    static void Run(void* call) { (*static_cast<Call*>(call)->body)(); }
  };
  Call call = {std::addressof(body)};
  char* fields = heddle_check_(Call::Run, &call, place.c_str(), Pointers(words).data(),
                               Pointers(test).data(), &bytes);
  if (fields == nullptr) return ReadReport("");
  const std::string text(fields, bytes);
  std::free(fields);
  return ReadReport(text);
}

}  // namespace internal

// Explores the body: what it does from its beginning to its return is an execution, and one that
// ends the program in place of returning is a bug. All of its threads are to end before it returns.
// What it returns is not looked at. See heddle check for what is found. What a body changes in
// memory is as it was before when Check returns.
//
// Call it from main's thread, while no other thread runs. The program is started again for it, so
// what comes before the call has to happen the same way each time. One call after the other.
//
// Does not throw what the body throws, which is a bug, unless nothing is explored.
template <typename Body>
Report Check(Body&& body, const Options& options = Options(),  // NOLINT: called, never forwarded
             const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return internal::Ask(body, options.words, file, line);
}

// Runs the body under one schedule only: the line that a report of heddle::Check has, behind
// `schedule:`. It shows the bug that it was taken for as long as that is there, in milliseconds,
// and Clean() says that it does not any more. If the body has changed such that the line does not
// fit, the verdict is kError, and the text says where: search again, by heddle::Check.
template <typename Body>
Report Replay(const std::string& schedule, Body&& body,  // NOLINT: called, never forwarded
              const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return internal::Ask(body, {"--schedule=" + schedule}, file, line);
}

}  // namespace heddle

#endif  // HEDDLE_HPP
