// doctest. `--list-test-cases` prints
//
//     [doctest] listing all test case names
//     ===============================================================================
//     pushes and pops
//     keeps its size
//     ===============================================================================
//     [doctest] unskipped test cases passing the current filters: 2
//
// Two cases may have one name, and a name any text.

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "cases/framework.h"
#include "cases/lines.h"
#include "cases/wildcards.h"

namespace heddle::cases {
namespace {

constexpr std::string_view kCount = "[doctest] unskipped test cases passing the current filters: ";

// A filter is split at commas, unless a backslash stands before them.
std::string PatternOf(std::string_view name) {
  std::string pattern;
  for (const char c : name) {
    if (c == ',' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern;
}

std::optional<size_t> NumberIn(std::string_view text) {
  size_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

bool IsSeparator(std::string_view line) {
  return line.size() > 10 && line.find_first_not_of('=') == std::string_view::npos;
}

class DoctestFramework final : public Framework {
 public:
  std::string_view Name() const override { return "doctest"; }

  std::span<const std::string_view> Marks() const override {
    static constexpr std::array<std::string_view, 1> kMarks = {
        "unskipped test cases passing the current filters: "};
    return kMarks;
  }
  std::string_view Library() const override { return "libdoctest"; }

  Arguments ToList(const Arguments& given) const override {
    Arguments all = given;
    all.insert(all.end(), {"--list-test-cases", "--no-colors=true", "--reporters=console"});
    return all;
  }

  base::Result<std::vector<std::string>> ReadList(const Listing& listing) const override {
    const std::vector<std::string_view> lines = LinesOf(listing.output);
    for (size_t end = lines.size(); end-- > 1;) {
      if (!lines[end].starts_with(kCount) || !IsSeparator(lines[end - 1])) continue;
      const std::optional<size_t> count = NumberIn(lines[end].substr(kCount.size()));
      if (!count) break;
      if (*count + 1 > end - 1 || !IsSeparator(lines[end - 2 - *count]))
        return base::Error{"its list of " + std::to_string(*count) +
                           " has another number of lines (a name with a line break?)"};
      const auto last = lines.begin() + static_cast<ptrdiff_t>(end - 1);
      return std::vector<std::string>(last - static_cast<ptrdiff_t>(*count), last);
    }
    return base::Error{"it did not list its cases"};
  }

  std::vector<Case> CasesOf(const std::vector<std::string>& names) const override {
    std::vector<Case> cases;
    for (size_t i = 0; i < names.size(); ++i) {
      const std::string& name = names[i];
      // A '*' or '?' in it stands for others, too, and others may have the same name: the case is
      // then the n-th of those that the filter lets through.
      size_t matching = 0;
      size_t number = 0;
      size_t same = 0;
      for (size_t j = 0; j < names.size(); ++j) {
        if (!MatchesWildcards(names[j], name)) continue;
        ++matching;
        if (j <= i && names[j] == name) ++same;
        if (j == i) number = matching;
      }
      Case one = {same > 1 ? name + " (" + std::to_string(same) + ")" : name, {}, {}};
      one.arguments = {"--test-case=" + PatternOf(name), "--case-sensitive=true"};
      // Without a pattern all would run: what is left of all without those that have a name.
      if (name.empty())
        one.arguments = {"--test-case=*", "--test-case-exclude=?*", "--case-sensitive=true"};
      if (matching > 1) {
        one.arguments.push_back("--first=" + std::to_string(number));
        one.arguments.push_back("--last=" + std::to_string(number));
      }
      one.arguments.insert(one.arguments.end(), {"--no-breaks=false", "--no-colors=true"});
      cases.push_back(std::move(one));
    }
    return cases;
  }

  Arguments ToRun(const Arguments& given, const Case& one) const override {
    Arguments all = given;  // the last of each option holds
    all.insert(all.end(), one.arguments.begin(), one.arguments.end());
    return all;
  }
};

}  // namespace

const Framework& Doctest() {
  static const DoctestFramework kFramework;
  return kFramework;
}

}  // namespace heddle::cases
