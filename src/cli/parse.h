// What the options of all subcommands have in common: declaring and reading them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/terminal.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace heddle::cli {

// "60s", "1.5m", "2h", "500ms"; a bare number is seconds. In milliseconds.
base::Result<uint64_t> ParseDuration(const std::string& text);

// The options of a subcommand: declared one by one, each bound to a variable, then read. Only
// parse.cpp includes CLI11, which takes seconds to compile.
class CommandLine {
 public:
  // What can be said of an option beyond its name and help.
  class Option {
   public:
    explicit Option(CLI::Option* option) : option_(option) {}

    const Option& Type(const std::string& name) const;      // what help calls its value
    const Option& Group(const std::string& heading) const;  // under which help has it; "": nowhere
    const Option& Required() const;
    const Option& Excludes(const Option& other) const;
    const Option& Among(const std::vector<std::string>& words) const;
    const Option& Between(uint64_t least, uint64_t most) const;
    // `--order ""` is a shell variable that was not set, not the default.
    const Option& NotEmpty() const;
    const Option& Repeatable() const;  // with one value each time

   private:
    CLI::Option* option_;
  };

  // An option as it was given; a flag has no values.
  struct Given {
    std::string name;
    std::vector<std::string> values;
  };

  // `name`: "heddle check".
  CommandLine(const std::string& about, const std::string& name);
  ~CommandLine();

  // What --help prints after "Usage:", in place of CLI11's own guess.
  void SetUsage(const std::string& usage);
  // The same of a command with many options: --help lists the `first` ones, --help-all all.
  void SetUsage(const std::string& usage, std::vector<std::string> first);
  void SetFooter(const std::string& text);

  // A name without dashes is a positional argument.
  Option Text(const std::string& name, std::string& value, const std::string& help);
  Option Text(const std::string& name, std::optional<std::string>& value, const std::string& help);
  Option Text(const std::string& name, std::vector<std::string>& values, const std::string& help);
  Option Flag(const std::string& name, bool& value, const std::string& help);
  // "--gdb{gdb}": may have a value, and is "gdb" without one.
  Option Flag(const std::string& name, std::string& value, const std::string& help);
  Option Flag(const std::string& name, std::function<void()> given, const std::string& help);
  // A whole number, in decimal digits only: CLI11 by itself would take -1 for the largest one.
  Option Number(const std::string& name, uint64_t& number, const std::string& help);
  Option Descriptor(const std::string& name, int& descriptor, const std::string& help);
  // Stored in milliseconds.
  Option Duration(const std::string& name, uint64_t& milliseconds, const std::string& help);
  // An amount of memory, in bytes: "500M", "2GiB"; units of 1024.
  Option Bytes(const std::string& name, uint64_t& bytes, const std::string& help);
  // --color auto|always|never.
  void Color(report::ColorChoice& choice);

  // `heddle check [options] [--] PROG [ARGS...]`: everything from PROG on belongs to the program,
  // whatever it looks like. Answers the options of ours; the rest is left in `program`.
  std::vector<std::string> SplitProgram(const std::vector<std::string>& arguments,
                                        std::vector<std::string>& program) const;

  // The names of our options among the arguments of `program`, as SplitProgram left them. With a
  // -- before the program's name they are meant for the program: then there are none.
  std::vector<std::string> OursAfterProgram(const std::vector<std::string>& arguments,
                                            const std::vector<std::string>& program) const;

  // Reads `options` into what the options are bound to. An answer is the exit status to end with:
  // help was printed, or something was wrong and one line says what.
  std::optional<int> Parse(const std::vector<std::string>& options);
  // Likewise, and prints nothing.
  std::optional<base::Error> Read(const std::vector<std::string>& words);

  std::vector<Given> AllGiven() const;
  bool IsGiven(const std::string& name) const;

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace heddle::cli
