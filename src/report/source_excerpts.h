// Excerpts of the sources that a report is about, read when the report is made: whoever looks at
// the page may have no sources.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace heddle::report {

struct SourceExcerpt {
  bool readable = false;
  std::map<uint32_t, std::string> lines;  // by number, from 1; with indentation, tabs as spaces
};

// The lines that are meant, by file.
using SourcePlaces = std::map<std::string, std::set<uint32_t>>;

// The lines of `places` and a few around each; every file is read once.
std::map<std::string, SourceExcerpt> ReadExcerpts(const SourcePlaces& places);

}  // namespace heddle::report
