#include "base/transcript.h"

#include "runtime/prim/lifetime.h"

namespace heddle::base {

[[HEDDLE_LASTS("set only while a state is hashed")]] Transcript* g_transcript = nullptr;

}  // namespace heddle::base
