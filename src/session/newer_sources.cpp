#include "session/newer_sources.h"

#include <sys/stat.h>

#include <set>

#include "session/elf_file.h"
#include "session/own_sources.h"

namespace heddle::session {
namespace {

bool IsLater(const timespec& a, const timespec& b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

class Search {
 public:
  explicit Search(const struct stat& program) : latest_(program.st_mtim), built_(program.st_mtim) {}

  void LookAtFile(const std::string& file) {
    if (!seen_.insert(file).second) return;
    struct stat status;
    // Not there, or "<built-in>", or a folder: nothing can be said.
    if (stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
    if (!IsLater(status.st_mtim, built_)) return;
    ++newer_;
    if (!IsLater(status.st_mtim, latest_)) return;
    latest_ = status.st_mtim;
    newest_ = file;
  }

  std::optional<NewerSources> Answer() const {
    if (newest_.empty()) return std::nullopt;
    return NewerSources{newest_, newer_ - 1};
  }

 private:
  timespec latest_;
  const timespec built_;
  std::set<std::string> seen_;  // headers are named by many units
  std::string newest_;
  size_t newer_ = 0;
};

}  // namespace

std::optional<NewerSources> FindNewerSources(const std::string& program) {
  struct stat status;
  const ElfFile file(program);
  if (file.Get() == nullptr || fstat(file.Descriptor(), &status) != 0) return std::nullopt;
  Search search(status);
  for (const SourceUnit& unit : OwnSources(file.Get()))
    for (const std::string& source : unit.files) search.LookAtFile(source);
  return search.Answer();
}

}  // namespace heddle::session
