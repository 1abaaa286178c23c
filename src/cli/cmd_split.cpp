// heddle split: cut a saved search into pieces.
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cli/command.h"
#include "cli/interrupt_noted.h"
#include "cli/parse.h"
#include "cli/piece_files.h"
#include "cli/pieces.h"
#include "cli/saving.h"
#include "cli/search_run.h"
#include "report/wording.h"
#include "session/files.h"
#include "session/spawn.h"

namespace heddle::cli {
namespace {

constexpr char kUsage[] = "heddle split [options] FILE N";
constexpr char kAbout[] =
    "Cuts the search in FILE, which `heddle check --save` has written, into N pieces, which "
    "`heddle\n"
    "work` explores one by one, on any machine, and `heddle merge` puts together. FILE stays as "
    "it\n"
    "is.";
constexpr char kStatuses[] =
    "Exit status: 0 cut, 2 bad option, file or program, or output not written, 3 the program "
    "could\n"
    "not be kept under control.";

struct SplitOptions {
  std::string file;
  uint64_t pieces = 0;
  std::string out;
};

// Branches are many more than pieces, because some are large and most are small.
constexpr uint64_t kBranchesPerPiece = 4;
constexpr uint64_t kMostCuts = 1000;

// Writes the pieces to the directory. The status to end with.
int WritePieces(const std::string& folder, const std::vector<std::string>& pieces,
                const session::PieceResult& root, const std::string& made) {
  for (const std::string& piece : pieces) {
    const std::string path = PathIn(folder, session::IdOf(piece), kPieceSuffix);
    if (const int error = session::CommitFile(path, piece, false))
      return Fail("cannot write " + path + ": " + std::strerror(error));
  }
  // The last: with it, the pieces are those of a campaign.
  const std::string path = PathIn(folder, session::PieceResult::kRoot, kResultSuffix);
  const int error = session::CommitFile(path, session::ResultBytes(root), true);
  if (error == EEXIST) {
    const base::Result<session::PieceResult> there = session::ReadResult(path);
    if (there.Ok() && there->campaign == root.campaign)
      return Print(folder + " has these pieces already: nothing is changed\n", 0);
    return Fail(path + " is of another search: give another directory");
  }
  if (error != 0) return Fail("cannot write " + path + ": " + std::strerror(error));
  return Print(made, 0);
}

int RefuseFinished(const std::string& file) {
  const std::string follows = file + kSavedSuffix;
  std::error_code error;
  const bool is_there = std::filesystem::exists(follows, error);
  return Fail(file + " is finished: there is nothing left to cut" +
              (is_there ? "; " + follows + " has the search that follows it" : ""));
}

int Split(const SplitOptions& options) {
  base::Result<session::SavedImage> saved = session::SavedImage::Open(options.file);
  if (!saved.Ok()) return Fail(saved.Message());
  const session::SavedSearch& search = saved->Description();
  if (search.finished) return RefuseFinished(options.file);
  if (search.together.jobs != 0)
    return Fail(options.file +
                " is a search with several jobs, each with its own part: only what one "
                "job has saved can be cut");
  base::Result<LaunchedSearch> launched = PrepareSearch(options.file, search);
  if (!launched.Ok()) return Fail(launched.Message());
  if (auto error = RefuseUncuttable(options.file, launched->settings)) return Fail(error->message);
  if (auto error = session::PrepareDirectory(options.out)) return Fail(error->message);
  base::Result<session::SharedFiles> files = session::SharedFiles::Create();
  if (!files.Ok()) return Fail(files.Message());

  CutSearch cut(std::move(*files), kBranchesPerPiece * options.pieces, kMostCuts);
  const ScratchFolder scratch;
  launched->options.out = scratch.Path();
  SearchSubject subject = launched->Subject();
  subject.resumed = &*saved;
  subject.part = &cut;
  const InterruptNoted interrupt;
  SearchRunner runner(launched->options, subject);
  base::Result<report::SearchResult> result = runner.Run(search.command);
  if (!result.Ok()) return Fail(result.Message());
  const std::string go_on = "heddle check --resume " + options.file;
  if (cut.Grew())
    return Fail(
        "more became visible while the search was cut, so that it has to begin again: go "
        "on with `" +
        go_on + "`, and cut it then");
  if (result->stop == channel::Stop::kBug)
    return Fail("the search is at a bug, where it ends: `" + go_on +
                "` shows it, and with --keep-going searches behind it");
  if (result->stop != channel::Stop::kExhausted) {
    Fail("the search could not be cut (" + result->guarantee + "): " + options.file +
         " is as it was");
    return result->stop == channel::Stop::kUncontrolled ? kUncontrolled : kUsageError;
  }

  session::Piece whole;
  whole.search = search;
  cut.FillIn(whole);
  whole.places = runner.Places();
  whole.branches.assign(cut.Left().begin(), cut.Left().end());
  whole.campaign = CampaignOf(whole);
  const std::vector<std::string> pieces = Deal(whole, options.pieces);
  session::PieceResult root;
  root.campaign = whole.campaign;
  root.piece = session::PieceResult::kRoot;
  root.left = pieces;
  FillIn(root, cut, *result, scratch.Path());
  return WritePieces(options.out, pieces, root,
                     "cut into " + report::Counted(pieces.size(), "piece") + " (" +
                         std::to_string(whole.branches.size()) + " branches) after " +
                         report::Counted(result->executions, "execution") + ": " + options.out +
                         "\n");
}

}  // namespace

int SplitSearch(const std::vector<std::string>& arguments) {
  CommandLine line(kAbout, "heddle split");
  line.SetUsage(kUsage);
  line.SetFooter(kStatuses);
  SplitOptions options;
  line.Text("FILE", options.file, "A search that `heddle check --save` has saved").Required();
  line.Number("N", options.pieces, "How many pieces; fewer if the search has not so many branches")
      .Required();
  line.Text("-o,--output", options.out, "Directory for the pieces, and for what is explored")
      .Type("DIR")
      .Required();
  if (auto status = line.Parse(arguments)) return *status;
  if (options.pieces == 0 || options.pieces > kMostPieces)
    return Fail("N must be between 1 and " + std::to_string(kMostPieces));
  return Split(options);
}

}  // namespace heddle::cli
