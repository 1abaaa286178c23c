// Catch2, of versions 2 and 3. `--list-test-names-only`, which is `--list-tests --verbosity quiet`
// in version 3, prints a name a line, and one that begins with '#' in quotes. Version 2 answers
// with the number of names as its exit status.
//
// A case is chosen by its name. Names are told apart without regard to case and to blanks around
// them, a '*' at either end stands for any text, and "exclude:" at the begin for the others; a
// backslash takes the meaning from other characters only.

#include <algorithm>
#include <array>
#include <set>

#include "base/trimmed.h"
#include "cases/framework.h"
#include "cases/lines.h"

namespace heddle::cases {
namespace {

// As Catch2 compares them.
std::string Normal(std::string_view name) {
  std::string text(base::Trimmed(name));
  std::transform(text.begin(), text.end(), text.begin(), LowerAscii);
  return text;
}

// Does the name `pattern`, asked for, run the case `name`, too?
bool Runs(std::string_view pattern, std::string_view name) {
  std::string wanted = Normal(pattern);
  const std::string text = Normal(name);
  const bool at_begin = wanted.starts_with('*');
  if (at_begin) wanted.erase(0, 1);
  const bool at_end = wanted.ends_with('*');
  if (at_end) wanted.pop_back();
  if (at_begin && at_end) return text.find(wanted) != std::string::npos;
  if (at_begin) return text.ends_with(wanted);
  if (at_end) return text.starts_with(wanted);
  return text == wanted;
}

std::string Escaped(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == '\\' || c == ',' || c == '[' || c == '"' || (c == '~' && text.empty())) text += '\\';
    text += c;
  }
  return text;
}

// Options of either version that the next argument is the value of.
bool TakesValue(const std::string& option) {
  static const std::set<std::string> kOptions = {"-r",
                                                 "--reporter",
                                                 "-o",
                                                 "--out",
                                                 "-n",
                                                 "--name",
                                                 "-x",
                                                 "--abortx",
                                                 "-w",
                                                 "--warn",
                                                 "-d",
                                                 "--durations",
                                                 "-D",
                                                 "--min-duration",
                                                 "-v",
                                                 "--verbosity",
                                                 "--order",
                                                 "--rng-seed",
                                                 "--use-colour",
                                                 "--colour-mode",
                                                 "-c",
                                                 "--section",
                                                 "--wait-for-keypress",
                                                 "--shard-count",
                                                 "--shard-index",
                                                 "--benchmark-samples",
                                                 "--benchmark-resamples",
                                                 "--benchmark-confidence-interval",
                                                 "--benchmark-warmup-time"};
  return kOptions.count(option) != 0;
}

bool NamesFileOfCases(const std::string& option) {
  return option == "-f" || option == "--input-file";
}

class Catch2Framework : public Framework {
 public:
  base::Result<std::vector<std::string>> ReadList(const Listing& listing) const override {
    std::vector<std::string> names;
    for (const std::string_view line : LinesOf(listing.output)) {
      if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
      const bool quoted = line.size() > 2 && line.starts_with("\"#") && line.ends_with('"');
      names.emplace_back(quoted ? line.substr(1, line.size() - 2) : line);
    }
    return Listed(std::move(names), listing.status);
  }

  std::vector<Case> CasesOf(const std::vector<std::string>& names) const override {
    std::vector<Case> cases;
    std::set<std::string> seen;
    for (const std::string& name : names) {
      if (!seen.insert(name).second) continue;
      Case one = {name, {}, {}};
      std::string pattern = Escaped(name);
      for (const std::string& other : names) {
        if (other == name || !Runs(name, other)) continue;
        if (Runs(other, name))
          one.runs_too.push_back(other);
        else
          pattern += "~\"" + EscapedInQuotes(other) + "\"";
      }
      // In quotes where another pattern follows.
      if (pattern != Escaped(name))
        pattern = "\"" + EscapedInQuotes(name) + "\"" + pattern.substr(Escaped(name).size());
      one.arguments = {pattern, "--break"};
      // Version 2 ends with status 0 if there is nothing to run.
      if (WarnsOfNoTests()) one.arguments.insert(one.arguments.end(), {"--warn", "NoTests"});
      cases.push_back(std::move(one));
    }
    return cases;
  }

  // Without the user's choice of cases: a case is run that any of the choices names.
  Arguments ToRun(const Arguments& given, const Case& one) const override {
    Arguments all;
    for (size_t i = 0; i < given.size(); ++i) {
      if (NamesFileOfCases(given[i])) {
        ++i;
      } else if (given[i].starts_with("-")) {
        all.push_back(given[i]);
        if (TakesValue(given[i]) && i + 1 < given.size()) all.push_back(given[++i]);
      }
    }
    all.insert(all.end(), one.arguments.begin(), one.arguments.end());
    return all;
  }

 protected:
  // `names` are all lines that were printed.
  virtual base::Result<std::vector<std::string>> Listed(std::vector<std::string> names,
                                                        int status) const = 0;
  virtual bool WarnsOfNoTests() const { return false; }

 private:
  static std::string EscapedInQuotes(std::string_view name) {
    std::string text;
    for (const char c : name) {
      if (c == '\\' || c == '"' || c == ',') text += '\\';
      text += c;
    }
    return text;
  }
};

class Version2 final : public Catch2Framework {
 public:
  std::string_view Name() const override { return "Catch2 v2"; }
  std::span<const std::string_view> Marks() const override {
    static constexpr std::array<std::string_view, 1> kMarks = {" is a Catch v"};
    return kMarks;
  }
  std::string_view Library() const override { return ""; }  // it was a header
  Arguments ToList(const Arguments& given) const override {
    Arguments all = given;
    all.emplace_back("--list-test-names-only");
    return all;
  }

 protected:
  // The list is what comes last. Of its length the status says what fits into a byte.
  base::Result<std::vector<std::string>> Listed(std::vector<std::string> names,
                                                int status) const override {
    constexpr size_t kStatuses = 256;
    const auto rest = static_cast<size_t>(status & 0xff);
    if (rest > names.size()) return base::Error{"it did not list its cases"};
    const size_t count = rest + (names.size() - rest) / kStatuses * kStatuses;
    names.erase(names.begin(), names.end() - static_cast<ptrdiff_t>(count));
    return names;
  }
  bool WarnsOfNoTests() const override { return true; }
};

class Version3 final : public Catch2Framework {
 public:
  std::string_view Name() const override { return "Catch2 v3"; }
  std::span<const std::string_view> Marks() const override {
    static constexpr std::array<std::string_view, 1> kMarks = {" is a Catch2 v"};
    return kMarks;
  }
  std::string_view Library() const override { return "libCatch2"; }
  Arguments ToList(const Arguments& given) const override {
    Arguments all = given;
    all.insert(all.end(), {"--list-tests", "--verbosity", "quiet"});
    return all;
  }

 protected:
  base::Result<std::vector<std::string>> Listed(std::vector<std::string> names,
                                                int status) const override {
    if (status != 0) return base::Error{"it did not list its cases"};
    return names;
  }
};

}  // namespace

const Framework& Catch2Version2() {
  static const Version2 kFramework;
  return kFramework;
}

const Framework& Catch2Version3() {
  static const Version3 kFramework;
  return kFramework;
}

}  // namespace heddle::cases
