// The memory models once more, as machines that take steps, against which the axioms are tested:
// interleaving for SC; x86-TSO's store buffers (Owens, Sarkar and Sewell, TPHOLs'09); and for C11
// threads with views of the modification orders, as in Kang et al., POPL'17, without promises. Of
// seq_cst the last knows only that it is acquire and release: psc is left out.
#pragma once

#include <cstdint>
#include <set>

#include "enumerate.h"
#include "program.h"

namespace heddle::litmus {

// The hashes of all graphs that the machine can make.
std::set<uint64_t> GraphsOfMachine(const Program& program, Model model);

}  // namespace heddle::litmus
