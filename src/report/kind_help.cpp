#include "report/kind_help.h"

#include <algorithm>

namespace heddle::report {
namespace {

constexpr KindHelp kHelp[] = {
    {"data-race",
     "Two threads access the same bytes, at least one of them writes, and no synchronisation "
     "orders "
     "the two accesses. That is undefined behaviour in C and C++.",
     "Protect both accesses by the same mutex, or make the object atomic. A comment or a volatile "
     "does not order anything."},
    {"deadlock",
     "No thread can go on: each that is left waits for something that only another one that waits "
     "could give.",
     "Look at what each thread holds and what it waits for. Take locks in one order everywhere "
     "(std::scoped_lock takes several at once); change the condition under the mutex before "
     "signalling it."},
    {"livelock",
     "All threads that are left spin on values that nobody can change any more, or go round "
     "together "
     "and undo each other's work for ever.",
     "Look at who should have written the value that the loop waits for, and why that thread ended "
     "or waits itself. Threads that back off for each other need an order among them, or a time to "
     "wait that differs."},
    {"assertion", "An assertion of the program fails in the schedule that is shown.",
     "Look at the preemptions of the schedule: something that was checked or read before one no "
     "longer holds after it. Make the check and the action on it one critical section."},
    {"abort", "The program calls abort in the schedule that is shown.",
     "Look at the stack of the call, and at the preemptions that lead there."},
    {"crash", "The program is killed by a signal in the schedule that is shown.",
     "Look at the value that is followed or divided by, and at which thread wrote it last, or "
     "freed "
     "what it points to."},
    {"uncaught-exception", "An exception leaves a thread's function and ends the program.",
     "Look at the place of the throw, and at the preemptions that lead there. An exception in a "
     "thread has to be caught in that thread."},
    {"exit-status",
     "The program ends with a status other than 0 in the schedule that is shown, or before a body "
     "of heddle::Check has returned.",
     "Look at the preemptions of the schedule: without them the program ends with status 0, or "
     "nobody would have looked."},
    {"misuse", "A primitive is used in a way for which POSIX or the C++ standard defines nothing.",
     "Look at which thread initialised, destroyed or holds the object at that moment; all three "
     "are "
     "in the message or in the schedule."},
    {"use-after-free", "Memory is accessed after another thread, or the same one, freed it.",
     "Look at who frees it and what should have kept it alive until the last access: a join, a "
     "reference count, a lock held by both."},
    {"use-after-destroy",
     "A static object is accessed after its destructor has run, at the end of the program.",
     "Look at which thread still runs when main returns: join it before. Of two static objects, "
     "the one that is used must be constructed first."},
    {"uninitialised-read", "Bytes of a block of the heap are read that nobody has written.",
     "Look at who should have written them before: a constructor that leaves a member out, or "
     "another thread that was to come first."},
    {"use-after-return",
     "An object is used that was in the frame of a function that has returned, or on the stack of "
     "a "
     "thread that has ended.",
     "Look at who gave the object's address away, and make that function wait until it is used no "
     "more; or let the object live elsewhere."},
    {"double-free", "The same block of memory is freed twice.",
     "Look at the two threads that free it: one of them should have seen that the other had taken "
     "it already. Take it and mark it as taken in one step."},
    {"invalid-free", "An address is freed that malloc, or one of its kin, did not return.",
     "Look at where the pointer came from: it may point into a block, to the stack, or to an "
     "object "
     "that was never allocated."},
    {"alloc-dealloc-mismatch",
     "Memory is given back by another function than belongs to what allocated it: what new[] gave "
     "by delete or free, what new gave by delete[] or free, what malloc gave by delete. Or delete "
     "is given another size or alignment than new was.",
     "Give it back as it was allocated: malloc with free, new with delete, new[] with delete[]. A "
     "std::unique_ptr of an array is std::unique_ptr<T[]>. A class that is deleted by a pointer to "
     "its base needs a virtual destructor there."},
    {"heap-buffer-overflow",
     "Memory behind the end of a block of the heap is accessed: beyond the bytes that were asked "
     "for.",
     "Look at the index or the size, and at who changed it, or the block, since it was compared: "
     "what was checked before a preemption may hold no longer after it."},
    {"heap-buffer-underflow", "Memory before the start of a block of the heap is accessed.",
     "Look at the index or the pointer that was counted down, and at who else counts it."},
    {"leak",
     "Nothing points to a block of memory any more when the program ends, and nobody freed it.",
     "Look at the place where it was allocated, at who had the last pointer to it, and at the "
     "schedule: somebody else may have overwritten that, or a path leaves out the free."},
    {"invariant", "A function given to heddle_invariant answers 0 after a step of the schedule.",
     "The step before it breaks the invariant: make it one critical section with the step that "
     "restores it, or allow for the state in between."},
    {"race-condition",
     "Two schedules come to a point at which every thread has called heddle_hook as often in one "
     "as "
     "in the other, and what the threads share differs there. So what the program does depends on "
     "the order in which its statements run.",
     "Compare the two schedules: the first pair of statements that they run in another order, and "
     "that touch the same variable, is what has to be one critical section, or has to wait for the "
     "other."},
    {"hang", "The execution never ends: a thread loops, and nothing changes there.",
     "Look at the loop that the message names, and at what would end it: plain memory that it "
     "waits "
     "for has to be atomic."},
};

constexpr KindHelp kUnknown = {"", "A bug of a kind that this version of heddle does not know.",
                               "Use the version of heddle that wrote the result."};

}  // namespace

std::span<const KindHelp> AllKindHelp() { return kHelp; }

const KindHelp& KindHelpOf(std::string_view kind) {
  const auto* found = std::ranges::find(kHelp, kind, &KindHelp::kind);
  return found == std::ranges::end(kHelp) ? kUnknown : *found;
}

}  // namespace heddle::report
