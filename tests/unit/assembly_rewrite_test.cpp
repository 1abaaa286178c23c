// Asm statements as compilers leave them in their output: what is put in, where, and what is named
// as unseen.
#include "assembly/rewrite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "assembly/decode.h"
#include "assembly/operand.h"

namespace heddle::assembly {
namespace {

using op::AsmAccess;
using op::AsmFunction;
using op::AsmKind;

Decoded DecodeText(const std::string& prefix, const std::string& mnemonic,
                   const std::string& operands) {
  Instruction instruction;
  if (!prefix.empty()) instruction.prefixes.push_back(prefix);
  instruction.mnemonic = mnemonic;
  instruction.operands = ReadOperands(operands);
  return Decode(instruction);
}

struct Case {
  const char* prefix;
  const char* mnemonic;
  const char* operands;
  AsmKind kind;
  unsigned size;
};

TEST(AssemblyDecode, SizeAndKindOfAccess) {
  const Case cases[] = {
      {"", "movl", "%eax, 4(%rdi)", AsmKind::kStore, 4},
      {"", "mov", "(%rdi,%rcx,8), %r10w", AsmKind::kLoad, 2},
      {"", "movq", "$7, x(%rip)", AsmKind::kStore, 8},
      {"", "movzbl", "(%rax), %eax", AsmKind::kLoad, 1},
      {"", "movslq", "(%rax), %rax", AsmKind::kLoad, 4},
      {"", "cmovll", "(%rax), %eax", AsmKind::kLoad, 4},
      {"", "cmovl", "(%rax), %rax", AsmKind::kLoad, 8},
      {"", "setl", "-1(%rbp)", AsmKind::kPlainWrite, 1},
      {"", "cmpb", "$0, (%rax)", AsmKind::kLoad, 1},
      {"", "testl", "%eax, (%rax)", AsmKind::kLoad, 4},
      {"", "addl", "(%rax), %eax", AsmKind::kLoad, 4},
      {"", "addl", "%eax, (%rax)", AsmKind::kPlainUpdate, 4},
      {"lock", "addl", "%eax, (%rax)", AsmKind::kUpdate, 4},
      {"lock", "incq", "(%rax)", AsmKind::kUpdate, 8},
      {"lock", "xadd", "%ax, (%rdi)", AsmKind::kUpdate, 2},
      {"lock", "btsl", "$3, (%rdi)", AsmKind::kUpdate, 4},
      {"", "bt", "%rax, (%rdi)", AsmKind::kLoad, 8},
      {"", "xchg", "%eax, (%rdi)", AsmKind::kExchange, 4},
      {"", "xchgb", "(%rdi), %al", AsmKind::kExchange, 1},
      {"lock", "cmpxchg", "%rdx, (%rdi)", AsmKind::kCompareExchange, 8},
      {"lock", "cmpxchg16b", "(%rdi)", AsmKind::kCompareExchange, 16},
      {"lock", "cmpxchg8b", "(%rdi)", AsmKind::kCompareExchange, 8},
      {"", "cmpxchgl", "%edx, (%rdi)", AsmKind::kPlainUpdate, 4},
      {"", "pushq", "8(%rsp)", AsmKind::kLoad, 8},
      {"", "popq", "(%rdi)", AsmKind::kPlainWrite, 8},
      {"", "movdqa", "%xmm3, (%rdi)", AsmKind::kStore, 16},
      {"", "vmovdqu", "(%rdi), %ymm3", AsmKind::kLoad, 32},
      {"", "movsd", "(%rdi), %xmm1", AsmKind::kLoad, 8},
      {"", "fnstcw", "(%rdi)", AsmKind::kPlainWrite, 2},
      {"", "mfence", "", AsmKind::kFence, 0},
      {"", "lfence", "", AsmKind::kWeakFence, 0},
      {"rep", "movsb", "", AsmKind::kCopyString, 1},
      {"rep", "stosq", "", AsmKind::kFillString, 8},
      {"", "lodsl", "", AsmKind::kReadString, 4},
  };
  for (const Case& c : cases) {
    const Decoded decoded = DecodeText(c.prefix, c.mnemonic, c.operands);
    EXPECT_EQ(decoded.effect, Effect::kAccess) << c.mnemonic << ' ' << c.operands << decoded.why;
    EXPECT_EQ(decoded.access.kind, c.kind) << c.mnemonic << ' ' << c.operands;
    EXPECT_EQ(decoded.access.size, c.size) << c.mnemonic << ' ' << c.operands;
  }
}

TEST(AssemblyDecode, Operand) {
  EXPECT_EQ(DecodeText("lock", "orl", "$0xffffffff, (%rdi)").immediate, -1);
  EXPECT_EQ(DecodeText("lock", "orl", "$x, (%rdi)").access.operand, op::kAsmNoOperand);
  EXPECT_EQ(DecodeText("lock", "xaddq", "%r9, (%rdi)").access.operand, 9);
  EXPECT_EQ(DecodeText("lock", "xaddb", "%ah, (%rdi)").access.operand, op::kAsmNoOperand);
  EXPECT_EQ(DecodeText("lock", "decl", "(%rdi)").access.function, AsmFunction::kSubtract);
  EXPECT_EQ(DecodeText("lock", "decl", "(%rdi)").immediate, 1);
  const Decoded bit = DecodeText("lock", "btcq", "%rcx, (%rdi)");
  EXPECT_TRUE(bit.access.bit_string);
  EXPECT_EQ(bit.access.operand, 1);
  EXPECT_TRUE(DecodeText("", "movl", "%fs:x@tpoff, %eax").access.thread_local_base);
}

TEST(AssemblyDecode, PackedAndBack) {
  const AsmAccess access = {AsmKind::kUpdate, AsmFunction::kFlip, 512, 15, true, true, true};
  const AsmAccess again = op::UnpackAsmAccess(op::Pack(access));
  EXPECT_EQ(op::Pack(again), op::Pack(access));
  EXPECT_EQ(again.size, 512);
  EXPECT_EQ(again.operand, 15);
  EXPECT_EQ(again.function, AsmFunction::kFlip);
}

TEST(AssemblyDecode, Nothing) {
  for (const char* text : {"%eax, %ebx", "$1, %rax", ""})
    EXPECT_EQ(DecodeText("", "mov", text).effect, Effect::kNothing) << text;
  EXPECT_EQ(DecodeText("rep", "nop", "").effect, Effect::kNothing);
  EXPECT_EQ(DecodeText("", "pause", "").effect, Effect::kNothing);
  EXPECT_EQ(DecodeText("", "leaq", "4(%rdi), %rax").effect, Effect::kNothing);
  EXPECT_EQ(DecodeText("", "prefetchw", "(%rdi)").effect, Effect::kNothing);
  EXPECT_EQ(DecodeText("", "movq", "x@GOTPCREL(%rip), %rax").effect, Effect::kNothing);
  EXPECT_EQ(DecodeText("", "frobnicate", "%rax").effect, Effect::kNothing);
}

TEST(AssemblyDecode, Unseen) {
  EXPECT_EQ(DecodeText("", "frobnicate", "(%rax)").effect, Effect::kUnseen);
  EXPECT_EQ(DecodeText("", "mov", "$1, (%rax)").effect, Effect::kUnseen);  // of which size?
  EXPECT_EQ(DecodeText("", "movl", "%gs:0, %eax").effect, Effect::kUnseen);
  EXPECT_EQ(DecodeText("", "movl", "(%eax), %eax").effect, Effect::kUnseen);
  EXPECT_EQ(DecodeText("", "movl", "5(%rip), %eax").effect, Effect::kUnseen);
  EXPECT_EQ(DecodeText("", "vmovdqu32", "(%rax), %zmm0{%k1}").effect, Effect::kUnseen);
  EXPECT_EQ(DecodeText("repe", "cmpsb", "").effect, Effect::kUnseen);
  EXPECT_EQ(DecodeText("", "syscall", "").effect, Effect::kUnseen);
  EXPECT_EQ(DecodeText("", "int", "$0x80").effect, Effect::kUnseen);
  EXPECT_EQ(DecodeText("", "int", "$3").effect, Effect::kNothing);  // a breakpoint
  EXPECT_EQ(DecodeText("", "call", "f").effect, Effect::kUnseen);
  EXPECT_EQ(DecodeText("lock", "movl", "%eax, (%rax)").effect, Effect::kUnseen);
  EXPECT_EQ(DecodeText("", "popq", "8(%rsp)").effect, Effect::kUnseen);
}

constexpr char kCall[] = "call *heddle_inline_asm@GOTPCREL(%rip); ";

size_t Count(const std::string& text, const std::string& word) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size()) ++count;
  return count;
}

