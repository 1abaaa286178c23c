// The versioned contract between the program's process (writer of results) and the supervisor.
//
// One memfd, passed by descriptor number in HEDDLE_CHANNEL. Both map it shared:
//
// clang-format off
//   0          Header         settings, progress, summary, what is in flight (channel.h)
//   kNamesAt   ThreadName[]   creation path of every thread number, unless several processes search
//                             together: then that is in a file of its own (SharedNames)
//   kPlanAt    uint32_t[]     replay: the option at each choice point, in order
//   kOrdersAt  OrderOverride[]  memory orders other than the program's (orders.h)
//   kReportAt  records        findings with their steps, modules, outcomes, notes (records.h)
//   kArenaAt   heddle's heap  explorer state, traces; only the program's process maps it, at
//                             kArenaAddress
// clang-format on
//
// The supervisor maps [0, kArenaAt). When the program's process dies, the next one maps the same
// memfd and goes on: the explorer's State and the schedule in flight are in the arena.
#pragma once

#include <cstdint>

namespace heddle::channel {

inline constexpr char kChannelVariable[] = "HEDDLE_CHANNEL";
// The supervisor sends this when one execution has had hang_ms; the runtime ends that execution
// as a hang. After a stop request it ends it as stopped. The last but one real-time signal
// (SIGRTMAX - 1): programs that use real-time signals start from SIGRTMIN.
inline constexpr int kHangSignal = 63;
inline constexpr uint32_t kMagic = 0x64646568;  // "hedd"
inline constexpr uint32_t kVersion = 36;

inline constexpr uint64_t kNamesAt = 64ull << 10;
inline constexpr uint64_t kPlanAt = 64ull << 20;
inline constexpr uint64_t kOrdersAt = 126ull << 20;
inline constexpr uint64_t kReportAt = 128ull << 20;
inline constexpr uint64_t kReportBytes = 896ull << 20;
inline constexpr uint64_t kArenaAt = 1ull << 30;
inline constexpr uint64_t kArenaBytes = 72ull << 30;
inline constexpr uint64_t kTotalBytes = kArenaAt + kArenaBytes;  // sparse
inline constexpr uint64_t kArenaAddress = 0x7a0000000000ull;
inline constexpr uint32_t kMaxNames = (kPlanAt - kNamesAt) / 8;

// A thread is named by its creation path. Number 0 is main: {kNoParent, 0}.
struct ThreadName {
  uint32_t parent;
  uint32_t child;  // n-th thread this parent created, from 1
};

}  // namespace heddle::channel
