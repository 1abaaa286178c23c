#include "cli/ask_compiler.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

std::string_view TakeLine(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string_view BaseName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// The language of the unit as the question names it: what -x said, or a dot and a suffix. Empty if
// the command compiles several sources and it is not known which one this is.
std::string_view LanguageOf(std::string_view sources, std::string_view assembly) {
  constexpr std::string_view kFile = ".file";
  std::string_view file;
  if (const size_t at = assembly.find(kFile); at != std::string_view::npos) {
    file = assembly.substr(at + kFile.size());
    file = TakeLine(file);
    const size_t begin = file.find('"');
    const size_t end = begin == std::string_view::npos ? begin : file.find('"', begin + 1);
    file = end == std::string_view::npos ? "" : BaseName(file.substr(begin + 1, end - begin - 1));
  }
  std::string_view first, named;
  bool differ = false;
  while (!sources.empty()) {
    std::string_view name = TakeLine(sources);
    const std::string_view language = name.substr(0, name.find(' '));
    name = BaseName(name.substr(std::min(language.size() + 1, name.size())));
    if (first.empty()) first = language;
    differ |= language != first;
    if (name == file) named = language;
  }
  return differ ? named : first;
}

// What the compiler predefines for an empty file of this language.
std::string Predefined(Words command, std::string_view language) {
  command.insert(command.end(), {"-E", "-dM"});
  if (!language.starts_with(".")) {
    command.insert(command.end(), {"-x", std::string(language), "/dev/null"});
    return Answer(std::move(command), false);
  }
  // The driver goes by the suffix, and by its own name: there must be a file.
  std::error_code error;
  std::string folder = fs::temp_directory_path(error) / "heddle-as-XXXXXX";
  if (error || mkdtemp(folder.data()) == nullptr) return "";
  const std::string file = folder + "/empty" + std::string(language);
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor >= 0) close(descriptor);
  command.push_back(file);
  std::string answer = descriptor >= 0 ? Answer(std::move(command), false) : "";
  fs::remove_all(folder, error);
  return answer;
}

// The number that `macro` is defined as; 0: it is not defined.
long ValueOf(std::string_view macro, std::string_view predefined) {
  const std::string definition = "#define " + std::string(macro) + " ";
  const size_t at = predefined.find(definition);
  if (at == std::string_view::npos) return 0;
  return std::strtol(std::string(predefined.substr(at + definition.size(), 20)).c_str(), nullptr,
                     10);
}

}  // namespace

std::vector<char*> Pointers(Words& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

bool ReadAll(int descriptor, std::string& text) {
  char buffer[1 << 16];
  for (ssize_t n; (n = read(descriptor, buffer, sizeof buffer)) != 0;) {
    if (n > 0)
      text.append(buffer, static_cast<size_t>(n));
    else if (errno != EINTR)
      return false;
  }
  return true;
}

std::string Answer(Words command, bool complains) {
  int out[2];
  if (pipe2(out, O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  if (!complains)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failure =
      posix_spawn(&child, command[0].c_str(), &actions, nullptr, Pointers(command).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  std::string answer;
  if (failure == 0) ReadAll(out[0], answer);
  close(out[0]);
  if (failure == 0) waitpid(child, nullptr, 0);
  while (!answer.empty() && answer.back() == '\n') answer.pop_back();
  return answer;
}

bool IsC11Unit(std::string_view question, std::string_view assembly) {
  Words command;
  for (std::string_view word; !(word = TakeLine(question)).empty();) command.emplace_back(word);
  if (command.empty()) return false;
  const std::string_view language = LanguageOf(question, assembly);
  if (language.empty()) return false;
  const std::string predefined = Predefined(std::move(command), language);
  if (predefined.empty()) return false;
  // Compilers that only know C++20 as C++2a have a number between the two.
  constexpr long kCxx17 = 201703, kC23 = 202311;
  if (const long standard = ValueOf("__cplusplus", predefined); standard != 0)
    return standard <= kCxx17;
  return ValueOf("__STDC_VERSION__", predefined) <= kC23;
}

}  // namespace heddle::cli
