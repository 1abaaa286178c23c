#include "graph.h"

namespace heddle::litmus {
namespace {

// FNV-1a.
void Mix(uint64_t& hash, EventName name) {
  for (const int number : {name.thread, name.instruction}) {
    hash ^= static_cast<uint64_t>(number + 2);
    hash *= 0x100000001b3;
    hash ^= hash >> 29;
  }
}

constexpr EventName kDivider = {-2, 0};

}  // namespace

uint64_t Hash(const Graph& graph) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const auto& [reader, writer] : graph.reads_from) {
    Mix(hash, reader);
    Mix(hash, writer);
  }
  for (const std::vector<EventName>& order : graph.modification_orders) {
    Mix(hash, kDivider);
    for (const EventName name : order) Mix(hash, name);
  }
  for (const std::vector<EventName>& chain : graph.chains) {
    Mix(hash, kDivider);
    for (const EventName name : chain) Mix(hash, name);
  }
  return hash;
}

}  // namespace heddle::litmus
