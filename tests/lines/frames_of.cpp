// The frames that a report would show at each return address that is read from stdin, one a line in
// hexadecimal, as an address of the file: "1234 queue.cpp:7 mutex:12" with whole paths, innermost
// first; then "| " and the place in the program's own code. For tests/lines/compare.py.
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "report/symbolize.h"

using namespace heddle::report;  // NOLINT: a program of one page

namespace {

std::string TextOf(const Location& location) {
  return (location.file.empty() ? "??" : location.file) + ":" + std::to_string(location.line);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::vector<Module> modules = {{0, 0, ~uint64_t{0}, argv[1]}};
  Symbolizer symbolizer;
  for (std::string line; std::getline(std::cin, line);) {
    const uint64_t address = std::stoull(line, nullptr, 16);
    const std::vector<Frame>& frames = symbolizer.Frames(modules, address, false);
    std::cout << line;
    for (const Frame& frame : frames) std::cout << ' ' << TextOf(frame.location);
    std::cout << " | " << TextOf(ProgramsOwn(frames)) << '\n';
  }
}
