#include "cli/compiler_arguments.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace heddle::cli {
namespace {

using Words = std::vector<std::string>;

CompilerArguments Read(Words words) { return ReadCompilerArguments(words); }

std::vector<Role> Roles(const Words& words) {
  std::vector<Role> roles;
  for (const Argument& argument : ReadCompilerArguments(words).arguments)
    roles.push_back(argument.role);
  return roles;
}

TEST(CompilerArguments, TellsWhatTheCommandDoes) {
  EXPECT_EQ(Read({}).action, Action::kInform);
  EXPECT_EQ(Read({"--version"}).action, Action::kInform);
  EXPECT_EQ(Read({"-v"}).action, Action::kInform);
  EXPECT_EQ(Read({"-print-file-name=libc.so", "a.c"}).action, Action::kInform);
  EXPECT_EQ(Read({"-c", "a.c"}).action, Action::kCompile);
  EXPECT_EQ(Read({"a.c", "-S"}).action, Action::kCompile);
  EXPECT_EQ(Read({"-E", "-x", "c", "-"}).action, Action::kCompile);
  EXPECT_EQ(Read({"-MM", "a.c"}).action, Action::kCompile);
  EXPECT_EQ(Read({"a.h", "-o", "a.h.gch"}).action, Action::kCompile);
  EXPECT_EQ(Read({"-x", "c++-header", "a"}).action, Action::kCompile);
  EXPECT_EQ(Read({"a.c"}).action, Action::kLink);
  EXPECT_EQ(Read({"a.o"}).action, Action::kLink);
  EXPECT_EQ(Read({"-lfoo"}).action, Action::kLink);
  EXPECT_EQ(Read({"-MD", "a.c"}).action, Action::kLink);
}

TEST(CompilerArguments, SortsWordsByStep) {
  EXPECT_EQ(Roles({"-O2", "-I", "dir", "-Idir", "-include", "a.h", "-DX", "-MMD", "-MF", "d"}),
            (std::vector{Role::kBoth, Role::kCompile, Role::kCompile, Role::kCompile,
                         Role::kCompile, Role::kCompile, Role::kCompile}));
  EXPECT_EQ(
      Roles({"-lm", "-l", "m", "-Ldir", "-Wl,-z,now", "-Xlinker", "-z", "-shared", "a.so", "b.a"}),
      std::vector(8, Role::kLink));
  EXPECT_EQ(
      Roles({"a.c", "b.cc", "c.s", "d.S", "-"}),
      (std::vector{Role::kSource, Role::kSource, Role::kAssembly, Role::kAssembly, Role::kSource}));
}

TEST(CompilerArguments, ReadsValuesGluedAndSeparate) {
  EXPECT_EQ(Read({"-o", "out", "a.c"}).output, "out");
  EXPECT_EQ(Read({"-oout", "a.c"}).output, "out");
  EXPECT_EQ(Read({"a.c", "-c", "-o"}).output, "");
  // None of these is an -u, -I, -M or -e with a value.
  EXPECT_EQ(Roles({"-undef", "a.c"}), (std::vector{Role::kBoth, Role::kSource}));
  EXPECT_EQ(Roles({"-emit-llvm", "a.c"}), (std::vector{Role::kBoth, Role::kSource}));
  EXPECT_EQ(Roles({"-MM", "a.c"}), (std::vector{Role::kBoth, Role::kSource}));
}

TEST(CompilerArguments, AppliesLanguageUntilNone) {
  const CompilerArguments read =
      Read({"-x", "c", "a.txt", "-", "-x", "none", "b.o", "-xassembler", "c.txt"});
  EXPECT_EQ(read.arguments[1].role, Role::kSource);
  EXPECT_EQ(read.arguments[1].language, "c");
  EXPECT_EQ(read.arguments[2].language, "c");
  EXPECT_EQ(read.arguments[4].role, Role::kLink);
  EXPECT_EQ(read.arguments[6].role, Role::kAssembly);
}

TEST(CompilerArguments, SeesWhatContradictsHeddle) {
  EXPECT_EQ(
      Roles({"-fsanitize=thread", "-flto", "-flto=auto", "-static-libtsan", "-static-libstdc++"}),
      std::vector(5, Role::kDropped));
  const CompilerArguments both = Read({"-fsanitize=undefined,thread", "a.c"});
  EXPECT_EQ(both.arguments[0].words, Words{"-fsanitize=undefined"});
  EXPECT_EQ(both.sanitizer, "");
  EXPECT_EQ(Read({"-fsanitize=undefined,address", "a.c"}).sanitizer, "address");
  EXPECT_TRUE(Read({"-static", "a.c"}).is_static);
  EXPECT_TRUE(Read({"-static-pie", "a.c"}).is_static);
  EXPECT_FALSE(Read({"-static-libgcc", "a.c"}).is_static);
  EXPECT_TRUE(Read({"-r", "a.o"}).relocatable);
  EXPECT_FALSE(Read({"-rdynamic", "a.o"}).relocatable);
}

TEST(CompilerArguments, SeesOtherMachinesAndQuestions) {
  EXPECT_EQ(Read({"-m32", "a.c"}).other_machine, "-m32");
  EXPECT_EQ(Read({"-m32", "-m64", "a.c"}).other_machine, "");
  EXPECT_EQ(Read({"-m64", "-mx32", "a.c"}).other_machine, "-mx32");
  EXPECT_EQ(Read({"-march=native", "-m3dnow", "a.c"}).other_machine, "");
  EXPECT_TRUE(Read({"--version"}).asks_version);
  EXPECT_FALSE(Read({"-Wl,--version", "-dumpversion"}).asks_version);
  EXPECT_TRUE(Read({"-fsanitize=undefined,thread", "a.c"}).asks_thread);
  EXPECT_FALSE(Read({"-fsanitize=undefined", "-fno-sanitize=thread", "a.c"}).asks_thread);
}

TEST(CompilerArguments, KnowsDebugOptions) {
  EXPECT_TRUE(Read({"-g", "a.c"}).has_debug_option);
  EXPECT_TRUE(Read({"-ggdb3", "a.c"}).has_debug_option);
  EXPECT_TRUE(Read({"-g0", "a.c"}).has_debug_option);
  EXPECT_FALSE(Read({"-O2", "a.c"}).has_debug_option);
}

class ResponseFile : public testing::Test {
 protected:
  ~ResponseFile() override { std::remove(path_.c_str()); }
  Words Expand(const std::string& text) {
    std::ofstream(path_) << text;
    const Words words = {"first", "@" + path_, "last"};
    return ExpandResponseFiles(words);
  }
  std::string path_ =
      testing::TempDir() + "compiler_arguments_test." + std::to_string(getpid()) + ".rsp";
};

TEST_F(ResponseFile, SplitsAtWhiteSpaceOutsideQuotes) {
  EXPECT_EQ(Expand("a  b\n\tc"), (Words{"first", "a", "b", "c", "last"}));
  EXPECT_EQ(Expand("'a b' \"c 'd'\" e\\ f \"\\\"\""),
            (Words{"first", "a b", "c 'd'", "e f", "\"", "last"}));
  EXPECT_EQ(Expand("'' x"), (Words{"first", "", "x", "last"}));
  EXPECT_EQ(Expand(""), (Words{"first", "last"}));
}

TEST_F(ResponseFile, EndsWhenItNamesItself) {
  const Words words = Expand("@" + path_);
  EXPECT_EQ(words, (Words{"first", "@" + path_, "last"}));
}

TEST_F(ResponseFile, StaysAsItIsWhenThereIsNone) {
  const Words words = {"@/nowhere/arguments", "@"};
  EXPECT_EQ(ExpandResponseFiles(words), words);
}

}  // namespace
}  // namespace heddle::cli
