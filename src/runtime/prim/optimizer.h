// What the compiler may not conclude.
#pragma once

// Of a function that changes variables behind the compiler's back: whoever calls it may conclude
// nothing from what it is seen to do.
#if defined(__clang__)
#define HEDDLE_OPAQUE [[gnu::noinline]]
#else
#define HEDDLE_OPAQUE [[gnu::noipa]]
#endif

namespace heddle::runtime {

// `pointer`, of which the compiler forgets what it knows: that it is not null, or what it points
// to.
template <typename T>
T* Unknown(T* pointer) {
  asm("" : "+r"(pointer));
  return pointer;
}

// What was written to `memory` is taken to be read, so that it is really written.
inline void KeepWrites(const void* memory) { asm volatile("" : : "r"(memory) : "memory"); }

}  // namespace heddle::runtime
