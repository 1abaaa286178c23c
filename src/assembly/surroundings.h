// What the directives and code around an asm statement say about it: which section it is in, where
// the source line is, how the frame is found, whether there may be a red zone.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::assembly {

struct SourcePosition {
  std::string file;
  unsigned line = 0;
};

// Clang marks asm statements outside functions by comments only.
inline constexpr std::string_view kFileScope = "# Start of file scope inline assembly";

// Is the line, without blanks around it, the mark before asm statements, or the one after them?
bool OpensAsm(std::string_view line);
bool ClosesAsm(std::string_view line);

// `text` without blanks and ends of lines around it.
std::string_view Trim(std::string_view text);

// The first word of `text`, and what is left of it.
std::string_view TakeWord(std::string_view& text);

class Surroundings {
 public:
  // Takes note of a directive, of the compiler or of an asm statement.
  void Directive(std::string_view statement);

  // The functions of the file: which of them call anything. REQUIRES: before all else.
  void FindCalls(std::string_view text);

  // The next function's code begins at .cfi_startproc, so that is a Directive, too.
  bool InFunction() const { return in_function_; }
  bool FrameByStackPointer() const { return frame_register_ == "rsp"; }
  // The function may keep data below its stack pointer.
  bool MayHaveRedZone() const;
  bool InCode() const { return sections_.back().code; }
  bool IntelSyntax() const { return intel_; }
  // Of the last .loc; without one, the unit's file.
  const SourcePosition& Loc() const { return loc_; }

 private:
  struct Section {
    std::string name = ".text";
    bool code = true;
  };
  void SetSection(std::string_view arguments, bool push);
  void TakeFile(std::string_view arguments);
  void TakeLoc(std::string_view arguments);
  void TakeFrame(std::string_view directive, std::string_view arguments);

  std::vector<Section> sections_ = {Section{}};
  Section previous_;
  std::map<std::string, std::string, std::less<>> files_;  // number in .loc -> name
  SourcePosition loc_;
  std::vector<bool> calls_;  // by function, in order of .cfi_startproc
  size_t functions_ = 0;     // begun so far
  bool in_function_ = false;
  bool intel_ = false;
  std::string frame_register_ = "rsp";
  std::vector<std::string> remembered_;
};

}  // namespace heddle::assembly
