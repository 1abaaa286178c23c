#include "session/saved_search.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "session/files.h"

namespace heddle::session {
namespace {

class SavedSearchTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/heddle-saved-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
    path_ = folder_ + "/search.saved";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // A channel with something in each part that is saved.
  static void Fill(ChannelMemory& memory) {
    channel::Header& header = memory.Header();
    header.progress.executions = 77;
    header.phase = static_cast<uint32_t>(channel::Phase::kSearching);
    header.stop_request = 1;
    header.report_bytes = 16;
    header.name_count = 2;
    header.used[0] = {channel::kArenaAt, 3 * 4096};
    EXPECT_EQ(pwrite(memory.Descriptor(), "report", 6, channel::kReportAt), 6);
    EXPECT_EQ(pwrite(memory.Descriptor(), "name", 4, channel::kNamesAt), 4);
    EXPECT_EQ(pwrite(memory.Descriptor(), "first", 5, channel::kArenaAt), 5);
    EXPECT_EQ(pwrite(memory.Descriptor(), "third", 5, channel::kArenaAt + 2 * 4096), 5);
    EXPECT_EQ(pwrite(memory.Descriptor(), "not used", 8, channel::kArenaAt + 9 * 4096), 8);
  }
  static std::string At(int file, uint64_t at, size_t bytes) {
    std::string text(bytes, '\0');
    EXPECT_EQ(pread(file, text.data(), bytes, static_cast<off_t>(at)), static_cast<ssize_t>(bytes));
    return text.c_str();
  }
  std::optional<base::Error> Save(const SavedSearch& search, bool replaces = true) {
    base::Result<ChannelMemory> memory = ChannelMemory::Create();
    Fill(*memory);
    UnlinkedFile spill(folder_);
    EXPECT_EQ(pwrite(spill.Descriptor(), "spilled", 7, 1 << 20), 7);
    NewSave save(path_);
    if (auto error = save.Copy(*memory, spill.Descriptor())) return error;
    return save.Finish(search, replaces);
  }

  std::string folder_;
  std::string path_;
};

SavedSearch Described() {
  SavedSearch search;
  search.heddle_version = "1";
  search.program = "/p";
  search.command = {"p", "", "with \xff and\nmore"};
  search.environment = {"A=1", "B="};
  search.directory = "/d";
  search.options = {{"--order", {"random"}}, {"--iterate", {}}};
  search.files = {{"12", "/p"}, {"34", "/l.so"}};
  search.out = "/o";
  search.suppressions_name = "s";
  search.suppressions = "race:a\n";
  search.suppression_uses = {0, 3};
  search.finished = true;
  search.elapsed_ms = 12345678901;
  search.peak_memory_bytes = 5;
  search.executions = 77;
  return search;
}

TEST_F(SavedSearchTest, IsReadAsWritten) {
  ASSERT_FALSE(Save(Described()));
  base::Result<SavedImage> image = SavedImage::Open(path_);
  ASSERT_TRUE(image.Ok()) << image.Message();
  const SavedSearch& read = image->Description();
  EXPECT_EQ(read.command, Described().command);
  EXPECT_EQ(read.environment, Described().environment);
  ASSERT_EQ(read.options.size(), 2u);
  EXPECT_EQ(read.options[0].values, Described().options[0].values);
  EXPECT_TRUE(read.options[1].values.empty());
  ASSERT_EQ(read.files.size(), 2u);
  EXPECT_EQ(read.files[1].path, "/l.so");
  EXPECT_EQ(read.suppressions, "race:a\n");
  EXPECT_EQ(read.suppression_uses, Described().suppression_uses);
  EXPECT_TRUE(read.finished);
  EXPECT_FALSE(read.automatic);
  EXPECT_EQ(read.elapsed_ms, 12345678901u);
  EXPECT_EQ(IsUnfinished(path_), std::optional<bool>(false));
}

TEST_F(SavedSearchTest, RestoresWhatWasInUse) {
  ASSERT_FALSE(Save(Described()));
  base::Result<SavedImage> image = SavedImage::Open(path_);
  ASSERT_TRUE(image.Ok());
  base::Result<ChannelMemory> memory = ChannelMemory::Create();
  UnlinkedFile spill(folder_);
  ASSERT_FALSE(image->Restore(*memory, spill.Descriptor()));
  EXPECT_EQ(memory->Header().progress.executions, 77u);
  EXPECT_EQ(memory->Header().origin, channel::Origin::kResumed);
  EXPECT_EQ(memory->Header().phase, static_cast<uint32_t>(channel::Phase::kStarting));
  EXPECT_EQ(memory->Header().stop_request, 0u);
  const int file = memory->Descriptor();
  EXPECT_EQ(At(file, channel::kReportAt, 7), "report");
  EXPECT_EQ(At(file, channel::kNamesAt, 5), "name");
  EXPECT_EQ(At(file, channel::kArenaAt, 6), "first");
  EXPECT_EQ(At(file, channel::kArenaAt + 2 * 4096, 6), "third");
  EXPECT_EQ(At(file, channel::kArenaAt + 9 * 4096, 6), "");
  EXPECT_EQ(At(spill.Descriptor(), 1 << 20, 7), "spilled");
  struct stat status;
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  EXPECT_LT(status.st_size, 1 << 20);  // no holes in it
}

TEST_F(SavedSearchTest, LeavesNothingElse) {
  ASSERT_FALSE(Save(Described()));
  ASSERT_FALSE(Save(Described()));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(SavedSearchTest, ReplacesOnlyWhatItMay) {
  ASSERT_FALSE(WriteWhole(path_, "somebody's"));
  EXPECT_TRUE(Save(Described(), false));
  EXPECT_EQ(*ReadWhole(path_), "somebody's");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
  EXPECT_FALSE(Save(Described(), true));
  EXPECT_TRUE(SavedImage::Open(path_).Ok());
}

TEST_F(SavedSearchTest, RefusesEveryDamage) {
  ASSERT_FALSE(Save(Described()));
  const std::string whole = *ReadWhole(path_);
  const std::string other = folder_ + "/other";
  for (size_t at = 0; at < whole.size(); at += 97) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    ASSERT_FALSE(WriteWhole(other, damaged));
    EXPECT_FALSE(SavedImage::Open(other).Ok()) << at;
    ASSERT_FALSE(WriteWhole(other, whole.substr(0, at)));
    EXPECT_FALSE(SavedImage::Open(other).Ok()) << at;
  }
  EXPECT_FALSE(SavedImage::Open(folder_ + "/none").Ok());
  EXPECT_FALSE(SavedImage::Open(folder_).Ok());
  EXPECT_FALSE(SavedImage::Open("/dev/null").Ok());
}

TEST_F(SavedSearchTest, SaysWhyItCannotBeWritten) {
  NewSave save(folder_ + "/none/search.saved");
  base::Result<ChannelMemory> memory = ChannelMemory::Create();
  const auto error = save.Copy(*memory, -1);
  ASSERT_TRUE(error);
  EXPECT_NE(error->message.find("No such file"), std::string::npos);
}

}  // namespace
}  // namespace heddle::session
