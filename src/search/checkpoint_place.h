// Where on an execution's way a checkpoint lies, and which plans can go on from there.
#pragma once

#include <cstdint>

#include "plan/plan.h"
#include "target/common_prefix.h"

namespace heddle::search {

struct CheckpointPlace {
  uint32_t steps = 1;  // as in target::CommonPrefix; 1: the beginning
  uint32_t choices = 0;
  uint32_t events = 0;
  // Loops that wait for one object (runtime/loops/await.h) are told apart only in steps that no
  // script names. So a script fits if none was met behind the last one's end, deviations do if
  // none was met in a script.
  bool waits_in_script = false;
  bool waits_behind = false;
};

// Where the running execution stands, whose plan has a script of so many steps. `below`: the last
// checkpoint on its way. REQUIRES: called by runtime::g_keep_checkpoint.
CheckpointPlace PlaceHere(const CheckpointPlace& below, uint32_t script_steps);

bool CanGoOnFrom(const CheckpointPlace& place, const plan::Plan& plan,
                 const target::CommonPrefix& common);

}  // namespace heddle::search
