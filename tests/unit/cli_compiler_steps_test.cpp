#include "cli/compiler_steps.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::cli {
namespace {

using Words = std::vector<std::string>;

const Toolchain kGcc = {"/usr/bin/gcc", false, "/opt/heddle/lib", "/opt/heddle/include", ""};
const Toolchain kClang = {"/usr/bin/clang", true, "/opt/heddle/lib", "", ""};

base::Result<Steps> For(const Toolchain& toolchain, const Words& words) {
  return Arrange(toolchain, ReadCompilerArguments(words), "/tmp/t");
}

bool Has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr char kThread[] = "-fsanitize=thread";
constexpr char kLibrary[] = "/opt/heddle/lib/libheddle.so";

TEST(CompilerSteps, CompilingIsInstrumentedAndLinkingIsNot) {
  for (const Toolchain& toolchain : {kGcc, kClang}) {
    const auto compile = For(toolchain, {"-c", "a.c"});
    ASSERT_TRUE(compile);
    EXPECT_TRUE(compile->compile.empty());
    EXPECT_TRUE(Has(compile->last, kThread));
    EXPECT_FALSE(Has(compile->last, kLibrary));

    const auto link = For(toolchain, {"a.o", kThread, "-o", "prog"});
    ASSERT_TRUE(link);
    EXPECT_FALSE(Has(link->last, kThread));
    EXPECT_TRUE(Has(link->last, kLibrary));
  }
}

TEST(CompilerSteps, LoadsThePluginToCompileOnly) {
  constexpr char kPlugin[] = "-fplugin=/opt/heddle/lib/heddle-gcc-12.2.0.so";
  Toolchain with_plugin = kGcc;
  with_plugin.plugin = "/opt/heddle/lib/heddle-gcc-12.2.0.so";
  EXPECT_TRUE(Has(For(with_plugin, {"-c", "a.c"})->last, kPlugin));
  EXPECT_FALSE(Has(For(with_plugin, {"a.o"})->last, kPlugin));
  EXPECT_FALSE(Has(For(kGcc, {"-c", "a.c"})->last, kPlugin));
}

TEST(CompilerSteps, SplitsWhatDoesBoth) {
  const auto steps =
      For(kGcc, {"-O1", "-x", "c", "x/a.c", "y/a.c", "-x", "none", "b.o", "-lm", "-o", "prog"});
  ASSERT_TRUE(steps);
  ASSERT_EQ(steps->compile.size(), 2u);
  for (const Words& step : steps->compile) {
    EXPECT_TRUE(Has(step, kThread));
    EXPECT_TRUE(Has(step, "-O1"));
    EXPECT_FALSE(Has(step, "-lm"));
    EXPECT_FALSE(Has(step, "prog"));
  }
  EXPECT_NE(steps->compile[0].back(), steps->compile[1].back()) << "two objects of the same name";
  const Words end(steps->last.end() - 7, steps->last.end());
  EXPECT_EQ(end, (Words{"-O1", steps->compile[0].back(), steps->compile[1].back(), "b.o", "-lm",
                        "-o", "prog"}));
  EXPECT_FALSE(Has(steps->last, kThread));
  EXPECT_FALSE(Has(steps->last, "-x"));
}

// What our assembler asks to learn the language of a unit.
TEST(CompilerSteps, SaysHowToAskForTheLanguage) {
  const auto one = For(kGcc, {"-c", "-std=c++17", "-O2", "d/a.cc"});
  ASSERT_TRUE(one);
  EXPECT_EQ(one->last_language, "/usr/bin/gcc\n-std=c++17\n\n.cc d/a.cc");
  const auto several =
      For(kClang, {"-c", "a.c", "b.ii", "-x", "cpp-output", "c", "-x", "c++", "-"});
  ASSERT_TRUE(several);
  EXPECT_EQ(several->last_language, "/usr/bin/clang\n\n.c a.c\n.cc b.ii\nc c\nc++ -");
  const auto split = For(kGcc, {"a.c", "s.s", "b.cpp", "c.o"});
  ASSERT_TRUE(split);
  EXPECT_EQ(split->compile_language,
            (std::vector<std::string>{"/usr/bin/gcc\n\n.c a.c", "", "/usr/bin/gcc\n\n.cpp b.cpp"}));
  EXPECT_EQ(split->last_language, "");
}

TEST(CompilerSteps, LeavesQuestionsAlone) {
  EXPECT_EQ(For(kGcc, {"--version"})->last, (Words{"/usr/bin/gcc", "--version"}));
}

TEST(CompilerSteps, UserOptionsComeAfterOurs) {
  const Words words = For(kGcc, {"-fno-sanitize=thread", "-g0", "-c", "a.c"})->last;
  EXPECT_LT(std::find(words.begin(), words.end(), kThread),
            std::find(words.begin(), words.end(), "-fno-sanitize=thread"));
  EXPECT_FALSE(Has(words, "-g"));
}

TEST(CompilerSteps, KeepsAssertsAgainstAllThatTheUserSays) {
  const auto kept = [](const Words& words) {
    CompilerArguments command = ReadCompilerArguments(words);
    command.keep_asserts = true;
    return Arrange(kGcc, command, "/tmp/t");
  };
  EXPECT_EQ(kept({"-c", "a.c", "-D", "NDEBUG"})->last.back(), "-UNDEBUG");
  EXPECT_EQ(kept({"-c", "-Wp,-DNDEBUG", "a.c"})->last.back(), "-Wp,-UNDEBUG");
  const auto split = kept({"a.c", "-DNDEBUG", "-o", "prog"});
  const Words& step = split->compile[0];
  EXPECT_LT(std::find(step.begin(), step.end(), "-DNDEBUG"),
            std::find(step.begin(), step.end(), "-UNDEBUG"));
  EXPECT_TRUE(Has(step, "-UNDEBUG"));
  EXPECT_FALSE(Has(split->last, "-UNDEBUG"));
  EXPECT_FALSE(Has(kept({"a.o"})->last, "-UNDEBUG"));
  EXPECT_FALSE(Has(For(kGcc, {"-c", "-DNDEBUG", "a.c"})->last, "-UNDEBUG"));
}

TEST(CompilerSteps, RelocatableObjectsGetNoLibrary) {
  EXPECT_FALSE(Has(For(kGcc, {"-r", "a.o", "b.o", "-o", "ab.o"})->last, kLibrary));
  EXPECT_TRUE(Has(For(kGcc, {"-shared", "a.o", "-o", "a.so"})->last, kLibrary));
}

TEST(CompilerSteps, RefusesWithOneLine) {
  for (const Words& words : {Words{"-fsanitize=address", "-c", "a.c"}, Words{"-static", "a.o"}}) {
    const auto steps = For(kGcc, words);
    ASSERT_FALSE(steps);
    EXPECT_EQ(steps.Message().find('\n'), std::string::npos);
  }
  Toolchain without_library = kGcc;
  without_library.library_dir.clear();
  EXPECT_FALSE(For(without_library, {"a.o"}));
  EXPECT_TRUE(For(without_library, {"-c", "a.c"}));
}

}  // namespace
}  // namespace heddle::cli
