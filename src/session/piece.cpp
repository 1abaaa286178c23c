#include "session/piece.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "report/json.h"
#include "session/sealed_file.h"

namespace heddle::session {
namespace {

using base::Error;

constexpr FileKind kPieceKind = {'P', 1};
constexpr FileKind kResultKind = {'R', 1};
constexpr char kNoPiece[] = "no piece of a search that heddle has cut";
constexpr char kNoResult[] =
    "no result of a piece that `heddle work` or `heddle split` has written";
constexpr size_t kIdDigits = 32;

// What follows a part's head; 3 is the digest.
enum Store : uint32_t {
  kWords = 2,
  kSettings = 4,  // channel::Settings
  kFocus,         // channel::FocusRange, one after the other
  kThreads,       // channel::ThreadName
  kObjects,       // runtime::ObjectName
  kBranch,        // one (explore/branch.h)
  kReport,        // JSON, as of heddle check --json
  kGraphs,        // report::Graph, by hash
  kSchedule,      // a schedule file: its name, a zero, its text
  kPiece,         // a piece that is left: its file
};

constexpr std::array kEnds = {PartEnd::kExplored, PartEnd::kBug, PartEnd::kNeedsMorePoints,
                              PartEnd::kGaveUp};

template <typename T>
std::string_view BytesOf(std::span<const T> items) {
  return {reinterpret_cast<const char*>(items.data()), items.size_bytes()};
}

template <typename T>
std::vector<T> ItemsIn(std::span<const std::byte> bytes) {
  std::vector<T> items(bytes.size() / sizeof(T));
  if (!items.empty()) std::memcpy(items.data(), bytes.data(), items.size() * sizeof(T));
  return items;
}

base::Result<NamedPiece> PieceIn(const SealedFile& file) {
  NamedPiece named;
  named.id = file.DigestText().substr(0, kIdDigits);
  Piece& piece = named.piece;
  const auto take_word = [&](std::string_view name, std::string_view value) {
    if (name == "campaign") piece.campaign = value;
    if (name == "layout") piece.layout = Words::NumberIn(value);
    if (name == "thread-ends") piece.thread_ends = value == "1";
    if (name == "thread-joins") piece.thread_joins = value == "1";
    if (name == "joint-cycles") piece.joint_cycles = value == "1";
    if (name == "frame-ends") piece.frame_ends = value == "1";
    if (name == "signals") piece.signals = Words::NumberIn(value);
    if (name == "place") piece.places.emplace_back(value);
  };
  bool fits = file.IsOfFormat(kPieceKind.format);
  const bool read = file.ForParts([&](const PartHead& part, std::span<const std::byte> data) {
    switch (part.store) {
      case kWords:
        piece.search = SearchFromWords(TextOf(data));
        Words::Read(TextOf(data), take_word);
        break;
      case kSettings:
        fits = fits && data.size() == sizeof piece.settings;
        if (fits) std::memcpy(&piece.settings, data.data(), data.size());
        break;
      case kFocus:
        piece.focus = ItemsIn<channel::FocusRange>(data);
        break;
      case kThreads:
        piece.threads = ItemsIn<channel::ThreadName>(data);
        break;
      case kObjects:
        piece.objects = TextOf(data);
        break;
      case kBranch:
        piece.branches.emplace_back(TextOf(data));
        break;
      default:
        break;
    }
    return true;
  });
  fits = fits && piece.focus.size() <= channel::kMaxFocusRanges;
  if (!read || !fits)
    return Error{file.Path() + " was cut by another version of heddle (" +
                 piece.search.heddle_version +
                 "; this is " HEDDLE_VERSION "): run it with that one"};
  return named;
}

}  // namespace

const char* NameOf(PartEnd end) {
  switch (end) {
    case PartEnd::kExplored:
      return "explored";
    case PartEnd::kBug:
      return "bug";
    case PartEnd::kNeedsMorePoints:
      return "grew";
    case PartEnd::kGaveUp:
      return "gave-up";
  }
  return "gave-up";
}

std::string PieceBytes(const Piece& piece) {
  Words words;
  words.Add("campaign", piece.campaign);
  words.Add("layout", piece.layout);
  words.Add("thread-ends", uint64_t{piece.thread_ends});
  words.Add("thread-joins", uint64_t{piece.thread_joins});
  words.Add("joint-cycles", uint64_t{piece.joint_cycles});
  words.Add("frame-ends", uint64_t{piece.frame_ends});
  words.Add("signals", piece.signals);
  for (const std::string& place : piece.places) words.Add("place", place);
  SealedBytes bytes(kPieceKind);
  bytes.AddPart(kWords, words.Text() + ToWords(piece.search));
  bytes.AddPart(kSettings, BytesOf(std::span<const channel::Settings>(&piece.settings, 1)));
  bytes.AddPart(kFocus, BytesOf(std::span<const channel::FocusRange>(piece.focus)));
  bytes.AddPart(kThreads, BytesOf(std::span<const channel::ThreadName>(piece.threads)));
  bytes.AddPart(kObjects, piece.objects);
  for (const BranchBytes& branch : piece.branches) bytes.AddPart(kBranch, branch);
  return bytes.Finish();
}

std::string IdOf(std::string_view piece_bytes) {
  const std::string_view digest = piece_bytes.substr(piece_bytes.size() - Digest::kBytes);
  return HexOf(std::as_bytes(std::span(digest))).substr(0, kIdDigits);
}

base::Result<NamedPiece> ReadPiece(const std::string& path) {
  base::Result<SealedFile> file = SealedFile::Open(path, kPieceKind.letter, kNoPiece);
  if (!file.Ok()) return Error{file.Message()};
  return PieceIn(*file);
}

std::string ResultBytes(const PieceResult& result) {
  Words words;
  words.Add("heddle", HEDDLE_VERSION);
  words.Add("campaign", result.campaign);
  words.Add("piece", result.piece);
  words.Add("end", NameOf(result.end));
  words.Add("why", result.why);
  words.Add("graphs-known", uint64_t{result.part.graphs_known});
  words.Add("findings-only", uint64_t{result.part.findings_only});
  words.Add("whole-space", uint64_t{result.part.result.whole_space});
  for (const std::string& id : result.elsewhere) words.Add("elsewhere", id);
  std::vector<report::Graph> graphs = result.part.graphs;
  std::ranges::sort(graphs, {}, &report::Graph::hash);
  SealedBytes bytes(kResultKind);
  bytes.AddPart(kWords, words.Text());
  bytes.AddPart(kReport, report::ToJson(result.part.result));
  bytes.AddPart(kGraphs, BytesOf(std::span<const report::Graph>(graphs)));
  for (const PieceResult::Schedule& schedule : result.schedules)
    bytes.AddPart(kSchedule, schedule.name + '\0' + schedule.text);
  for (const std::string& piece : result.left) bytes.AddPart(kPiece, piece);
  return bytes.Finish();
}

base::Result<PieceResult> ReadResult(const std::string& path) {
  base::Result<SealedFile> file = SealedFile::Open(path, kResultKind.letter, kNoResult);
  if (!file.Ok()) return Error{file.Message()};
  PieceResult result;
  std::string version = "unknown", json;
  bool whole_space = false, known_end = false;
  const bool read = file->ForParts([&](const PartHead& part, std::span<const std::byte> data) {
    const std::string_view text = TextOf(data);
    const size_t name_end = std::min(text.find('\0'), text.size());
    switch (part.store) {
      case kWords:
        Words::Read(text, [&](std::string_view name, std::string_view value) {
          if (name == "heddle") version = value;
          if (name == "campaign") result.campaign = value;
          if (name == "piece") result.piece = value;
          if (name == "why") result.why = value;
          if (name == "graphs-known") result.part.graphs_known = value == "1";
          if (name == "findings-only") result.part.findings_only = value == "1";
          if (name == "elsewhere") result.elsewhere.emplace_back(value);
          if (name == "whole-space") whole_space = value == "1";
          for (const PartEnd end : kEnds) {
            if (name != "end" || value != NameOf(end)) continue;
            result.end = end;
            known_end = true;
          }
        });
        break;
      case kReport:
        json = text;
        break;
      case kGraphs:
        result.part.graphs = ItemsIn<report::Graph>(data);
        break;
      case kSchedule:
        result.schedules.push_back({std::string(text.substr(0, name_end)),
                                    std::string(text.substr(std::min(name_end + 1, text.size())))});
        break;
      case kPiece:
        result.left.emplace_back(text);
        break;
      default:
        break;
    }
    return true;
  });
  if (!read || !known_end || !file->IsOfFormat(kResultKind.format))
    return Error{path + " was written by another version of heddle (" + version +
                 "; this is " HEDDLE_VERSION "): merge it with that one"};
  const base::Result<report::ResultFile> report = report::FromJson(json, path);
  if (!report.Ok()) return Error{report.Message()};
  const auto* one = std::get_if<report::SearchResult>(&*report);
  if (one == nullptr) return Error{path + " is " + kNoResult};
  result.part.result = *one;
  result.part.result.whole_space = whole_space;
  return result;
}

bool LooksLikeResult(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  char magic[8] = {};
  const bool read = pread(file, magic, sizeof magic, 0) == sizeof magic;
  close(file);
  return read && std::memcmp(magic, "heddle", 7) == 0 && magic[7] == kResultKind.letter;
}

int CommitFile(const std::string& path, const std::string& bytes, bool first_stays) {
  // Several workers may write the result of one piece at the same time, on several machines.
  char host[65] = {};
  gethostname(host, sizeof host - 1);
  NewSealedFile file(path, "." + std::string(host) + "-" + std::to_string(getpid()) +
                               std::string(kUnfinishedSuffix));
  file.Write(bytes.data(), bytes.size());
  file.FinishSealed(first_stays ? Naming::kFirstStays : Naming::kReplaces);
  return file.Failed();
}

}  // namespace heddle::session
