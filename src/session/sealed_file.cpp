#include "session/sealed_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "channel/layout.h"

namespace heddle::session {
namespace {

using base::Error;

constexpr char kMagic[7] = {'h', 'e', 'd', 'd', 'l', 'e', '\0'};

std::string FolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

template <typename T>
T At(std::span<const std::byte> bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

bool IsSealed(std::span<const std::byte> bytes) {
  const size_t end = bytes.size() - kSealBytes;
  const auto head = At<PartHead>(bytes, end);
  if (head.store != kDigestPart || head.at != end || head.bytes != Digest::kBytes) return false;
  Digest digest;
  digest.Add(bytes.data(), end);
  return std::memcmp(digest.Finish().data(), bytes.data() + end + sizeof head, Digest::kBytes) == 0;
}

}  // namespace

int WriteAt(int file, const void* bytes, uint64_t size, uint64_t at) {
  const auto* from = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t done = pwrite(file, from, size, static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    from += done;
    at += static_cast<uint64_t>(done);
    size -= static_cast<uint64_t>(done);
  }
  return 0;
}

uint64_t Words::NumberIn(std::string_view text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// ---- writing ----

namespace {

FileHead HeadOf(FileKind kind) {
  FileHead head = {};
  std::memcpy(head.magic, kMagic, sizeof kMagic);
  head.magic[sizeof kMagic] = kind.letter;
  head.format = kind.format;
  head.channel = channel::kVersion;
  return head;
}

template <typename T>
void Append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

SealedBytes::SealedBytes(FileKind kind) { Append(bytes_, HeadOf(kind)); }

void SealedBytes::AddPart(uint32_t store, std::string_view bytes) {
  Append(bytes_, PartHead{store, 0, 0, bytes.size()});
  bytes_ += bytes;
}

std::string SealedBytes::Finish() {
  Digest digest;
  digest.Add(bytes_.data(), bytes_.size());
  Append(bytes_, PartHead{kDigestPart, 0, bytes_.size(), Digest::kBytes});
  Append(bytes_, digest.Finish());
  return std::move(bytes_);
}

namespace {

// Some of a file, from `at` on: how much. Sets `error` if it is nothing.
size_t ReadSome(int file, uint64_t at, std::span<char> into, int& error) {
  ssize_t read;
  do {
    read = pread(file, into.data(), into.size(), static_cast<off_t>(at));
  } while (read < 0 && errno == EINTR);
  if (read <= 0) error = read < 0 ? errno : EIO;
  return read > 0 ? static_cast<size_t>(read) : 0;
}

}  // namespace

// The digest of a file that is being written. Of a long one it is taken by a thread of its own that
// reads back what was written, and has the kernel begin to put it on the disk: copying, digest and
// disk take about the same time each.
class FollowingDigest {
 public:
  explicit FollowingDigest(int file) : file_(file) {}
  FollowingDigest(const FollowingDigest&) = delete;
  FollowingDigest& operator=(const FollowingDigest&) = delete;
  ~FollowingDigest() {
    if (thread_.joinable()) EndThread();
  }

  // So many bytes were written.
  void Follow(uint64_t bytes) {
    written_ = bytes;
    if (thread_.joinable())
      written_.notify_one();
    else if (bytes >= kLong)
      Begin();
  }

  // Of everything. `error`: 0, or what kept it from being read. REQUIRES: called once, as the last.
  std::array<unsigned char, Digest::kBytes> Finish(int& error) {
    if (thread_.joinable()) {
      EndThread();
    } else {
      written_ |= kAll;
      Run(false);
    }
    error = error_;
    return digest_.Finish();
  }

 private:
  static constexpr uint64_t kLong = uint64_t{16} << 20;
  static constexpr uint64_t kAll = uint64_t{1} << 63;  // in written_: nothing follows

  // It comes to the end of what was written.
  void EndThread() {
    written_ |= kAll;
    written_.notify_one();
    thread_.join();
  }

  // Signals are for the thread that writes.
  void Begin() {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      thread_ = std::thread([this] { Run(true); });
    } catch (const std::system_error&) {  // no thread to be had: at the end
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  void Run(bool flushes) {
    std::vector<char> part(size_t{1} << 20);
    uint64_t at = 0;
    for (uint64_t written = written_; error_ == 0; written = written_) {
      if (at == (written & ~kAll)) {
        if ((written & kAll) != 0) return;
        written_.wait(written);
        continue;
      }
      const uint64_t wanted = std::min<uint64_t>(part.size(), (written & ~kAll) - at);
      const size_t got = ReadSome(file_, at, std::span(part).first(wanted), error_);
      digest_.Add(part.data(), got);
      if (flushes)
        sync_file_range(file_, static_cast<off_t>(at), static_cast<off_t>(got),
                        SYNC_FILE_RANGE_WRITE);
      at += got;
    }
  }

  const int file_;
  Digest digest_;
  std::atomic<uint64_t> written_ = 0;
  int error_ = 0;  // of the thread, until it has ended
  std::thread thread_;
};

NewSealedFile::NewSealedFile(std::string path, FileKind kind, const std::string& part)
    : NewSealedFile(std::move(path), part) {
  const FileHead head = HeadOf(kind);
  digest_ = std::make_unique<FollowingDigest>(file_);
  Write(&head, sizeof head);
}

NewSealedFile::NewSealedFile(std::string path, const std::string& part)
    : path_(std::move(path)),
      part_(path_ + part),
      file_(open(FolderOf(path_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)) {
  if (file_ < 0) {
    // A file system without O_TMPFILE.
    file_ = open(part_.c_str(), O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
    named_ = file_ >= 0;
    if (file_ < 0) error_ = errno;
  }
}

NewSealedFile::~NewSealedFile() {
  digest_.reset();
  if (file_ >= 0) close(file_);
  if (named_) unlink(part_.c_str());
}

void NewSealedFile::Write(const void* bytes, size_t size) {
  if (error_ != 0) return;
  error_ = WriteAt(file_, bytes, size, bytes_);
  bytes_ += size;
  if (digest_ != nullptr) digest_->Follow(bytes_);
}

void NewSealedFile::AddPart(uint32_t store, std::string_view bytes) {
  const PartHead head = {store, 0, 0, bytes.size()};
  Write(&head, sizeof head);
  Write(bytes.data(), bytes.size());
}

void NewSealedFile::CopyRange(uint32_t store, int from, uint64_t at, uint64_t bytes, uint32_t of) {
  const PartHead head = {store, of, at, bytes};
  Write(&head, sizeof head);
  std::vector<char> part(std::min<uint64_t>(bytes, uint64_t{1} << 20));
  while (bytes > 0 && error_ == 0) {
    const size_t wanted = std::min<uint64_t>(bytes, part.size());
    const size_t got = ReadSome(from, at, std::span(part).first(wanted), error_);
    if (error_ != 0) return;
    Write(part.data(), got);
    at += got;
    bytes -= got;
  }
}

void NewSealedFile::CopyUsed(uint32_t store, int from, uint64_t at, uint64_t bytes, uint32_t of) {
  const uint64_t end = at + bytes;
  while (at < end && error_ == 0) {
    const off_t data = lseek(from, static_cast<off_t>(at), SEEK_DATA);
    if (data < 0 && errno == ENXIO) return;  // nothing but a hole
    const uint64_t begin = data < 0 ? at : static_cast<uint64_t>(data);
    if (begin >= end) return;
    const off_t hole = data < 0 ? -1 : lseek(from, data, SEEK_HOLE);
    const uint64_t stop = hole < 0 ? end : std::min(end, static_cast<uint64_t>(hole));
    CopyRange(store, from, begin, stop - begin, of);
    at = stop;
  }
}

void NewSealedFile::Seal() {
  if (error_ != 0) return;
  const auto digest = std::exchange(digest_, nullptr)->Finish(error_);
  const PartHead head = {kDigestPart, 0, bytes_, Digest::kBytes};
  Write(&head, sizeof head);
  Write(digest.data(), Digest::kBytes);
}

// 0, or the errno that stopped it.
int NewSealedFile::Name(bool replaces) {
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

void NewSealedFile::Finish(Naming naming) {
  Seal();
  FinishSealed(naming);
}

void NewSealedFile::FinishSealed(Naming naming) {
  if (error_ == 0 && fsync(file_) != 0) error_ = errno;
  if (error_ == 0) error_ = Name(naming == Naming::kReplaces);
  if (error_ != 0) return;
  const int folder = open(FolderOf(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  fsync(folder);  // the name, too, is there after a power failure
  close(folder);
}

// ---- reading ----

SealedFile::SealedFile(SealedFile&& other) noexcept
    : path_(std::move(other.path_)),
      bytes_(std::exchange(other.bytes_, {})),
      mapped_(std::exchange(other.mapped_, false)) {}

SealedFile::~SealedFile() {
  if (mapped_) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

std::optional<Error> SealedFile::WhatIsWrong(const SealedFile& file, char letter,
                                             const std::string& what) {
  const Error none = {file.path_ + " is " + what};
  if (file.bytes_.size() < sizeof(FileHead)) return none;
  const auto head = At<FileHead>(file.bytes_, 0);
  if (std::memcmp(head.magic, kMagic, sizeof kMagic) != 0 || head.magic[sizeof kMagic] != letter)
    return none;
  if (file.bytes_.size() < sizeof head + kSealBytes || !IsSealed(file.bytes_))
    return Error{file.path_ + " is damaged or cut short: nobody can go on with it"};
  return std::nullopt;
}

base::Result<SealedFile> SealedFile::In(std::span<const std::byte> bytes, const std::string& path,
                                        char letter, const std::string& what) {
  SealedFile file(path, bytes, false);
  if (auto error = WhatIsWrong(file, letter, what)) return *error;
  return file;
}

base::Result<SealedFile> SealedFile::Open(const std::string& path, char letter,
                                          const std::string& what) {
  const int opened = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (opened < 0) return Error{"cannot read " + path + ": " + std::strerror(errno)};
  struct stat status = {};
  fstat(opened, &status);
  const auto size = static_cast<size_t>(S_ISREG(status.st_mode) ? status.st_size : 0);
  void* at =
      size < sizeof(FileHead) ? MAP_FAILED : mmap(nullptr, size, PROT_READ, MAP_PRIVATE, opened, 0);
  close(opened);
  if (at == MAP_FAILED) return Error{path + " is " + what};
  SealedFile file(path, {static_cast<const std::byte*>(at), size}, true);
  if (auto error = WhatIsWrong(file, letter, what)) return *error;
  return file;
}

bool SealedFile::IsOfFormat(uint32_t format) const {
  const auto head = At<FileHead>(bytes_, 0);
  return head.format == format && head.channel == channel::kVersion;
}

std::string SealedFile::DigestText() const {
  return HexOf(bytes_.subspan(bytes_.size() - Digest::kBytes));
}

}  // namespace heddle::session
