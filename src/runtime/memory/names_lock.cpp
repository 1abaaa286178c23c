#include "runtime/memory/names_lock.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>

#include "runtime/prim/lifetime.h"
#include "runtime/prim/syscall.h"

namespace heddle::runtime {
namespace {

[[HEDDLE_LASTS("where it is")]] std::atomic<uint32_t>* shared;  // null: nobody else gives numbers

}  // namespace

void NamesLock::Share(std::atomic<uint32_t>* holder) { shared = holder; }

NamesLock::NamesLock() {
  if (shared == nullptr) return;
  const auto self = static_cast<uint32_t>(RawSyscall(SYS_getpid));
  for (uint32_t looks = 1;; ++looks) {
    uint32_t holder = 0;
    if (shared->compare_exchange_strong(holder, self)) break;
    if (holder == self) return;
    const bool is_dead = RawSyscall(SYS_kill, holder, 0) == -ESRCH;
    if (is_dead && shared->compare_exchange_strong(holder, self)) break;
    if (looks % 16 != 0) continue;
    const timespec moment = {0, 100'000};
    RawSyscall(SYS_nanosleep, reinterpret_cast<long>(&moment), 0);
  }
  mine_ = true;
}

NamesLock::~NamesLock() {
  if (mine_) shared->store(0);
}

}  // namespace heddle::runtime
