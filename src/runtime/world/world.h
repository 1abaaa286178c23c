// The world around the program: what an execution could leave behind outside its memory
// (descriptors, signal dispositions, the working directory), and what could reach in from outside
// (faults, signals). Each has its own file in this folder; here is what the loop around executions
// calls.
#pragma once

namespace heddle::runtime {

// Once, before the snapshot: remembers the world as the program's constructors left it, and takes
// over the signals that heddle needs.
void WorldInit();

// Before each execution.
void WorldBegin();

// After each execution: the world is as at WorldInit again. No system call unless something was
// changed.
void WorldRewind();

}  // namespace heddle::runtime
