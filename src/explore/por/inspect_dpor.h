// Dynamic partial-order reduction with persistent sets, as in Inspect.
//
// Source: Yang, Chen, Gopalakrishnan, Kirby, "Runtime model checking of multithreaded C/C++
// programs", Fig. 2, after Flanagan and Godefroid, POPL'05; with sleep sets, and with the relation
// "may be co-enabled" of section 4.4 (docs/algorithms/dpor_rules.md, I1 .. I6).
//
// Our differences:
//   * Fig. 2 looks for races of every thread's next transition in every state. A transition stays
//     the next one of its thread until it is made, so it is enough to look when it is, and at the
//     end of the execution for those that never were.
//   * Of the set E any member will do in Fig. 2. With sleep sets, one must be among them that could
//     begin the execution with the race reversed. What begins with a thread that sleeps is cut
//     short, and so is what begins with one whose step another step has to come before. So if no
//     other is in E, one is added (source sets).
//   * Co-enabledness is decided by program order, by the order of critical sections, which is what
//     common locks come to, and by the state of the lock itself (op/dependence.h).
#pragma once

#include "explore/por/source_dpor.h"

namespace heddle::explore {

class InspectDpor final : public SourceDpor {
 public:
  using SourceDpor::SourceDpor;

 private:
  Answer Consider(const Reversal& reversal) override;
  op::ThreadId FirstBefore(const Reversal& reversal) const;
};

}  // namespace heddle::explore
