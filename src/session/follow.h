// Which results of pieces count, and which pieces nobody has explored yet.
//
// A piece may be run more than once, by workers that know nothing of each other, and each leaves
// other pieces, because a slice is a time. All that begins with the piece is in the first of its
// results and what that has left; so it is in the second. Counting both would count twice, and
// counting the pieces of the second with the first might leave some out. So what counts is what can
// be reached from the root by the first results.
//
//   root: A B      A (first): A1       A (second): A2 A3      A3: -      A1: -
//   counted: root, A (first), A1; still to be run: B; not counted: A (second), A3
//
// Tested by tests/agree/pieces_agree_test.cpp and tests/cli/test_pieces.py.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace heddle::session {

struct ResultOfPiece {
  std::string piece;              // its id
  std::vector<std::string> left;  // ids
};

struct Followed {
  std::vector<size_t> counted;    // indices of results; that of the root first
  std::vector<std::string> live;  // pieces that have no result
};

// Nothing counts if the root has no result.
inline Followed Follow(std::span<const ResultOfPiece> results, const std::string& root) {
  std::map<std::string, size_t> first;
  for (size_t i = 0; i < results.size(); ++i) first.emplace(results[i].piece, i);
  Followed followed;
  std::set<std::string> seen = {root};
  std::vector<std::string> next = {root};
  for (size_t at = 0; at < next.size(); ++at) {
    const auto result = first.find(next[at]);
    if (result == first.end()) {
      followed.live.push_back(next[at]);
      continue;
    }
    followed.counted.push_back(result->second);
    for (const std::string& left : results[result->second].left)
      if (seen.insert(left).second) next.push_back(left);
  }
  return followed;
}

}  // namespace heddle::session
