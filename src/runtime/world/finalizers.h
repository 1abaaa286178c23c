// What the dynamic linker does at the end of a program (_dl_fini): call the destructor functions of
// every module. It sorts the modules and writes to their records for that, which costs a sixth of a
// short execution and dirties pages that nothing else writes to. Nearly always there is nothing to
// call but what the compiler puts into every module, which only does again what exit() has done. So
// whether it is needed is found out once.
#pragma once

namespace heddle::runtime {

// Looks at the modules that are loaded now. REQUIRES: before the snapshot.
void InitFinalizers();

// To be given to __libc_start_main in place of the dynamic linker's function.
using Finalizer = void (*)();
Finalizer ReplaceLinkerFinalizer(Finalizer real);

}  // namespace heddle::runtime
