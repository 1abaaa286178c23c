#include "report/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace heddle::report {
namespace {

constexpr int kDefaultWidth = 100;
constexpr int kLeastWidth = 30;
constexpr int kMostWidth = 400;

int WidthOf(int fd) {
  const char* columns = std::getenv("COLUMNS");
  int width = columns != nullptr ? std::atoi(columns) : 0;
  winsize size;
  if (width <= 0 && ioctl(fd, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width <= 0 ? kDefaultWidth : std::clamp(width, kLeastWidth, kMostWidth);
}

// It obeys escape sequences.
bool Obeys(int fd) {
  const char* term = std::getenv("TERM");
  return isatty(fd) == 1 && (term == nullptr || std::string_view(term) != "dumb");
}

}  // namespace

Terminal Terminal::Of(int fd, ColorChoice choice) {
  const char* no_color = std::getenv("NO_COLOR");
  bool able = Obeys(fd) && (no_color == nullptr || *no_color == '\0');
  bool color = choice == ColorChoice::kAlways || (choice == ColorChoice::kAuto && able);
  return Terminal(WidthOf(fd), color);
}

bool Terminal::RewritesLines(int fd) { return Obeys(fd); }

}  // namespace heddle::report
