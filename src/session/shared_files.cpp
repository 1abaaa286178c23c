#include "session/shared_files.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "session/sealed_file.h"

namespace heddle::session {
namespace {

void NameFile(int file, char (&path)[64]) {
  std::snprintf(path, sizeof path, "/proc/%d/fd/%d", static_cast<int>(getpid()), file);
}

// So far as SharedNames goes.
struct Counts {
  uint32_t threads;
  uint32_t objects;
};

}  // namespace

base::Result<SharedFiles> SharedFiles::Create() {
  SharedFiles files;
  for (int* file : {&files.branches_, &files.names_, &files.graphs_}) {
    *file = memfd_create("heddle-shared", MFD_CLOEXEC);
    if (*file < 0)
      return base::Error{std::string("cannot create shared memory (memfd_create): ") +
                         std::strerror(errno)};
  }
  if (ftruncate(files.names_, static_cast<off_t>(channel::kSharedNamesBytes)) != 0)
    return base::Error{std::string("cannot size the shared memory: ") + std::strerror(errno)};
  return files;
}

SharedFiles::SharedFiles(SharedFiles&& other) noexcept
    : branches_(std::exchange(other.branches_, -1)),
      names_(std::exchange(other.names_, -1)),
      graphs_(std::exchange(other.graphs_, -1)) {}

SharedFiles::~SharedFiles() {
  for (const int file : {branches_, names_, graphs_})
    if (file >= 0) close(file);
}

void SharedFiles::Offer(channel::Sharing& sharing) const {
  NameFile(branches_, sharing.path);
  NameFile(names_, sharing.names_path);
  NameFile(graphs_, sharing.graphs_path);
}

// What there is of the range.
std::string SharedFiles::Read(int file, uint64_t at, uint64_t bytes) const {
  std::string text(bytes, '\0');
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t got =
        pread(file, text.data() + done, text.size() - done, static_cast<off_t>(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<size_t>(got);
  }
  text.resize(done);
  return text;
}

void SharedFiles::SetNames(std::span<const channel::ThreadName> threads,
                           const std::string& objects) {
  const Counts counts = {static_cast<uint32_t>(threads.size()),
                         static_cast<uint32_t>(objects.size() / kObjectBytes)};
  static_assert(sizeof(channel::SharedNames) >= sizeof counts);
  WriteAt(names_, &counts, sizeof counts, 0);
  WriteAt(names_, threads.data(), threads.size_bytes(), channel::kSharedThreadsAt);
  WriteAt(names_, objects.data(), objects.size(), channel::kSharedObjectsAt);
}

std::vector<channel::ThreadName> SharedFiles::Threads() const {
  Counts counts = {};
  const std::string head = Read(names_, 0, sizeof counts);
  std::memcpy(&counts, head.data(), head.size());
  const std::string bytes =
      Read(names_, channel::kSharedThreadsAt, counts.threads * sizeof(channel::ThreadName));
  std::vector<channel::ThreadName> names(bytes.size() / sizeof(channel::ThreadName));
  std::memcpy(names.data(), bytes.data(), names.size() * sizeof names[0]);
  return names;
}

std::string SharedFiles::Objects() const {
  Counts counts = {};
  const std::string head = Read(names_, 0, sizeof counts);
  std::memcpy(&counts, head.data(), head.size());
  return Read(names_, channel::kSharedObjectsAt, uint64_t{counts.objects} * kObjectBytes);
}

std::vector<BranchBytes> SharedFiles::Parted(const channel::Sharing& sharing) const {
  const std::string bytes = Read(branches_, channel::kBranchesOutAt, sharing.parted_bytes);
  std::vector<BranchBytes> branches;
  for (size_t at = 0; at < bytes.size();) {
    uint64_t length = 0;
    if (bytes.size() - at < sizeof length) break;
    std::memcpy(&length, bytes.data() + at, sizeof length);
    at += sizeof length;
    if (bytes.size() - at < length) break;
    branches.push_back(bytes.substr(at, length));
    at += length;
  }
  return branches;
}

bool SharedFiles::Bring(std::span<const BranchBytes> branches, channel::Sharing& sharing) {
  std::string bytes;
  for (const BranchBytes& branch : branches) {
    const uint64_t length = branch.size();
    bytes.append(reinterpret_cast<const char*>(&length), sizeof length).append(branch);
  }
  if (WriteAt(branches_, bytes.data(), bytes.size(), channel::kBranchesInAt) != 0) return false;
  sharing.brought_bytes = bytes.size();
  sharing.brought.store(static_cast<uint32_t>(branches.size()));
  return true;
}

std::vector<channel::GraphRecord> SharedFiles::Graphs(const channel::Header& header) const {
  const std::string bytes = Read(graphs_, 0, header.graphs * sizeof(channel::GraphRecord));
  std::vector<channel::GraphRecord> graphs(bytes.size() / sizeof(channel::GraphRecord));
  std::memcpy(graphs.data(), bytes.data(), graphs.size() * sizeof graphs[0]);
  return graphs;
}

}  // namespace heddle::session
