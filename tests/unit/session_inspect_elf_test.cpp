// Refusals are tested on damaged copies of /bin/true, so no compiler is needed.
#include "session/inspect_elf.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

namespace heddle::session {
namespace {

class InspectElf : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/heddle-inspect-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
    std::ifstream program("/bin/true", std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(program), std::istreambuf_iterator<char>());
    ASSERT_GT(bytes_.size(), sizeof(Elf64_Ehdr));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& bytes, mode_t mode = 0755) {
    std::string path = folder_ + "/program";
    std::ofstream(path, std::ios::binary) << bytes;
    chmod(path.c_str(), mode);
    return path;
  }
  // The message for a copy whose ELF header was changed by `change`.
  std::string Refusal(const std::function<void(Elf64_Ehdr&)>& change) {
    std::string copy = bytes_;
    change(*reinterpret_cast<Elf64_Ehdr*>(copy.data()));
    return RefusalOf(Write(copy));
  }
  static std::string RefusalOf(const std::string& path) {
    base::Result<ProgramFile> program = InspectProgram(path, true);
    return program.Ok() ? "accepted" : program.Message();
  }

  std::string folder_;
  std::string bytes_;
};

testing::AssertionResult Says(const std::string& message, const std::string& words) {
  if (message.find(words) != std::string::npos && message.find('\n') == std::string::npos) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << message;
}

TEST_F(InspectElf, AcceptsAnOrdinaryProgram) {
  std::string path = Write(bytes_);
  base::Result<ProgramFile> program = InspectProgram(path, true);
  ASSERT_TRUE(program.Ok()) << program.Message();
  EXPECT_EQ(program->absolute, std::filesystem::canonical(path));
  EXPECT_FALSE(program->instrumented);
  EXPECT_GE(program->build_id.size(), 16u);
}

TEST_F(InspectElf, AFileWithoutBuildIdIsHashed) {
  size_t note = bytes_.find(std::string("\x14\0\0\0\x03\0\0\0GNU\0", 12));
  if (note == std::string::npos) GTEST_SKIP() << "/bin/true has no build-id to begin with";
  bytes_[note + 8] = 'X';
  std::string first = InspectProgram(Write(bytes_), true)->build_id;
  EXPECT_EQ(first.substr(0, first.find('+')), std::to_string(bytes_.size()));
  EXPECT_EQ(InspectProgram(Write(bytes_), true)->build_id, first);
  bytes_[note + 8] = 'Y';
  EXPECT_NE(InspectProgram(Write(bytes_), true)->build_id, first);
}

TEST_F(InspectElf, RefusesWhatIsNoProgram) {
  EXPECT_TRUE(Says(RefusalOf(folder_ + "/nothing"), "no such program"));
  EXPECT_TRUE(Says(RefusalOf(folder_), "is a directory"));
  EXPECT_TRUE(Says(RefusalOf("/dev/null"), "is not a file"));
  EXPECT_TRUE(Says(RefusalOf(Write("#!/bin/sh\necho\n")), "is a script"));
  EXPECT_TRUE(Says(RefusalOf(Write("")), "is not an ELF"));
  EXPECT_TRUE(Says(RefusalOf(Write("MZ, from elsewhere")), "is not an ELF"));
  EXPECT_TRUE(Says(RefusalOf(Write(bytes_, 0644)), "is not executable"));
}

TEST_F(InspectElf, RefusesOtherKindsOfElf) {
  EXPECT_TRUE(Says(Refusal([](Elf64_Ehdr& h) { h.e_machine = EM_AARCH64; }), "another machine"));
  EXPECT_TRUE(Says(Refusal([](Elf64_Ehdr& h) { h.e_type = ET_REL; }), "object file"));
  EXPECT_TRUE(Says(Refusal([](Elf64_Ehdr& h) { h.e_type = ET_CORE; }), "core dump"));
  EXPECT_TRUE(Says(Refusal([](Elf64_Ehdr& h) {
                     h.e_phnum = 0;
                     h.e_type = ET_EXEC;
                   }),
                   "statically"));
}

TEST_F(InspectElf, RefusesEveryTruncation) {
  for (size_t part = 0; part < 16; ++part) {
    EXPECT_NE(RefusalOf(Write(bytes_.substr(0, bytes_.size() * part / 16))), "accepted") << part;
  }
  for (size_t size = 0; size < 128; ++size) {
    EXPECT_NE(RefusalOf(Write(bytes_.substr(0, size))), "accepted") << size;
  }
}

TEST_F(InspectElf, RefusesSetUserId) {
  std::string path = Write(bytes_, 04755);
  struct stat status;
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  if ((status.st_mode & S_ISUID) == 0) GTEST_SKIP() << "this file system has no set-user-ID";
  EXPECT_TRUE(Says(RefusalOf(path), "set-user-ID"));
}

TEST_F(InspectElf, LooksAlongPathAsAShellDoes) {
  std::string path = Write(bytes_);
  std::string before = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
  setenv("PATH", ("/nonexistent:" + folder_).c_str(), 1);
  EXPECT_EQ(*FindProgram("program"), path);
  EXPECT_FALSE(FindProgram("no-such-program").Ok());
  EXPECT_FALSE(FindProgram("").Ok());
  chmod(path.c_str(), 0644);
  EXPECT_FALSE(FindProgram("program").Ok());
  setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(*FindProgram(path), path);
}

}  // namespace
}  // namespace heddle::session
