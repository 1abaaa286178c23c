#include "trace/release_sequence.h"

#include <new>

#include "op/thread_set.h"

namespace heddle::trace {
namespace {

Share* FindShare(const Heads& heads, op::ThreadId thread) {
  Share* share = heads.apart;
  while (share != nullptr && share->thread != thread) share = share->next;
  return share;
}

void AddShare(Heads& heads, op::ThreadId thread, const Clock& released, Bump& bump) {
  Share* share = FindShare(heads, thread);
  if (share == nullptr) {
    share = new (bump.Take(sizeof(Share))) Share{thread, {}, heads.apart};
    heads.apart = share;
  }
  share->clock.Join(released, bump);
}

}  // namespace

void ShareSequences(const Clock& release, Heads& heads, op::ThreadId thread, const Clock& released,
                    Bump& bump, bool keep_apart) {
  if (!heads.several) {
    const op::ThreadId first = heads.by - 1;
    heads = {0, true, op::BitOf(first), nullptr};
    if (keep_apart) AddShare(heads, first, release, bump);
  }
  heads.among |= op::BitOf(thread);
  if (keep_apart) AddShare(heads, thread, released, bump);
}

bool ContinueShared(Clock& release, Heads& heads, op::ThreadId thread, const Clock& released,
                    Bump& bump) {
  const bool may_have_one = (heads.among & op::BitOf(thread)) != 0;
  if (may_have_one && heads.apart == nullptr) return false;
  const Share* own = may_have_one ? FindShare(heads, thread) : nullptr;
  if (own == nullptr) {
    EndSequences(release, heads, thread, released, bump);
  } else {
    release.Assign(own->clock, bump);
    release.Join(released, bump);
    heads = {thread + 1, false, 0, nullptr};
  }
  return true;
}

}  // namespace heddle::trace
