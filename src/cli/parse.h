// What the options of all subcommands have in common: reading them, durations, colours.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/terminal.h"

namespace heddle::cli {

// "60s", "1.5m", "2h", "500ms"; a bare number is seconds. In milliseconds.
base::Result<uint64_t> ParseDuration(const std::string& text);

// Adds an option whose value is a duration, stored in milliseconds.
CLI::Option* AddDuration(CLI::App& app, const std::string& name, uint64_t& milliseconds,
                         const std::string& help);

// Adds an option whose value is a whole number, in decimal digits only: CLI11 by itself would take
// -1 for the largest one.
CLI::Option* AddNumber(CLI::App& app, const std::string& name, uint64_t& number,
                       const std::string& help);

// Adds an option whose value is an amount of memory, in bytes: "500M", "2GiB"; units of 1024.
CLI::Option* AddBytes(CLI::App& app, const std::string& name, uint64_t& bytes,
                      const std::string& help);

// What --help prints after "Usage:", in place of CLI11's own guess.
void SetUsage(CLI::App& app, const std::string& usage);
// The same of a command with many options: --help lists the `first` ones, --help-all those beyond.
void SetUsage(CLI::App& app, const std::string& usage, std::vector<std::string> first);

// Adds --color auto|always|never.
void AddColor(CLI::App& app, report::ColorChoice& choice);

// `heddle check [options] [--] PROG [ARGS...]`: everything from PROG on belongs to the program,
// whatever it looks like. Answers the options of ours; the rest is left in `program`.
std::vector<std::string> SplitProgram(const CLI::App& app,
                                      const std::vector<std::string>& arguments,
                                      std::vector<std::string>& program);

// The names of our options among the arguments of `program`, as SplitProgram left them. With a --
// before the program's name they are meant for the program: then there are none.
std::vector<std::string> OursAfterProgram(const CLI::App& app,
                                          const std::vector<std::string>& arguments,
                                          const std::vector<std::string>& program);

// Reads `options` into what the app's options are bound to. An answer is the exit status to end
// with: help was printed, or something was wrong and one line says what.
std::optional<int> Parse(CLI::App& app, const std::vector<std::string>& options);

}  // namespace heddle::cli
