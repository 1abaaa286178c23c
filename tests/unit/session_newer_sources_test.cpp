// On programs that the system's compiler makes here, of files with times of our own.
#include "session/newer_sources.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace heddle::session {
namespace {

class NewerSourcesTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/heddle-newer-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
    std::filesystem::create_directory(folder_ + "/include");
    std::ofstream(folder_ + "/include/part.h") << "static inline int Part(void) { return 0; }\n";
    std::ofstream(folder_ + "/main.c")
        << "#include <stdlib.h>\n#include \"part.h\"\nint main(void) { return Part() + abs(0); }\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // The program, built in its folder from names that are relative to it, as if at second 1000.
  std::string Build(const std::string& options) {
    const std::string command = "cd " + folder_ + " && cc " + options + " -Iinclude main.c -o it";
    EXPECT_EQ(std::system(command.c_str()), 0);
    for (const char* file : {"main.c", "include/part.h", "it"}) SetTime(file, 1000);
    return folder_ + "/it";
  }
  void SetTime(const std::string& file, time_t second) {
    const timespec times[2] = {{second, 0}, {second, 0}};
    ASSERT_EQ(utimensat(AT_FDCWD, (folder_ + "/" + file).c_str(), times, 0), 0);
  }

  std::string folder_;
};

TEST_F(NewerSourcesTest, NamesTheSourceThatWasChangedLast) {
  for (const char* options : {"-g", "-g -gdwarf-4", "-g1 -O2"}) {
    const std::string program = Build(options);
    EXPECT_FALSE(FindNewerSources(program)) << options;
    SetTime("main.c", 1001);
    std::optional<NewerSources> newer = FindNewerSources(program);
    ASSERT_TRUE(newer) << options;
    EXPECT_EQ(newer->newest, folder_ + "/main.c");
    EXPECT_EQ(newer->others, 0u);
    SetTime("include/part.h", 1002);
    newer = FindNewerSources(program);
    ASSERT_TRUE(newer) << options;
    EXPECT_EQ(newer->newest, folder_ + "/include/part.h");
    EXPECT_EQ(newer->others, 1u);
  }
}

TEST_F(NewerSourcesTest, ASourceThatIsGoneIsNotNewer) {
  const std::string program = Build("-g");
  std::filesystem::remove(folder_ + "/main.c");
  EXPECT_FALSE(FindNewerSources(program));
}

TEST_F(NewerSourcesTest, NothingIsKnownWithoutDebugInformation) {
  const std::string program = Build("-s");
  SetTime("main.c", 1001);
  EXPECT_FALSE(FindNewerSources(program));
  EXPECT_FALSE(FindNewerSources(folder_ + "/main.c"));
  EXPECT_FALSE(FindNewerSources(folder_ + "/none"));
}

}  // namespace
}  // namespace heddle::session
