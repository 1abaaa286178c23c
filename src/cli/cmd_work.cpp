// heddle work: explore one piece of a search.
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "claim/incomplete.h"
#include "cli/command.h"
#include "cli/interrupt_noted.h"
#include "cli/parse.h"
#include "cli/piece_files.h"
#include "cli/pieces.h"
#include "cli/search_run.h"
#include "report/wording.h"
#include "session/worker_mark.h"

namespace heddle::cli {
namespace {

constexpr char kUsage[] = "heddle work [options] PIECE";
constexpr char kAbout[] =
    "Explores PIECE, which `heddle split` or `heddle merge` has written, and writes what came of "
    "it:\n"
    "all of it, or what a slice of time allows, with what is left as pieces inside the result. If "
    "it\n"
    "is killed, nothing is written and nothing is lost. A result that is there already stays.";
constexpr char kStatuses[] =
    "Exit status: 0 nothing found, 1 bug found, 2 bad option, file or program, interrupted, or "
    "result\n"
    "not written, 3 the program could not be kept under control.";

struct WorkOptions {
  std::string piece;
  std::string out;
  uint64_t slice_ms = 0;
  uint64_t executions = 0;
  uint64_t pieces = 16;
  bool keep_going = false;
};

// What a run has come to. An error: no result is written.
base::Result<session::PieceResult> ResultOf(const session::NamedPiece& named,
                                            const SlicedSearch& ran, report::SearchResult result,
                                            const std::string& folder, uint64_t pieces) {
  const std::string stays = "; no result is written, and the piece can be run again";
  if (ran.KilledFromOutside())
    return base::Error{
        "the program's process was killed from outside (SIGKILL; was the machine "
        "out of memory?)" +
        stays};
  if (ran.End().kind == session::SessionEndKind::kInternal)
    return base::Error{ran.End().message + stays};
  if (!ran.Grew() && result.stop == channel::Stop::kInterrupted)
    return base::Error{"interrupted" + stays};
  session::PieceResult made;
  made.campaign = named.piece.campaign;
  made.piece = named.id;
  if (ran.Grew()) {
    made.end = session::PartEnd::kNeedsMorePoints;
    made.why = "more became visible";
    for (const report::Note& note : result.notes)
      if (note.text.find("the search began again") != std::string::npos) made.why = note.text;
    made.part.findings_only = true;
  } else if (result.stop == channel::Stop::kBug) {
    made.end = session::PartEnd::kBug;
    made.why = "it stopped at a bug";
  } else if (result.stop != channel::Stop::kExhausted) {
    made.end = session::PartEnd::kGaveUp;
    made.why = ran.End().kind == session::SessionEndKind::kGaveUp ? ran.End().message
                                                                  : "a schedule did not replay";
    for (const report::Note& note : result.notes)
      if (note.reason == claim::NameOf(claim::Incomplete::kUncontrolled)) made.why = note.text;
  } else {
    session::Piece rest = named.piece;
    ran.FillIn(rest);
    rest.branches.assign(ran.Left().begin(), ran.Left().end());
    made.left = Deal(rest, pieces);
  }
  FillIn(made, ran, std::move(result), folder);
  return made;
}

// Of a piece of which no worker has come back.
session::PieceResult GivenUp(const session::NamedPiece& named, const std::string& path) {
  session::PieceResult made;
  made.campaign = named.piece.campaign;
  made.piece = named.id;
  made.end = session::PartEnd::kGaveUp;
  made.why =
      "three workers, or the program's processes that they started, were killed while they "
      "explored it (SIGKILL; was the machine out of memory?): to have it run again, remove " +
      path;
  made.part.findings_only = true;
  return made;
}

int StatusOf(const session::PieceResult& result) {
  if (result.end == session::PartEnd::kGaveUp) return kUncontrolled;
  return result.part.result.findings.empty() ? 0 : 1;
}

std::string Told(const session::PieceResult& result, const std::string& path) {
  const report::SearchResult& found = result.part.result;
  std::string text =
      "piece " + result.piece + ": " + report::Counted(found.executions, "execution");
  if (!found.findings.empty()) text += ", " + report::Counted(found.findings.size(), "bug");
  if (result.end != session::PartEnd::kExplored)
    text += ", " + std::string(session::NameOf(result.end)) + ": " + result.why;
  else if (result.left.empty())
    text += ", all explored";
  else
    text += ", " + report::Counted(result.left.size(), "piece") + " left";
  return text + ": " + path + "\n";
}

int Work(const WorkOptions& options) {
  base::Result<session::NamedPiece> named = session::ReadPiece(options.piece);
  if (!named.Ok()) return Fail(named.Message());
  std::error_code ignored;
  const std::string path = std::filesystem::is_directory(options.out, ignored)
                               ? PathIn(options.out, named->id, kResultSuffix)
                               : options.out;
  const auto there_already = [&]() -> std::optional<int> {
    if (!std::filesystem::exists(std::filesystem::symlink_status(path, ignored)))
      return std::nullopt;
    base::Result<session::PieceResult> there = session::ReadResult(path);
    if (!there.Ok()) return Fail(there.Message());
    if (there->piece != named->id) return Fail(path + " is the result of another piece");
    return Print(path + " is the result of this piece already: nothing is changed\n", 0);
  };
  if (const auto status = there_already()) return *status;

  const auto commit = [&](const session::PieceResult& result) {
    const int error = session::CommitFile(path, session::ResultBytes(result), true);
    if (error == EEXIST)  // somebody else was faster
      if (const auto status = there_already()) return *status;
    if (error != 0) return Fail("cannot write " + path + ": " + std::strerror(error));
    return Print(Told(result, path), StatusOf(result));
  };
  session::WorkerMark mark(path);
  if (mark.Deaths() >= session::WorkerMark::kMostDeaths) {
    const int status = commit(GivenUp(*named, path));
    if (status != kUsageError) mark.RemoveDead();
    return status;
  }

  const session::SavedSearch& search = named->piece.search;
  base::Result<LaunchedSearch> launched = PrepareSearch(options.piece, search);
  if (!launched.Ok()) return Fail(launched.Message());
  base::Result<session::SharedFiles> files = session::SharedFiles::Create();
  if (!files.Ok()) return Fail(files.Message());
  if (options.keep_going) named->piece.settings.keep_going = 1;
  SlicedSearch sliced(std::move(*files), named->piece, options.slice_ms, options.executions);
  const ScratchFolder scratch;
  launched->options.out = scratch.Path();
  SearchSubject subject = launched->Subject();
  subject.settings = named->piece.settings;
  subject.begun = &search;
  subject.part = &sliced;
  subject.places = named->piece.places;
  const InterruptNoted interrupt;
  SearchRunner runner(launched->options, subject);
  base::Result<report::SearchResult> ran = runner.Run(search.command);
  if (!ran.Ok()) return Fail(ran.Message());
  base::Result<session::PieceResult> result =
      ResultOf(*named, sliced, std::move(*ran), scratch.Path(), options.pieces);
  if (!result.Ok()) {
    if (sliced.KilledFromOutside()) mark.Leave();
    return Fail(result.Message());
  }
  const int status = commit(*result);
  if (status != kUsageError) mark.RemoveDead();
  return status;
}

}  // namespace

int WorkPiece(const std::vector<std::string>& arguments) {
  CommandLine line(kAbout, "heddle work");
  line.SetUsage(kUsage);
  line.SetFooter(kStatuses);
  WorkOptions options;
  line.Text("PIECE", options.piece, "A piece of a search").Required();
  line.Text("-o,--output", options.out,
            "Write the result to FILE; of a directory, to a file in it that is named by the piece")
      .Type("FILE")
      .Required();
  line.Duration("--slice", options.slice_ms,
                "Stop after this long, with what is left in the result: 10s, 5m");
  line.Number("--executions", options.executions, "Stop after this many executions, likewise");
  line.Number("--pieces", options.pieces, "Leave at most so many pieces (16)");
  line.Flag("--keep-going", options.keep_going, "Do not stop at the first bug");
  if (auto status = line.Parse(arguments)) return *status;
  if (options.pieces == 0 || options.pieces > kMostPieces)
    return Fail("--pieces must be between 1 and " + std::to_string(kMostPieces));
  return Work(options);
}

}  // namespace heddle::cli
