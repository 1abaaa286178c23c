// A program of a few threads under the real runtime: its scheduler, its objects, its fibers on
// stacks and thread-local storage of their own. Only the hooks are missing, which would replace the
// test's own malloc and pthread functions; so the threads call what hooks call.
//
// Main is T0: it creates the others, which are T1, T2 ..., joins them and ends the program. Joining
// is no scheduling point, so the choices are among the others. What is expected is computed by hand
// from a drawing in which time runs downwards.
#pragma once

#include <pthread.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "plan/plan.h"
#include "runtime/fibers/fiber.h"
#include "trace/execution.h"

namespace heddle::runtime {

using Body = std::function<void()>;

// As --timeouts last, from the next execution on.
extern bool g_timeouts_last;

// Runs T1 ... once under `plan`. Valid until the next one.
const trace::Execution& RunOnce(const std::vector<Body>& threads, const plan::Plan& plan = {});
// The same of a program with a main of its own, which ends the execution.
const trace::Execution& RunOnce(void (*main)(void*), const plan::Plan& plan);
using Script = std::vector<op::ThreadId>;

// An execution under `plan` begins: on new stacks, because a restart (runtime/restart.h) would
// leave what a thread writes outside.
void BeginExecution(const plan::Plan& plan);

// A search begins: visible is what always is, and no loop is known to wait.
void BeginSearch();

// Memory is zero and mutexes are free again: what a rewind does to a real program.
struct Memory {
  alignas(64) uint32_t x = 0;
  alignas(64) uint32_t y = 0;
  alignas(64) uint32_t z = 0;
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
};

// Operations, each at the place of code that calls them.
uint32_t Load(const uint32_t& object);
void Store(uint32_t& object, uint32_t value);
uint32_t Exchange(uint32_t& object, uint32_t value);
void Lock(pthread_mutex_t& mutex);
// Waits for at most so many nanoseconds; did it get it?
bool LockWithin(pthread_mutex_t& mutex, uint64_t nanoseconds);
void Unlock(pthread_mutex_t& mutex);
void Hook();  // a scheduling point, and nothing else
void Yield();
uint32_t Choose(uint32_t options);
inline const Body kOnce = [] { Hook(); };
inline const Body kTwice = [] {
  Hook();
  Hook();
};
void BeginSection();
void EndSection();
uint64_t Now();  // virtual time of the thread that runs

// The number of the object that lies there.
uint32_t NumberOf(const uint32_t& object);
uint32_t NumberOf(const pthread_mutex_t& mutex);

// "1 2* 1": the threads of the steps that were chosen from several (*: not the default), and of
// those that were not, in brackets: "1 (2)".
std::string StepsOf(const trace::Execution& execution);
// Who was open at a choice: "1,2", and those whose time limit would pass too early: "1 early 2".
std::string OptionsOf(const trace::Execution& execution, size_t choice);

}  // namespace heddle::runtime
