#include "cli/piece_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <system_error>

#include "cli/saving.h"
#include "session/digest.h"
#include "session/files.h"
#include "session/spawn.h"
#include "space/space.h"

namespace heddle::cli {

using base::Error;

std::string PathIn(const std::string& folder, const std::string& name, const char* suffix) {
  return (std::filesystem::path(folder) / (name + suffix)).string();
}

ScratchFolder::ScratchFolder() {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / "heddle-piece-XXXXXX").string();
  if (mkdtemp(name.data()) != nullptr) path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code error;
  if (!path_.empty()) std::filesystem::remove_all(path_, error);
}

SearchSubject LaunchedSearch::Subject() const {
  SearchSubject subject;
  subject.program = program;
  subject.library = library;
  subject.settings = settings;
  subject.suppressions = suppressions;
  return subject;
}

base::Result<LaunchedSearch> PrepareSearch(const std::string& file,
                                           const session::SavedSearch& search) {
  LaunchedSearch launched;
  base::Result<SearchOptions> options = ReadOptions(search.options);
  if (!options.Ok()) return Error{file + ": " + options.Message()};
  launched.options = *options;
  launched.options.quiet = true;
  base::Result<channel::Settings> settings = MakeSettings(*options);
  if (!settings.Ok()) return Error{file + ": " + settings.Message()};
  launched.settings = *settings;
  base::Result<std::string> library = session::FindRuntimeLibrary();
  if (!library.Ok()) return Error{library.Message()};
  launched.library = *library;
  if (auto error = RefuseOtherFiles(file, search, search.program, *library)) return *error;
  base::Result<session::ProgramFile> program =
      session::InspectProgram(search.program, options->no_debug_info);
  if (!program.Ok()) return Error{program.Message()};
  launched.program = *program;
  base::Result<std::vector<report::Suppression>> suppressions =
      report::ParseSuppressions(search.suppressions, search.suppressions_name);
  if (!suppressions.Ok()) return Error{suppressions.Message()};
  launched.suppressions = *suppressions;
  return launched;
}

std::optional<Error> RefuseUncuttable(const std::string& file, const channel::Settings& settings) {
  if (space::CanBeCut(PointOf(settings))) return std::nullopt;
  return Error{file + " is a search with --order " + std::string(space::NameOf(settings.order)) +
               " --reduction " + std::string(space::NameOf(settings.reduction)) +
               ", which cannot be cut: see docs/pieces.md for those that can"};
}

std::string CampaignOf(const session::Piece& whole) {
  session::Digest digest;
  const auto add = [&](const std::string& text) { digest.Add(text.c_str(), text.size() + 1); };
  add(whole.search.program);
  for (const std::string& word : whole.search.command) add(word);
  for (const session::SavedSearch::File& one : whole.search.files) add(one.sha256);
  digest.Add(&whole.settings, sizeof whole.settings);
  for (const std::string& place : whole.places) add(place);
  for (const session::BranchBytes& branch : whole.branches) add(branch);
  const auto bytes = digest.Finish();
  return session::HexOf(std::as_bytes(std::span(bytes))).substr(0, 32);
}

// Neighbours go to different pieces: those that were parted with first are the largest.
std::vector<session::Piece> DealPieces(const session::Piece& whole, uint64_t pieces) {
  const uint64_t count = std::min<uint64_t>(pieces, whole.branches.size());
  std::vector<session::Piece> dealt(count, whole);
  for (session::Piece& piece : dealt) piece.branches.clear();
  for (size_t at = 0; at < whole.branches.size(); ++at)
    dealt[at % count].branches.push_back(whole.branches[at]);
  return dealt;
}

std::vector<std::string> Deal(const session::Piece& whole, uint64_t pieces) {
  std::vector<std::string> dealt;
  for (const session::Piece& piece : DealPieces(whole, pieces))
    dealt.push_back(session::PieceBytes(piece));
  return dealt;
}

void FillIn(session::PieceResult& to, const SharedSearch& ran, report::SearchResult result,
            const std::string& folder) {
  for (report::Finding& finding : result.findings) {
    if (finding.schedule.empty()) continue;
    base::Result<std::string> text = session::ReadWhole(finding.schedule);
    finding.schedule = std::filesystem::path(finding.schedule).lexically_relative(folder).string();
    if (text.Ok()) to.schedules.push_back({finding.schedule, *text});
  }
  to.part.graphs.clear();
  for (const channel::GraphRecord& graph : ran.Graphs())
    to.part.graphs.push_back({graph.hash, graph.least});
  to.part.graphs_known =
      result.trace_sum.has_value() && to.part.graphs.size() == result.happens_before;
  to.part.result = std::move(result);
}

}  // namespace heddle::cli
