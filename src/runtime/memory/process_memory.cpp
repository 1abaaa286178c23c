#include "runtime/memory/process_memory.h"

#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <sys/auxv.h>

#include "runtime/memory/pages.h"
#include "runtime/prim/lifetime.h"

extern "C" FILE* _IO_list_all;  // exported by glibc; every open stream hangs on it

namespace heddle::runtime {
namespace {

// An address in this module.
const char g_here = 0;

struct Bounds {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  bool Contains(uintptr_t address) const { return begin <= address && address < end; }
};

Bounds BoundsOf(const dl_phdr_info& module, const ElfW(Phdr) & header) {
  const uintptr_t begin = module.dlpi_addr + header.p_vaddr;
  return {begin, begin + header.p_memsz};
}

bool IsOurs(const dl_phdr_info& module) {
  for (unsigned i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = module.dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    if (BoundsOf(module, header).Contains(reinterpret_cast<uintptr_t>(&g_here))) return true;
  }
  return false;
}

[[HEDDLE_LASTS("found with the modules")]] Bounds linker;

// The pages that the dynamic linker write-protects: it rounds both ends down.
Bounds RelroOf(const dl_phdr_info& module) {
  for (unsigned i = 0; i < module.dlpi_phnum; ++i) {
    if (module.dlpi_phdr[i].p_type != PT_GNU_RELRO) continue;
    const Bounds bounds = BoundsOf(module, module.dlpi_phdr[i]);
    return {RoundDown(bounds.begin, kPageBytes), RoundDown(bounds.end, kPageBytes)};
  }
  return {};
}

int AddModule(dl_phdr_info* module, size_t, void* snapshot_argument) {
  if (IsOurs(*module)) return 0;
  Snapshot& snapshot = *static_cast<Snapshot*>(snapshot_argument);
  const Bounds relro = RelroOf(*module);
  for (unsigned i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = module->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_W) == 0) continue;
    int protection = PROT_WRITE;
    if (header.p_flags & PF_R) protection |= PROT_READ;
    if (header.p_flags & PF_X) protection |= PROT_EXEC;
    Bounds segment = BoundsOf(*module, header);
    segment = {RoundDown(segment.begin, kPageBytes), RoundUp(segment.end, kPageBytes)};
    if (relro.begin < relro.end && segment.begin < relro.end && relro.begin < segment.end) {
      snapshot.AddPages(segment.begin, relro.begin, protection);
      segment.begin = relro.end;
    }
    snapshot.AddPages(segment.begin, segment.end, protection);
    if (module->dlpi_addr == getauxval(AT_BASE)) linker = segment;
  }
  return 0;
}

// Where the break began: field 47 of /proc/self/stat (proc(5)); 0 when it cannot be read.
uintptr_t BreakBegin() {
  const long file = RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/stat"),
                               O_RDONLY | O_CLOEXEC);
  if (Failed(file)) return 0;
  char text[2048];
  const long length = RawSyscall(SYS_read, file, reinterpret_cast<long>(text), sizeof text - 1);
  RawSyscall(SYS_close, file);
  if (length <= 0) return 0;
  text[length] = '\0';
  const char* at = text;
  for (long i = 0; i < length; ++i) {
    if (text[i] == ')') at = text + i;  // field 2 is the program's name, which may hold anything
  }
  for (int field = 2; field < 47; ++field) {
    while (*at != ' ' && *at != '\0') ++at;
    if (*at == ' ') ++at;
  }
  uintptr_t value = 0;
  for (; *at >= '0' && *at <= '9'; ++at) value = value * 10 + static_cast<uintptr_t>(*at - '0');
  return value;
}

}  // namespace

bool IsOfDynamicLinker(uintptr_t page) { return linker.Contains(page); }

void AddModules(Snapshot& snapshot) { dl_iterate_phdr(AddModule, &snapshot); }

void AddBreak(Snapshot& snapshot) {
  const uintptr_t begin = BreakBegin();
  const uintptr_t end = static_cast<uintptr_t>(RawSyscall(SYS_brk, 0));
  if (begin != 0 && begin < end) snapshot.AddPages(begin, end, PROT_READ | PROT_WRITE);
}

void AddStreamBuffers(Snapshot& snapshot) {
  constexpr int kNoReads = 4;  // _IO_NO_READS of glibc's libio.h
  for (const FILE* stream = _IO_list_all; stream != nullptr; stream = stream->_chain) {
    if ((stream->_flags & kNoReads) != 0) continue;
    snapshot.AddAlwaysHot(reinterpret_cast<uintptr_t>(stream->_IO_buf_base),
                          reinterpret_cast<uintptr_t>(stream->_IO_buf_end));
  }
}

}  // namespace heddle::runtime
