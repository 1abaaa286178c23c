// Parting with a branch, and taking one. What a graph means takes three things beside it: which
// objects its locations are, what objects have been used as and with which others, and how many
// locations there are.
//
// Each of the searches that part so numbers the locations that it meets later by itself. That is as
// good: a location means something within one graph only.
#include "explore/rf/reads_from.h"
#include "model/numbers.h"

namespace heddle::explore {

std::optional<Branch> ReadsFrom::Split(uint64_t least) {
  if (s_.exhausted || s_.trust == nullptr) return std::nullopt;
  Branch branch;
  std::vector<uint64_t>& to = branch.graph;
  to.push_back(s_.location_count);
  to.push_back(s_.locations.size());
  for (const std::vector<model::LocationId>& of_object : s_.locations) {
    to.push_back(of_object.size());
    to.insert(to.end(), of_object.begin(), of_object.end());
  }
  to.push_back(s_.roles.size());
  to.insert(to.end(), s_.roles.begin(), s_.roles.end());
  to.push_back(s_.given_up.size());
  to.insert(to.end(), s_.given_up.begin(), s_.given_up.end());
  if (!s_.trust->Split(to, least)) return std::nullopt;
  s_.parted = true;
  return branch;
}

bool ReadsFrom::Take(const Branch& branch) {
  if (s_.begun || branch.graph.empty()) return false;
  model::Numbers from(branch.graph);
  s_.location_count = from.Below<model::LocationId>(INT32_MAX);
  s_.locations.resize(from.Length());
  for (std::vector<model::LocationId>& of_object : s_.locations) {
    of_object.resize(from.Length());
    for (model::LocationId& location : of_object)
      location = from.Below<model::LocationId>(s_.location_count);
  }
  s_.roles.resize(from.Length());
  for (uint8_t& role : s_.roles) role = from.Below<uint8_t>(kAllRoles + 1);
  s_.given_up.resize(from.Length());
  for (uint32_t& mutex : s_.given_up) mutex = from.Below<uint32_t>(UINT32_MAX);
  s_.trust = std::make_unique<model::Trust>(*model_, model::ExecutionGraph(0));
  if (!s_.trust->Take(from) || !from.AtEnd()) {
    s_ = State();
    return false;
  }
  s_.begun = s_.parted = true;
  return true;
}

}  // namespace heddle::explore
