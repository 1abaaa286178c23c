#include "report/axis.h"

#include <gtest/gtest.h>

#include <limits>

namespace heddle::report {
namespace {

using Numbers = std::vector<uint64_t>;

Numbers Linear(uint64_t most, unsigned room) { return Axis(Scale::kLinear, most, room).Ticks(); }
Numbers Logarithmic(uint64_t most, unsigned room) {
  return Axis(Scale::kLogarithmic, most, room).Ticks();
}

TEST(Axis, TicksAreRoundAndFit) {
  EXPECT_EQ(Linear(0, 5), (Numbers{0, 1}));
  EXPECT_EQ(Linear(1, 5), (Numbers{0, 1}));
  EXPECT_EQ(Linear(4, 5), (Numbers{0, 1, 2, 3, 4}));
  EXPECT_EQ(Linear(5, 5), (Numbers{0, 2, 4}));
  EXPECT_EQ(Linear(30, 8), (Numbers{0, 5, 10, 15, 20, 25, 30}));
  EXPECT_EQ(Linear(100, 7), (Numbers{0, 20, 40, 60, 80, 100}));
  EXPECT_EQ(Linear(2520, 7), (Numbers{0, 500, 1000, 1500, 2000, 2500}));
  EXPECT_EQ(Linear(1'000'000'000, 4), (Numbers{0, 500'000'000, 1'000'000'000}));
  EXPECT_EQ(Linear(7, 2), (Numbers{0, 5}));
}

TEST(Axis, LogarithmicTicksAreRoundAndFit) {
  EXPECT_EQ(Logarithmic(1, 5), (Numbers{1}));
  EXPECT_EQ(Logarithmic(70, 7), (Numbers{1, 2, 5, 10, 20, 50}));
  EXPECT_EQ(Logarithmic(70, 5), (Numbers{1, 10}));
  EXPECT_EQ(Logarithmic(2520, 5), (Numbers{1, 10, 100, 1000}));
  EXPECT_EQ(Logarithmic(1'000'000'000, 4), (Numbers{1, 1000, 1'000'000, 1'000'000'000}));
}

TEST(Axis, TicksRiseAndFitWhateverTheNumbers) {
  for (const Scale scale : {Scale::kLinear, Scale::kLogarithmic}) {
    for (unsigned room = 2; room < 12; ++room) {
      uint64_t most = 0;
      for (unsigned bits = 0; bits < 64; ++bits, most = 2 * most + 1) {
        const Axis axis(scale, most, room);
        ASSERT_FALSE(axis.Ticks().empty());
        EXPECT_LE(axis.Ticks().size(), room) << most;
        EXPECT_EQ(axis.At(static_cast<double>(axis.Ticks().front())), 0) << most;
        for (size_t i = 1; i < axis.Ticks().size(); ++i)
          EXPECT_LT(axis.Ticks()[i - 1], axis.Ticks()[i]) << most;
        EXPECT_LE(axis.Ticks().back(), std::max<uint64_t>(most, 1));
      }
    }
  }
  EXPECT_EQ(Linear(std::numeric_limits<uint64_t>::max(), 4).size(), 4u);
}

TEST(Axis, ValuesLieBetweenTheEnds) {
  const Axis linear(Scale::kLinear, 200, 5);
  EXPECT_EQ(linear.At(0), 0);
  EXPECT_EQ(linear.At(50), 0.25);
  EXPECT_EQ(linear.At(200), 1);
  EXPECT_EQ(linear.At(300), 1);
  const Axis logarithmic(Scale::kLogarithmic, 10'000, 5);
  EXPECT_EQ(logarithmic.At(0), 0);
  EXPECT_EQ(logarithmic.At(1), 0);
  EXPECT_NEAR(logarithmic.At(10), 0.25, 1e-9);
  EXPECT_NEAR(logarithmic.At(10'000), 1, 1e-9);
  EXPECT_EQ(Axis(Scale::kLogarithmic, 1, 5).At(1), 0);
}

}  // namespace
}  // namespace heddle::report
