// Libraries that are never rebuilt with heddle-cc, and need not be: what heddle stands in for, or
// knows (C and C++ libraries, the loader, libheddle itself).
#pragma once

#include <string_view>

namespace heddle::op {

// `name`: of the file, without its directory.
constexpr bool IsKnownLibrary(std::string_view name) {
  for (const std::string_view known :
       {"libc.so", "libc-", "libm.so", "libm-", "libmvec.so", "libpthread.so", "libdl.so",
        "librt.so", "libutil.so", "libresolv.so", "libnss_", "libstdc++.so", "libc++.so",
        "libc++abi.so", "libgcc_s.so", "libunwind.so", "libatomic.so", "ld-linux", "libheddle.so"})
    if (name.starts_with(known)) return true;
  return false;
}

}  // namespace heddle::op
