#include "session/saved_search.h"

#include <sys/stat.h>

#include <cstring>
#include <string_view>

namespace heddle::session {
namespace {

using base::Error;

constexpr FileKind kKind = {'S', 1};
constexpr char kNone[] = "no search that `heddle check --save` has saved";

// What follows a part's head.
enum Store : uint32_t {
  kMemory,       // bytes of the channel
  kSpill,        // bytes of the spill file
  kDescription,  // SavedSearch, as names and values
  kNames = 4,    // of several jobs: bytes of the names that they share; 3 is the digest
  kBranch,       // ... and a branch that none of them has (explore/branch.h)
};

void AddAll(Words& words, std::string_view name, const std::vector<std::string>& values) {
  for (const std::string& value : values) words.Add(name, value);
}

}  // namespace

std::string ToWords(const SavedSearch& search) {
  Words words;
  words.Add("heddle", search.heddle_version);
  words.Add("program", search.program);
  AddAll(words, "argument", search.command);
  words.Add("directory", search.directory);
  for (const SavedSearch::Option& option : search.options) {
    words.Add("option", option.name);
    AddAll(words, "value", option.values);
  }
  for (const SavedSearch::File& file : search.files) {
    words.Add("sha256", file.sha256);
    words.Add("file", file.path);
  }
  words.Add("out", search.out);
  words.Add("suppressions-name", search.suppressions_name);
  words.Add("suppressions", search.suppressions);
  for (const uint64_t uses : search.suppression_uses) words.Add("uses", uses);
  words.Add("automatic", uint64_t{search.automatic});
  words.Add("finished", uint64_t{search.finished});
  words.Add("elapsed-ms", search.elapsed_ms);
  words.Add("peak-memory-bytes", search.peak_memory_bytes);
  words.Add("executions", search.executions);
  if (const SavedSearch::Together& together = search.together; together.jobs != 0) {
    words.Add("jobs", together.jobs);
    words.Add("jobs-thrown-away", together.thrown);
    words.Add("jobs-wanted", together.wanted);
    words.Add("executions-alone", together.executions_alone);
    words.Add("bounds-completed", static_cast<uint64_t>(together.completed_bound + 1));
    words.Add("nothing-left", uint64_t{together.finishing});
    words.Add("branches-lost", uint64_t{together.lost});
  }
  AddAll(words, "environment", search.environment);
  return words.Text();
}

SavedSearch SearchFromWords(std::string_view text) {
  SavedSearch search;
  Words::Read(text, [&](std::string_view name, std::string_view word) {
    const std::string value(word);
    if (name == "heddle") search.heddle_version = value;
    if (name == "program") search.program = value;
    if (name == "argument") search.command.push_back(value);
    if (name == "directory") search.directory = value;
    if (name == "option") search.options.push_back({value, {}});
    if (name == "value" && !search.options.empty()) search.options.back().values.push_back(value);
    if (name == "sha256") search.files.push_back({value, ""});
    if (name == "file" && !search.files.empty()) search.files.back().path = value;
    if (name == "out") search.out = value;
    if (name == "suppressions-name") search.suppressions_name = value;
    if (name == "suppressions") search.suppressions = value;
    if (name == "uses") search.suppression_uses.push_back(Words::NumberIn(value));
    if (name == "automatic") search.automatic = value == "1";
    if (name == "finished") search.finished = value == "1";
    if (name == "elapsed-ms") search.elapsed_ms = Words::NumberIn(value);
    if (name == "peak-memory-bytes") search.peak_memory_bytes = Words::NumberIn(value);
    if (name == "executions") search.executions = Words::NumberIn(value);
    if (name == "jobs") search.together.jobs = Words::NumberIn(value);
    if (name == "jobs-thrown-away") search.together.thrown = Words::NumberIn(value);
    if (name == "jobs-wanted") search.together.wanted = Words::NumberIn(value);
    if (name == "executions-alone") search.together.executions_alone = Words::NumberIn(value);
    if (name == "bounds-completed")
      search.together.completed_bound = static_cast<int64_t>(Words::NumberIn(value)) - 1;
    if (name == "nothing-left") search.together.finishing = value == "1";
    if (name == "branches-lost") search.together.lost = value == "1";
    if (name == "environment") search.environment.push_back(value);
  });
  return search;
}

// ---- writing ----

NewSave::NewSave(std::string path) : file_(std::move(path), kKind) {}

std::optional<Error> NewSave::Failure() const {
  if (file_.Failed() == 0) return std::nullopt;
  return Error{"cannot save the search to " + file_.Path() + ": " + std::strerror(file_.Failed())};
}

std::optional<Error> NewSave::Copy(const ChannelMemory& memory, int spill, uint32_t job) {
  const channel::Header& header = memory.Header();
  const auto copy = [&](uint64_t at, uint64_t bytes) {
    file_.CopyUsed(kMemory, memory.Descriptor(), at, bytes, job);
  };
  copy(0, sizeof header);
  copy(channel::kNamesAt, memory.Names().size_bytes());
  copy(channel::kReportAt, memory.Report().size());
  for (const channel::UsedMemory& used : header.used) copy(used.at, used.bytes);
  struct stat status;
  if (spill >= 0 && fstat(spill, &status) == 0)
    file_.CopyUsed(kSpill, spill, 0, static_cast<uint64_t>(status.st_size), job);
  return Failure();
}

std::optional<Error> NewSave::CopyNames(const NamesMemory& names) {
  file_.CopyUsed(kNames, names.Descriptor(), 0, channel::kSharedNamesBytes);
  return Failure();
}

void NewSave::AddBranch(std::span<const std::byte> branch) {
  file_.AddPart(kBranch, TextOf(branch));
}

std::optional<Error> NewSave::Finish(const SavedSearch& search, bool replaces) {
  file_.AddPart(kDescription, ToWords(search));
  file_.Finish(replaces ? Naming::kReplaces : Naming::kFirstStays);
  return Failure();
}

// ---- reading ----

base::Result<SavedImage> SavedImage::Open(const std::string& path) {
  base::Result<SealedFile> file = SealedFile::Open(path, kKind.letter, kNone);
  if (!file.Ok()) return Error{file.Message()};
  SavedSearch search;
  const bool read = file->ForParts([&](const PartHead& part, auto data) {
    if (part.store == kDescription) search = SearchFromWords(TextOf(data));
    return true;
  });
  if (!read || !file->IsOfFormat(kKind.format))
    return Error{path + " was saved by another version of heddle (" +
                 (search.heddle_version.empty() ? "unknown" : search.heddle_version) +
                 "; this is " HEDDLE_VERSION "): go on with that one"};
  return SavedImage(std::move(*file), std::move(search));
}

std::optional<Error> SavedImage::RestoreNames(const NamesMemory& names) const {
  int error = 0;
  const bool fits = file_.ForParts([&](const PartHead& part, std::span<const std::byte> data) {
    if (part.store != kNames) return true;
    const uint64_t room = channel::kSharedNamesBytes;
    if (part.at > room || part.bytes > room - part.at) return false;
    error = WriteAt(names.Descriptor(), data.data(), data.size(), part.at);
    return error == 0;
  });
  if (fits && error == 0) return std::nullopt;
  return Error{"cannot take up " + Path() + ": " +
               (error != 0 ? std::strerror(error) : "what it keeps of names does not fit")};
}

std::vector<std::vector<std::byte>> SavedImage::Branches() const {
  std::vector<std::vector<std::byte>> branches;
  file_.ForParts([&](const PartHead& part, std::span<const std::byte> data) {
    if (part.store == kBranch) branches.emplace_back(data.begin(), data.end());
    return true;
  });
  return branches;
}

std::optional<Error> SavedImage::Restore(ChannelMemory& memory, int spill, uint32_t job) const {
  int error = 0;
  const bool fits = file_.ForParts([&](const PartHead& part, std::span<const std::byte> data) {
    if ((part.store != kMemory && part.store != kSpill) || part.of != job) return true;
    const bool inside =
        part.at <= channel::kTotalBytes && part.bytes <= channel::kTotalBytes - part.at;
    if (part.store == kMemory && !inside) return false;
    if (part.store == kSpill && spill < 0) return false;
    error = WriteAt(part.store == kMemory ? memory.Descriptor() : spill, data.data(), data.size(),
                    part.at);
    return error == 0;
  });
  if (error != 0) return Error{"cannot take up " + Path() + ": " + std::strerror(error)};
  if (!fits) return Error{"cannot take up " + Path() + ": no room for what it keeps on disk"};
  channel::Header& header = memory.Header();
  header.origin = channel::Origin::kResumed;
  header.phase = static_cast<uint32_t>(channel::Phase::kStarting);
  header.stop_request = header.question = header.answer = 0;
  header.in_flight = header.runner = 0;
  header.death_status = 0;
  header.hang_kill = 0;
  header.save_wished = header.save_at_end = header.at_rest = header.go_on = 0;
  return std::nullopt;
}

std::optional<bool> IsUnfinished(const std::string& path) {
  const base::Result<SavedImage> image = SavedImage::Open(path);
  if (!image.Ok()) return std::nullopt;
  return !image->Description().finished;
}

}  // namespace heddle::session
