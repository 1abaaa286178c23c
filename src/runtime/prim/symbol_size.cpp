#include "runtime/prim/symbol_size.h"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "runtime/prim/syscall.h"

namespace heddle::runtime {
namespace {

// The module with `address`.
struct Module {
  uintptr_t address;
  const char* path = nullptr;
  uintptr_t bias = 0;
};

int FindModule(dl_phdr_info* info, size_t, void* argument) {
  auto& module = *static_cast<Module*>(argument);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_LOAD || module.address - begin >= segment.p_memsz) continue;
    module.path = info->dlpi_name[0] == '\0' ? "/proc/self/exe" : info->dlpi_name;
    module.bias = info->dlpi_addr;
    return 1;
  }
  return 0;
}

// A file, mapped while this lives. Not by libc's functions: the program must not see it.
class MappedFile {
 public:
  explicit MappedFile(const char* path) {
    const long file =
        RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC);
    if (Failed(file)) return;
    struct stat status = {};
    if (!Failed(RawSyscall(SYS_fstat, file, reinterpret_cast<long>(&status)))) {
      size_ = static_cast<size_t>(status.st_size);
      const long mapped =
          RawSyscall(SYS_mmap, 0, static_cast<long>(size_), PROT_READ, MAP_PRIVATE, file, 0);
      if (!Failed(mapped)) begin_ = reinterpret_cast<const char*>(mapped);
    }
    RawSyscall(SYS_close, file);
  }
  ~MappedFile() {
    if (begin_ != nullptr)
      RawSyscall(SYS_munmap, reinterpret_cast<long>(begin_), static_cast<long>(size_));
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // `count` of T from `offset` on; null: the file ends before.
  template <typename T>
  const T* At(uint64_t offset, uint64_t count = 1) const {
    if (begin_ == nullptr || offset > size_ || count > (size_ - offset) / sizeof(T)) return nullptr;
    return reinterpret_cast<const T*>(begin_ + offset);
  }

 private:
  const char* begin_ = nullptr;
  size_t size_ = 0;
};

}  // namespace

bool IsInModule(uintptr_t address) {
  Module module{address};
  return dl_iterate_phdr(FindModule, &module) != 0;
}

size_t SizeOfVariable(uintptr_t address) {
  Module module{address};
  dl_iterate_phdr(FindModule, &module);
  if (module.path == nullptr) return 0;
  const MappedFile file(module.path);
  const auto* header = file.At<ElfW(Ehdr)>(0);
  if (header == nullptr || header->e_shentsize != sizeof(ElfW(Shdr))) return 0;
  const auto* sections = file.At<ElfW(Shdr)>(header->e_shoff, header->e_shnum);
  if (sections == nullptr) return 0;
  size_t largest = 0;
  for (const auto* section = sections; section != sections + header->e_shnum; ++section) {
    if (section->sh_type != SHT_SYMTAB && section->sh_type != SHT_DYNSYM) continue;
    const uint64_t count = section->sh_size / sizeof(ElfW(Sym));
    const auto* symbols = file.At<ElfW(Sym)>(section->sh_offset, count);
    if (symbols == nullptr) continue;
    for (const auto* symbol = symbols; symbol != symbols + count; ++symbol)
      if (ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT && symbol->st_shndx != SHN_UNDEF &&
          symbol->st_value + module.bias == address && symbol->st_size > largest)
        largest = symbol->st_size;
  }
  return largest;
}

}  // namespace heddle::runtime
