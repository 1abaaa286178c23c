// This very test program, as the report knows mapped files.
#pragma once

#include <limits.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>

#include "report/records.h"

namespace heddle::report {

inline Module Self() {
  Module self = {};
  self.begin = UINT64_MAX;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        Module& module = *static_cast<Module*>(data);
        module.bias = info->dlpi_addr;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& part = info->dlpi_phdr[i];
          if (part.p_type != PT_LOAD) continue;
          module.begin = std::min(module.begin, module.bias + part.p_vaddr);
          module.end = std::max(module.end, module.bias + part.p_vaddr + part.p_memsz);
        }
        return 1;  // the program itself comes first
      },
      &self);
  char path[PATH_MAX] = {};
  if (readlink("/proc/self/exe", path, sizeof path - 1) > 0) self.path = path;
  return self;
}

}  // namespace heddle::report
