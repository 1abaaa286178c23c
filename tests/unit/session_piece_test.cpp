#include "session/piece.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace heddle::session {
namespace {

class PieceTest : public testing::Test {
 protected:
  PieceTest() : folder_(testing::TempDir() + "piece-" + std::to_string(getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~PieceTest() override { std::filesystem::remove_all(folder_); }
  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  const std::string folder_;
};

Piece MadeUp() {
  Piece piece;
  piece.search.heddle_version = HEDDLE_VERSION;
  piece.search.program = "/bin/prog";
  piece.search.command = {"prog", "", "two words"};
  piece.search.environment = {"A=b", "C="};
  piece.search.options = {{"--order", {"depth-first"}}, {"--strict", {}}};
  piece.search.files = {{"00ff", "/bin/prog"}};
  piece.campaign = "c1";
  piece.settings.seed = 7;
  piece.settings.order = space::Order::kDepthFirst;
  piece.focus = {{1, 2, channel::FocusKind::kVariable}};
  piece.layout = 0xdeadbeefdeadbeef;
  piece.thread_joins = true;
  piece.joint_cycles = true;
  piece.frame_ends = true;
  piece.signals = 0x200;
  piece.places = {"+0x1139", "@libfoo.so+0x55"};
  piece.threads = {{0xffffffff, 0}, {0, 1}, {0, 2}};
  piece.objects = std::string(32, '\1');
  piece.branches = {"one", std::string("\0\xff", 2)};
  return piece;
}

TEST_F(PieceTest, IsReadAsItWasWritten) {
  const Piece piece = MadeUp();
  const std::string bytes = PieceBytes(piece);
  ASSERT_EQ(CommitFile(Path("p"), bytes, false), 0);
  const base::Result<NamedPiece> read = ReadPiece(Path("p"));
  ASSERT_TRUE(read.Ok()) << read.Message();
  EXPECT_EQ(read->id, IdOf(bytes));
  EXPECT_EQ(read->id.size(), 32u);
  EXPECT_EQ(read->piece.search.command, piece.search.command);
  EXPECT_EQ(read->piece.search.environment, piece.search.environment);
  EXPECT_EQ(read->piece.campaign, "c1");
  EXPECT_TRUE(read->piece.settings == piece.settings);
  ASSERT_EQ(read->piece.focus.size(), 1u);
  EXPECT_EQ(read->piece.focus[0].end, 2u);
  EXPECT_EQ(read->piece.layout, piece.layout);
  EXPECT_FALSE(read->piece.thread_ends);
  EXPECT_TRUE(read->piece.thread_joins);
  EXPECT_TRUE(read->piece.joint_cycles);
  EXPECT_TRUE(read->piece.frame_ends);
  EXPECT_EQ(read->piece.signals, 0x200u);
  EXPECT_EQ(read->piece.places, piece.places);
  ASSERT_EQ(read->piece.threads.size(), 3u);
  EXPECT_EQ(read->piece.threads[2].child, 2u);
  EXPECT_EQ(read->piece.objects, piece.objects);
  EXPECT_EQ(read->piece.branches, piece.branches);
  EXPECT_EQ(PieceBytes(read->piece), bytes);
}

TEST_F(PieceTest, IsNamedByItsContent) {
  Piece piece = MadeUp();
  const std::string first = IdOf(PieceBytes(piece));
  EXPECT_EQ(IdOf(PieceBytes(piece)), first);
  piece.branches[0] = "ome";
  EXPECT_NE(IdOf(PieceBytes(piece)), first);
}

TEST_F(PieceTest, AnyOtherByteIsDamage) {
  const std::string bytes = PieceBytes(MadeUp());
  for (size_t at = 0; at < bytes.size(); at += 97) {
    std::string other = bytes;
    other[at] = static_cast<char>(other[at] ^ 4);
    ASSERT_EQ(CommitFile(Path("p"), other, false), 0);
    EXPECT_FALSE(ReadPiece(Path("p")).Ok()) << at;
  }
  for (const size_t size : {size_t{0}, size_t{10}, bytes.size() / 2, bytes.size() - 1}) {
    ASSERT_EQ(CommitFile(Path("p"), bytes.substr(0, size), false), 0);
    EXPECT_FALSE(ReadPiece(Path("p")).Ok()) << size;
  }
}

TEST_F(PieceTest, AResultHasAllThatCameOfAPiece) {
  PieceResult result;
  result.campaign = "c1";
  result.piece = "0123";
  result.end = PartEnd::kGaveUp;
  result.why = "it died";
  result.part.result.order = "depth-first";
  result.part.result.executions = 12;
  result.part.result.whole_space = true;
  result.part.result.outcomes["a\nb"] = {3, 1, 0};
  result.part.graphs = {{9, 1}, {~uint64_t{0}, 0}, {2, 3}};
  result.part.graphs_known = false;
  result.schedules = {{"one.heddle", "{}\n"}};
  result.left = {PieceBytes(MadeUp())};
  ASSERT_EQ(CommitFile(Path("r"), ResultBytes(result), true), 0);
  EXPECT_TRUE(LooksLikeResult(Path("r")));
  const base::Result<PieceResult> read = ReadResult(Path("r"));
  ASSERT_TRUE(read.Ok()) << read.Message();
  EXPECT_EQ(read->campaign, "c1");
  EXPECT_EQ(read->piece, "0123");
  EXPECT_EQ(read->end, PartEnd::kGaveUp);
  EXPECT_EQ(read->why, "it died");
  EXPECT_EQ(read->part.result.executions, 12u);
  EXPECT_TRUE(read->part.result.whole_space);
  EXPECT_EQ(read->part.result.outcomes.at("a\nb").count, 3u);
  ASSERT_EQ(read->part.graphs.size(), 3u);
  EXPECT_EQ(read->part.graphs[0].hash, 2u);  // by hash
  EXPECT_EQ(read->part.graphs[2].hash, ~uint64_t{0});
  EXPECT_FALSE(read->part.graphs_known);
  ASSERT_EQ(read->schedules.size(), 1u);
  EXPECT_EQ(read->schedules[0].name, "one.heddle");
  EXPECT_EQ(read->schedules[0].text, "{}\n");
  EXPECT_EQ(read->left, result.left);
}

TEST_F(PieceTest, TheFirstStays) {
  EXPECT_EQ(CommitFile(Path("r"), "first", true), 0);
  EXPECT_EQ(CommitFile(Path("r"), "second", true), EEXIST);
  std::ifstream file(Path("r"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "first");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
  EXPECT_FALSE(LooksLikeResult(Path("r")));
  EXPECT_NE(CommitFile(Path("no/r"), "first", true), 0);
}

}  // namespace
}  // namespace heddle::session
