// Libraries that the program opens while it runs: dlopen, and what that brings in. The supervisor
// has to know their files, to judge whether heddle-cc made them (session/inspect_module.h).
//
// The hook of dlopen may do nothing after libc's function, which looks at its return address to
// know who asks. So the hook only notes that there is something to look for. What is found then is
// every module that was not there at take-over: when the execution ends, and before a module is
// unloaded.
//
// Tested by tests/cli/test_opened_library.py.
#pragma once

namespace heddle::runtime {

// At take-over, in every process: these modules are reported already.
void RememberModules();

// The program is about to open a library.
void NoteOpening();

// Reports what was opened since take-over and is not in the report yet. Cheap if nothing was. Takes
// no lock of the loader's: another thread of the program may stand in a constructor.
void ReportOpenedLibraries();

// After an execution in another process: that may have died before it could report.
void ConcludeOpening();

}  // namespace heddle::runtime
