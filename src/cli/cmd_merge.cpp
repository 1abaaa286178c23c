// heddle merge: the results of pieces, put together.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>
#include <set>

#include "cli/command.h"
#include "cli/parse.h"
#include "cli/piece_files.h"
#include "cli/search_run.h"
#include "replay/schedule_file.h"
#include "report/json.h"
#include "report/merge_results.h"
#include "report/text.h"
#include "report/verdict.h"
#include "report/wording.h"
#include "session/files.h"
#include "session/follow.h"
#include "session/piece.h"

namespace heddle::cli {
namespace {

constexpr char kUsage[] = "heddle merge [options] RESULT... | DIR";
constexpr char kAbout[] =
    "Puts together the results that `heddle split` and `heddle work` have written, given as files "
    "or\n"
    "as directories that hold them, and prints what the whole search has found so far. Only when "
    "no\n"
    "piece is missing does it say that every schedule was explored.";
constexpr char kStatuses[] =
    "Exit status: 0 nothing found, 1 bug found, 2 bad option or file, or output not written, 3 "
    "the\n"
    "program could not be kept under control, 4 pieces are missing (with --require-complete).";

struct MergeOptions {
  std::vector<std::string> files;
  std::string out = "heddle-out";
  std::string json;
  std::string pieces;
  bool require_complete = false;
  bool quiet = false;
  bool full = false;
  report::ColorChoice color = report::ColorChoice::kAuto;
};

// The results of one search.
struct Campaign {
  std::deque<session::PieceResult> results;
  std::vector<const session::PieceResult*> counted;  // the root first
  std::map<std::string, const std::string*>
      live;              // by id: pieces that have no result; null: no file
  uint64_t ignored = 0;  // results that are there twice, or of no piece
};

// Of a process that was killed before it could give the file its name (session::CommitFile, and
// heddle-campaign): it may be cut short.
bool IsUnfinished(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with(".") || name.ends_with(session::kUnfinishedSuffix);
}

// The files that were given, and of directories all that are results, by name.
base::Result<std::vector<std::string>> FilesIn(const std::vector<std::string>& given) {
  std::vector<std::string> files;
  for (const std::string& path : given) {
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> inside;
    for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
      const std::string name = entry.path().string();
      if (IsUnfinished(entry.path())) continue;
      if (name.ends_with(kResultSuffix) || session::LooksLikeResult(name)) inside.push_back(name);
    }
    if (error) return base::Error{"cannot read " + path + ": " + error.message()};
    std::ranges::sort(inside);
    files.insert(files.end(), inside.begin(), inside.end());
  }
  if (files.empty()) return base::Error{given.front() + " holds no results of pieces"};
  return files;
}

base::Result<Campaign> Read(const std::vector<std::string>& given) {
  base::Result<std::vector<std::string>> files = FilesIn(given);
  if (!files.Ok()) return base::Error{files.Message()};
  Campaign campaign;
  std::vector<session::ResultOfPiece> said;
  std::map<std::string, const std::string*> pieces;  // by id
  for (const std::string& file : *files) {
    base::Result<session::PieceResult> result = session::ReadResult(file);
    if (!result.Ok()) return base::Error{result.Message()};
    if (!campaign.results.empty() && campaign.results.front().campaign != result->campaign)
      return base::Error{file + " is of another search than " + files->front()};
    campaign.results.push_back(std::move(*result));
    const session::PieceResult& read = campaign.results.back();
    said.push_back({read.piece, read.elsewhere});
    for (const std::string& piece : read.left) {
      said.back().left.push_back(session::IdOf(piece));
      pieces.emplace(said.back().left.back(), &piece);
    }
  }
  const session::Followed followed = session::Follow(said, session::PieceResult::kRoot);
  if (followed.counted.empty())
    return base::Error{"the result of the search before it was cut is missing (" +
                       std::string(session::PieceResult::kRoot) + kResultSuffix +
                       ", which `heddle split` has written; of shards it is in the first one's)"};
  for (const size_t result : followed.counted)
    campaign.counted.push_back(&campaign.results[result]);
  for (const std::string& id : followed.live) {
    const auto piece = pieces.find(id);
    campaign.live.emplace(id, piece != pieces.end() ? piece->second : nullptr);
  }
  campaign.ignored = campaign.results.size() - campaign.counted.size();
  return campaign;
}

// "a piece ..." for each that has not ended as it should.
void TellEnds(const Campaign& campaign, report::SearchResult& whole) {
  std::set<std::string> told;
  for (const session::PieceResult* result : campaign.counted) {
    std::string text;
    if (result->end == session::PartEnd::kNeedsMorePoints)
      text = "in a piece, " + result->why +
             "; so what was cut is not all of the search: begin it "
             "again with `heddle check`";
    if (result->end == session::PartEnd::kGaveUp)
      text = "piece " + result->piece + " was given up: " + result->why;
    if (!text.empty() && told.insert(text).second) whole.notes.push_back({"warning", text});
  }
  if (!campaign.live.empty()) {
    std::string text = report::Counted(campaign.live.size(), "piece") + " not explored yet";
    constexpr size_t kNamed = 3;
    size_t named = 0;
    for (const auto& [id, piece] : campaign.live)
      if (named++ < kNamed) text += (named == 1 ? ": " : ", ") + id;
    if (named > kNamed) text += " ...";
    whole.notes.push_back({"warning", text});
  }
  if (campaign.ignored != 0)
    whole.notes.push_back({"info", report::Counted(campaign.ignored, "result") +
                                       " of pieces that were run more than once, or of what came "
                                       "of those, not counted"});
}

report::SearchResult Join(const Campaign& campaign) {
  std::vector<report::PartOfResult> parts;
  bool all_explored = campaign.live.empty(), out_of_control = false, bug = false;
  for (size_t i = 0; i < campaign.counted.size(); ++i) {
    const session::PieceResult& result = *campaign.counted[i];
    all_explored &= result.end == session::PartEnd::kExplored;
    out_of_control |= result.end == session::PartEnd::kGaveUp;
    bug |= result.end == session::PartEnd::kBug;
    parts.push_back(result.part);
    // Which file it is in.
    for (report::Finding& finding : parts.back().result.findings)
      if (!finding.schedule.empty()) finding.schedule = std::to_string(i) + "/" + finding.schedule;
  }
  report::EndOfParts end;
  end.stop = all_explored ? channel::Stop::kExhausted
             : bug        ? channel::Stop::kBug
                          : channel::Stop::kPieces;
  end.nothing_left = all_explored;
  end.out_of_control = out_of_control;
  report::SearchResult whole = report::MergeResults(parts, end);
  whole.jobs.clear();
  whole.saved.clear();
  whole.over_executions.clear();  // nobody knows in which order
  // They had one machine after the other, or each its own.
  whole.elapsed_s = 0;
  whole.peak_memory_bytes = whole.peak_nodes = 0;
  std::set<uint64_t> graphs;
  bool known = true;
  for (const report::PartOfResult& part : parts) {
    whole.elapsed_s += part.result.elapsed_s;
    whole.peak_memory_bytes = std::max(whole.peak_memory_bytes, part.result.peak_memory_bytes);
    whole.peak_nodes = std::max(whole.peak_nodes, part.result.peak_nodes);
    if (part.findings_only) continue;
    known &= part.graphs_known;
    for (const report::Graph& graph : part.graphs) graphs.insert(graph.hash);
  }
  whole.trace_sum.reset();
  if (known) {
    whole.trace_sum = 0;
    for (const uint64_t graph : graphs) *whole.trace_sum += graph;
    whole.happens_before = graphs.size();
  }
  TellEnds(campaign, whole);
  return whole;
}

// Writes the schedule of each finding to the folder, beside what others have there.
std::optional<base::Error> WriteSchedules(const Campaign& campaign, const std::string& folder,
                                          report::SearchResult& whole) {
  for (report::Finding& finding : whole.findings) {
    if (finding.schedule.empty()) continue;
    const size_t slash = finding.schedule.find('/');
    const session::PieceResult& result =
        *campaign.counted[std::stoul(finding.schedule.substr(0, slash))];
    const std::string name = finding.schedule.substr(slash + 1);
    const auto found =
        std::ranges::find(result.schedules, name, &session::PieceResult::Schedule::name);
    finding.schedule.clear();
    if (found == result.schedules.end()) continue;
    const base::Result<replay::ScheduleFile> schedule = replay::ParseSchedule(found->text, name);
    if (!schedule.Ok()) return base::Error{schedule.Message()};
    if (auto error = session::PrepareDirectory(folder)) return error;
    for (int number = 1; finding.schedule.empty(); ++number) {
      const std::string path =
          (std::filesystem::path(folder) / replay::ScheduleFileName(*schedule, number)).string();
      std::error_code error;
      if (std::filesystem::exists(std::filesystem::symlink_status(path, error))) {
        const base::Result<std::string> text = session::ReadWhole(path);
        if (!text.Ok()) continue;
        const base::Result<replay::ScheduleFile> there = replay::ParseSchedule(*text, path);
        if (!there.Ok() || !replay::ShowSameBug(*there, *schedule)) continue;
      }
      if (auto failed = session::WriteWhole(path, found->text)) return failed;
      finding.schedule = path;
    }
  }
  return std::nullopt;
}

std::optional<base::Error> WritePieces(const Campaign& campaign, const std::string& folder) {
  if (auto error = session::PrepareDirectory(folder)) return error;
  for (const auto& [id, piece] : campaign.live) {
    if (piece == nullptr) continue;  // a shard, which somebody has to run as one
    const std::string path = PathIn(folder, id, kPieceSuffix);
    if (const int error = session::CommitFile(path, *piece, false))
      return base::Error{"cannot write " + path + ": " + std::strerror(error)};
  }
  return std::nullopt;
}

int Merge(const MergeOptions& options) {
  base::Result<Campaign> campaign = Read(options.files);
  if (!campaign.Ok()) return Fail(campaign.Message());
  if (!options.json.empty())
    if (auto error = session::CheckWritable(options.json, options.files))
      return Fail(error->message);
  report::SearchResult whole = Join(*campaign);
  if (auto error = WriteSchedules(*campaign, options.out, whole)) return Fail(error->message);
  if (!options.pieces.empty())
    if (auto error = WritePieces(*campaign, options.pieces)) return Fail(error->message);
  if (!options.json.empty())
    if (auto error = session::WriteWhole(options.json, report::ToJson(whole)))
      return Fail(error->message);
  const report::Terminal terminal = report::Terminal::Of(STDOUT_FILENO, options.color);
  return Print(options.quiet ? QuietText(whole)
                             : report::ResultText(whole, terminal, report::StepsOf(options.full)),
               report::ExitStatus(whole, options.require_complete));
}

}  // namespace

int MergePieces(const std::vector<std::string>& arguments) {
  CommandLine line(kAbout, "heddle merge");
  line.SetUsage(kUsage);
  line.SetFooter(kStatuses);
  MergeOptions options;
  line.Text("RESULT", options.files, "Results of pieces, or a directory that holds them")
      .Required();
  line.Text("--out", options.out, "Directory for the schedules of bugs (heddle-out)").Type("DIR");
  line.Text("--json", options.json, "Write the result to FILE").Type("FILE");
  line.Text("--pieces", options.pieces, "Write the pieces that are not explored yet to DIR")
      .Type("DIR");
  line.Flag("--require-complete", options.require_complete,
            "End with status 4 if pieces are missing");
  line.Flag("--quiet", options.quiet, "Print bugs only");
  line.Flag("--full", options.full, "Show every step that the results hold");
  line.Color(options.color);
  if (auto status = line.Parse(arguments)) return *status;
  return Merge(options);
}

}  // namespace heddle::cli
