// Static objects that have been destroyed (use-after-destroy).
//
// The compiler registers the destructor of an object of static storage duration with __cxa_atexit,
// when it has been constructed. What is registered in its place calls the destructor, and then says
// that the object's memory is given back, as by free (GiveBack): whoever accesses it later, or is
// not ordered before that, is told. In a library that is closed the memory is gone as well, which
// is known otherwise, and others may come to lie there.
//
// How large the object is, only the symbols of its file tell: of a stripped one nothing is known.
// Nor is it of arrays, which GCC registers without their address.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// __cxa_atexit(destructor, object, module), registered with `register_exit`, libc's function.
using RegisterExit = int (*)(void (*)(void*), void*, void*);
int RegisterDestructor(void (*destructor)(void*), void* object, void* module,
                       RegisterExit register_exit);

// Libraries were closed: their objects, which may have been destroyed before, are gone.
void ForgetClosedObjects();

}  // namespace heddle::runtime
