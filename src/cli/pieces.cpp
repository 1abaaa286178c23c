#include "cli/pieces.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "session/process_time.h"
#include "session/sealed_file.h"
#include "space/space.h"

namespace heddle::cli {
namespace {

// Nothing left, and nothing on its way. In this order: `idle` is taken back before `waiting`, and
// that is set before `brought` is taken back.
bool IsIdle(const channel::Sharing& sharing) {
  return sharing.brought.load() == 0 && sharing.waiting.load() == 0 && sharing.idle.load() != 0;
}

}  // namespace

bool SharedSearch::IsRequested(const channel::Sharing& sharing) {
  return sharing.wished.load() != 0 || sharing.wishes_in.load() != 0;
}

void SharedSearch::Ask(channel::Sharing& sharing) {
  sharing.parted = 0;
  sharing.parted_bytes = 0;
  asked_ = true;
}

void SharedSearch::TakeParted(channel::Sharing& sharing) {
  if (!asked_ || IsRequested(sharing)) return;
  asked_ = false;
  for (session::BranchBytes& branch : files_.Parted(sharing)) left_.push_back(std::move(branch));
}

void SharedSearch::Look(channel::Header& header) {
  channel::Sharing& sharing = header.sharing;
  if (header.phase != static_cast<uint32_t>(channel::Phase::kSearching)) return;
  if (sharing.grown.load() != sharing.alone.load()) {
    if (Grown(header)) return;
    grew_ = true;
    header.stop_request.store(static_cast<uint32_t>(channel::StopRequest::kInterrupted));
    return;
  }
  TakeParted(sharing);
  if (!IsIdle(sharing)) return Busy(header);
  if (asked_) {  // for what it had no time for any more
    sharing.wishes_in.store(0);
    if (sharing.wished.load() != 0) return;
    TakeParted(sharing);
  }
  if (sharing.finish.load() == 0 && !Idle(header)) sharing.finish.store(1);
}

void SharedSearch::Conclude(session::ChannelMemory& memory, const session::SessionEnd& end) {
  channel::Header& header = memory.Header();
  end_ = end;
  // What the last one died of. Of those before, others have gone on.
  const int status = header.death_status;
  killed_outside_ = (end.kind == session::SessionEndKind::kGaveUp &&
                     end.message.find("from outside") != std::string::npos) ||
                    (header.summary.stop == channel::Stop::kUncontrolled && WIFSIGNALED(status) &&
                     WTERMSIG(status) == SIGKILL && header.hang_kill == 0);
  TakeParted(header.sharing);
  graphs_ = files_.Graphs(header);
  layout_ = header.layout;
  thread_ends_ = header.summary.thread_ends != 0;
  thread_joins_ = header.summary.thread_joins != 0;
  joint_cycles_ = header.summary.joint_cycles != 0;
  frame_ends_ = header.summary.frame_ends != 0;
  signals_ = header.summary.signals;
  // The report names threads by what is in the channel.
  const std::vector<channel::ThreadName> threads = files_.Threads();
  session::WriteAt(memory.Descriptor(), threads.data(), threads.size() * sizeof threads[0],
                   channel::kNamesAt);
  header.name_count.store(static_cast<uint32_t>(threads.size()));
}

void SharedSearch::FillIn(session::Piece& piece) const {
  piece.layout = layout_;
  piece.thread_ends = thread_ends_;
  piece.thread_joins = thread_joins_;
  piece.joint_cycles = joint_cycles_;
  piece.frame_ends = frame_ends_;
  piece.signals = signals_;
  piece.threads = files_.Threads();
  piece.objects = files_.Objects();
}

// ---- work ----

std::optional<base::Error> SlicedSearch::Prepare(session::ChannelMemory& memory) {
  channel::Header& header = memory.Header();
  header.settings = piece_.settings;
  header.settings.thread_ends = piece_.thread_ends;
  header.settings.thread_joins = piece_.thread_joins;
  header.settings.joint_cycles = piece_.joint_cycles;
  header.settings.frame_ends = piece_.frame_ends;
  header.settings.signals = piece_.signals;
  header.settings.max_executions = 0;
  header.settings.time_limit_ms = 0;
  header.focus_count = static_cast<uint32_t>(piece_.focus.size());
  std::ranges::copy(piece_.focus, header.focus);
  header.layout = piece_.layout;
  memory.SetPlan({}, {}, piece_.places);
  channel::Sharing& sharing = header.sharing;
  sharing.on = sharing.waits_first = 1;
  files_.Offer(sharing);
  files_.SetNames(piece_.threads, piece_.objects);
  if (!files_.Bring(piece_.branches, sharing))
    return base::Error{"no room for the piece in shared memory"};
  if (executions_ != 0) {
    Ask(sharing);
    sharing.wishes_in.store(static_cast<uint32_t>(std::min<uint64_t>(executions_, UINT32_MAX - 1)) +
                            1);
  }
  return std::nullopt;
}

bool SlicedSearch::Idle(channel::Header&) { return false; }

// What was not begun when it was asked, it goes on with: so it is asked until it has nothing left.
void SlicedSearch::Busy(channel::Header& header) {
  channel::Sharing& sharing = header.sharing;
  if (begun_ms_ == 0) begun_ms_ = session::NowMs();
  const uint64_t runs = header.progress.executions + header.progress.redundant;
  const bool over = (slice_ms_ != 0 && session::NowMs() - begun_ms_ >= slice_ms_ && runs != 0) ||
                    (executions_ != 0 && runs >= executions_);
  if (!over || IsRequested(sharing)) return;
  Ask(sharing);
  sharing.wished.store(channel::kAllBranches);
}

// ---- split ----

std::optional<base::Error> CutSearch::Prepare(session::ChannelMemory& memory) {
  channel::Header& header = memory.Header();
  settings_ = header.settings;
  const uint32_t ranges = std::min(header.focus_count, channel::kMaxFocusRanges);
  focus_.assign(header.focus, header.focus + ranges);
  header.settings.max_executions = 0;
  header.settings.time_limit_ms = 0;
  channel::Sharing& sharing = header.sharing;
  sharing.on = 1;
  files_.Offer(sharing);
  if (begins_) {
    if (header.settings.order == space::Order::kEscalating)
      header.settings.order = space::ProverOf(PointOf(settings_)).order;
    Ask(sharing);
    sharing.wishes_in.store(2);
    return std::nullopt;
  }
  sharing.waits_first = 1;  // no probes: the search has something of its own already
  // The names are in the memory that was saved: those of objects in the last of its parts.
  const std::span<const channel::ThreadName> threads = memory.Names();
  const channel::UsedMemory& used = header.used[channel::kUsedParts - 1];
  std::string objects(used.bytes, '\0');
  const ssize_t got =
      pread(memory.Descriptor(), objects.data(), objects.size(), static_cast<off_t>(used.at));
  if (got != static_cast<ssize_t>(used.bytes))
    return base::Error{"the saved search lacks the names of its objects"};
  files_.SetNames(threads, objects);
  Ask(sharing);
  sharing.wishes_in.store(1);
  return std::nullopt;
}

// Only the search that proves something is cut: the others of --order escalating look for bugs.
void CutSearch::FillIn(session::Piece& piece) const {
  SharedSearch::FillIn(piece);
  piece.settings = settings_;
  piece.focus = focus_;
  if (settings_.order == space::Order::kEscalating)
    piece.settings.order = space::ProverOf(PointOf(settings_)).order;
}

// Everybody who cuts this search comes here, and begins again with the same.
bool CutSearch::Grown(channel::Header& header) {
  if (!begins_) return false;
  channel::Sharing& sharing = header.sharing;
  left_.clear();
  cuts_ = 0;
  Ask(sharing);
  sharing.wishes_in.store(2);
  sharing.alone.store(sharing.grown.load());
  return true;
}

bool CutSearch::Idle(channel::Header& header) {
  channel::Sharing& sharing = header.sharing;
  if (left_.empty() || left_.size() >= wanted_ || cuts_ >= most_executions_) return false;
  ++cuts_;
  Ask(sharing);
  sharing.wishes_in.store(2);
  const session::BranchBytes next = std::move(left_.front());
  left_.pop_front();
  if (files_.Bring({&next, 1}, sharing)) return true;
  sharing.wishes_in.store(0);
  left_.push_front(next);
  return false;
}

}  // namespace heddle::cli
