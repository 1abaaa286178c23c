// How far a word is from the one that was meant.
#pragma once

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::base {

// How many letters must be changed, put in, left out or exchanged with their neighbours to make `b`
// of `a` (optimal string alignment).
inline size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t k = 1; k <= b.size(); ++k) {
      const size_t changed = last[k - 1] + (a[i - 1] != b[k - 1] ? 1 : 0);
      row[k] = std::min({changed, row[k - 1] + 1, last[k] + 1});
      const bool exchanged = i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1];
      if (exchanged) row[k] = std::min(row[k], before_last[k - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace heddle::base
