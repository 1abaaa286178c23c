// What an execution changes in the process's table of descriptors, its working directory and its
// umask, and how that is put back: descriptors it opened are closed; those that it found open, and
// closed or replaced, are restored, and so are the positions of files among them. What it writes
// into files stays; the search is no proof then.
#pragma once

#include <cstdint>

namespace heddle::runtime {

void InitDescriptors();
void RewindDescriptors();
// Is there nothing for RewindDescriptors to do, as far as a few system calls can tell?
bool DescriptorsAreAsAtBegin();
// The same as far as the program's calls tell.
bool HasChangedDescriptors();

// A copy of `descriptor` for heddle, among the numbers that programs do not reach. Negative: none.
int DuplicateHigh(int descriptor);

// Hooks of calls that make a descriptor say so; the answer is `descriptor` itself.
int NoteOpened(int descriptor);
// `path` was opened for writing.
void NoteWritten(int descriptor);

// The program is about to close or replace `descriptor`; what it stands for is needed for the next
// execution if this one found it open.
void KeepDescriptor(int descriptor);

// The program is about to change the flags of `descriptor` or of what it stands for (F_SETFD,
// F_SETFL).
void KeepFlags(int descriptor);

// Was it open when the program began, and not replaced since?
bool IsInherited(int descriptor);

// No number from here on is the program's.
int DescriptorsEnd();
bool IsOpen(int descriptor);

// close, dup2 and dup3 onto a number, close_range. Answers as for the functions of that name.
int CloseDescriptor(int descriptor);
int DuplicateOnto(int descriptor, int target, int flags, bool is_dup3);
int CloseRange(unsigned first, unsigned last, int flags);

// The program is about to leave its working directory.
void KeepDirectory();
// `pc`: who asks. Beside other threads they are no proof: these may tell.
int ChangeDirectory(const char* path, uintptr_t pc);
int ChangeDirectoryTo(int descriptor, uintptr_t pc);
unsigned ChangeUmask(unsigned mask, uintptr_t pc);

}  // namespace heddle::runtime
