#include "cli/did_you_mean.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::cli {
namespace {

const std::vector<std::string> kWords = {"--time", "--timeouts", "--keep-going", "--json",
                                         "--jobs", "--bound",    "merge"};

std::string Meant(const char* word) { return DidYouMean(word, kWords); }

TEST(DidYouMean, AWrongLetterMoreOrLess) {
  EXPECT_EQ(Meant("--kep-going"), ": did you mean --keep-going?");
  EXPECT_EQ(Meant("--boundd"), ": did you mean --bound?");
  EXPECT_EQ(Meant("--jsom"), ": did you mean --json?");
  EXPECT_EQ(Meant("mereg"), ": did you mean merge?");
}

TEST(DidYouMean, TheNearest) {
  EXPECT_EQ(Meant("--job"), ": did you mean --jobs?");
  EXPECT_EQ(Meant("--tme"), ": did you mean --time?");
}

TEST(DidYouMean, TheBeginning) {
  EXPECT_EQ(Meant("--keep"), ": did you mean --keep-going?");
  EXPECT_EQ(Meant("--timeo"), ": did you mean --timeouts?");
}

TEST(DidYouMean, NothingNear) {
  EXPECT_EQ(Meant("--frobnicate"), "");
  EXPECT_EQ(Meant("x"), "");
  EXPECT_EQ(Meant(""), "");
}

}  // namespace
}  // namespace heddle::cli
