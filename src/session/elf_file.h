// A file and libelf's view of it.
#pragma once

#include <fcntl.h>
#include <libelf.h>
#include <unistd.h>

#include <string>

namespace heddle::session {

class ElfFile {
 public:
  explicit ElfFile(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    elf_version(EV_CURRENT);
    if (fd_ >= 0) elf_ = elf_begin(fd_, ELF_C_READ_MMAP, nullptr);
  }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;
  ~ElfFile() {
    if (elf_ != nullptr) elf_end(elf_);
    if (fd_ >= 0) close(fd_);
  }
  int Descriptor() const { return fd_; }
  Elf* Get() const { return elf_; }

 private:
  int fd_;
  Elf* elf_ = nullptr;
};

}  // namespace heddle::session
