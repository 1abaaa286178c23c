// Reads the command line of a C or C++ compiler driver: which words are inputs, which concern only
// the compile step, which only the link step. heddle-cc needs that because the two steps want
// different flags (see heddle_cc.cpp).
//
// Tested by tests/unit/cli_compiler_arguments_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cli {

// What one argument is for.
enum class Role {
  kBoth,      // no distinction is made: -O2, -pthread, -v, -I ...
  kCompile,   // -c's half only: -MD, -MF file, -include file ...
  kLink,      // the other half: -shared, -lm, -Wl,... ; objects and libraries too
  kSource,    // a file that has to be compiled before it can be linked
  kAssembly,  // the same, in assembly language: there is nothing to instrument
  kOutput,    // -o file
  kLanguage,  // -x language
  kDropped,   // contradicts heddle-cc: -fsanitize=thread, -static-libtsan, -static-libstdc++, -flto
};

struct Argument {
  Role role = Role::kBoth;
  std::vector<std::string> words;  // an option with a separate value has two
  std::string language;            // of a source: what -x said, or empty
  bool compiled = false;           // of assembly: a compiler made it, for us or of asm statements
};

// What the command as a whole asks for.
enum class Action {
  kInform,   // --version, -print-search-dirs, no input at all: not a step of a build
  kCompile,  // ends before linking: -c, -S, -E, -M, -fsyntax-only, precompiling a header
  kLink,     // links; compiles first what is source
};

struct CompilerArguments {
  std::vector<Argument> arguments;
  Action action = Action::kInform;
  std::string output;                    // of -o, or empty
  bool has_debug_option = false;         // some -g was given, perhaps -g0
  bool writes_dependencies = false;      // -MD or -MMD
  bool names_dependency_file = false;    // -MF
  bool names_dependency_target = false;  // -MT or -MQ
  bool relocatable = false;              // -r: links objects into an object
  bool is_static = false;                // -static, -static-pie
  bool asks_version = false;             // --version
  bool asks_thread = false;              // -fsanitize=thread, which we add ourselves
  bool keep_asserts = false;             // --heddle-keep-asserts; not read here
  std::string other_machine;             // -m32, or another option for a machine that is not ours
  std::string sanitizer;                 // one that cannot be combined with heddle, or empty

  bool HasSources() const;  // something that instrumentation applies to
};

// `words`: the command line without the program's name, response files already expanded.
CompilerArguments ReadCompilerArguments(std::span<const std::string> words);

// Replaces every @file by the words in it, as GCC and Clang do: separated by white space, with
// quotes and backslashes; an @file that cannot be read stays as it is.
std::vector<std::string> ExpandResponseFiles(std::span<const std::string> words);

}  // namespace heddle::cli
