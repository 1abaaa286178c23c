// Lengths and targets of instructions, against objdump on this machine's C library.
#include "runtime/prim/code_flow.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace heddle::runtime {
namespace {

// A line of `objdump -d -w`: "  address:\tbytes\tmnemonic operands".
struct Listed {
  uint64_t address = 0;
  std::vector<uint8_t> bytes;
  std::string mnemonic;
  std::string operands;
};

bool Read(const std::string& line, Listed& listed) {
  const size_t first = line.find('\t');
  const size_t second = line.find('\t', first + 1);
  if (line[0] != ' ' || second == std::string::npos) return false;
  listed = {};
  listed.address = std::strtoull(line.c_str(), nullptr, 16);
  const std::string bytes = line.substr(first + 1, second - first - 1);
  for (size_t at = 0; at + 1 < bytes.size() && std::isxdigit(bytes[at]); at += 3)
    listed.bytes.push_back(
        static_cast<uint8_t>(std::strtoul(bytes.substr(at, 2).c_str(), nullptr, 16)));
  std::string text = line.substr(second + 1);
  while (!text.empty() && std::isspace(text.back())) text.pop_back();
  for (const char* prefix : {"notrack ", "bnd ", "repz ", "data16 ", "rex.W "})
    while (text.starts_with(prefix)) text = text.substr(std::strlen(prefix));
  const size_t blank = text.find(' ');
  listed.mnemonic = text.substr(0, blank);
  if (blank != std::string::npos) listed.operands = text.substr(text.find_first_not_of(' ', blank));
  return true;
}

Flow FlowOf(const Listed& listed) {
  const std::string& name = listed.mnemonic;
  const bool indirect = listed.operands.starts_with('*');
  if (name == "ret") return Flow::kReturn;
  if (name == "call") return Flow::kCall;
  if (name == "jmp") return indirect ? Flow::kUnknown : Flow::kJump;
  if (name[0] == 'j' || name.starts_with("loop")) return Flow::kBranch;
  return name == "hlt" || name == "ud2" ? Flow::kEnd : Flow::kNext;
}

TEST(CodeFlowTest, AgreesWithObjdumpOnTheCLibrary) {
  FILE* const pipe = popen("objdump -d -w --insn-width=15 /lib/x86_64-linux-gnu/libc.so.6", "r");
  ASSERT_NE(pipe, nullptr);
  char line[1024];
  uint32_t count = 0, branches = 0;
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    Listed listed;
    if (!Read(line, listed) || listed.mnemonic == "(bad)") continue;
    const size_t length = listed.bytes.size();
    listed.bytes.resize(32);
    const auto pc = reinterpret_cast<uintptr_t>(listed.bytes.data());
    const CodeFlow flow = FlowAt(pc);
    const Flow expected = FlowOf(listed);
    ASSERT_EQ(flow.flow, expected) << line;
    ASSERT_EQ(flow.next - pc, length) << line;
    ++count;
    if (flow.target == 0) continue;
    ASSERT_EQ(flow.target - pc + listed.address,
              std::strtoull(listed.operands.c_str(), nullptr, 16))
        << line;
    ++branches;
  }
  EXPECT_EQ(pclose(pipe), 0);
  EXPECT_GT(count, 100'000u);
  EXPECT_GT(branches, 10'000u);
}

}  // namespace
}  // namespace heddle::runtime
