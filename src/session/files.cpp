#include "session/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cstdlib>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace heddle::session {
namespace {

using base::Error;

Error Cannot(const std::string& what, const std::string& path, int error) {
  return Error{"cannot " + what + " " + path + ": " + std::strerror(error)};
}

std::string FolderOf(const std::string& path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// Beside `path`, and not longer than any name can be.
std::string TemporaryFor(const std::string& path) {
  return FolderOf(path) + "/.heddle-" + std::to_string(getpid()) + ".tmp";
}

// Makes a file and removes it again: access() answers for the permissions only, and not everything
// is a matter of these (/proc, quotas). 0, or the errno that stopped it.
int TryToMake(const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return errno;
  close(fd);
  unlink(path.c_str());
  return 0;
}

// 0, or the errno that stopped it.
int WriteBytes(int fd, const std::string& text) {
  size_t done = 0;
  while (done < text.size()) {
    ssize_t wrote = write(fd, text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return errno;
    done += static_cast<size_t>(wrote);
  }
  return 0;
}

// More than any schedule or report has: /dev/zero would fill the memory.
constexpr size_t kMostRead = size_t{1} << 30;

bool IsSpecial(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

bool IsSameFile(const struct stat& file, const std::string& path) {
  struct stat other;
  return stat(path.c_str(), &other) == 0 && file.st_dev == other.st_dev &&
         file.st_ino == other.st_ino;
}

}  // namespace

base::Result<std::string> ReadWhole(const std::string& path) {
  // Not to wait for somebody who opens the other end of a pipe: maybe nobody ever does.
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return Cannot("read", path, errno);
  fcntl(fd, F_SETFL, 0);
  struct stat status;
  const bool is_pipe = fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode);
  std::string text;
  char part[65536];
  ssize_t got;
  while ((got = read(fd, part, sizeof part)) != 0) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) break;
    if (text.size() > kMostRead) {
      close(fd);
      return Error{path + " does not end: it is no file that heddle reads"};
    }
    text.append(part, static_cast<size_t>(got));
  }
  int error = got < 0 ? errno : 0;
  close(fd);
  if (error != 0) return Cannot("read", path, error);
  if (is_pipe && text.empty())
    return Error{path + " is a pipe, and nobody has written to it: give a file"};
  return text;
}

std::optional<Error> PrepareDirectory(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder)) {
    return Cannot("make the directory", folder, error ? error.value() : ENOTDIR);
  }
  if (const int refused = TryToMake(TemporaryFor(folder + "/file")))
    return Cannot("write in the directory", folder, refused);
  return std::nullopt;
}

std::optional<Error> CheckWritable(const std::string& path, std::span<const std::string> inputs) {
  struct stat status;
  const int unseen = stat(path.c_str(), &status) == 0 ? 0 : errno;
  if (unseen == 0) {
    if (S_ISDIR(status.st_mode)) return Cannot("write", path, EISDIR);
    if (access(path.c_str(), W_OK) != 0) return Cannot("write", path, errno);
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    for (const std::string& input : inputs)
      if (IsSameFile(status, input))
        return Error{"will not write over " + path + ", which this run reads: name another file"};
  } else if (unseen != ENOENT || path.empty()) {
    return Cannot("write", path, unseen);
  } else if (path.back() == '/') {  // no name of a file
    return Cannot("write", path, EISDIR);
  }
  if (const int refused = TryToMake(TemporaryFor(path))) return Cannot("write", path, refused);
  return std::nullopt;
}

std::optional<Error> WriteWhole(const std::string& path, const std::string& text) {
  bool special = IsSpecial(path);
  std::string target = special ? path : TemporaryFor(path);
  int flags = special ? O_WRONLY : O_WRONLY | O_CREAT | O_TRUNC;
  int fd = open(target.c_str(), flags | O_CLOEXEC, 0666);
  if (fd < 0) return Cannot("write", path, errno);
  int error = WriteBytes(fd, text);
  if (close(fd) != 0 && error == 0) error = errno;
  if (!special && error == 0 && rename(target.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return std::nullopt;
  if (!special) unlink(target.c_str());
  return Cannot("write", path, error);
}

UnlinkedFile::UnlinkedFile(const std::string& folder)
    : descriptor_(open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)) {
  if (descriptor_ >= 0) return;
  std::string name = folder + "/.spill-XXXXXX";  // a file system without O_TMPFILE
  descriptor_ = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ >= 0) unlink(name.c_str());
}

UnlinkedFile::~UnlinkedFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string UnlinkedFile::Path() const {
  if (descriptor_ < 0) return "";
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(descriptor_);
}

MemoryFile::MemoryFile() : descriptor_(memfd_create("heddle-job", MFD_CLOEXEC)) {}

MemoryFile::~MemoryFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string MemoryFile::Path() const {
  if (descriptor_ < 0) return "";
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(descriptor_);
}

bool MemoryFile::Write(uint64_t at, std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t done = pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(done));
    at += static_cast<uint64_t>(done);
  }
  return true;
}

bool MemoryFile::Read(uint64_t at, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t done = pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(done));
    at += static_cast<uint64_t>(done);
  }
  return true;
}

}  // namespace heddle::session
