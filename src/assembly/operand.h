// Operands of x86-64 instructions in AT&T syntax, as asm statements have them once the compiler has
// filled in registers and addresses.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::assembly {

enum class OperandKind {
  kRegister,   // %eax
  kImmediate,  // $1
  kMemory,     // disp(base,index,scale), symbol(%rip), %fs:symbol@tpoff
  kIndirect,   // *anything: of jumps and calls
  kOdd,        // memory in a form that is not understood; also masks and broadcasts
};

struct Operand {
  OperandKind kind = OperandKind::kOdd;
  std::string text;     // a register without %, an immediate without $, memory without the segment
  std::string segment;  // "fs", or empty
  bool on_stack = false;     // memory: the base is %rsp
  bool is_constant = false;  // memory: an entry of the global offset table, which nobody writes
};

// The operands, separated by commas.
std::vector<Operand> ReadOperands(std::string_view text);

// Size in bytes of what a register holds; 0: not a register that is known here.
unsigned RegisterSize(std::string_view name);

// Number of a general register as the machine numbers them; nothing for others, and for %ah, %bh,
// %ch and %dh.
std::optional<unsigned> GeneralRegister(std::string_view name);

// The text of an operand or instruction depends on where the instruction is: "." as an expression,
// or a distance from %rip that is a mere number. Nothing may be put in near it.
bool DependsOnPlace(std::string_view text);

// The value of an immediate that is a plain number.
std::optional<long> NumberOf(std::string_view text);

}  // namespace heddle::assembly
