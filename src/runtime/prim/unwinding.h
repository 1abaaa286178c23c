// Noticing that an exception leaves a function of ours, without a landing pad.
//
// Exceptions are thrown and unwound by the program's C++ library. A destructor or a catch block in
// our frame would make its unwinder run the copy of the C++ library that is linked into us, on
// data structures of the other copy. A personality routine of our own needs neither.
#pragma once

#include <unwind.h>

// Stands first in the body of a function that is `noinline` and has neither destructors nor catch
// blocks. `routine` is an extern "C" function of type _Unwind_Personality_Fn that answers
// _URC_CONTINUE_UNWIND; it must not ask the context for anything.
// 0x1b: the address is given relative to the place where it stands (DW_EH_PE_pcrel | sdata4).
#define HEDDLE_UNWIND_NOTICE(routine) asm volatile(".cfi_personality 0x1b, " #routine)
