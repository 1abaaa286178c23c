#include "report/shell_word.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace heddle::report {
namespace {

TEST(ShellWord, PlainNamesStay) {
  for (const char* text : {"heddle-out/bank_account-data-race-1a2b3c4d.heddle", "a", "../x+y,z",
                           "Gr\xc3\xb6\xc3\x9f"}) {
    EXPECT_EQ(ShellWord(text), text);
  }
}

TEST(ShellWord, OrItIsQuotedAllTheSame) {
  EXPECT_EQ(QuotedShellWord("data-race:"), "'data-race:'");
  EXPECT_EQ(QuotedShellWord("it's"), "'it'\\''s'");
}

TEST(ShellWord, BashReadsWhatWasMeant) {
  for (const std::string text :
       {"", "a b", "it's", "$HOME `x` \"y\" \\", "two\nlines", "\x1b[31m it's\\n \x7f", "~", "*",
        "a#b", "\xff\xc3\xbc", "\xc2\x9b"}) {
    const std::string word = ShellWord(text);
    EXPECT_EQ(word.find_first_of("\n\x1b\x7f\xff\x9b"), std::string::npos);
    // It stands in single quotes there.
    std::string inner;
    for (const char c : "printf %s. " + word)
      inner += c == '\'' ? std::string("'\\''") : std::string(1, c);
    FILE* pipe = popen(("bash -c '" + inner + "'").c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    char buffer[256];
    const size_t size = fread(buffer, 1, sizeof buffer, pipe);
    EXPECT_EQ(pclose(pipe), 0);
    EXPECT_EQ(std::string(buffer, size), text + ".");
  }
}

}  // namespace
}  // namespace heddle::report
