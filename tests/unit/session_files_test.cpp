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

// Permissions do not tell: nobody can make a file there, root may write in the folder.
TEST_F(FilesTest, WhereNoFileCanBeMade) {
  for (const char* path : {"/proc/result.json", "/sys/kernel/result.json"}) {
    if (access("/proc/self", F_OK) != 0 || access("/sys/kernel", F_OK) != 0) GTEST_SKIP();
    EXPECT_TRUE(CheckWritable(path)) << path;
  }
  EXPECT_TRUE(PrepareDirectory("/proc/self"));
  EXPECT_TRUE(CheckWritable(folder_ + "/new/"));
  EXPECT_TRUE(CheckWritable(""));
}

TEST_F(FilesTest, NamesMayBeAsLongAndStrangeAsTheSystemTakesThem) {
  for (const std::string& name : {std::string(255, 'x'), std::string("two\nlines"),
                                  std::string("a b'\"$\\"), std::string("\xff")}) {
    const std::string path = folder_ + "/" + name;
    EXPECT_FALSE(CheckWritable(path));
    EXPECT_FALSE(WriteWhole(path, "text"));
    EXPECT_EQ(*ReadWhole(path), "text");
    EXPECT_FALSE(CheckWritable(path));
  }
  EXPECT_TRUE(CheckWritable(folder_ + "/" + std::string(256, 'x')));
}

TEST_F(FilesTest, WhatTheRunReadsIsNotOverwritten) {
  const std::string program = folder_ + "/program", other = folder_ + "/other";
  ASSERT_FALSE(WriteWhole(program, "p"));
  ASSERT_FALSE(WriteWhole(other, "o"));
  std::filesystem::create_hard_link(program, folder_ + "/hard");
  std::filesystem::create_symlink("program", folder_ + "/soft");
  const std::string inputs[] = {program, "", folder_ + "/none"};
  for (const char* name : {"/program", "/hard", "/soft", "/../program"}) {
    const std::string path =
        std::string_view(name) == "/../program"
            ? folder_ + "/../" + std::filesystem::path(folder_).filename().string() + "/program"
            : folder_ + name;
    const std::optional<base::Error> error = CheckWritable(path, inputs);
    ASSERT_TRUE(error) << path;
    EXPECT_EQ(error->message,
              "will not write over " + path + ", which this run reads: name another file");
  }
  EXPECT_FALSE(CheckWritable(other, inputs));
  EXPECT_FALSE(CheckWritable(folder_ + "/none", inputs));
}

TEST_F(FilesTest, AFullDiskIsOneLineAndLeavesNothing) {
  if (access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full";
  std::optional<base::Error> error = WriteWhole("/dev/full", "text");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "cannot write /dev/full: No space left on device");
}

}  // namespace
}  // namespace heddle::session
