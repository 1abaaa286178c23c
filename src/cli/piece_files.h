// What split, work and merge share about the files of pieces and results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/pieces.h"
#include "cli/search_options.h"
#include "cli/search_run.h"
#include "session/piece.h"

namespace heddle::cli {

inline constexpr char kPieceSuffix[] = ".piece";
inline constexpr char kResultSuffix[] = ".result";
inline constexpr uint64_t kMostPieces = 100'000;

// `name` with its suffix below `folder`.
std::string PathIn(const std::string& folder, const std::string& name, const char* suffix);

// A directory for schedules until they are in a result; it goes with the object.
class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();
  const std::string& Path() const { return path_; }

 private:
  std::string path_;
};

// A search of which the description is in a file, ready to be started again.
struct LaunchedSearch {
  SearchOptions options;
  channel::Settings settings;
  session::ProgramFile program;
  std::string library;
  std::vector<report::Suppression> suppressions;

  SearchSubject Subject() const;
};

// `file` is what messages call it. An error: the program or something else is not what it was.
base::Result<LaunchedSearch> PrepareSearch(const std::string& file,
                                           const session::SavedSearch& search);

// Why a search with these settings cannot be cut.
std::optional<base::Error> RefuseUncuttable(const std::string& file,
                                            const channel::Settings& settings);

// Names the search and where it was cut.
std::string CampaignOf(const session::Piece& whole);
std::vector<session::Piece> DealPieces(const session::Piece& whole, uint64_t pieces);
// The branches of `whole` dealt out to so many pieces, or as many as it has branches, as bytes.
std::vector<std::string> Deal(const session::Piece& whole, uint64_t pieces);

// What was explored: numbers, graphs, findings and their schedules, which are in `folder`.
void FillIn(session::PieceResult& to, const SharedSearch& ran, report::SearchResult result,
            const std::string& folder);

}  // namespace heddle::cli
