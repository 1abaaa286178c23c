#include "cli/compiler_steps.h"

#include <algorithm>
#include <utility>

#include "runtime/prim/target_machine.h"

namespace heddle::cli {
namespace {

using Words = std::vector<std::string>;

void Append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

// Flags that bring our assembler in. GCC also looks for headers in an `include` below a directory
// of -B, and for everything else that it runs: there is nothing but `as` in ours.
Words AssemblerFlags(const Toolchain& toolchain) {
  if (toolchain.assembler_dir.empty()) return {};
  Words flags = {"-B" + toolchain.assembler_dir + "/"};
  if (toolchain.is_clang) flags.push_back("-fno-integrated-as");
  return flags;
}

// Flags that instrument; they stand first, so that the user's own -g1, -O or -fno-sanitize=thread
// win.
Words InstrumentingFlags(const Toolchain& toolchain, const CompilerArguments& command) {
  // Nobody tells where a jump through a table leads; what comparisons lead to the code of a loop
  // does (runtime/loops/code/calls_of_round.h).
  Words flags = {"-fsanitize=thread", "-fno-jump-tables"};
  // For <heddle.h>; searched after all other directories, so that it shadows nothing.
  if (!toolchain.include_dir.empty()) {
    Append(flags, {"-idirafter", toolchain.include_dir});
    Append(flags, {"-isystem", toolchain.include_dir + "/heddle"});  // its <assert.h>
  }
  if (!command.has_debug_option) flags.push_back("-g");
  Append(flags, AssemblerFlags(toolchain));
  if (toolchain.is_clang) {
    // Clang leaves out the read of `x = x + 1`, because the write that follows reports the same
    // race; the scheduler needs both.
    Append(flags, {"-mllvm", "-tsan-instrument-read-before-write=1"});
    Append(flags, {"-mllvm", "-tsan-distinguish-volatile=1"});
    // Clang gives the first look of a loop that waits code of its own, if there is a yield or a
    // back-off between looks. Then it is no look like the others (docs/algorithms/spinning.md).
    Append(flags, {"-mllvm", "-rotation-max-header-size=0"});
    flags.insert(flags.begin(), "--start-no-unused-arguments");
    flags.push_back("--end-no-unused-arguments");
  } else {
    // GCC warns that libtsan does not know fences; libheddle does. GCC also expands these functions
    // inline after the instrumentation, where nobody sees them (docs/decisions/0002); Clang's
    // instrumentation turns them into calls by itself.
    Append(flags, {"-Wno-tsan", "--param=tsan-distinguish-volatile=1"});
    for (const char* function :
         {"memcpy", "memmove", "memset", "mempcpy", "bcopy", "bzero", "memcmp", "bcmp", "strcpy",
          "stpcpy", "strncpy", "stpncpy", "strcat", "strncat"})
      flags.push_back(std::string("-fno-builtin-") + function);
    // What _mm_mfence and its kin are: instructions that the instrumentation passes by.
    Append(flags, {"-D__builtin_ia32_mfence()=__atomic_thread_fence(__ATOMIC_SEQ_CST)",
                   "-D__builtin_ia32_lfence()=__atomic_thread_fence(__ATOMIC_ACQ_REL)",
                   "-D__builtin_ia32_sfence()=__atomic_thread_fence(__ATOMIC_ACQ_REL)"});
    if (!toolchain.plugin.empty()) flags.push_back("-fplugin=" + toolchain.plugin);
    Append(flags, {"-mmemcpy-strategy=libcall:-1:noalign", "-mmemset-strategy=libcall:-1:noalign"});
  }
  return flags;
}

// libheddle by its path and first, so that no -Bstatic, -L or --as-needed of the user changes which
// one is found, and its functions come before those of any other library.
Words LibraryFlags(const Toolchain& toolchain) {
  return {"-Wl,--push-state,--no-as-needed", toolchain.library_dir + "/libheddle.so",
          "-Wl,--pop-state", "-Wl,-rpath," + toolchain.library_dir};
}

// After all that the user says of NDEBUG. What -Wp, hands over is read after -D and -U.
Words AssertFlags(const CompilerArguments& command) {
  if (!command.keep_asserts || !command.HasSources()) return {};
  const bool handed_over = std::ranges::any_of(command.arguments, [](const Argument& argument) {
    return argument.words[0].starts_with("-Wp,");
  });
  return handed_over ? Words{"-UNDEBUG", "-Wp,-UNDEBUG"} : Words{"-UNDEBUG"};
}

bool IsSource(const Argument& argument) {
  return argument.role == Role::kSource || argument.role == Role::kAssembly;
}

bool HasCompiled(const CompilerArguments& command) {
  return std::any_of(command.arguments.begin(), command.arguments.end(),
                     [](const Argument& argument) { return argument.compiled; });
}

// Clang's own assembler would be asked again by these.
bool BringsAnotherAssembler(const Argument& argument) {
  return argument.words[0] == "-fintegrated-as" || argument.words[0] == "-integrated-as";
}

bool IsWanted(const Toolchain& toolchain, const Argument& argument) {
  const bool ours = toolchain.is_clang && !toolchain.assembler_dir.empty();
  return argument.role != Role::kDropped && !(ours && BringsAnotherAssembler(argument));
}

std::string WithoutSuffix(const std::string& path) {
  const size_t slash = path.rfind('/');
  const size_t dot = path.rfind('.');
  const bool has_suffix = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  return has_suffix ? path.substr(0, dot) : path;
}

// As the compiler is to be asked about it, with -x or by a suffix. Preprocessed sources are of the
// language that they were preprocessed as.
std::string LanguageName(const Argument& source) {
  constexpr std::string_view kOutput = "cpp-output";
  std::string name = source.language;
  if (name.ends_with(kOutput)) name.resize(name.size() - kOutput.size());
  if (name.ends_with("-")) name.pop_back();
  if (!source.language.empty()) return name.empty() ? "c" : name;
  const std::string& path = source.words[0];
  name = path.substr(WithoutSuffix(path).size());
  for (const auto& [output, plain] : {std::pair(".i", ".c"), std::pair(".ii", ".cc"),
                                      std::pair(".mi", ".m"), std::pair(".mii", ".mm")}) {
    if (name == output) return plain;
  }
  return name;
}

std::string Stem(const std::string& path) {
  const std::string whole = WithoutSuffix(path);
  return whole.substr(whole.rfind('/') + 1);  // npos + 1 is 0
}

// A name that no earlier step uses; the compiler shows it in messages, so it is like the source's.
std::string ObjectName(const std::string& source, const Steps& steps) {
  std::string name = Stem(source);
  const auto is_taken = [&](const Words& step) { return Stem(step.back()) == name; };
  while (std::any_of(steps.compile.begin(), steps.compile.end(), is_taken)) name += "_";
  return name + ".o";
}

// Puts what the compiler writes besides the object (.d, .gcno ...) where it would be had the
// command not been split: beside the program, or here when no -o names one. GCC 12 manual, "Overall
// Options", -dumpdir; checked against both compilers by the tests.
Words BesideTheProgram(const Toolchain& toolchain, const CompilerArguments& command,
                       const Argument& source) {
  const std::string& program = command.output;
  const std::string stem = Stem(source.words[0]);
  Words words;
  if (!toolchain.is_clang) words = {"-dumpdir", (program.empty() ? "a" : program) + "-"};
  if (!command.writes_dependencies) return words;
  if (!command.names_dependency_file) {
    const std::string unnamed = toolchain.is_clang ? stem : "a-" + stem;
    Append(words, {"-MF", (program.empty() ? unnamed : WithoutSuffix(program)) + ".d"});
  }
  if (!command.names_dependency_target)
    Append(words, {"-MQ", program.empty() ? stem + ".o" : program});
  return words;
}

Words CompileStep(const Toolchain& toolchain, const CompilerArguments& command,
                  const Argument& source, const std::string& object) {
  Words words = {toolchain.compiler};
  if (toolchain.is_clang) words.push_back("-Qunused-arguments");
  if (source.role == Role::kSource) Append(words, InstrumentingFlags(toolchain, command));
  if (source.compiled) Append(words, AssemblerFlags(toolchain));
  Append(words, BesideTheProgram(toolchain, command, source));
  for (const Argument& argument : command.arguments) {
    // Split debug information would be left in the temporary directory.
    if (argument.words[0].starts_with("-gsplit-dwarf")) continue;
    if (!IsWanted(toolchain, argument)) continue;
    if (argument.role == Role::kBoth || argument.role == Role::kCompile)
      Append(words, argument.words);
  }
  Append(words, AssertFlags(command));
  if (!source.language.empty()) Append(words, {"-x", source.language});
  Append(words, source.words);
  Append(words, {"-c", "-o", object});
  return words;
}

Steps OneStep(const Toolchain& toolchain, const CompilerArguments& command, const Words& flags) {
  Steps steps;
  std::vector<const Argument*> sources;
  for (const Argument& argument : command.arguments)
    if (argument.role == Role::kSource) sources.push_back(&argument);
  if (!sources.empty()) steps.last_language = AskForLanguage(toolchain, command, sources);
  steps.last = {toolchain.compiler};
  Append(steps.last, flags);
  for (const Argument& argument : command.arguments) {
    if (IsWanted(toolchain, argument)) Append(steps.last, argument.words);
  }
  Append(steps.last, AssertFlags(command));
  return steps;
}

Steps SplitSteps(const Toolchain& toolchain, const CompilerArguments& command, const Words& library,
                 const std::string& temporary_dir) {
  Steps steps;
  steps.last = {toolchain.compiler};
  if (toolchain.is_clang) steps.last.push_back("-Qunused-arguments");
  Append(steps.last, library);
  for (const Argument& argument : command.arguments) {
    if (IsSource(argument)) {
      const std::string object = temporary_dir + "/" + ObjectName(argument.words[0], steps);
      steps.compile.push_back(CompileStep(toolchain, command, argument, object));
      steps.compile_language.push_back(
          argument.role == Role::kSource ? AskForLanguage(toolchain, command, {&argument}) : "");
      steps.last.push_back(object);
    } else if (argument.role == Role::kBoth || argument.role == Role::kLink ||
               argument.role == Role::kOutput) {
      Append(steps.last, argument.words);
    }
  }
  return steps;
}

}  // namespace

bool NeedsTemporaryObjects(const CompilerArguments& command) {
  return command.action == Action::kLink &&
         std::any_of(command.arguments.begin(), command.arguments.end(), IsSource);
}

std::string AskForAssembler(const Toolchain& toolchain, const CompilerArguments& command) {
  std::string question = toolchain.compiler;
  for (const Argument& argument : command.arguments) {
    if (!argument.words[0].starts_with("-B")) continue;
    for (const std::string& word : argument.words) question += "\n" + word;
  }
  return question;
}

std::string AskForLanguage(const Toolchain& toolchain, const CompilerArguments& command,
                           const std::vector<const Argument*>& sources) {
  std::string question = toolchain.compiler + "\n";
  for (const Argument& argument : command.arguments) {
    for (const char* option : {"-std", "--std", "-ansi", "--ansi", "--driver-mode"}) {
      if (argument.words.size() == 1 && argument.words[0].starts_with(option))
        question += argument.words[0] + "\n";
    }
  }
  for (const Argument* source : sources)
    question += "\n" + LanguageName(*source) + " " + source->words[0];
  return question;
}

base::Result<Steps> Arrange(const Toolchain& toolchain, const CompilerArguments& command,
                            const std::string& temporary_dir) {
  if (command.action == Action::kInform) return OneStep(toolchain, command, {});
  if (!command.other_machine.empty()) {
    return base::Error{command.other_machine + ": heddle supports " HEDDLE_MACHINE
                                               " programs only; leave it out of this build"};
  }
  if (!command.sanitizer.empty()) {
    return base::Error{"-fsanitize=" + command.sanitizer +
                       " cannot be combined with heddle: both replace malloc and instrument every "
                       "access; leave it "
                       "out of this build"};
  }
  if (command.action == Action::kCompile) {
    Words flags;
    if (command.HasSources())
      flags = InstrumentingFlags(toolchain, command);
    else if (HasCompiled(command))
      flags = AssemblerFlags(toolchain);
    return OneStep(toolchain, command, flags);
  }
  if (command.is_static) {
    return base::Error{
        "heddle needs a dynamically linked program; leave -static out of this build"};
  }
  Words library;
  if (!command.relocatable) {
    if (toolchain.library_dir.empty()) {
      return base::Error{
          "libheddle.so is neither beside heddle-cc nor in ../lib; install heddle again, or build "
          "all of it"};
    }
    library = LibraryFlags(toolchain);
  }
  if (NeedsTemporaryObjects(command)) return SplitSteps(toolchain, command, library, temporary_dir);
  return OneStep(toolchain, command, library);
}

}  // namespace heddle::cli
