#include "cli/shard.h"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "cli/check_cases.h"
#include "cli/command.h"
#include "cli/interrupt_noted.h"
#include "cli/output_format.h"
#include "cli/piece_files.h"
#include "cli/pieces.h"
#include "report/json.h"
#include "report/merge_results.h"
#include "report/verdict.h"
#include "report/wording.h"
#include "session/digest.h"
#include "session/files.h"
#include "session/spawn.h"

namespace heddle::cli {
namespace {

using base::Error;
using channel::Stop;

constexpr uint64_t kBranchesPerShard = 16;
constexpr uint64_t kMostCuts = 1000;
constexpr uint64_t kMostShards = 10'000;

std::optional<uint64_t> NumberIn(const char* text) {
  uint64_t number = 0;
  if (text == nullptr) return std::nullopt;
  const char* end = text + std::strlen(text);
  const auto [at, error] = std::from_chars(text, end, number);
  if (error != std::errc() || at != end || at == text) return std::nullopt;
  return number;
}

std::optional<uint64_t> Environment(const char* name) { return NumberIn(std::getenv(name)); }

// A variable that says which shard this is, the smallest that it may have, and one that says how
// many there are.
struct Scheme {
  const char* index;
  const char* first;  // null: 0
  const char* count;
  uint64_t from;
};
constexpr Scheme kSchemes[] = {
    {"TEST_SHARD_INDEX", nullptr, "TEST_TOTAL_SHARDS", 0},
    {"GTEST_SHARD_INDEX", nullptr, "GTEST_TOTAL_SHARDS", 0},
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT", 0},
    {"JOB_COMPLETION_INDEX", nullptr, nullptr, 0},
    {"CI_NODE_INDEX", nullptr, "CI_NODE_TOTAL", 1},
};

base::Result<Shard> FromEnvironment(std::optional<uint64_t> given) {
  for (const Scheme& scheme : kSchemes) {
    const std::optional<uint64_t> index = Environment(scheme.index);
    if (!index) continue;
    std::optional<uint64_t> count = scheme.count != nullptr ? Environment(scheme.count) : given;
    if (!count) count = given;
    if (!count)
      return Error{std::string(scheme.index) +
                   " does not say how many shards there are: give "
                   "--shard auto/N"};
    const uint64_t from =
        scheme.first != nullptr ? Environment(scheme.first).value_or(0) : scheme.from;
    if (*index < from || *index - from >= *count)
      return Error{std::string(scheme.index) + "=" + std::to_string(*index) + " is none of " +
                   std::to_string(*count) + " shards"};
    // Bazel asks whether the test knows of shards.
    if (const char* file = std::getenv("TEST_SHARD_STATUS_FILE"))
      std::ofstream(file, std::ios::app);
    return Shard{*index - from + 1, *count};
  }
  return Error{
      "--shard auto: the environment names no shard (TEST_SHARD_INDEX, GTEST_SHARD_INDEX, "
      "SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or CI_NODE_INDEX): give --shard K/N"};
}

// All shards explore the same program, which must not see which one it is in.
void ForgetAllShards() {
  ForgetShards();
  for (const Scheme& scheme : kSchemes)
    for (const char* name : {scheme.index, scheme.count})
      if (name != nullptr) unsetenv(name);
  unsetenv("TEST_SHARD_STATUS_FILE");
  unsetenv("GTEST_SHARD_STATUS_FILE");
}

std::string IdOfShard(const Shard& shard) {
  return session::PieceResult::kShard + std::to_string(shard.number) + "/" +
         std::to_string(shard.count);
}

// What all shards have in common.
base::Result<session::SavedSearch> Describe(const SearchOptions& options,
                                            const SearchSubject& subject,
                                            const std::vector<std::string>& command) {
  session::SavedSearch search;
  search.heddle_version = HEDDLE_VERSION;
  search.program = subject.program.absolute;
  search.command = command;
  search.environment = session::OwnEnvironment();
  std::error_code error;
  search.directory = std::filesystem::current_path(error).string();
  if (subject.saved_options) search.options = *subject.saved_options;
  search.suppressions_name = options.suppressions;
  search.suppressions = subject.suppressions_text;
  search.out = options.out;
  for (const std::string& file : {subject.program.absolute, subject.library}) {
    base::Result<std::string> digest = session::DigestOfFile(file);
    if (!digest.Ok()) return Error{digest.Message()};
    search.files.push_back({*digest, file});
  }
  return search;
}

std::string Claim(const Shard& shard, const report::SearchResult& result, bool complete,
                  const std::string& why) {
  std::string text =
      "shard " + std::to_string(shard.number) + " of " + std::to_string(shard.count) + ": ";
  text += complete ? "complete" : why;
  return text + " (" + report::Counted(result.executions, "execution") +
         "); by itself it proves nothing: heddle merge puts the shards together";
}

// The search, cut.
session::Piece WholeOf(const session::SavedSearch& search, const CutSearch& cut,
                       const SearchRunner& cutter) {
  session::Piece whole;
  whole.search = search;
  cut.FillIn(whole);
  whole.places = cutter.Places();
  whole.branches.assign(cut.Left().begin(), cut.Left().end());
  return whole;
}

// What there is belongs to the others.
void ForgetCounts(report::SearchResult& result) {
  result.executions = result.redundant = result.assumed_away = result.cut = result.hooks =
      result.events = 0;
  result.happens_before = 0;
  result.outcomes.clear();
  result.findings.clear();
  result.by_preemptions.clear();
  result.trace_sum = 0;
}

void TakeGraphs(const std::vector<report::PartOfResult>& from, report::PartOfResult& to) {
  for (const report::PartOfResult& part : from) {
    if (part.findings_only) continue;
    to.graphs_known &= part.graphs_known;
    to.graphs.insert(to.graphs.end(), part.graphs.begin(), part.graphs.end());
  }
}

// What a shard has explored of its own: its piece, behind the cut.
struct OwnPart {
  session::PieceResult explored;
  std::vector<std::string> left;  // pieces
  Stop stop;
  std::string why;
};

// `subject`: of the search that was cut. An error: it cannot be run.
base::Result<OwnPart> ExplorePiece(session::Piece piece, const SearchOptions& options,
                                   SearchSubject subject, const std::vector<std::string>& command) {
  base::Result<session::SharedFiles> files = session::SharedFiles::Create();
  if (!files.Ok()) return Error{files.Message()};
  SlicedSearch sliced(std::move(*files), piece, options.time_ms, options.executions);
  subject.part = &sliced;
  subject.settings = piece.settings;
  subject.places = piece.places;
  SearchRunner runner(options, subject);
  base::Result<report::SearchResult> ran = runner.Run(command);
  if (!ran.Ok()) return Error{ran.Message()};
  OwnPart own = {{}, {}, ran->stop, ran->guarantee};
  FillIn(own.explored, sliced, *ran, options.out);
  if (sliced.Grew()) {
    own.stop = Stop::kNeedsMorePoints;
    own.why = "more became visible here than elsewhere: explore the search as a whole";
    own.explored.part.findings_only = true;
  } else if (own.stop == Stop::kExhausted) {
    sliced.FillIn(piece);
    piece.branches.assign(sliced.Left().begin(), sliced.Left().end());
    own.left = Deal(piece, 1);
  }
  return own;
}

session::PartEnd EndOf(Stop stop) {
  if (stop == Stop::kNeedsMorePoints) return session::PartEnd::kNeedsMorePoints;
  if (stop == Stop::kBug) return session::PartEnd::kBug;
  return stop == Stop::kExhausted ? session::PartEnd::kExplored : session::PartEnd::kGaveUp;
}

// What was run before the cut, and behind it. Of the former, the others have the bugs only.
report::SearchResult Merge(session::PieceResult& before, OwnPart& own, bool is_first,
                           session::PieceResult& made) {
  std::vector<report::PartOfResult> parts = {before.part, own.explored.part};
  if (!is_first) {
    std::swap(parts[0], parts[1]);
    parts[1].findings_only = true;
  }
  report::EndOfParts end;
  end.stop = own.stop;
  end.nothing_left = own.stop == Stop::kExhausted;
  end.out_of_control = own.stop == Stop::kUncontrolled || own.stop == Stop::kNone;
  report::SearchResult found = report::MergeResults(parts, end);
  found.jobs.clear();
  made.part.result = found;
  made.part.findings_only = own.stop == Stop::kNeedsMorePoints && !is_first;
  TakeGraphs(parts, made.part);
  for (session::PieceResult* from : {&before, &own.explored})
    for (session::PieceResult::Schedule& schedule : from->schedules)
      made.schedules.push_back(std::move(schedule));
  made.left = std::move(own.left);
  made.why = own.why;
  made.end = EndOf(own.stop);
  return found;
}

// By itself it proves nothing.
void WithdrawAll(const std::string& folder, const std::string& claim, report::SearchResult& found) {
  for (report::Finding& finding : found.findings)
    if (!finding.schedule.empty())
      finding.schedule = (std::filesystem::path(folder) / finding.schedule).string();
  found.complete = found.whole_space = found.all_graphs = found.weak_memory.holds = false;
  found.completed_bound = -1;
  if (found.verdict == report::Verdict::kClean) found.verdict = report::Verdict::kIncomplete;
  found.guarantee = claim;
}

// Both files, if they are asked for. Returns true if one could not be written, which is told.
bool LosesFiles(const SearchOptions& options, const session::PieceResult& made,
                const report::SearchResult& found) {
  bool lost = false;
  if (found.stop != Stop::kInterrupted && !options.result.empty()) {
    const int error = session::CommitFile(options.result, session::ResultBytes(made), false);
    if (error != 0) Fail("cannot write " + options.result + ": " + std::strerror(error));
    lost = error != 0;
  }
  if (options.json.empty()) return lost;
  const auto failed = session::WriteWhole(options.json, report::ToJson(found));
  if (failed) Fail(failed->message);
  return lost || failed;
}

}  // namespace

base::Result<Shard> ParseShard(const std::string& text) {
  const size_t slash = text.find('/');
  const std::string first = text.substr(0, slash);
  std::optional<uint64_t> count;
  if (slash != std::string::npos) count = NumberIn(text.substr(slash + 1).c_str());
  const bool fits = slash == std::string::npos || (count && *count >= 1 && *count <= kMostShards);
  if (first == "auto" && fits) return FromEnvironment(count);
  const std::optional<uint64_t> number = NumberIn(first.c_str());
  if (!fits || !count || !number || *number < 1 || *number > *count)
    return Error{"--shard " + text + ": give K/N with K from 1 to N, N at most " +
                 std::to_string(kMostShards) + ", or auto, or auto/N"};
  return Shard{*number, *count};
}

int ExploreShard(const SearchOptions& options, const SearchSubject& given,
                 const std::vector<std::string>& command) {
  const base::Result<Shard> shard = ParseShard(options.shard);
  if (!shard.Ok()) return Fail(shard.Message());
  if (auto error = RefuseUncuttable("this", given.settings)) return Fail(error->message);
  if (!options.result.empty())
    if (auto error = session::CheckWritable(options.result)) return Fail(error->message);
  ForgetAllShards();
  const InterruptNoted interrupt;
  base::Result<session::SharedFiles> files = session::SharedFiles::Create();
  if (!files.Ok()) return Fail(files.Message());

  // The cut, as everybody makes it.
  CutSearch cut(std::move(*files), kBranchesPerShard * shard->count, kMostCuts, true);
  SearchOptions quiet = options;
  quiet.quiet = true;
  SearchSubject subject = given;
  subject.part = &cut;
  subject.settings.max_executions = 0;
  SearchRunner cutter(quiet, subject);
  base::Result<report::SearchResult> begun = cutter.Run(command);
  if (!begun.Ok()) return Fail(begun.Message());
  session::PieceResult before;
  FillIn(before, cut, *begun, options.out);

  base::Result<session::SavedSearch> search = Describe(options, given, command);
  if (!search.Ok()) return Fail(search.Message());
  const session::Piece whole = WholeOf(*search, cut, cutter);
  std::vector<session::Piece> pieces = DealPieces(whole, shard->count);
  const bool is_first = shard->number == 1;
  session::PieceResult made;
  made.campaign = CampaignOf(whole);
  made.piece = is_first ? session::PieceResult::kRoot : IdOfShard(*shard);
  for (uint64_t other = 2; is_first && other <= shard->count; ++other)
    made.elsewhere.push_back(IdOfShard({other, shard->count}));
  OwnPart own = {{}, {}, begun->stop, begun->guarantee};
  if (begun->stop == Stop::kExhausted && shard->number <= pieces.size()) {
    session::Piece& piece = pieces[shard->number - 1];
    piece.campaign = made.campaign;
    base::Result<OwnPart> explored = ExplorePiece(std::move(piece), quiet, subject, command);
    if (!explored.Ok()) return Fail(explored.Message());
    own = std::move(*explored);
  } else {
    own.explored.part.result = *begun;
    ForgetCounts(own.explored.part.result);
  }
  const bool complete = own.stop == Stop::kExhausted && own.left.empty();
  if (own.stop == Stop::kExhausted && !complete) own.why = "stopped by a limit";
  if (own.stop == Stop::kBug) own.why = "stopped at the first bug";

  report::SearchResult found = Merge(before, own, is_first, made);
  WithdrawAll(options.out, Claim(*shard, found, complete, own.why), found);
  const bool lost = LosesFiles(options, made, found);
  const int status =
      lost ? kUsageError : report::ExitStatus(found, options.require_complete && !complete);
  return Print(Printed(found, options), status);
}

}  // namespace heddle::cli
