#include "session/branch_stock.h"

namespace heddle::session {

void BranchStock::Clear() {
  branches_.clear();
  broker_ = Broker(most_portion_);
}

void BranchStock::ForgetJob(size_t index, uint64_t now_ms) {
  if (broker_.Asks() && asked_ == index) broker_.Answered(0, now_ms);
  if (asked_ > index) --asked_;
}

void BranchStock::TakeParted(uint64_t now_ms) {
  if (asked_ >= jobs_.size() || !broker_.Asks() || jobs_[asked_]->Shared().wished != 0) return;
  auto parted = jobs_[asked_]->Parted();
  if (!parted) {
    lost = true;
    parted.emplace();
  }
  for (auto& branch : *parted) branches_.push_back(std::move(branch));
  broker_.Answered(parted->size(), now_ms);
}

void BranchStock::Carry(uint64_t now_ms) {
  TakeParted(now_ms);
  std::vector<Broker::JobLoad> loads;
  for (const auto& job : jobs_)
    loads.push_back({job->Searches() && job->Shared().renews == 0, job->Searches() && job->IsIdle(),
                     job->Shared().waiting});
  while (const auto bring = broker_.WhomToBring(loads, branches_.size(), now_ms)) {
    std::vector<std::vector<std::byte>> some;
    for (size_t i = 0; i < bring->branches; ++i) {
      some.push_back(std::move(branches_.front()));
      branches_.pop_front();
    }
    if (!jobs_[bring->job]->Bring(some)) {
      for (auto& branch : some) branches_.push_back(std::move(branch));
      break;
    }
    loads[bring->job].idle = false;
    loads[bring->job].waiting = static_cast<uint32_t>(some.size());
  }
  if (const auto ask = broker_.WhomToAsk(loads, branches_.size(), now_ms)) {
    asked_ = ask->job;
    jobs_[asked_]->Shared().wished = ask->branches;
  }
}

}  // namespace heddle::session
