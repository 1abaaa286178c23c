// What heddle-cc runs for one command line: the real compiler, with the flags that bring a program
// under control.
//
// Compiling adds -fsanitize=thread, so that the compiler calls __tsan_* for every access. Linking
// must not be told of it, or the driver would add libtsan: it gets libheddle.so, which defines the
// same functions. So a command that both compiles and links is split: one command per source into a
// temporary object, and one to link. Every other command stays one command.
//
// Between the compiler and the assembler stands heddle_as.cpp, for the asm statements: -B names the
// directory where it is called `as`, and Clang is told to use an assembler at all.
//
// Tested by tests/unit/cli_compiler_steps_test.cpp, and with both compilers by
// tests/cli/test_heddle_cc.sh.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/compiler_arguments.h"

namespace heddle::cli {

struct Toolchain {
  std::string compiler;  // path of the real compiler
  bool is_clang = false;
  std::string library_dir;    // where libheddle.so is, or empty when it was not found
  std::string include_dir;    // where heddle.h is, or empty
  std::string assembler_dir;  // where heddle_as.cpp is `as`, or empty
  std::string plugin{};       // for this very GCC, or empty (gcc_plugin/)
};

// In the environment of the compiler, for our assembler: how to ask for the real one. Words of a
// command, one a line, to which -print-prog-name=as is added.
inline constexpr char kAskVariable[] = "HEDDLE_ASK_ASSEMBLER";

// The value of kAskVariable: the compiler, with the user's own -B.
std::string AskForAssembler(const Toolchain& toolchain, const CompilerArguments& command);

// Likewise: how to ask for the language of the unit, in which atomics may have rules of their own.
// Words of a command, one a line, an empty line, and a line for each source that the step compiles:
// what -x said or a dot and its suffix, a blank, and its name.
inline constexpr char kLanguageVariable[] = "HEDDLE_ASK_LANGUAGE";

// The value of kLanguageVariable for these sources.
std::string AskForLanguage(const Toolchain& toolchain, const CompilerArguments& command,
                           const std::vector<const Argument*>& sources);

struct Steps {
  // Into temporary objects; empty if the command was not split.
  std::vector<std::vector<std::string>> compile;
  std::vector<std::string> last;
  // Values of kLanguageVariable: of each step of `compile`, and of the last one.
  std::vector<std::string> compile_language;
  std::string last_language;
};

// Must the command be split? Then Arrange needs a directory for the temporary objects.
bool NeedsTemporaryObjects(const CompilerArguments& command);

base::Result<Steps> Arrange(const Toolchain& toolchain, const CompilerArguments& command,
                            const std::string& temporary_dir);

}  // namespace heddle::cli