bool Contains(const std::string& text, const std::string& word) { return Count(text, word) != 0; }

// A function of the compiler around an asm statement.
std::string Function(const std::string& statement, const std::string& before = "") {
  return "f:\n\t.cfi_startproc\n" + before + "\tcall\tg\n#APP\n# 7 \"a.c\" 1\n\t" + statement +
         "\n# 0 \"\" 2\n#NO_APP\n\tret\n\t.cfi_endproc\n";
}

TEST(AssemblyRewrite, StaysOnItsLine) {
  const std::string text = Function("lock; incl x(%rip)");
  const Rewritten rewritten = Rewrite(text);
  EXPECT_EQ(rewritten.calls, 1u);
  EXPECT_TRUE(rewritten.unseen.empty());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
            std::count(rewritten.text.begin(), rewritten.text.end(), '\n'));
  EXPECT_TRUE(Contains(rewritten.text, "leaq x(%rip), %rdi; "));
  EXPECT_TRUE(Contains(rewritten.text, "popq %rdi; lock; incl x(%rip)\n"));
}

TEST(AssemblyRewrite, NothingToDo) {
  const std::string text = Function("pause; lea (%rax), %rbx; 1: jmp 1b");
  const Rewritten rewritten = Rewrite(text);
  EXPECT_EQ(rewritten.text, text);
  EXPECT_TRUE(rewritten.unseen.empty());
  EXPECT_FALSE(HasAsmStatements("f:\n\tret\n"));
}

