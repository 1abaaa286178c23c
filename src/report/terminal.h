// What the text is printed on: how wide it is, and whether it shows colours.
#pragma once

#include <string>

namespace heddle::report {

enum class ColorChoice { kAuto, kAlways, kNever };

class Terminal {
 public:
  Terminal(int width, bool color) : width_(width), color_(color) {}
  // Asks the system about descriptor `fd`: COLUMNS, then the terminal, then 100. NO_COLOR is
  // honoured.
  static Terminal Of(int fd, ColorChoice choice);

  // Is it one that can erase a line and write it anew?
  static bool RewritesLines(int fd);

  int Width() const { return width_; }
  std::string Bold(const std::string& text) const { return Colored("1", text); }
  std::string Red(const std::string& text) const { return Colored("1;31", text); }
  std::string Green(const std::string& text) const { return Colored("1;32", text); }
  std::string Yellow(const std::string& text) const { return Colored("33", text); }
  std::string Cyan(const std::string& text) const { return Colored("36", text); }
  std::string Dim(const std::string& text) const { return Colored("2", text); }

 private:
  std::string Colored(const char* code, const std::string& text) const {
    return color_ && !text.empty() ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
  }

  int width_;
  bool color_;
};

}  // namespace heddle::report
