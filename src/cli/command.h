// The subcommands. One file each; main.cpp picks one.
#pragma once

#include <string>
#include <vector>

namespace heddle::cli {

// Exit statuses of every subcommand (docs/cli.md): 0 nothing found, 1 bug, 3 and 4 see
// report/verdict.h.
inline constexpr int kUsageError = 2;
inline constexpr int kUncontrolled = 3;

// Each takes what follows its name on the command line and answers the exit status.
int Check(const std::vector<std::string>& arguments);
int Replay(const std::vector<std::string>& arguments);
int Report(const std::vector<std::string>& arguments);
int Orders(const std::vector<std::string>& arguments);
int SplitSearch(const std::vector<std::string>& arguments);
int WorkPiece(const std::vector<std::string>& arguments);
int MergePieces(const std::vector<std::string>& arguments);

// "heddle: <message>" on stderr; answers kUsageError. One line, whatever names are in it: control
// characters, and what is not UTF-8, are written out (report/visible.h).
int Fail(const std::string& message);

// Likewise "heddle: warning: <message>", and the command goes on.
void Warn(const std::string& message);

// Prints to stdout and answers `status`; when that could not be written, says so in a line on
// stderr and answers kUsageError: whoever reads the status must not take it for a report.
int Print(const std::string& text, int status);

// A result, to heddle::Check (report/fields.h), which waits for it at descriptor `to`; answers
// `status`, or when it could not be written kUsageError.
int WriteFields(int to, const std::string& fields, int status);

}  // namespace heddle::cli
