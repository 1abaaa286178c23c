// What one instruction in AT&T syntax does to memory, as far as heddle knows the instruction. The
// table is in decode.cpp; an instruction with a memory operand that is not in it is unseen, never
// taken for something else.
//
// Source of the facts: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2; the
// mnemonics and their suffixes: "Using as", section 9.16.
//
// Tested by tests/unit/assembly_rewrite_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assembly/operand.h"
#include "op/asm_access.h"

namespace heddle::assembly {

struct Instruction {
  std::vector<std::string> prefixes;  // "lock", "rep" ...
  std::string mnemonic;               // lower case
  std::vector<Operand> operands;
};

enum class Effect {
  kNothing,  // touches no memory but the stack's end
  kAccess,
  kJump,    // to operands[0]: harmless if that is a label of the statement or of the compiler
  kUnseen,  // not known, or more than heddle can follow
};

struct Decoded {
  Effect effect = Effect::kNothing;
  op::AsmAccess access;
  int memory = -1;        // of kAccess: which operand is the address; -1: none (fence, strings)
  int32_t immediate = 0;  // of kAccess with op::kAsmImmediate
  std::string why;        // of kUnseen
};

Decoded Decode(const Instruction& instruction);

// A word that stands before an instruction and belongs to it.
bool IsPrefix(std::string_view word);

}  // namespace heddle::assembly
