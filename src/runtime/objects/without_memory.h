// Objects that are no memory of the program: what they go by where others have their address. All
// are here, so that no two are one. Nothing of the program's lies in the first pages.
#pragma once

#include <cstdint>

namespace heddle::runtime {

inline constexpr uintptr_t kProgramAddress = 1;        // how it ends
inline constexpr uintptr_t kSignalsAddress = 2;        // what the process has pending
inline constexpr uintptr_t kSignalActionsAddress = 3;  // what signals do
inline constexpr uintptr_t kDescriptorsAddress = 4;    // see world/transfer.cpp
inline constexpr uintptr_t kDescriptorTableAddress = 5;
inline constexpr uintptr_t kProcessesAddress = 6;      // that the program made
inline constexpr uintptr_t kAllStreamsAddress = 7;     // of stdio
inline constexpr uintptr_t kRandomNumbersAddress = 8;  // of libc
// From here on by numbers: of descriptors, in several ways; and of threads, what each has pending.
inline constexpr uintptr_t kFirstDescriptorAddress = 16;
inline constexpr uintptr_t kFirstThreadAddress = 0x4000;

}  // namespace heddle::runtime
