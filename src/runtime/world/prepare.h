// Everything the runtime needs before the first execution.
#pragma once

namespace heddle::runtime {

// Once, before main or what runs in its place: the kernel's argument block cannot be rewound page
// by page (the running stack shares its pages), so the program gets a copy in its heap, without the
// variables by which heddle came in.
void CopyArguments();

// REQUIRES: controlled; the program's constructors have run; called once. Ends the process with a
// reason when the program cannot be brought under control. Takes no snapshot.
void PrepareRuntime();

}  // namespace heddle::runtime
