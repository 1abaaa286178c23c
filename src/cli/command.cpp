#include "cli/command.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace heddle::cli {

int Fail(const std::string& message) {
  std::fprintf(stderr, "heddle: %s\n", message.c_str());
  return kUsageError;
}

int Print(const std::string& text, int status) {
  bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) == 0 && written) return status;
  return Fail(std::string("cannot write to standard output: ") + std::strerror(errno));
}

}  // namespace heddle::cli
