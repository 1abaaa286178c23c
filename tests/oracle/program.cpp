#include "program.h"

#include <algorithm>
#include <sstream>

namespace heddle::oracle {

bool Program::Has(Code code) const {
  return std::ranges::any_of(threads, [code](const auto& thread) {
    return std::ranges::any_of(thread, [code](const Instruction& i) { return i.code == code; });
  });
}

std::vector<std::string> Print(const Program& program) {
  static constexpr const char* kNames[] = {
#define INSTRUCTION(code, name) name,
#include "instructions.def"
#undef INSTRUCTION
  };
  std::vector<std::string> texts;
  std::ostringstream setup;
  for (const int number : program.setup) setup << number << " ";
  texts.push_back(setup.str());
  for (const auto& thread : program.threads) {
    std::ostringstream text;
    for (const Instruction& i : thread) {
      text << kNames[static_cast<unsigned>(i.code)] << " r" << unsigned{i.reg} << " o"
           << unsigned{i.object} << "/" << unsigned{i.object2} << " " << i.value << "," << i.value2
           << "; ";
    }
    texts.push_back(text.str());
  }
  return texts;
}

}  // namespace heddle::oracle
