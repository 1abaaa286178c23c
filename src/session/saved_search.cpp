#include "session/saved_search.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "session/digest.h"

namespace heddle::session {
namespace {

using base::Error;

constexpr char kMagic[8] = {'h', 'e', 'd', 'd', 'l', 'e', '\0', 'S'};
constexpr uint32_t kFormat = 1;

// What follows a part's head.
enum Store : uint32_t {
  kMemory,       // bytes of the channel
  kSpill,        // bytes of the spill file
  kDescription,  // SavedSearch, as names and values
  kDigest,       // of everything before this part's head
};

struct Head {
  char magic[8];
  uint32_t format;
  uint32_t channel;  // channel::kVersion
};

struct PartHead {
  uint32_t store;
  uint32_t zero;
  uint64_t at;
  uint64_t bytes;  // behind this head
};

constexpr size_t kEndBytes = sizeof(PartHead) + Digest::kBytes;

std::string FolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// Names and values, each zero-terminated: exact whatever is in them, and `strings` shows them.
class Words {
 public:
  void Add(std::string_view name, const std::string& value) {
    text_.append(name).push_back('\0');
    text_.append(value.c_str()).push_back('\0');
  }
  void Add(std::string_view name, uint64_t value) { Add(name, std::to_string(value)); }
  void Add(std::string_view name, const std::vector<std::string>& values) {
    for (const std::string& value : values) Add(name, value);
  }
  const std::string& Text() const { return text_; }

