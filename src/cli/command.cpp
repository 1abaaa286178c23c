#include "cli/command.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace heddle::cli {

namespace {

std::string OneLine(const std::string& message) {
  std::string line;
  for (const char c : message) {
    const auto byte = static_cast<unsigned char>(c);
    char code[5];
    if (c == '\n') {
      line += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      std::snprintf(code, sizeof code, "\\x%02x", byte);
      line += code;
    } else {
      line += c;
    }
  }
  return line;
}

}  // namespace

int Fail(const std::string& message) {
  std::fprintf(stderr, "heddle: %s\n", OneLine(message).c_str());
  return kUsageError;
}

void Warn(const std::string& message) {
  std::fprintf(stderr, "heddle: warning: %s\n", OneLine(message).c_str());
}

int Print(const std::string& text, int status) {
  bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) == 0 && written) return status;
  return Fail(std::string("cannot write to standard output: ") + std::strerror(errno));
}

}  // namespace heddle::cli
