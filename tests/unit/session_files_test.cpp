#include "session/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace heddle::session {
namespace {

class FilesTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/heddle-files-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string folder_;
};

TEST_F(FilesTest, WritesAndReadsWhole) {
  std::string path = folder_ + "/a";
  std::string text(200000, 'x');
  ASSERT_FALSE(WriteWhole(path, "old"));
  ASSERT_FALSE(WriteWhole(path, text));
  EXPECT_EQ(*ReadWhole(path), text);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}),
            1);  // nothing temporary
}

TEST_F(FilesTest, MakesDirectories) {
  EXPECT_FALSE(PrepareDirectory(folder_ + "/b/c"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_ + "/b/c"));
  EXPECT_FALSE(PrepareDirectory(folder_ + "/b/c"));
}

TEST_F(FilesTest, SaysWhatCannotBeWritten) {
  std::string file = folder_ + "/file";
  ASSERT_FALSE(WriteWhole(file, ""));
  EXPECT_TRUE(PrepareDirectory(file));
  EXPECT_TRUE(PrepareDirectory(file + "/below"));
  EXPECT_TRUE(CheckWritable(folder_));
  EXPECT_TRUE(CheckWritable(folder_ + "/none/file"));
  EXPECT_TRUE(CheckWritable(file + "/below"));
  EXPECT_FALSE(CheckWritable(folder_ + "/new"));
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/new"));
  EXPECT_FALSE(ReadWhole(folder_).Ok());
  EXPECT_FALSE(ReadWhole(folder_ + "/new").Ok());
}

TEST_F(FilesTest, AFullDiskIsOneLineAndLeavesNothing) {
  if (access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full";
  std::optional<base::Error> error = WriteWhole("/dev/full", "text");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "cannot write /dev/full: No space left on device");
}

}  // namespace
}  // namespace heddle::session
