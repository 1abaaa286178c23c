// What a block of the heap was allocated for, by its allocation: debug information does not say it.
//
// clang-format off
//   std::make_shared<Task>()         the function of the library that allocates has the type
//   std::vector<Task> v(3);          ... as its element
//   std::make_unique<Task>()         likewise
//   new Task(1)                      the program's line has it
//   t = malloc(sizeof(Task))         a line of C: sizeof, (Task *), or `Task *t =`
// clang-format on
//
// A name counts if debug information has a type of it that is as large as the block, or of which an
// array is.
#pragma once

#include <string>
#include <vector>

#include "report/heap_blocks.h"
#include "report/source.h"
#include "report/symbolize.h"

namespace heddle::report {

// `source` may be null.
void LearnAllocated(HeapBlock& block, Symbolizer& symbolizer, const std::vector<Module>& modules,
                    SourceFiles* source);

// The names of types that a line of the program which allocates may mean, the likeliest first.
std::vector<std::string> TypesInLine(const std::string& line);
// Of what a function of the standard library makes: "Task" of
// "std::__new_allocator<std::_Sp_counted_ptr_inplace<Task, ...> >::allocate". Empty: not known.
std::string TypeInFunction(const std::string& function);

}  // namespace heddle::report
