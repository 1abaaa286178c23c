#include "session/asserts_off.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "session/elf_file.h"
#include "session/own_sources.h"

namespace heddle::session {
namespace {

namespace fs = std::filesystem;

bool IsWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Newlines stay, and so do strings and character constants: a `//` in one is no comment.
std::string WithoutComments(const std::string& text) {
  std::string result;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view two = std::string_view(text).substr(i, 2);
    if (quote != 0) {
      if (text[i] == '\\' && i + 1 < text.size()) result += text[i++];
      if (text[i] == quote || text[i] == '\n') quote = 0;
    } else if (two == "//") {
      i = std::min(text.find('\n', i), text.size());
    } else if (two == "/*") {
      i = std::min(text.find("*/", i + 2), text.size() - 1) + 1;
      result += ' ';
      continue;
    } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !IsWordCharacter(text[i - 1])))) {
      quote = text[i];
    }
    if (i < text.size()) result += text[i];
  }
  return result;
}

struct Source {
  bool calls_assert = false;
  std::vector<std::string> includes;  // as they are written, without the quotes
};

std::vector<std::string> IncludesOf(const std::string& text) {
  std::vector<std::string> names;
  for (size_t at = 0; (at = text.find("include", at)) != std::string::npos; ++at) {
    const size_t hash = text.find_last_not_of(" \t", at == 0 ? 0 : at - 1);
    const size_t open = text.find_first_not_of(" \t", at + 7);
    if (hash == std::string::npos || text[hash] != '#' || open == std::string::npos) continue;
    if (text[open] != '"' && text[open] != '<') continue;
    const size_t close = text.find(text[open] == '"' ? '"' : '>', open + 1);
    if (close != std::string::npos) names.push_back(text.substr(open + 1, close - open - 1));
  }
  return names;
}

class Sources {
 public:
  // Does one of `unit`'s files call assert(), or can none be read?
  bool CallAssert(const SourceUnit& unit) {
    std::vector<std::string> left = unit.files;
    std::set<fs::path> folders;
    for (const std::string& file : left) folders.insert(fs::path(file).parent_path());
    std::set<std::string> seen(left.begin(), left.end());
    bool any = false;
    while (!left.empty()) {
      const std::string file = std::move(left.back());
      left.pop_back();
      const Source* source = Read(file);
      if (source == nullptr) continue;
      any = true;
      if (source->calls_assert) return true;
      std::set<fs::path> all = folders;
      all.insert(fs::path(file).parent_path());
      for (const std::string& name : source->includes)
        for (const fs::path& folder : all) {
          std::string found = (folder / name).lexically_normal().native();
          if (!found.starts_with("/usr/") && seen.insert(found).second)
            left.push_back(std::move(found));
        }
    }
    return !any;
  }

 private:
  // Each file once, whatever units name it.
  const Source* Read(const std::string& path) {
    const auto [entry, fresh] = read_.try_emplace(path);
    std::error_code error;
    if (fresh && fs::is_regular_file(path, error)) {
      std::ifstream file(path, std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(file),
                             std::istreambuf_iterator<char>()};
      if (!file.bad()) entry->second = {CallsAssert(text), IncludesOf(WithoutComments(text))};
    }
    return entry->second ? &*entry->second : nullptr;
  }

  std::map<std::string, std::optional<Source>> read_;
};

}  // namespace

bool CallsAssert(const std::string& text) {
  constexpr std::string_view kName = "assert";
  const std::string code = WithoutComments(text);
  for (size_t at = 0; (at = code.find(kName, at)) != std::string::npos; at += kName.size()) {
    if (at > 0 && IsWordCharacter(code[at - 1])) continue;
    const size_t next = code.find_first_not_of(" \t", at + kName.size());
    if (next != std::string::npos && code[next] == '(') return true;
  }
  return false;
}

std::vector<std::string> UnitsWithoutAsserts(const std::string& path,
                                             const std::vector<std::string>& noted) {
  std::vector<std::string> names;
  if (noted.empty()) return names;
  const ElfFile file(path);
  std::vector<SourceUnit> units;
  if (file.Get() != nullptr) units = OwnSources(file.Get());
  Sources sources;
  for (const std::string& unit : noted) {
    const fs::path name = fs::path(unit).filename();
    bool known = false, calls = false;
    for (const SourceUnit& one : units) {
      if (fs::path(one.name).filename() != name) continue;
      known = true;
      calls = calls || sources.CallAssert(one);
    }
    if ((!known || calls) && std::ranges::find(names, name.native()) == names.end())
      names.push_back(name.native());
  }
  return names;
}

}  // namespace heddle::session