TEST(AssemblyRewrite, BeforeThePrefixAndBehindTheLabel) {
  const Rewritten rewritten = Rewrite(Function("1:\tlock\n\tcmpxchgl %edx, (%rdi)\n\tjne 1b"));
  EXPECT_EQ(rewritten.calls, 1u);
  EXPECT_TRUE(Contains(rewritten.text, "\t1:\tpushq %rdi; "));
  EXPECT_TRUE(Contains(rewritten.text, "popq %rdi; lock\n\tcmpxchgl"));
}

TEST(AssemblyRewrite, CommentsAndSeparators) {
  const Rewritten rewritten =
      Rewrite(Function("lock /* ; */ addl $1, (%rax) # lock; incl (%rbx)\n\t"
                       "/* incl (%rcx)\n incl (%rdx) */ nop; incl (%rsi)"));
  EXPECT_EQ(rewritten.calls, 2u);
  EXPECT_TRUE(rewritten.unseen.empty());
}

TEST(AssemblyRewrite, AddressesRelativeToTheStackPointer) {
  EXPECT_TRUE(Contains(Rewrite(Function("incl (%rsp)")).text, "leaq 8(%rsp), %rdi"));
  EXPECT_TRUE(Contains(Rewrite(Function("incl -4(%rsp)")).text, "leaq 8-4(%rsp), %rdi"));
  EXPECT_TRUE(
      Contains(Rewrite(Function("incl 4(%rsp,%rax,2)")).text, "leaq 8+4(%rsp,%rax,2), %rdi"));
  EXPECT_TRUE(Contains(Rewrite(Function("incl (4+4)(%rsp)")).text, "leaq 8+(4+4)(%rsp), %rdi"));
}

TEST(AssemblyRewrite, RedZoneOfFunctionsThatCallNothing) {
  std::string leaf = Function("incl 4(%rsp)");
  leaf.erase(leaf.find("\tcall\tg\n"), 8);
  const Rewritten rewritten = Rewrite(leaf);
  EXPECT_TRUE(
      Contains(rewritten.text, "leaq -128(%rsp), %rsp; pushq %rdi; leaq 136+4(%rsp), %rdi"));
  EXPECT_TRUE(Contains(rewritten.text, "popq %rdi; leaq 128(%rsp), %rsp; incl"));
  EXPECT_TRUE(Contains(rewritten.text, ".cfi_adjust_cfa_offset 152; "));
  EXPECT_FALSE(Contains(Rewrite(Function("incl 4(%rsp)")).text, "128(%rsp)"));
}

TEST(AssemblyRewrite, FollowsTheFrame) {
  EXPECT_TRUE(Contains(
      Rewrite(Function("incl (%rax)")).text,
      std::string(".cfi_adjust_cfa_offset 24; ") + kCall + ".cfi_adjust_cfa_offset -24; "));
  const std::string by_frame_pointer =
      Rewrite(Function("incl (%rax)", "\t.cfi_def_cfa_register 6\n")).text;
  EXPECT_FALSE(Contains(by_frame_pointer, "cfi_adjust"));
  const std::string pushes = Rewrite(Function("pushq %rbx; incl (%rax); popq %rbx")).text;
  EXPECT_TRUE(Contains(pushes, std::string(".cfi_remember_state; .cfi_undefined rip; ") + kCall +
                                   ".cfi_restore_state; "));
  EXPECT_FALSE(Contains(Rewrite("#APP\nincl (%rax)\n#NO_APP\n").text, "cfi_"));
}

