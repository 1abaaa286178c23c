#include "report/visible.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

TEST(Visible, TextStaysAsItIs) {
  EXPECT_EQ(Visible(""), "");
  EXPECT_EQ(Visible("two lines,\n\ta tab"), "two lines,\n\ta tab");
  EXPECT_EQ(Visible("Gr\xc3\xbc\xc3\x9f"
                    "e \xe2\x82\xac \xf0\x9f\xa7\xb5"),
            "Gr\xc3\xbc\xc3\x9f"
            "e \xe2\x82\xac \xf0\x9f\xa7\xb5");
}

TEST(Visible, ControlCharactersAreWrittenOut) {
  EXPECT_EQ(Visible("\x1b[31m\r\x7f"), "\\x1b[31m\\x0d\\x7f");
  EXPECT_EQ(Visible(std::string(1, '\0')), "\\x00");
  EXPECT_EQ(Visible("\xc2\x9b"), "\\x9b");  // a terminal's escape in one character
}

TEST(Visible, BytesThatAreNotUtf8AreWrittenOut) {
  EXPECT_EQ(Visible("a\xff"), "a\\xff");
  EXPECT_EQ(Visible("\xc0\x80"), "\\xc0\\x80");                    // a zero in two bytes
  EXPECT_EQ(Visible("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");           // a slash in three
  EXPECT_EQ(Visible("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // half a surrogate pair
  EXPECT_EQ(Visible("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last character
  EXPECT_EQ(Visible("\xe2\x82"), "\\xe2\\x82");                    // cut off
}

TEST(Visible, WhatMisleadsTheReaderIsWrittenOut) {
  EXPECT_EQ(Visible("a\xe2\x80\xae"
                    "b"),
            "a\\u202eb");
  EXPECT_EQ(Visible("\xe2\x81\xa6"), "\\u2066");
  EXPECT_EQ(Visible("\xef\xbf\xbe"), "\\ufffe");
}

TEST(Visible, TheMiddleOfLongTextsIsLeftOut) {
  EXPECT_EQ(Shortened("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(Shortened("abcdefghijk", 10), "ab ... ijk");
  const std::string umlauts = Shortened("\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc", 10);
  EXPECT_EQ(umlauts, Visible(umlauts));
  EXPECT_LE(umlauts.size(), 10u);
}

}  // namespace
}  // namespace heddle::report
