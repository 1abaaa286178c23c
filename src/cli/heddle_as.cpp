// The assembler that the compilers run for heddle-cc: it stands as `as` in a directory of its own,
// which heddle-cc names by -B. It puts calls into the asm statements of what the compiler wrote
// (assembly/rewrite.h), names other functions for the atomic stores of units whose language has
// other rules for them (assembly/c11_stores.h), marks the code that was instrumented
// (assembly/code_marks.h), and hands the result to the real assembler, with the same arguments.
// Where there is nothing to do it only becomes the real assembler.
//
// What it cannot follow is said on stderr, in the words of a compiler's warning, and recorded in
// the object, so that every report of heddle names it.
//
// The real assembler is the one that the compiler would have run. heddle-cc says in the environment
// how to ask for it, and for the unit's language (compiler_steps.h).
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "assembly/c11_stores.h"
#include "assembly/code_marks.h"
#include "assembly/limit_clock.h"
#include "assembly/rewrite.h"
#include "assembly/unseen_adds.h"
#include "cli/ask_compiler.h"
#include "cli/compiler_steps.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

[[noreturn]] void Fail(const std::string& message) {
  std::fprintf(stderr, "heddle-cc: %s\n", message.c_str());
  std::exit(2);
}

// ---- which assembler ----

bool IsUs(const fs::path& path) {
  std::error_code error;
  return fs::equivalent(path, "/proc/self/exe", error);
}

std::string FindAssembler() {
  const char* ask = std::getenv(kAskVariable);
  std::string name = "as";
  if (ask != nullptr) {
    Words question;
    for (const char* at = ask; *at != '\0';) {
      const char* end = at + std::strcspn(at, "\n");
      question.emplace_back(at, end);
      at = *end == '\0' ? end : end + 1;
    }
    if (!question.empty()) {
      question.push_back("-print-prog-name=as");
      if (std::string answer = Answer(question, true); !answer.empty()) name = answer;
    }
  }
  if (name.find('/') != std::string::npos && !IsUs(name)) return name;
  const char* path = std::getenv("PATH");
  std::string rest = path != nullptr ? path : "/usr/bin:/bin";
  while (!rest.empty()) {
    const size_t colon = rest.find(':');
    const fs::path candidate = fs::path(rest.substr(0, colon)) / fs::path(name).filename();
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
    if (access(candidate.c_str(), X_OK) == 0 && !IsUs(candidate)) return candidate;
  }
  Fail("there is no assembler `as` in PATH; install binutils");
}

// ---- what to assemble ----

struct Arguments {
  Words words;                  // all of them, the program's name included
  std::vector<size_t> sources;  // which are files to assemble; none: standard input
  bool other_machine = false;   // not 64-bit x86
};

Arguments Read(int argc, char** argv) {
  Arguments arguments;
  arguments.words.assign(argv, argv + argc);
  static const char* const kWithValue[] = {"-o", "-I", "--defsym", "--MD", "-G"};
  for (size_t i = 1; i < arguments.words.size(); ++i) {
    const std::string& word = arguments.words[i];
    if (word == "--32" || word == "--x32") arguments.other_machine = true;
    const bool takes_value = std::any_of(std::begin(kWithValue), std::end(kWithValue),
                                         [&](const char* name) { return word == name; });
    if (takes_value)
      ++i;
    else if (word == "-" || !word.starts_with("-"))
      arguments.sources.push_back(i);
  }
  return arguments;
}

std::string ReadSource(const std::string& name) {
  std::string text;
  const int descriptor = name == "-" ? STDIN_FILENO : open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) Fail("cannot open " + name + ": " + std::strerror(errno));
  if (!ReadAll(descriptor, text))
    Fail(std::string("cannot read the compiler's output: ") + std::strerror(errno));
  if (descriptor != STDIN_FILENO) close(descriptor);
  return text;
}

// What the unit's language asks to be added to its assembly.
std::string ForItsLanguage(const std::string& text) {
  const char* question = std::getenv(kLanguageVariable);
  if (question == nullptr || *question == '\0') return "";
  std::string stores = assembly::C11Stores(text);
  return !stores.empty() && IsC11Unit(question, text) ? stores : "";
}

[[noreturn]] void Become(Words words) {
  execv(words[0].c_str(), Pointers(words).data());
  Fail("cannot run " + words[0] + ": " + std::strerror(errno));
}

// Puts `text` where the assembler will read it: an unnamed file in place of standard input.
void BecomeInput(const std::string& text) {
  const int file = memfd_create("heddle-as", MFD_CLOEXEC);
  if (file < 0) Fail(std::string("cannot make a temporary file: ") + std::strerror(errno));
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) Fail(std::string("cannot write a temporary file: ") + std::strerror(errno));
    done += static_cast<size_t>(n);
  }
  lseek(file, 0, SEEK_SET);
  dup2(file, STDIN_FILENO);
}

int Main(int argc, char** argv) {
  Arguments arguments = Read(argc, argv);
  const bool informs =
      std::any_of(arguments.words.begin() + 1, arguments.words.end(), [](const std::string& word) {
        return word == "--version" || word == "-version" || word == "--help";
      });
  arguments.words[0] = FindAssembler();
  if (informs || arguments.other_machine || arguments.sources.size() > 1)
    Become(std::move(arguments.words));

  const std::string source =
      arguments.sources.empty() ? "-" : arguments.words[arguments.sources[0]];
  const std::string text = ReadSource(source);
  const bool named = source != "-";
  const std::string added = ForItsLanguage(text);
  const bool has_statements = assembly::HasAsmStatements(text);
  const bool instrumented = assembly::IsInstrumented(text);
  if (!has_statements && !instrumented && added.empty()) {
    if (!named) BecomeInput(text);
    Become(std::move(arguments.words));
  }
  assembly::Rewritten rewritten;
  if (has_statements)
    rewritten = assembly::Rewrite(text);
  else
    rewritten.text = text;
  for (const assembly::Unseen& unseen : rewritten.unseen) {
    const std::string line = unseen.line != 0 ? ":" + std::to_string(unseen.line) : "";
    std::fprintf(stderr, "%s%s: warning: heddle does not see what this assembly does: %s (%s)\n",
                 unseen.file.empty() ? "heddle-cc" : unseen.file.c_str(), line.c_str(),
                 unseen.text.c_str(), unseen.why.c_str());
  }
  // Errors of the assembler name the file that it would have read.
  std::string whole = named ? "# 1 \"" + source + "\"\n" : "";
  if (instrumented) {
    if (assembly::ReadsSteadyClock(rewritten.text))
      rewritten.text = assembly::WithLimitClock(rewritten.text);
    if (assembly::AddsAtomically(rewritten.text))
      rewritten.text = assembly::WithUnseenAdds(rewritten.text);
    rewritten.text = assembly::WithCodeMarks(rewritten.text);
  }
  whole += rewritten.text + assembly::Notes(rewritten.unseen) + added;
  BecomeInput(whole);
  if (named) arguments.words[arguments.sources[0]] = "-";
  Become(std::move(arguments.words));
}

}  // namespace
}  // namespace heddle::cli

int main(int argc, char** argv) { return heddle::cli::Main(argc, argv); }