TEST(AssemblyRewrite, ClearsWhatCallsLeave) {
  const Rewritten rewritten = Rewrite(Function("incl (%rax)",
                                               "\tcall\t__tsan_read4@PLT\n"
                                               "\tcallq\t__tsan_atomic32_load@PLT   # comment\n"
                                               "\tcall\t*__tsan_atomic8_store@GOTPCREL(%rip)\n"
                                               "\tcall\t*%rax\n"));
  EXPECT_TRUE(Contains(rewritten.text, "__tsan_read4@PLT; call heddle_clear_registers@PLT\n"));
  EXPECT_TRUE(
      Contains(rewritten.text, "__tsan_atomic32_load@PLT; call heddle_clear_but_result@PLT"));
  EXPECT_TRUE(Contains(rewritten.text, "(%rip); call heddle_clear_registers@PLT\n"));
  EXPECT_EQ(Count(rewritten.text, "heddle_clear"), 3u);
}

std::string Named(const std::string& statement) {
  std::string text;
  for (const Unseen& unseen : Rewrite(Function(statement)).unseen) text += Describe(unseen) + "\n";
  return text;
}

TEST(AssemblyRewrite, NamesWhatItDoesNotSee) {
  EXPECT_EQ(Named("repe cmpsb"), "a.c:7: repe cmpsb: how far it reads depends on what it finds\n");
  EXPECT_EQ(Named(".byte 0xf0, 0xff, 0x07"), "a.c:7: .byte 0xf0, 0xff, 0x07: code in numbers\n");
  EXPECT_EQ(Named("jmp elsewhere"), "a.c:7: jmp elsewhere: a jump out of the statement\n");
  EXPECT_EQ(Named(".pushsection .rodata\n.long 1\n.popsection\njmp .L3\nhere: jne here"), "");
  EXPECT_EQ(Named("lock; 1: incl (%rax)"),
            "a.c:7: lock: a label between a prefix and its instruction\n");
  EXPECT_EQ(Named("lock"), "a.c:7: lock: a prefix without its instruction\n");
  EXPECT_EQ(Named(".macro twice\nincl (%rax)\n.endm\ntwice"), "a.c:7: twice: a macro\n");
  EXPECT_EQ(Named(".intel_syntax noprefix\nlock inc dword ptr [rdi]\nmov eax, 1\n.att_syntax"),
            "a.c:7: lock inc dword ptr [rdi]: Intel syntax\n");
}

TEST(AssemblyRewrite, LeavesAloneWhatCountsBytes) {
  const std::string text = Function("incl (%rax); jmp . + 5; decl (%rax)");
  const Rewritten rewritten = Rewrite(text);
  EXPECT_EQ(rewritten.text, text);
  EXPECT_EQ(rewritten.unseen.size(), 1u);
}

TEST(AssemblyRewrite, FilesAndLinesOfClang) {
  const Rewritten rewritten = Rewrite(
      "\t.file 0 \"/home\" \"a.c\"\n\t.file 1 \"/usr/include\" \"b.h\"\n\t.loc 1 12 3\n"
      "\t#APP\n\tcall f\n\t#NO_APP\n\t.loc 0 5 1\n\t#APP\n\tcall g\n\t#NO_APP\n");
  ASSERT_EQ(rewritten.unseen.size(), 2u);
  EXPECT_EQ(rewritten.unseen[0].file, "/usr/include/b.h");
  EXPECT_EQ(rewritten.unseen[0].line, 12u);
  EXPECT_EQ(rewritten.unseen[1].file, "a.c");
  EXPECT_EQ(rewritten.unseen[1].line, 5u);
}

TEST(AssemblyRewrite, OutsideFunctions) {
  const Rewritten gcc =
      Rewrite("\t.file\t\"a.c\"\n#APP\n\t.symver a,a@V1\n\tlock incl x\n#NO_APP\n");
  EXPECT_EQ(gcc.calls, 1u);
  const Rewritten clang = Rewrite(
      "\t\t# Start of file scope inline assembly\n\tincl x\n\n"
      "\t\t# End of file scope inline assembly\n\tincl y\n");
  EXPECT_EQ(clang.calls, 1u);
}

TEST(AssemblyRewrite, NotesAreOneLineEach) {
  const std::string notes = Notes({{"a.c", 3, "movl \"x\", (%rax)", "why"}});
  EXPECT_TRUE(Contains(notes, ".asciz \"a.c:3: movl \\\"x\\\", (%rax): why\""));
  EXPECT_TRUE(Contains(notes, ".pushsection .note.heddle,\"a\",@note"));
  EXPECT_EQ(Notes({}), "");
}

}  // namespace
}  // namespace heddle::assembly
