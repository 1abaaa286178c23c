// What a system call changes, by its number and arguments: whether an execution has to be undone
// after it, and what other threads could tell (world/unseen_calls.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

struct SystemCall {
  long number;
  long a[6];
};

enum class CallEffect : uint8_t {
  kNone,           // asks, waits, or changes what nobody can tell
  kTransfer,       // uses what the first argument, a descriptor, stands for
  kTransfersBoth,  // uses two of them
  kFlags,          // of a descriptor, for programs that the process is replaced by
  kSets,           // changes it until the last descriptor for it is closed
  kOpens,          // answers a new descriptor
  kOpensPair,      // writes two new ones (DescriptorsOf)
  kCloses,         // the descriptor that is the first argument
  kReplaces,       // the process, by another program
  kMaps,           // memory: answers where; MappingOf says what else
  kUnmaps,         // the memory at the first two arguments
  kRemaps,         // changes mappings in another way
  kFile,           // contents or attributes of the file that the first argument stands for
  kFiles,          // names, contents or attributes of files
  kDirectory,      // the working directory
  kOfProcess,      // an attribute of the process or the thread, which ends with it
  kMakesProcess,   // a process of its own
  kMakesThread,    // one that shares this one's memory and goes on beside it
  kMask,           // which signals the thread blocks
  kRandom,         // fills memory with random bytes
  kUnknown,
};

CallEffect EffectOf(const SystemCall& call);

// The number of the call of kMask.
extern const long kSignalMaskCall;

// As manuals name it; null: not known.
const char* NameOf(long number);

// Of kOpens: may what was opened be written to?
bool OpensForWriting(const SystemCall& call);
// Of kOpensPair: where the two are written.
int* DescriptorsOf(const SystemCall& call);
// Of kMaps.
struct Mapping {
  bool fresh;    // nothing is replaced
  bool writes;   // into a file that is shared
  bool is_code;  // of a file
  bool is_writable;
};
Mapping MappingOf(const SystemCall& call);

}  // namespace heddle::runtime
