// Where marks go in a compiler's assembly, and which lines stay as they are.
#include "assembly/code_marks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace heddle::assembly {
namespace {

size_t Count(const std::string& text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// How many sections get a mark; .text always does.
size_t Marks(const std::string& text) {
  return Count(WithCodeMarks(text), "\t.long .Lheddle_code");
}

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(CodeMarksTest, OnlyInstrumentedUnitsGetThem) {
  EXPECT_TRUE(IsInstrumented("\tcall\t__tsan_init@PLT\n"));
  EXPECT_FALSE(IsInstrumented("f:\n\tret\n"));
}

TEST(CodeMarksTest, MarksTheEndOfText) {
  EXPECT_EQ(WithCodeMarks("\t.file \"a.c\"\nf:\n\tret\n"),
            ".Lheddle_code_begin0:\t.file \"a.c\"\nf:\n\tret\n"
            "\t.text\n\t.subsection 8192\n.Lheddle_code_end0:\n"
            "\t.byte 15,11,104,101,100,100,108,101,45,99,99,0\n"
            "\t.long .Lheddle_code_end0-.Lheddle_code_begin0\n");
}

TEST(CodeMarksTest, LabelsTheFirstEntryOfASectionOnItsLine) {
  const std::string text =
      "\t.section\t.text.unlikely,\"ax\",@progbits # cold\na:\n\t.text\n"
      "\t.section\t.text.unlikely\nb:\n";
  const std::string marked = WithCodeMarks(text);
  EXPECT_TRUE(Has(marked, ",@progbits; .Lheddle_code_begin1: # cold\na:\n")) << marked;
  EXPECT_TRUE(Has(marked, "\t.section\t.text.unlikely\nb:\n")) << marked;
  EXPECT_EQ(Marks(text), 2u);
  // No line before the marks has moved.
  EXPECT_EQ(marked.find("b:\n"), marked.rfind("b:\n"));
  EXPECT_EQ(
      std::count(marked.begin(), marked.begin() + static_cast<long>(marked.find("b:\n")), '\n'), 4);
}

TEST(CodeMarksTest, TellsSectionsOfOneNameApart) {
  EXPECT_EQ(Marks("\t.section .text.f,\"axG\",@progbits,f,comdat\n"
                  "\t.section .text.f,\"axG\",@progbits,g,comdat\n"
                  "\t.section .text.f,\"axG\",@progbits,f,comdat\n"),
            3u);
  EXPECT_EQ(Marks("\t.section .text,\"ax\",@progbits,unique,1\n"
                  "\t.section .text,\"ax\",@progbits,unique,2\n"),
            3u);
}

TEST(CodeMarksTest, LeavesWhatIsNoCode) {
  for (const char* directive :
       {"\t.section .rodata\n", "\t.section .data.rel,\"aw\"\n", "\t.data\n",
        "\t.section .debug_info,\"\",@progbits\n",
        "\t.section \".note.GNU-stack\",\"\",@progbits\n",
        // Run one after the other.
        "\t.section .init,\"ax\",@progbits\n", "\t.section .fini,\"ax\",@progbits\n"})
    EXPECT_EQ(Marks(directive), 1u) << directive;
  EXPECT_EQ(Marks("\t.section mine,\"ax\",@progbits\n"), 2u);
}

TEST(CodeMarksTest, LeavesSectionsOfAsmStatements) {
  EXPECT_EQ(Marks("#APP\n\t.section .text.f,\"ax\"\n#NO_APP\n\tret\n"), 1u);
  EXPECT_EQ(Marks("#APP\n#NO_APP\n\t.section .text.f,\"ax\"\n"), 2u);
}

TEST(CodeMarksTest, EndsTheLastLine) {
  EXPECT_TRUE(Has(WithCodeMarks("\tret"), "\tret\n\t.text\n"));
}

}  // namespace
}  // namespace heddle::assembly
