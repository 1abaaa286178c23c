// Whether this process is controlled by heddle, and its end of the channel (channel/layout.h).
#pragma once

#include <atomic>
#include <cstdint>

#include "channel/channel.h"
#include "channel/orders.h"
#include "channel/records.h"
#include "claim/incomplete.h"

namespace heddle::runtime {

// The environment names a channel, and then the process is controlled (g_state.controlled), or it
// does not. Called once, by DecideControl() (world/decide_control.h).
void OpenChannel();
// The same with the channel that `descriptor` is, if it is one; it is closed.
void OpenChannelAt(int descriptor);

// REQUIRES: controlled.
channel::Header& ChannelHeader();
channel::ThreadName* Names();
std::atomic<uint32_t>& NameCount();
// Where the names are that several processes share; null: this one searches by itself.
channel::SharedNames* NamesShared();
// The table of states of all that search together; null: nobody else does.
void* StatesShared();
const uint32_t* ReplayOptions();
const char* ReplayPlaces();  // behind the options
const channel::OrderOverride* OrderOverrides();

// Appends one record to the report: `body` after the head, then `tail` (zero-terminated text or an
// array). When the report is full it is lost, and counted (Header::report_lost).
void AppendRecord(channel::RecordHead* record, unsigned body_bytes, const void* tail,
                  unsigned tail_bytes);

// Text as a note in the report.
void AppendNote(channel::NoteKind kind, const char* text, claim::Incomplete reason = {});

// Tells the supervisor why the program cannot be brought under control, and ends the process.
[[noreturn]] void FailSetUp(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace heddle::runtime
