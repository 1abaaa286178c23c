// A schedule on disk: FILE.heddle, what `heddle replay` reads (docs/schedule-file.md).
//
// Readable JSON with a version. It names threads by their creation path and choices by their
// options, never anything by address, so it replays under address randomisation and on another
// machine. It belongs to one build of one program, named by build-id: a rebuilt program may have
// other choice points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::replay {

inline constexpr int kScheduleFileVersion = 1;
inline constexpr size_t kLongestCheckCall = 1023;  // channel::kMaxCheckCall has room for it

struct ScheduleFile {
  std::string heddle_version;  // that wrote it
  std::string program;         // absolute path
  std::string build_id;
  std::vector<std::string> arguments;  // without argv[0]
  std::string at_check;  // of a body of heddle::Check: its call (channel::kMaxCheckCall); or empty

  // Options of the search that the choice points depend on.
  std::string points = "sync";   // sync | all | every | hooks
  std::string timeouts = "any";  // any | last
  std::string rewind = "memory";
  uint64_t seed = 1;
  uint64_t max_events = 0;
  uint64_t hang_ms = 0;
  uint32_t idle_rounds = 16;
  bool leaks = false;
  bool uninitialised = false;
  uint32_t fail_allocations = 0;  // so many of a thread may fail
  bool reuse_now = false;         // malloc hands out what was freed
  bool races = true;
  bool spurious_wakeups = false;
  bool strict = false;
  bool joint_cycles = false;  // loops of several threads were recognised (spinning.md)
  // states, or items (a state and who ran last, of --order context-bounded): loops that spin are
  // not made to wait (states.md).
  std::string visited = "none";
  bool thread_ends = false;   // the end of a thread is a choice point
  bool thread_joins = false;  // so is what joins or detaches one
  bool frame_ends = false;    // the return of a frame is an event
  uint64_t signals = 0;  // threads look for these signals (runtime/visible.h): bit n-1 is signal n
  bool volatile_atomic = false;
  std::string memory_model = "sc";         // sc | tso | c11
  bool reads_from = false;  // under sc: what a load reads is a choice, too (--reduction reads-from)
  bool test_breaks = false;                // a test framework breaks at a failing assertion
  std::string release_sequences = "auto";  // auto | c11 | c++20
  // Plain accesses that are choice points: "module+0xoffset"; and, with an "@" before it, where
  // loops wait (runtime/loops/await.h).
  std::vector<std::string> visible;

  // The finding that following the schedule shows.
  std::string kind;
  // Of a race condition: the moment at which it shows (EndAt); and whether this is the schedule
  // that the other one differs from.
  uint32_t end_moment = 0;
  bool is_other = false;
  std::string identity;  // 16 hexadecimal digits
  std::string message;
  uint32_t preemptions = 0;
  std::string steps_hash;  // 16 hexadecimal digits

  std::vector<std::string> threads;  // creation path of thread number i: "main", "1", "1.2"
  std::vector<uint32_t> choices;     // the option taken at each choice point
};

std::string ToText(const ScheduleFile& schedule);

// `name` is what error messages call the file.
base::Result<ScheduleFile> ParseSchedule(const std::string& text, const std::string& name);

// A value that the schedule may not have, named; nothing if there is none.
std::optional<std::string> WrongValue(const ScheduleFile& file);

// A file that ToText has written, without its choices: they may be millions, and ShowSameBug does
// not look at them. Any other text stays as it is.
std::string WithoutChoices(std::string text);

// Do both show the same bug of the same build of the same program, started with the same arguments?
// Then one may take the place of the other.
bool ShowSameBug(const ScheduleFile& a, const ScheduleFile& b);

// "bank_account-data-race-1a2b3c4d.heddle": the program's name, as far as it is plain ASCII, the
// kind, and 32 bits of a hash of everything that ShowSameBug compares. So a program that was built
// again, another one with the same name, and another bug get names of their own. `number` tells
// apart files that still begin alike: from 2 on it is a part of the name, "...-1a2b3c4d-2.heddle".
std::string ScheduleFileName(const ScheduleFile& schedule, int number = 1);

std::string Hex16(uint64_t value);

// A thread and the n-th thread it created; main is {kNoParent, 0}.
struct ThreadPath {
  uint32_t parent = 0;
  uint32_t child = 0;
};
inline constexpr uint32_t kNoParent = 0xffffffffu;

// "main" for number 0, else the child numbers along the way from main: "2", "2.1".
std::string PathText(const std::vector<ThreadPath>& threads, uint32_t number);

// The inverse, for the whole list. Every parent stands before its children, main first.
base::Result<std::vector<ThreadPath>> ParsePaths(const std::vector<std::string>& threads);

}  // namespace heddle::replay
