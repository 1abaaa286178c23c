// What the real interpreter (interpreter.c) and the reference have to agree about: how many objects
// there are, and what the label of an execution says. C, because the former is.
#pragma once

#include <stdint.h>
#include <stdio.h>

enum {
  kMostThreads = 5,  // main is thread 0
  kMostInstructions = 48,
  kRegisters = 3,
  kDiscard = kRegisters,  // as a register: nowhere
  kAtomicBytes = 20,
  kOnceByte = 16,
  kPlainBytes = 8,
  kMutexes = 3,
  kRobust = kMutexes - 1,
  kConditions = 2,
  kSemaphores = 2,
  kBarriers = 1,
  kRwLocks = 1,
  kOnces = 1,
  kNobody = 255
};

// An object that nobody has initialised is filled with this.
enum { kRawByte = 0x5a };

// The state of objects before main, as one argument: for each object a number.
//   mutexes, conditions, read-write locks: 0 initialised, -1 raw
//   semaphores: the value; barriers: for how many threads; -1: raw
enum { kSetupNumbers = kMutexes + kConditions + kSemaphores + kBarriers + kRwLocks };

struct LabelThread {
  uint64_t registers[kRegisters];
  uint8_t created;
  uint8_t joined_by;  // kNobody: not joined
};

__attribute__((no_sanitize("thread"))) static inline uint32_t Fold32(uint64_t value) {
  return (uint32_t)(value ^ (value >> 32));
}

// The label of an execution that thread `self` ended by exit. It says only what `self` knows: what
// others do that it has not joined may be before or after its end. `last`: nobody called exit, but
// the last thread ended.
__attribute__((no_sanitize("thread"))) static inline void WriteLabel(
    char* text, size_t size, unsigned self, int last, const struct LabelThread* threads,
    const uint8_t* atomic_bytes, const uint8_t* plain_bytes) {
  int all_joined = 1;
  int at = last ? snprintf(text, size, "all") : snprintf(text, size, "T%u", self);
  for (unsigned t = 0; t < kMostThreads; ++t) {
    if (!threads[t].created) continue;
    if (!last && t != self && threads[t].joined_by != self) {
      if (threads[t].joined_by == kNobody) all_joined = 0;
      continue;
    }
    at += snprintf(text + at, size - (size_t)at, " %u:", t);
    for (unsigned r = 0; r < kRegisters; ++r)
      at += snprintf(text + at, size - (size_t)at, "%s%x", r == 0 ? "" : ",",
                     (unsigned)Fold32(threads[t].registers[r]));
  }
  if (!last && (self != 0 || !all_joined)) return;
  uint32_t hash = 2166136261u;
  for (unsigned i = 0; i < kAtomicBytes; ++i) hash = (hash ^ atomic_bytes[i]) * 16777619u;
  for (unsigned i = 0; i < kPlainBytes; ++i) hash = (hash ^ plain_bytes[i]) * 16777619u;
  snprintf(text + at, size - (size_t)at, " memory %x", (unsigned)hash);
}
