// A piece of a search in a file, and what became of it in another (docs/pieces.md has both formats,
// byte by byte).
//
// A piece is whole by itself: what program is searched and how, what was learnt of it (what the
// numbers of threads and objects mean, what is visible), and branches of the search (explore/
// branch.h), which nobody else explores. Whoever has run it writes one result, in which are the
// numbers, the graphs, the findings with their schedules, and, as pieces, what is left. So nothing
// is lost and nothing counts twice, whoever runs what, how often, and whenever he is killed: a
// piece that no result stands for is still to be run, and the first result stands.
//
// A file is named by what is in it: the digest of a piece is its id.
//
// Tested by tests/unit/session_piece_test.cpp and tests/cli/test_pieces.py.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "channel/layout.h"
#include "channel/settings.h"
#include "report/merge_results.h"
#include "session/saved_search.h"
#include "session/shared_files.h"

namespace heddle::session {

struct Piece {
  SavedSearch search;    // what is searched, and by which files
  std::string campaign;  // the same for all pieces of one search
  channel::Settings settings = {};
  std::vector<channel::FocusRange> focus;
  // What was learnt of the program.
  uint64_t layout = 0;
  bool thread_ends = false;  // are visible
  bool thread_joins = false;
  bool joint_cycles = false;        // loops of several threads are recognised
  bool frame_ends = false;          // are visible
  uint64_t signals = 0;             // threads look for these
  std::vector<std::string> places;  // likewise (runtime/places.h)
  std::vector<channel::ThreadName> threads;
  std::string objects;  // runtime::ObjectName, one after the other

  std::vector<BranchBytes> branches;
};

// As a file, whole.
std::string PieceBytes(const Piece& piece);

struct NamedPiece {
  std::string id;
  Piece piece;
};

// An error, in one line: no such file, no piece, damaged, of another version.
base::Result<NamedPiece> ReadPiece(const std::string& path);

// How a part of a search ended.
enum class PartEnd : uint8_t {
  kExplored,         // all of it, but for what is left in the result
  kBug,              // stopped at a bug; what was left is not known
  kNeedsMorePoints,  // more became visible: the whole search has to begin again
  kGaveUp,           // the program's process kept dying, or got out of control
};
const char* NameOf(PartEnd end);

struct PieceResult {
  static constexpr char kRoot[] = "root";
  static constexpr char kShard[] = "shard ";  // and K/N

  std::string campaign;
  std::string piece;  // its id; or kRoot: what was explored before the first cut
  PartEnd end = PartEnd::kExplored;
  std::string why;  // the end is not kExplored: in a line
  report::PartOfResult part;
  struct Schedule {
    std::string name;  // as the findings have it
    std::string text;
  };
  std::vector<Schedule> schedules;
  std::vector<std::string> left;  // pieces, as PieceBytes wrote them
  // Ids of pieces that others explore without a file (heddle check --shard).
  std::vector<std::string> elsewhere;
};

std::string ResultBytes(const PieceResult& result);
base::Result<PieceResult> ReadResult(const std::string& path);
// Is it a file of a result, whole or not?
bool LooksLikeResult(const std::string& path);
// The id of a piece that is in memory. REQUIRES: PieceBytes wrote it.
std::string IdOf(std::string_view piece_bytes);

// Gives the file its name when it is whole. `first_stays`: an error of EEXIST if there is one.
// 0, or the errno that stopped it. A process that is killed meanwhile may leave a file of that
// suffix behind.
inline constexpr std::string_view kUnfinishedSuffix = ".part";
int CommitFile(const std::string& path, const std::string& bytes, bool first_stays);

}  // namespace heddle::session
