// Priority functions one after the other: "the priority function listed first receives the highest
// priority. When the first priority value is equivalent, ties are broken by the second priority
// function, etc." (GAMBIT, section 4.4). One number for all of them: the first one's value is in
// the highest bits.
#pragma once

#include <cstdint>

#include "explore/best/priority.h"
#include "space/space.h"

namespace heddle::explore {

class Ranking {
 public:
  Ranking(const space::Priorities& functions, uint64_t seed) : functions_(functions), seed_(seed) {}

  // Which facts of a BacktrackingPoint decide.
  bool WantsAsked() const { return Has(space::Priority::kDpor) || Has(space::Priority::kMdpor); }
  bool WantsAsleep() const { return Has(space::Priority::kSs); }
  bool WantsFocus() const { return Has(space::Priority::kMethod) || Has(space::Priority::kVar); }

  uint64_t Of(BacktrackingPoint point) const;

 private:
  bool Has(space::Priority function) const;

  space::Priorities functions_;
  uint64_t seed_;
};

}  // namespace heddle::explore
