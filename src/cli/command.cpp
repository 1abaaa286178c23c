#include "cli/command.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "report/visible.h"

namespace heddle::cli {

int Fail(const std::string& message) {
  std::fprintf(stderr, "heddle: %s\n", report::VisibleLine(message).c_str());
  return kUsageError;
}

void Warn(const std::string& message) {
  std::fprintf(stderr, "heddle: warning: %s\n", report::VisibleLine(message).c_str());
}

int Print(const std::string& text, int status) {
  bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) == 0 && written) return status;
  return Fail(std::string("cannot write to standard output: ") + std::strerror(errno));
}

int WriteFields(int to, const std::string& fields, int status) {
  size_t written = 0;
  for (ssize_t more = 1; more > 0 && written < fields.size();
       written += static_cast<size_t>(more)) {
    more = write(to, fields.data() + written, fields.size() - written);
    if (more < 0) return Fail(std::string("cannot hand over the result: ") + std::strerror(errno));
  }
  return status;
}

}  // namespace heddle::cli
