#include "report/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace heddle::report {
namespace {

constexpr int kDefaultWidth = 100;
constexpr int kLeastWidth = 60;
constexpr int kMostWidth = 400;

int WidthOf(int fd) {
  const char* columns = std::getenv("COLUMNS");
  int width = columns != nullptr ? std::atoi(columns) : 0;
  winsize size;
  if (width <= 0 && ioctl(fd, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width <= 0 ? kDefaultWidth : std::clamp(width, kLeastWidth, kMostWidth);
}

}  // namespace

Terminal Terminal::Of(int fd, ColorChoice choice) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  bool able = isatty(fd) == 1 && (no_color == nullptr || *no_color == '\0') &&
              (term == nullptr || std::string_view(term) != "dumb");
  bool color = choice == ColorChoice::kAlways || (choice == ColorChoice::kAuto && able);
  return Terminal(WidthOf(fd), color);
}

}  // namespace heddle::report
