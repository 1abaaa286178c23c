// The views of an event, set when it is appended (graph.h has the definitions).
#include "model/graph.h"

namespace heddle::model {

// What comes before the event by program order, and itself.
void ExecutionGraph::BeginViews(EventId event) {
  const Event& e = events_[event];
  const EventId before = Before(event);
  for (const ViewKind kind : {kHappensBefore, kPorf}) {
    const View view = ViewOf(event, kind);
    if (before == kNoEvent)
      SetEmpty(view, stride_);
    else
      Assign(view, ViewOf(before, kind), stride_);
    view[e.thread] = e.index + 1;
  }
}

void ExecutionGraph::SetLoadViews(EventId load) {
  BeginViews(load);
  const Event& e = events_[load];
  if (e.reads_from < 0) return;
  Join(ViewOf(load, kPorf), ViewOf(e.reads_from, kPorf), stride_);
  if (IsAcquire(e.order))
    Join(ViewOf(load, kHappensBefore), ViewOf(e.reads_from, kReleased), stride_);
}

// What the thread had done at the store or at its last release fence before it: the view of the
// heads of release sequences that begin here.
void ExecutionGraph::JoinHead(View view, EventId store) const {
  const Event& e = events_[store];
  if (IsRelease(e.order)) return Join(view, ViewOf(store, kHappensBefore), stride_);
  const std::vector<EventId>& thread = by_thread_[e.thread];
  for (uint32_t i = e.index; i-- > 0;) {
    const Event& fence = events_[thread[i]];
    if (fence.kind != EventKind::kFence || !IsRelease(fence.order)) continue;
    return Join(view, ViewOf(thread[i], kHappensBefore), stride_);
  }
}

void ExecutionGraph::SetStoreViews(EventId store) {
  BeginViews(store);
  const Event& e = events_[store];
  const View released = ViewOf(store, kReleased);
  SetEmpty(released, stride_);
  if (!IsAtomic(e.order)) return;
  JoinHead(released, store);
  const std::vector<EventId>& thread = by_thread_[e.thread];
  if (e.of_update) {
    const EventId source = events_[thread[e.index - 1]].reads_from;
    if (source >= 0) Join(released, ViewOf(source, kReleased), stride_);
  }
  if (!e.label.continues_own_sequences) return;
  // RC11's rs = [write]; po-loc?; [atomic write]; (rf; update)*
  for (uint32_t i = 0; i < e.index; ++i) {
    const Event& earlier = events_[thread[i]];
    if (earlier.IsStore() && earlier.label.location == e.label.location)
      JoinHead(released, thread[i]);
  }
}

// An acquire fence learns what the loads before it have read. Those before an earlier acquire
// fence are known since then.
void ExecutionGraph::SetFenceViews(EventId fence) {
  BeginViews(fence);
  const Event& e = events_[fence];
  if (!IsAcquire(e.order)) return;
  const View view = ViewOf(fence, kHappensBefore);
  const std::vector<EventId>& thread = by_thread_[e.thread];
  for (uint32_t i = e.index; i-- > 0;) {
    const Event& earlier = events_[thread[i]];
    if (earlier.kind == EventKind::kFence && IsAcquire(earlier.order)) return;
    if (earlier.IsLoad() && IsAtomic(earlier.order) && earlier.reads_from >= 0)
      Join(view, ViewOf(earlier.reads_from, kReleased), stride_);
  }
}

void ExecutionGraph::SetJoinViews(EventId join) {
  BeginViews(join);
  const ThreadId other = events_[join].label.other;
  const EventId last = LastOf(other);
  if (last == kNoEvent) return;
  for (const ViewKind kind : {kHappensBefore, kPorf})
    Join(ViewOf(join, kind), ViewOf(last, kind), stride_);
}

// What writers have released before the use, which is shared.
void ExecutionGraph::JoinWriters(EventId use) {
  for (EventId u = UseBefore(use); u != kNoEvent; u = UseBefore(u)) {
    const Event& e = events_[u];
    if (IsRelease(e.order) && e.label.level == kWriter)
      Join(ViewOf(use, kHappensBefore), ViewOf(u, kHappensBefore), stride_);
  }
}

// A chain goes on with what its uses have released, as updates do; fences have no part in it.
void ExecutionGraph::SetUseViews(EventId use) {
  BeginViews(use);
  const Event& e = events_[use];
  const EventId before = UseBefore(use);
  const View released = ViewOf(use, kReleased);
  SetEmpty(released, stride_);
  if (before != kNoEvent) {
    Join(ViewOf(use, kPorf), ViewOf(before, kPorf), stride_);
    Assign(released, ViewOf(before, kReleased), stride_);
    if (e.label.shared && IsAcquire(e.order)) JoinWriters(use);
    if (!e.label.shared && IsAcquire(e.order)) Join(ViewOf(use, kHappensBefore), released, stride_);
  }
  if (IsRelease(e.order)) Join(released, ViewOf(use, kHappensBefore), stride_);
}

}  // namespace heddle::model
