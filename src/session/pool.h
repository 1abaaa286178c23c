// Several sessions that make one search together (docs/algorithms/parallel.md): the jobs. One loop
// looks at all of them, and carries branches from one to the other.
//
// The first job searches alone for a while, so that a short search is what it is with one job. Then
// it stands still for a moment, and the others begin as copies of its memory, of which they keep
// what was learnt of the program. From then on threads and objects get their numbers from a table
// of all jobs.
//
// A search by one bound after the other goes on to the next one when all jobs are idle and nothing
// is in stock, and somebody has something for it.
//
// At every moment each branch that is left is in one place: with a job, in the stock of this loop,
// or in the file on the way between them. The search is through when all jobs are idle and nothing
// is in stock. What cannot be kept so begins again, with one job: the search in which more became
// visible, and the one that lost a process which somebody else killed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "session/channel_memory.h"
#include "session/saved_search.h"
#include "session/session.h"

namespace heddle::session {

struct PoolOptions {
  SessionOptions session;  // of each job; on_tick, is_suppressed and saver are not used
  uint32_t jobs = 2;
  uint64_t joins_after_ms = 0;  // the others, after the first one has begun to search
  // The search is divided (space::SharesWork). Else each job draws schedules of its own, by another
  // seed.
  bool divides = true;
  bool parts_freely = false;    // to part with a branch costs it nothing: no reduction
  bool bounds_in_turn = false;  // space::BoundsInTurn: all jobs go on to the next one together
  std::string folder;           // for what does not fit into memory
  std::function<void(channel::Header&)> fill;       // the settings of the search
  Saver* saver = nullptr;                           // null: the search is not saved
  const SavedImage* resumed = nullptr;              // where it goes on; null: it begins
  std::function<void(channel::Settings&)> take_up;  // what this run has of its own, then
  std::function<bool(const ChannelMemory&)> is_suppressed;
  // Called about ten times a second, and once at the end, with the memory of the jobs that count.
  std::function<void(std::span<const ChannelMemory* const>, double elapsed_s)> on_tick;
};

struct PoolJob {
  std::unique_ptr<ChannelMemory> memory;
  SessionEnd end;
  std::vector<channel::GraphRecord> graphs;
  bool graphs_known = false;
  bool thrown_away = false;  // what it explored does not count; what it found does
};

struct PoolEnd {
  SessionEnd end;             // of the whole: kFinished, or what went wrong
  std::vector<PoolJob> jobs;  // those that count first; at least one, but of a set-up error
  channel::Stop stop = channel::Stop::kNone;
  bool nothing_left = false;
  int64_t completed_bound = -1;  // of bounds in turn, by all jobs together
  int64_t proved_by = -1;        // the job that has shown that there is nothing else; -1: none
  bool out_of_control = false;
  uint64_t executions_alone = 0;  // of the first job, before there was another
  std::vector<std::string> notes;
  std::vector<std::unique_ptr<NamesMemory>> names;  // that the jobs' memory refers to
};

PoolEnd RunPool(const PoolOptions& options);

}  // namespace heddle::session
