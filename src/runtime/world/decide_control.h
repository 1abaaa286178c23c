// Does heddle control this process? Decided once, before the first hook does anything.
#pragma once

namespace heddle::runtime {

extern bool g_decided;
void DecideControl();

}  // namespace heddle::runtime
