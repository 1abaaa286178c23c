// heddle-cc and heddle-c++: drop-in compilers. They run GCC or Clang with the flags that bring a
// program under heddle's control (compiler_steps.h), and end with the compiler's own exit status.
//
//   make CC=heddle-cc CXX=heddle-c++
//   cmake -DCMAKE_C_COMPILER=heddle-cc -DCMAKE_CXX_COMPILER=heddle-c++
//
// The real compiler is gcc or g++, else clang or clang++; --heddle-compiler=NAME, or HEDDLE_CC and
// HEDDLE_CXX in the environment, choose another one: gcc, clang, clang-15, or a path.
// --heddle-keep-asserts undoes -DNDEBUG.
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/compiler_steps.h"
#include "runtime/prim/target_machine.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr int kUsageError = 2;

[[noreturn]] void Fail(const std::string& message) {
  std::fprintf(stderr, "heddle-cc: %s\n", message.c_str());
  std::exit(kUsageError);
}

// ---- which compiler ----

bool IsExecutableFile(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

// The program `name` of PATH, or empty. Skips ourselves, so that heddle-cc may also be installed
// under the name gcc.
std::string FindInPath(const std::string& name, const fs::path& self) {
  const char* path = std::getenv("PATH");
  std::string rest = path != nullptr ? path : "/usr/bin:/bin";
  while (!rest.empty()) {
    const size_t colon = rest.find(':');
    const fs::path candidate = fs::path(rest.substr(0, colon)) / name;
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
    std::error_code error;
    if (IsExecutableFile(candidate) && fs::canonical(candidate, error) != self) return candidate;
  }
  return "";
}

// gcc-12 becomes g++-12, and clang-14 clang++-14; every other name stays.
std::string CxxName(const std::string& name) {
  for (const auto& [c, cxx] : {std::pair("gcc", "g++"), std::pair("clang", "clang++")}) {
    if (name == c || name.starts_with(std::string(c) + "-"))
      return cxx + name.substr(std::strlen(c));
  }
  return name;
}

std::string FindCompiler(std::string wanted, bool cplusplus, const fs::path& self) {
  if (wanted.empty()) {
    const char* variable = std::getenv(cplusplus ? "HEDDLE_CXX" : "HEDDLE_CC");
    if (variable != nullptr) wanted = variable;
  }
  if (wanted.empty()) {
    for (const char* name : {"gcc", "clang"}) {
      std::string found = FindInPath(cplusplus ? CxxName(name) : name, self);
      if (!found.empty()) return found;
    }
    Fail(cplusplus ? "neither g++ nor clang++ is in PATH; install one, or set HEDDLE_CXX"
                   : "neither gcc nor clang is in PATH; install one, or set HEDDLE_CC");
  }
  if (wanted.find('/') != std::string::npos) {
    std::error_code error;
    if (!IsExecutableFile(wanted)) Fail("there is no compiler " + wanted);
    if (fs::canonical(wanted, error) == self)
      Fail(wanted + " is heddle-cc itself; name the real compiler");
    return wanted;
  }
  const std::string name = cplusplus ? CxxName(wanted) : wanted;
  std::string found = FindInPath(name, self);
  if (found.empty()) Fail("there is no compiler " + name + " in PATH");
  return found;
}

bool NameSays(const std::string& path, bool& is_clang) {
  const std::string name = fs::path(path).filename();
  is_clang = name.find("clang") != std::string::npos;
  return is_clang || name.find("gcc") != std::string::npos || name.find("g++") != std::string::npos;
}

// What the compiler prints for this option.
std::string Ask(const std::string& compiler, std::string option) {
  int out[2];
  if (pipe2(out, O_CLOEXEC) != 0) Fail(std::string("cannot make a pipe: ") + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  std::string path = compiler;
  char* const arguments[] = {path.data(), option.data(), nullptr};
  pid_t child = 0;
  const int failure = posix_spawn(&child, path.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  if (failure != 0) Fail("cannot run " + compiler + ": " + std::strerror(failure));
  std::string answer;
  char buffer[512];
  for (ssize_t n; (n = read(out[0], buffer, sizeof buffer)) > 0;)
    answer.append(buffer, static_cast<size_t>(n));
  close(out[0]);
  waitpid(child, nullptr, 0);
  return answer;
}

// By its name, by the name of what it links to (cc -> gcc-12), or by asking it.
bool IsClang(const std::string& compiler) {
  bool is_clang = false;
  std::error_code error;
  if (NameSays(compiler, is_clang) || NameSays(fs::canonical(compiler, error), is_clang))
    return is_clang;
  return Ask(compiler, "--version").find("clang") != std::string::npos;
}

// The first of `places`, relative to our own directory, that holds `file`; or empty.
std::string FindBeside(const fs::path& self, std::initializer_list<const char*> places,
                       const char* file) {
  for (const char* place : places) {
    std::error_code error;
    const fs::path dir = fs::canonical(self.parent_path() / place, error);
    if (!error && fs::exists(dir / file, error)) return dir;
  }
  return "";
}

// Empty: there is none for this release.
std::string FindPlugin(const Toolchain& toolchain) {
  if (toolchain.is_clang || toolchain.library_dir.empty()) return "";
  std::string release = Ask(toolchain.compiler, "-dumpfullversion");
  release.resize(std::min(release.find('\n'), release.size()));
  std::string plugin = toolchain.library_dir + "/heddle-gcc-" + release + ".so";
  std::error_code error;
  return fs::exists(plugin, error) ? plugin : "";
}

// ---- running ----

// Assembly that a compiler made (-S, and then -c) has its marks around asm statements, and a call
// for each unit that it instrumented (assembly/code_marks.h).
bool IsCompiled(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line);) {
    const size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos) continue;
    if (line.compare(begin, 4, "#APP") == 0) return true;
    if (line.find("__tsan_init", begin) != std::string::npos) return true;
  }
  return false;
}

