// heddle: the command. Finds the subcommand; everything else is in cmd_*.cpp.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <exception>

#include "cli/command.h"
#include "cli/did_you_mean.h"

namespace heddle::cli {
namespace {

struct Command {
  const char* name;
  int (*run)(const std::vector<std::string>& arguments);
  const char* help;
};

constexpr Command kCommands[] = {
    {"check", Check, "[options] [--] PROG [ARGS...]   explore the interleavings of a program"},
    {"replay", Replay, "[options] FILE.heddle          run one recorded schedule again"},
    {"report", Report, "[options] FILE...              print results that check --json wrote"},
    {"orders", Orders,
     "[options] [--] PROG [ARGS...]   list memory orders that a test does not need"},
    {"split", SplitSearch, "[options] FILE N               cut a saved search into pieces"},
    {"work", WorkPiece, "[options] PIECE                 explore a piece of a search"},
    {"merge", MergePieces, "[options] RESULT... | DIR      put the results of pieces together"},
};

std::string Help() {
  std::string text =
      "heddle explores the interleavings of multithreaded C and C++ programs.\n\nUsage:\n";
  for (const Command& command : kCommands) {
    text += std::string("  heddle ") + command.name + " " + command.help + "\n";
  }
  return text +
         "\n`heddle COMMAND --help` lists the options of a command; `heddle --version` says which "
         "heddle.\n"
         "Programs are built with heddle-cc and heddle-c++ in place of cc and c++.\n";
}

int Main(const std::vector<std::string>& arguments) {
  if (arguments.empty())
    return Fail(
        "which command? heddle check | replay | report | orders | split | work | merge (see heddle "
        "--help)");
  if (arguments[0] == "help" && arguments.size() > 1) return Main({arguments[1], "--help"});
  const std::string& name = arguments[0];
  if (name == "--help" || name == "-h" || name == "help") return Print(Help(), 0);
  if (name == "--version") return Print("heddle " HEDDLE_VERSION "\n", 0);
  for (const Command& command : kCommands) {
    if (name == command.name) return command.run({arguments.begin() + 1, arguments.end()});
  }
  if (name.starts_with("-")) return Fail("unknown option " + name + " (see heddle --help)");
  if (name.find('/') != std::string::npos || access(name.c_str(), X_OK) == 0)
    return Fail("unknown command " + name + ": did you mean heddle check " + name + "?");
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  return Fail("unknown command " + name + DidYouMean(name, names) + " (see heddle --help)");
}

// What the caller may have taken from the command and its files must not depend on.
void SanitizeInheritedState() {
  // A closed descriptor 0, 1 or 2 would be given to the next file opened, and then be overwritten.
  int descriptor;
  do {
    descriptor = open("/dev/null", O_RDWR);
  } while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  if (descriptor > STDERR_FILENO) close(descriptor);
  signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes becomes an error with a message
}

}  // namespace

}  // namespace heddle::cli

int main(int argc, char** argv) {
  try {
    heddle::cli::SanitizeInheritedState();
    return heddle::cli::Main({argv + 1, argv + argc});
  } catch (const std::exception& error) {  // no memory left, and the like
    return heddle::cli::Fail(error.what());
  }
}
