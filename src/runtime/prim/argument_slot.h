// Where a call with a variable number of arguments has them, as the ABI of x86-64 lays them out.
#pragma once

#include <cstdarg>

namespace heddle::runtime {

// Of the integer or pointer that `list` comes to next.
inline void** NextWordSlot(va_list list) {
  struct Layout {  // System V ABI, figure 3.34
    unsigned gp_offset;
    unsigned fp_offset;
    char* overflow_arg_area;
    char* reg_save_area;
  };
  constexpr unsigned kRegisterBytes = 6 * 8;
  const auto& layout = *reinterpret_cast<const Layout*>(list);
  return reinterpret_cast<void**>(layout.gp_offset < kRegisterBytes
                                      ? layout.reg_save_area + layout.gp_offset
                                      : layout.overflow_arg_area);
}

}  // namespace heddle::runtime
