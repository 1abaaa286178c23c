// How long a variable of heddle's lives. Every one that is written to says so where it is defined,
// and tools/check_lifetimes reads it off the object files:
//
//   [[HEDDLE_OF_EXECUTION]] uint32_t live_threads;
//   [[HEDDLE_LASTS("found once")]] void* real_malloc;
//
// A variable of the execution lies in a section of its own. Before each execution all of that
// section is as it was before the first (memory/execution_state.h). What is large, or of unknown
// size, belongs into a table beside it.
#pragma once

// `used`: whoever copies the section changes the variable behind the compiler's back.
#define HEDDLE_OF_EXECUTION gnu::section("heddle_execution"), gnu::used

// `why`: not read by anybody but people.
#define HEDDLE_LASTS(why) gnu::section("heddle_lasts")

// The bounds of the section, by the linker.
extern "C" {
[[gnu::visibility("hidden")]] extern char __start_heddle_execution[];
[[gnu::visibility("hidden")]] extern char __stop_heddle_execution[];
}
