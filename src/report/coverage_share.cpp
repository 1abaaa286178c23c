#include "report/coverage_share.h"

namespace heddle::report {

bool Reduces(const SearchResult& result) {
  return result.reduction != space::NameOf(space::Reduction::kNone);
}

bool MeetsLeast(const SearchResult& result) {
  if (result.order == space::NameOf(space::Order::kEscalating)) return false;
  return !Reduces(result) || (result.reduction == space::NameOf(space::Reduction::kBounded) &&
                              result.order == space::NameOf(space::Order::kContextBounded));
}

std::vector<double> ShareByPreemptions(const SearchResult& result) {
  std::vector<double> shares;
  if (!result.all_graphs || !MeetsLeast(result) || result.happens_before == 0) return shares;
  for (const uint64_t graphs : result.by_preemptions)
    shares.push_back(static_cast<double>(graphs) / static_cast<double>(result.happens_before));
  return shares;
}

std::string PercentText(uint64_t part, uint64_t whole) {
  const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (part != 0 && share < 1) return "under 1 %";
  return std::to_string(static_cast<unsigned>(share)) + " %";
}

}  // namespace heddle::report
