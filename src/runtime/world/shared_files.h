// Two descriptors may share what a system call through one of them changes for the other: copies
// (dup) a position and flags, and those of a file without a name (memfd_create, O_TMPFILE) what is
// in it. Of a file that has a name, it is no proof any more if the program writes to it.
#pragma once

namespace heddle::runtime {

// Once, before the first execution.
void InitSharedFiles();

// The running thread has opened it; negative: that failed.
void NoteOpenedFile(int descriptor);
// `copy` is another name of `descriptor`.
void NoteCopiedFile(int descriptor, int copy);

// The first descriptor of those that share with this one, which names them all; -1: none does.
int SharedFileOf(int descriptor);
// Has there been another descriptor that shares with this one?
bool HasSharers(int descriptor);

}  // namespace heddle::runtime
