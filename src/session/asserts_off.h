// Of a program or library: the units whose assert() does nothing, because they were compiled with
// NDEBUG. A search of such a program finds no failed assertion, and should not be taken for a proof
// of what they say.
//
// The object says which units include <assert.h> with NDEBUG (include/heddle/assert.h). Many do by
// the headers of a test framework, and have no assert() of their own. So what can be read of the
// unit's sources is searched for one: the files that the debug information names, and what these
// include by names relative to themselves or to one another.
//
// Tested by tests/unit/session_asserts_off_test.cpp.
#pragma once

#include <string>
#include <vector>

namespace heddle::session {

// Names of source files, without their folders, each once. `noted`: ModuleFacts::asserts_off of
// the file `path`. A unit of which nothing can be read is one of them.
std::vector<std::string> UnitsWithoutAsserts(const std::string& path,
                                             const std::vector<std::string>& noted);

// Does the text of a source call assert(), outside of comments?
bool CallsAssert(const std::string& text);

}  // namespace heddle::session