 private:
  std::string text_;
};

std::string ToWords(const SavedSearch& search) {
  Words words;
  words.Add("heddle", search.heddle_version);
  words.Add("program", search.program);
  words.Add("argument", search.command);
  words.Add("directory", search.directory);
  for (const SavedSearch::Option& option : search.options) {
    words.Add("option", option.name);
    words.Add("value", option.values);
  }
  for (const SavedSearch::File& file : search.files) {
    words.Add("sha256", file.sha256);
    words.Add("file", file.path);
  }
  words.Add("out", search.out);
  words.Add("suppressions-name", search.suppressions_name);
  words.Add("suppressions", search.suppressions);
  for (const uint64_t uses : search.suppression_uses) words.Add("uses", uses);
  words.Add("automatic", search.automatic ? 1 : 0);
  words.Add("finished", search.finished ? 1 : 0);
  words.Add("elapsed-ms", search.elapsed_ms);
  words.Add("peak-memory-bytes", search.peak_memory_bytes);
  words.Add("executions", search.executions);
  words.Add("environment", search.environment);
  return words.Text();
}

uint64_t NumberIn(const std::string& text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// What a later format adds is passed over.
SavedSearch FromWords(std::string_view text) {
  SavedSearch search;
  const auto next = [&text] {
    const std::string word(text.substr(0, text.find('\0')));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    return word;
  };
  while (!text.empty()) {
    const std::string name = next();
    const std::string value = next();
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
    if (name == "uses") search.suppression_uses.push_back(NumberIn(value));
    if (name == "automatic") search.automatic = value == "1";
    if (name == "finished") search.finished = value == "1";
    if (name == "elapsed-ms") search.elapsed_ms = NumberIn(value);
    if (name == "peak-memory-bytes") search.peak_memory_bytes = NumberIn(value);
    if (name == "executions") search.executions = NumberIn(value);
    if (name == "environment") search.environment.push_back(value);
  }
  return search;
}

// pwrite until all is done; 0, or the errno that stopped it.
int WriteAt(int file, const std::byte* bytes, uint64_t size, uint64_t at) {
  while (size > 0) {
    const ssize_t done = pwrite(file, bytes, size, static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    bytes += done;
    at += static_cast<uint64_t>(done);
    size -= static_cast<uint64_t>(done);
  }
  return 0;
}

template <typename T>
T At(std::span<const std::byte> bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// Calls take(head, data) for each part; false: one of them does not fit.
template <typename F>
bool ForParts(std::span<const std::byte> bytes, F take) {
  const size_t end = bytes.size() - kEndBytes;
  for (size_t at = sizeof(Head); at < end;) {
    if (end - at < sizeof(PartHead)) return false;
    const auto head = At<PartHead>(bytes, at);
    at += sizeof head;
    if (head.bytes > end - at || !take(head, bytes.subspan(at, head.bytes))) return false;
    at += head.bytes;
  }
  return true;
}

bool IsSealed(std::span<const std::byte> bytes) {
  const size_t end = bytes.size() - kEndBytes;
  const auto head = At<PartHead>(bytes, end);
  if (head.store != kDigest || head.at != end || head.bytes != Digest::kBytes) return false;
  Digest digest;
  digest.Add(bytes.data(), end);
  return std::memcmp(digest.Finish().data(), bytes.data() + end + sizeof head, Digest::kBytes) == 0;
}

}  // namespace

// ---- writing ----

NewSave::NewSave(std::string path)
    : path_(std::move(path)),
      part_(path_ + ".part"),
      file_(open(FolderOf(path_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)) {
  if (file_ >= 0) return;
  // A file system without O_TMPFILE.
  file_ = open(part_.c_str(), O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
  named_ = file_ >= 0;
  if (file_ < 0) error_ = errno;
}

NewSave::~NewSave() {
  if (file_ >= 0) close(file_);
  if (named_) unlink(part_.c_str());
}

Error NewSave::Failure(int error) const {
  return Error{"cannot save the search to " + path_ + ": " + std::strerror(error)};
}

// False: error_ says why.
bool NewSave::Write(const void* bytes, size_t size) {
  error_ = WriteAt(file_, static_cast<const std::byte*>(bytes), size, bytes_);
  bytes_ += size;
  return error_ == 0;
}

bool NewSave::CopyRange(uint32_t store, int from, uint64_t at, uint64_t bytes) {
  const PartHead head = {store, 0, at, bytes};
  if (!Write(&head, sizeof head)) return false;
  std::vector<std::byte> part(std::min<uint64_t>(bytes, uint64_t{1} << 20));
  while (bytes > 0) {
    const size_t wanted = std::min<uint64_t>(bytes, part.size());
    const ssize_t got = pread(from, part.data(), wanted, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      error_ = got < 0 ? errno : EIO;
      return false;
    }
    if (!Write(part.data(), static_cast<size_t>(got))) return false;
    at += static_cast<uint64_t>(got);
    bytes -= static_cast<uint64_t>(got);
  }
  return true;
}

// What is in [at, at + bytes) of a sparse file, without its holes.
bool NewSave::CopyUsed(uint32_t store, int from, uint64_t at, uint64_t bytes) {
  const uint64_t end = at + bytes;
  while (at < end) {
    const off_t data = lseek(from, static_cast<off_t>(at), SEEK_DATA);
    if (data < 0 && errno == ENXIO) return true;  // nothing but a hole
    const uint64_t begin = data < 0 ? at : static_cast<uint64_t>(data);
    if (begin >= end) return true;
    const off_t hole = data < 0 ? -1 : lseek(from, data, SEEK_HOLE);
    const uint64_t stop = hole < 0 ? end : std::min(end, static_cast<uint64_t>(hole));
    if (!CopyRange(store, from, begin, stop - begin)) return false;
    at = stop;
  }
  return true;
}

std::optional<Error> NewSave::Copy(const ChannelMemory& memory, int spill) {
  if (file_ < 0) return Failure(error_);
  const channel::Header& header = memory.Header();
  Head head = {};
  std::memcpy(head.magic, kMagic, sizeof kMagic);
  head.format = kFormat;
  head.channel = channel::kVersion;
  bool done = Write(&head, sizeof head);
  const int from = memory.Descriptor();
  const auto copy = [&](uint64_t at, uint64_t bytes) {
    done = done && CopyUsed(kMemory, from, at, bytes);
  };
  copy(0, sizeof header);
  copy(channel::kNamesAt, memory.Names().size_bytes());
  copy(channel::kReportAt, memory.Report().size());
  for (const channel::UsedMemory& used : header.used) copy(used.at, used.bytes);
  struct stat status;
  if (done && spill >= 0 && fstat(spill, &status) == 0)
    done = CopyUsed(kSpill, spill, 0, static_cast<uint64_t>(status.st_size));
  if (done) return std::nullopt;
  return Failure(error_);
}

bool NewSave::Describe(const SavedSearch& search) {
  const std::string words = ToWords(search);
  const PartHead head = {kDescription, 0, 0, words.size()};
  return Write(&head, sizeof head) && Write(words.data(), words.size());
}

// The digest of what was written. It is read back, so that the program need not wait for it.
bool NewSave::Seal() {
  Digest digest;
  std::vector<char> part(size_t{1} << 20);
  for (uint64_t at = 0; at < bytes_;) {
    const ssize_t got = pread(file_, part.data(), part.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      error_ = got < 0 ? errno : EIO;
      return false;
    }
    digest.Add(part.data(), static_cast<size_t>(got));
    at += static_cast<uint64_t>(got);
  }
  const PartHead head = {kDigest, 0, bytes_, Digest::kBytes};
  if (!Write(&head, sizeof head) || !Write(digest.Finish().data(), Digest::kBytes)) return false;
  if (fsync(file_) == 0) return true;
  error_ = errno;
  return false;
}

// 0, or the errno that stopped it.
int NewSave::Name(bool replaces) {
  const std::string itself = "/proc/self/fd/" + std::to_string(file_);
  if (!named_) {
    unlink(part_.c_str());  // of a process that was killed at this place
    const std::string& to = replaces ? part_ : path_;
    if (linkat(AT_FDCWD, itself.c_str(), AT_FDCWD, to.c_str(), AT_SYMLINK_FOLLOW) != 0)
      return errno;
    named_ = replaces;
  } else if (!replaces && link(part_.c_str(), path_.c_str()) != 0) {
    return errno;
  }
  if (!replaces) return 0;
  if (rename(part_.c_str(), path_.c_str()) != 0) return errno;
  named_ = false;
  return 0;
}

std::optional<Error> NewSave::Finish(const SavedSearch& search, bool replaces) {
  if (!Describe(search) || !Seal()) return Failure(error_);
  if (const int error = Name(replaces)) return Failure(error);
  const int folder = open(FolderOf(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    fsync(folder);  // the name, too, is there after a power failure
    close(folder);
  }
  return std::nullopt;
}

// ---- reading ----

SavedImage::SavedImage(SavedImage&& other) noexcept
    : path_(std::move(other.path_)),
      bytes_(std::exchange(other.bytes_, {})),
      search_(std::move(other.search_)) {}

SavedImage::~SavedImage() {
  if (bytes_.data() != nullptr) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

base::Result<SavedImage> SavedImage::Open(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return Error{"cannot read " + path + ": " + std::strerror(errno)};
  struct stat status = {};
  fstat(file, &status);
  const auto size = static_cast<size_t>(S_ISREG(status.st_mode) ? status.st_size : 0);
  void* at =
      size < sizeof(Head) ? MAP_FAILED : mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  const Error none = {path + " is no search that `heddle check --save` has saved"};
  if (at == MAP_FAILED) return none;
  SavedImage image(path, {static_cast<const std::byte*>(at), size});
  const auto head = At<Head>(image.bytes_, 0);
  if (std::memcmp(head.magic, kMagic, sizeof kMagic) != 0) return none;
  if (size < sizeof head + kEndBytes || !IsSealed(image.bytes_))
    return Error{path + " is damaged or cut short: nobody can go on with it"};
  const bool same = head.format == kFormat && head.channel == channel::kVersion;
  const bool read = ForParts(image.bytes_, [&](const PartHead& part, auto data) {
    if (part.store == kDescription)
      image.search_ = FromWords({reinterpret_cast<const char*>(data.data()), data.size()});
    return true;
  });
  if (!same || !read)
    return Error{path + " was saved by another version of heddle (" +
                 (image.search_.heddle_version.empty() ? "unknown" : image.search_.heddle_version) +
                 "; this is " HEDDLE_VERSION "): go on with that one"};
  return image;
}

std::optional<Error> SavedImage::Restore(ChannelMemory& memory, int spill) const {
  int error = 0;
  const bool fits = ForParts(bytes_, [&](const PartHead& part, std::span<const std::byte> data) {
    if (part.store != kMemory && part.store != kSpill) return true;
    const bool inside =
        part.at <= channel::kTotalBytes && part.bytes <= channel::kTotalBytes - part.at;
    if (part.store == kMemory && !inside) return false;
    if (part.store == kSpill && spill < 0) return false;
    error = WriteAt(part.store == kMemory ? memory.Descriptor() : spill, data.data(), data.size(),
                    part.at);
    return error == 0;
  });
  if (error != 0) return Error{"cannot take up " + path_ + ": " + std::strerror(error)};
  if (!fits) return Error{"cannot take up " + path_ + ": no room for what it keeps on disk"};
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
