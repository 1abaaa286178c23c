// The records at kReportAt (channel/layout.h), read into values.
//
// The writer may have died in the middle of a record, or of a finding, and the next process writes
// on after it. So a length that makes no sense ends the reading, and a finding without its end is
// kept only when no later record tells of the same finding. A bug is told more than once, as more
// and more becomes known of it: the last whole telling counts, unless it was withdrawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "channel/records.h"
#include "claim/incomplete.h"

namespace heddle::report {

struct Module {
  uint64_t bias, begin, end;
  std::string path;
};

struct RawFinding {
  channel::FindingRecord head;
  std::string message;
  std::vector<channel::StepRecord> steps;
  std::vector<channel::BlockRecord> blocks;
  // Of the execution, if it was under tso or c11, and what its events know.
  channel::WeakGraphRecord graph_head = {};
  std::vector<channel::GraphEvent> graph;
  std::vector<uint16_t> known;
  std::string output;  // what a test program had printed last
  bool has_schedule = false;
  channel::ScheduleRecord schedule;
  std::vector<uint32_t> choices;
  bool ended = false;             // its kFindingEnd was read
  size_t modules = 0;             // index into Records::modules
  std::vector<RawFinding> other;  // of one that takes two schedules: the other one
};

struct RawOutcome {
  std::string label;
  uint64_t count;
  uint32_t preemptions;
  uint32_t early_timeouts;
};

struct RawNote {
  channel::NoteKind kind;
  std::string text;
  claim::Incomplete reason = {};
};

// Code whose plain accesses became scheduling points: "libfoo.so+0x55", "+0x1139" for the program's
// own.
using Place = std::string;

// An atomic operation or a fence that the program makes.
struct RawAtomic {
  channel::AtomicRecord record;
  size_t modules = 0;  // index into Records::modules
};

struct Records {
  // Where files were mapped. With address randomisation a restarted program has another set.
  std::vector<std::vector<Module>> modules;
  std::set<std::string> opened;  // paths of those that the program opened while it ran
  std::vector<RawFinding> findings;
  std::vector<RawFinding> weak_pairs;
  std::optional<RawFinding> question;  // the last one
  std::vector<Place> places;
  std::vector<RawOutcome> outcomes;
  std::vector<RawNote> notes;
  std::vector<RawAtomic> atomics;
  bool damaged = false;  // reading ended before the bytes did
};

Records ReadRecords(std::span<const std::byte> bytes);

}  // namespace heddle::report
