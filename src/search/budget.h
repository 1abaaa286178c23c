// When a search is to end, or to pause: executions, wall clock, Ctrl-C, saving, probes.
#pragma once

#include <cstdint>
#include <utility>

#include "channel/channel.h"
#include "explore/explorer.h"
#include "explore/main_loop.h"
#include "runtime/prim/monotonic_clock.h"
#include "search/search_state.h"
#include "search/stop_token.h"

namespace heddle::search {

// Executions, wall clock, Ctrl-C. Also keeps the progress and the coverage's curve up to date: it
// is asked once per execution.
class SearchBudget final : public explore::Budget {
 public:
  // `stoppable`: the explorer's State may be inconsistent after a stop request
  // (explore/stop_token.h).
  SearchBudget(SearchState& state, explore::Explorer& explorer, explore::Coverage& coverage,
               Outcomes& outcomes, const Probing& probing, Sharing& sharing, bool stoppable)
      : state_(state),
        explorer_(explorer),
        coverage_(coverage),
        outcomes_(outcomes),
        probing_(probing),
        sharing_(sharing),
        stoppable_(stoppable),
        header_(runtime::ChannelHeader()) {}

  bool Left() override;

  // Left has answered that the search is to pause for probes.
  bool WantsProbes() { return std::exchange(wants_probes_, false); }
  uint64_t SearchedNs() const { return runtime::MonotonicNs() - state_.begun_ns; }
  // Left has answered that the search is to go on with an explorer that ignores stop requests,
  // because it will be saved at its end.
  bool WantsPatience() { return std::exchange(wants_patience_, false); }

  bool StopRequested() const override { return IsStopping(); }

  // REQUIRES: Left or StopRequested has answered that the search is to end.
  channel::Stop Reason();

  void PublishProgress();

 private:
  // Also notes it as the reason.
  bool IsStopRequested();
  bool IsTimeOver();

  SearchState& state_;
  explore::Explorer& explorer_;
  explore::Coverage& coverage_;
  Outcomes& outcomes_;
  const Probing& probing_;
  Sharing& sharing_;
  const bool stoppable_;
  channel::Header& header_;
  bool wants_probes_ = false;
  bool wants_patience_ = false;
  channel::Stop reason_ = channel::Stop::kNone;
  uint64_t look_at_events_ = 0;
};

}  // namespace heddle::search
