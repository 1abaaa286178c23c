// A file of parts with a digest of all of it at its end (docs/saved-search.md, docs/pieces.md). It
// gets its name when it is whole: whoever reads it finds the file before or this one, and a process
// that is killed leaves nothing behind.
//
//   head: magic, format, version of the channel | part | part | ... | digest
//
// Tested by tests/unit/session_saved_search_test.cpp and session_piece_test.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "session/digest.h"

namespace heddle::session {

struct FileHead {
  char magic[8];
  uint32_t format;
  uint32_t channel;  // channel::kVersion
};

struct PartHead {
  uint32_t store;  // what follows; the number of a digest is the same in all files
  uint32_t of;     // of several that have such parts, which; 0: the first, or the only one
  uint64_t at;
  uint64_t bytes;  // behind this head
};

inline constexpr uint32_t kDigestPart = 3;
inline constexpr size_t kSealBytes = sizeof(PartHead) + Digest::kBytes;

// What a file is: 'h' 'e' 'd' 'd' 'l' 'e' 0 and a letter, and the version of its format.
struct FileKind {
  char letter;
  uint32_t format;
};

// Which file keeps the name when there is one.
enum class Naming : uint8_t { kReplaces, kFirstStays };

class FollowingDigest;

// Thread-safety: of one thread. What is long is read back, for its digest, by another one while the
// file is written.
class NewSealedFile {
 public:
  // The file will be `path`, which need not exist. Writes the head. `part`: what is added to its
  // name while it is written, where a file has to have a name; who writes the same file adds
  // another.
  NewSealedFile(std::string path, FileKind kind, const std::string& part = ".part");
  // Of one that is sealed already (SealedBytes).
  NewSealedFile(std::string path, const std::string& part);
  NewSealedFile(const NewSealedFile&) = delete;
  NewSealedFile& operator=(const NewSealedFile&) = delete;
  ~NewSealedFile();

  const std::string& Path() const { return path_; }
  // 0, or the errno by which one of the calls failed. After that nothing is done any more.
  int Failed() const { return error_; }
  void Write(const void* bytes, size_t size);
  void AddPart(uint32_t store, std::string_view bytes);
  // [at, at + bytes) of the file `from`; of a sparse one, without its holes.
  void CopyRange(uint32_t store, int from, uint64_t at, uint64_t bytes, uint32_t of = 0);
  void CopyUsed(uint32_t store, int from, uint64_t at, uint64_t bytes, uint32_t of = 0);
  // Gives the file its digest and its name. ENSURES: where the first stays and there is one,
  // Failed() is EEXIST.
  void Finish(Naming naming);
  void FinishSealed(Naming naming);

 private:
  void Seal();
  int Name(bool replaces);

  const std::string path_;
  const std::string part_;  // its name for a moment
  int file_;
  bool named_ = false;  // as part_
  int error_ = 0;
  uint64_t bytes_ = 0;  // written so far
  std::unique_ptr<FollowingDigest> digest_;
};

// The same in memory.
class SealedBytes {
 public:
  explicit SealedBytes(FileKind kind);
  void AddPart(uint32_t store, std::string_view bytes);
  std::string Finish();

 private:
  std::string bytes_;
};

// A whole one, read.
class SealedFile {
 public:
  // `what`: "no search that ... has saved", of another file.
  static base::Result<SealedFile> Open(const std::string& path, char letter,
                                       const std::string& what);
  // The same of bytes that are in memory, and stay there. `path`: what messages call it.
  static base::Result<SealedFile> In(std::span<const std::byte> bytes, const std::string& path,
                                     char letter, const std::string& what);
  SealedFile(SealedFile&& other) noexcept;
  SealedFile& operator=(SealedFile&&) = delete;
  ~SealedFile();

  const std::string& Path() const { return path_; }
  std::span<const std::byte> Bytes() const { return bytes_; }
  // Written by this version of heddle?
  bool IsOfFormat(uint32_t format) const;
  // In hexadecimal digits: names the content.
  std::string DigestText() const;

  // Calls take(head, data) for each part; false: one of them does not fit.
  template <typename F>
  bool ForParts(F take) const {
    const size_t end = bytes_.size() - kSealBytes;
    for (size_t at = sizeof(FileHead); at < end;) {
      if (end - at < sizeof(PartHead)) return false;
      PartHead head;
      std::memcpy(&head, bytes_.data() + at, sizeof head);
      at += sizeof head;
      if (head.bytes > end - at || !take(head, bytes_.subspan(at, head.bytes))) return false;
      at += head.bytes;
    }
    return true;
  }

 private:
  SealedFile(std::string path, std::span<const std::byte> bytes, bool mapped)
      : path_(std::move(path)), bytes_(bytes), mapped_(mapped) {}
  static std::optional<base::Error> WhatIsWrong(const SealedFile& file, char letter,
                                                const std::string& what);

  std::string path_;
  std::span<const std::byte> bytes_;
  bool mapped_;
};

// Names and values, each zero-terminated: exact whatever is in them, and `strings` shows them.
class Words {
 public:
  void Add(std::string_view name, std::string_view value) {
    text_.append(name).push_back('\0');
    text_.append(value.substr(0, value.find('\0'))).push_back('\0');
  }
  void Add(std::string_view name, uint64_t value) { Add(name, std::to_string(value)); }
  const std::string& Text() const { return text_; }

  // Calls take(name, value) for each.
  template <typename F>
  static void Read(std::string_view text, F take) {
    const auto next = [&text] {
      const std::string_view word = text.substr(0, text.find('\0'));
      text.remove_prefix(std::min(text.size(), word.size() + 1));
      return word;
    };
    while (!text.empty()) {
      const std::string_view name = next();
      take(name, next());
    }
  }
  // 0 if it is none.
  static uint64_t NumberIn(std::string_view text);

 private:
  std::string text_;
};

inline std::string_view TextOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// pwrite until all is done; 0, or the errno that stopped it.
int WriteAt(int file, const void* bytes, uint64_t size, uint64_t at);

}  // namespace heddle::session
