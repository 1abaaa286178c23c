// What a program leaves behind when it ends.
//
// Threads that have not finished are killed wherever they stand; that depends on the schedule, and
// is rarely what was meant. When all have finished, objects that an _init function made should have
// been destroyed. Correct programs do both, so each is a warning, once for each thread and each
// place; with --strict it is a misuse that ends the execution (after Inspect, section 4.6).
#pragma once

namespace heddle::runtime {

// The running thread has returned from main or called exit(0), and every exit handler has run.
void CheckLeftovers();

}  // namespace heddle::runtime
