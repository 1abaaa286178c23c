// GoogleTest. `--gtest_list_tests` prints
//
//     Running main() from gtest_main.cc
//     Queue.
//       PushPop
//       DISABLED_Slow
//     Sizes/Bounded.
//       Fits/0  # GetParam() = 4
//     Typed/0.  # TypeParam = int
//       Holds
//
// and a case is called Queue.PushPop, Sizes/Bounded.Fits/0, Typed/0.Holds. Names of typed suites
// may hold any text that the program makes of a type.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

#include "cases/framework.h"
#include "cases/lines.h"
#include "cases/wildcards.h"

namespace heddle::cases {
namespace {

constexpr std::string_view kDisabled = "DISABLED_";

// "Fits/0" of "Fits/0  # GetParam() = 4".
std::string_view WithoutComment(std::string_view line) { return line.substr(0, line.find("  # ")); }

// `--gtest_filter` splits at ':', takes what follows the first '-' for cases to leave out, and has
// no way to write these: each of them is a '?', which stands for any character.
std::string PatternOf(std::string_view name) {
  std::string pattern(name);
  for (char& c : pattern)
    if (c == ':' || c == '-' || c == '*') c = '?';
  return pattern;
}

bool IsDisabled(std::string_view suite, std::string_view name) {
  return suite.starts_with(kDisabled) || suite.find("/DISABLED_") != std::string_view::npos ||
         name.starts_with(kDisabled);
}

// The last of several holds, as in GoogleTest.
bool AlsoRunsDisabled(const Arguments& given) {
  constexpr std::string_view kOption = "--gtest_also_run_disabled_tests";
  bool also = false;
  for (const std::string_view argument : given) {
    if (!argument.starts_with(kOption)) continue;
    const std::string_view value = argument.substr(kOption.size());
    if (value.empty() || value.front() == '=')
      also = !value.starts_with("=0") && !value.starts_with("=f") && !value.starts_with("=F");
  }
  return also;
}

class GoogleTestFramework final : public Framework {
 public:
  std::string_view Name() const override { return "GoogleTest"; }

  std::span<const std::string_view> Marks() const override {
    static constexpr std::array<std::string_view, 1> kMarks = {"gtest_break_on_failure"};
    return kMarks;
  }
  std::string_view Library() const override { return "libgtest"; }

  Arguments ToList(const Arguments& given) const override {
    Arguments all = given;
    all.emplace_back("--gtest_list_tests");
    return all;
  }

  base::Result<std::vector<std::string>> ReadList(const Listing& listing) const override {
    std::vector<std::string> names;
    std::string suite;
    bool any = false;
    const bool also_disabled = AlsoRunsDisabled(listing.given);
    for (const std::string_view line : LinesOf(listing.output)) {
      const std::string_view text = WithoutComment(line);
      if (IsSuite(text)) {
        suite = text.substr(0, text.size() - 1);
        any = true;
      } else if (IsName(text) && !suite.empty()) {
        if (also_disabled || !IsDisabled(suite, text.substr(2)))
          names.push_back(suite + "." + std::string(text.substr(2)));
      } else {
        suite.clear();  // the program printed something of its own
      }
    }
    if (!any && listing.status != 0) return base::Error{"it did not list its cases"};
    return names;
  }

  std::vector<Case> CasesOf(const std::vector<std::string>& names) const override {
    std::vector<Case> cases;
    std::set<std::string> seen;
    for (const std::string& name : names) {
      if (!seen.insert(name).second) continue;  // one filter runs all of one name
      Case one = {name, {}, {}};
      const std::string pattern = PatternOf(name);
      std::string without;
      for (const std::string& other : names) {
        if (other == name || !MatchesWildcards(other, pattern)) continue;
        if (MatchesWildcards(name, PatternOf(other)))
          one.runs_too.push_back(other);
        else
          without += (without.empty() ? "-" : ":") + PatternOf(other);
      }
      one.arguments = {"--gtest_filter=" + pattern + without, "--gtest_break_on_failure",
                       "--gtest_color=no"};
      cases.push_back(std::move(one));
    }
    return cases;
  }

  Arguments ToRun(const Arguments& given, const Case& one) const override {
    Arguments all = given;  // the last filter holds
    all.insert(all.end(), one.arguments.begin(), one.arguments.end());
    return all;
  }

 private:
  static bool IsSuite(std::string_view text) {
    return text.size() > 1 && text.ends_with('.') && text.front() != ' ' && text.front() != '\t';
  }
  static bool IsName(std::string_view text) {
    return text.size() > 2 && text.starts_with("  ") && text[2] != ' ' &&
           text.find(' ', 2) == std::string_view::npos;
  }
};

}  // namespace

const Framework& GoogleTest() {
  static const GoogleTestFramework kFramework;
  return kFramework;
}

}  // namespace heddle::cases
