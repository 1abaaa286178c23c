// On programs that the system's compiler makes here, of units that differ in what they do with
// assert().
#include "session/asserts_off.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "session/inspect_module.h"

namespace heddle::session {
namespace {

TEST(CallsAssert, InCodeOnly) {
  for (const char* text : {"assert(x);", "if (x) assert (x);", "#define CHECK(x) assert(x)",
                           "char c = '\"'; assert(c);", "/* a */assert(1)", "\"//\" assert(x)",
                           "int n = 1'000; assert(n); // it's"})
    EXPECT_TRUE(CallsAssert(text)) << text;
  for (const char* text : {"", "// assert(x)", "/* assert(x) */", "static_assert(x)", "assertion(x)",
                           "#include <assert.h>", "my_assert(x)", "a; // b\n/* assert(x)"})
    EXPECT_FALSE(CallsAssert(text)) << text;
}

class UnitsWithoutAssertsTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/heddle-asserts-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
    std::filesystem::create_directory(folder_ + "/inner");
    Write("calls.c", "#include <assert.h>\nint A(int x) { assert(x); return x; }\n");
    Write("not.c", "#include <assert.h>\nint B(int x) { return x; }\n");
    // A header of macros alone, which debug information does not name.
    Write("inner/check.h", "#include <assert.h>\n#define CHECK(x) assert(x)\n");
    Write("macro.c", "#include \"inner/check.h\"\nint C(int x) { CHECK(x); return x; }\n");
    Write("main.c", "int main(void) { return 0; }\n");
    const std::string command = "cd " + folder_ + " && cc -g -DNDEBUG -isystem " HEDDLE_SOURCE_DIR
                                "/include/heddle calls.c not.c macro.c main.c -o it";
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name) << text;
  }

  std::string folder_;
};

TEST_F(UnitsWithoutAssertsTest, AreThoseThatHaveSome) {
  const std::string program = folder_ + "/it";
  const std::optional<ModuleFacts> facts = InspectModule(program);
  ASSERT_TRUE(facts);
  using Names = std::vector<std::string>;
  EXPECT_EQ(facts->asserts_off, (Names{"calls.c", "not.c", "macro.c"}));
  EXPECT_EQ(UnitsWithoutAsserts(program, facts->asserts_off), (Names{"calls.c", "macro.c"}));
  EXPECT_EQ(UnitsWithoutAsserts(program, {}), Names{});
}

TEST_F(UnitsWithoutAssertsTest, UnlessNothingCanBeRead) {
  std::filesystem::remove(folder_ + "/not.c");
  EXPECT_EQ(UnitsWithoutAsserts(folder_ + "/it", {"not.c", "other.c"}),
            (std::vector<std::string>{"not.c", "other.c"}));
}

}  // namespace
}  // namespace heddle::session
