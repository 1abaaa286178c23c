#include "model/race.h"

namespace heddle::model {
namespace {

bool Conflict(const Event& a, const Event& b) {
  return a.IsAccess() && b.IsAccess() && a.label.location == b.label.location &&
         (a.IsStore() || b.IsStore()) && (!IsAtomic(a.order) || !IsAtomic(b.order));
}

}  // namespace

std::optional<Race> FindRace(const ExecutionGraph& graph) {
  for (EventId second = 0; second < graph.Size(); ++second)
    for (EventId first = 0; first < second; ++first)
      if (Conflict(graph.At(first), graph.At(second)) && !graph.HappensBefore(first, second) &&
          !graph.HappensBefore(second, first))
        return Race{first, second};
  return std::nullopt;
}

}  // namespace heddle::model
