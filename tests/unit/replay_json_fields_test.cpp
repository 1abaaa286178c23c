#include "replay/json_fields.h"

#include <gtest/gtest.h>

namespace heddle::replay {
namespace {

// What is wrong with the field "x" of this file, read as a T.
template <typename T>
std::string Wrong(const std::string& value) {
  const std::optional<Field::Json> json = ParseJson("{\"x\": " + value + "}");
  if (!json) return "no JSON";
  try {
    Field(*json).at("x").get<T>();
    return "";
  } catch (const WrongField& wrong) {
    return wrong.why;
  }
}

TEST(JsonFields, NumbersAreNotTakenForOthers) {
  const std::string small = "the field \"x\" is not a whole number from 0 to 4294967295";
  EXPECT_EQ(Wrong<uint32_t>("4294967295"), "");
  for (const char* value : {"4294967296", "-1", "1.5", "1.0", "true", "\"1\"", "null", "[1]", "{}"})
    EXPECT_EQ(Wrong<uint32_t>(value), small) << value;
  EXPECT_EQ(Wrong<uint64_t>("18446744073709551615"), "");
  EXPECT_NE(Wrong<uint64_t>("18446744073709551616"), "");
  EXPECT_NE(Wrong<uint64_t>("1e400"), "");
  EXPECT_EQ(Wrong<int>("-2147483648"), "");
  EXPECT_NE(Wrong<int>("-2147483649"), "");
  EXPECT_NE(Wrong<int>("2147483648"), "");
  EXPECT_EQ(Wrong<int64_t>("-9223372036854775808"), "");
  EXPECT_NE(Wrong<int64_t>("9223372036854775808"), "");
  EXPECT_EQ(Wrong<double>("1"), "");
  EXPECT_EQ(Wrong<double>("-1.5"), "");
  EXPECT_EQ(Wrong<double>("\"1\""), "the field \"x\" is not a number");
}

TEST(JsonFields, TheFieldIsNamed) {
  EXPECT_EQ(Wrong<std::string>("3"), "the field \"x\" is not a text");
  EXPECT_EQ(Wrong<bool>("0"), "the field \"x\" is neither true nor false");
  EXPECT_EQ(Wrong<std::vector<uint32_t>>("{}"), "the field \"x\" is not a list");
  EXPECT_EQ(Wrong<std::vector<std::string>>("[\"a\", 1]"), "the field \"x\" is not a text");
  const Field::Json json = Field::Json::parse(R"({"x": 1})");
  EXPECT_THROW(Field(json).at("y"), WrongField);
  EXPECT_THROW(Field(json).at("x").at("y"), WrongField);
  EXPECT_THROW(Field(json).at("x").Members(), WrongField);
  EXPECT_EQ(Field(json).value("y", "none"), "none");
  EXPECT_EQ(Field(json).value("x", 0u), 1u);
}

TEST(JsonFields, DeepNestingIsRefused) {
  EXPECT_TRUE(ParseJson("{\"a\": [[[\"" + std::string(1000, '[') + "\\\"[\"]]]}"));
  for (const char* bracket : {"[", "{\"a\":"}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += bracket;
    EXPECT_FALSE(ParseJson(text));
  }
  EXPECT_FALSE(ParseJson(std::string(100000, '[') + std::string(100000, ']')));
  EXPECT_FALSE(ParseJson("]]]]"));
}

}  // namespace
}  // namespace heddle::replay