// A directory that is removed at the end; made when first needed.
class TemporaryDir {
 public:
  ~TemporaryDir() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  const std::string& Path() {
    if (path_.empty()) {
      std::error_code error;
      std::string name = fs::temp_directory_path(error) / "heddle-cc-XXXXXX";
      if (error || mkdtemp(name.data()) == nullptr) {
        Fail(
            "cannot make a directory for temporary objects; set TMPDIR to a directory that can be "
            "written");
      }
      path_ = name;
    }
    return path_;
  }

 private:
  std::string path_;
};

volatile sig_atomic_t g_child = 0;

void PassOn(int signal) {
  if (g_child > 0) kill(g_child, signal);
}

std::vector<char*> Pointers(Words& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// execve takes 2 MB of arguments and environment with the usual stack limit of 8 MB; response files
// exist because some builds need more, and we have expanded them.
bool IsTooLong(const Words& words) {
  constexpr size_t kSafeBytes = 1 << 20;
  size_t bytes = 0;
  for (const std::string& word : words) bytes += word.size() + 1 + sizeof(char*);
  return bytes > kSafeBytes;
}

Words AsResponseFile(const Words& words, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  for (size_t i = 1; i < words.size(); ++i) {
    file << '"';
    for (const char c : words[i]) {
      if (c == '"' || c == '\\') file << '\\';
      file << c;
    }
    file << "\"\n";
  }
  file.close();
  if (!file) Fail("cannot write " + path + "; is the disk full?");
  return {words[0], "@" + path};
}

// Runs a command to its end and returns its wait status.
int Run(Words words, TemporaryDir& temporary) {
  if (IsTooLong(words)) words = AsResponseFile(words, temporary.Path() + "/arguments");
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t passed_on;
  sigemptyset(&passed_on);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&passed_on, signal);
  posix_spawnattr_setsigdefault(&attributes, &passed_on);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int failure =
      posix_spawn(&child, words[0].c_str(), nullptr, &attributes, Pointers(words).data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (failure != 0) Fail("cannot run " + words[0] + ": " + std::strerror(failure));
  g_child = child;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  g_child = 0;
  return status;
}

// Runs all steps, the last one only if the others succeeded, as the drivers do. Returns a wait
// status.
int RunAll(const Steps& steps, TemporaryDir& temporary) {
  struct sigaction action = {};
  action.sa_handler = PassOn;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  int failed = 0;
  for (size_t i = 0; i < steps.compile.size(); ++i) {
    setenv(kLanguageVariable, steps.compile_language[i].c_str(), 1);
    const int status = Run(steps.compile[i], temporary);
    if (status != 0 && failed == 0) failed = status;
    if (WIFSIGNALED(status)) break;
  }
  return failed != 0 ? failed : Run(steps.last, temporary);
}

// The compiler's own answer stands first: configure scripts, CMake and Meson tell by its words
// which compiler they have, and by its first number which version.
int AnswerVersion(const std::string& name, const Toolchain& toolchain, const Words& command,
                  TemporaryDir& temporary) {
  const int status = Run(command, temporary);
  std::printf("\n%s %s compiles for heddle with %s\n", name.c_str(), HEDDLE_VERSION,
              toolchain.compiler.c_str());
  if (std::fflush(stdout) != 0) Fail(std::string("cannot write: ") + std::strerror(errno));
  return status;
}

int RunCommand(const std::string& name, const Toolchain& toolchain,
               const CompilerArguments& command) {
  static TemporaryDir temporary;  // static: Fail ends by std::exit
  const bool split = NeedsTemporaryObjects(command);
  base::Result<Steps> steps = Arrange(toolchain, command, split ? temporary.Path() : "");
  if (!steps) Fail(steps.Message());
  if (command.asks_version) return AnswerVersion(name, toolchain, steps->last, temporary);
  // Once for a program, not for each of its files. Not for each file also because configure scripts
  // take a compiler that says something for one that does not know the option.
  if (command.asks_thread && command.action == Action::kLink) {
    std::fprintf(stderr,
                 "heddle-cc: note: -fsanitize=thread: libheddle takes the place of "
                 "ThreadSanitizer's own library\n");
  }
  setenv(kLanguageVariable, steps->last_language.c_str(), 1);
  if (!split && !IsTooLong(steps->last)) {
    execv(steps->last[0].c_str(), Pointers(steps->last).data());
    Fail("cannot run " + steps->last[0] + ": " + std::strerror(errno));
  }
  return RunAll(*steps, temporary);
}

int Main(int argc, char** argv) {
  std::error_code error;
  const fs::path self = fs::canonical("/proc/self/exe", error);
  if (error) Fail("cannot read /proc/self/exe: " + error.message());
  const bool cplusplus = fs::path(argv[0]).filename().string().find("++") != std::string::npos;
  const std::string name = cplusplus ? "heddle-c++" : "heddle-cc";

  Words words;
  std::string wanted;
  bool keep_asserts = false;
  for (int i = 1; i < argc; ++i) {
    constexpr std::string_view kOption = "--heddle-compiler=";
    const std::string_view word = argv[i];
    if (word.starts_with(kOption)) {
      wanted = word.substr(kOption.size());
      if (wanted.empty()) Fail("--heddle-compiler= needs a name: gcc, clang, or a path");
    } else if (word == "--heddle-keep-asserts") {
      keep_asserts = true;
    } else {
      words.emplace_back(word);
    }
  }
  CompilerArguments command = ReadCompilerArguments(ExpandResponseFiles(words));
  command.keep_asserts = keep_asserts;
  Toolchain toolchain;
  toolchain.compiler = FindCompiler(wanted, cplusplus, self);
  toolchain.is_clang = IsClang(toolchain.compiler);
  toolchain.library_dir =
      FindBeside(self, {".", "../lib", "../" HEDDLE_LIBRARY_FOLDER, "../lib64"}, "libheddle.so");
  if (command.action != Action::kInform) toolchain.plugin = FindPlugin(toolchain);
  toolchain.include_dir = FindBeside(self, {"include", "../include"}, "heddle.h");
  toolchain.assembler_dir = FindBeside(self, {"assembler", "../libexec/heddle"}, "as");
  if (toolchain.assembler_dir.empty() && command.action != Action::kInform) {
    Fail(
        "our assembler is neither in the directory assembler beside heddle-cc nor in "
        "../libexec/heddle; install heddle again, or build all of it");
  }
  for (Argument& argument : command.arguments)
    argument.compiled = argument.role == Role::kAssembly && IsCompiled(argument.words[0]);
  setenv(kAskVariable, AskForAssembler(toolchain, command).c_str(), 1);

  const int status = RunCommand(name, toolchain, command);
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace
}  // namespace heddle::cli

int main(int argc, char** argv) { return heddle::cli::Main(argc, argv); }
