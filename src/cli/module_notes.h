// What the mapped files tell the reader of a report: libraries that were not rebuilt, code
// in programs and libraries that was not instrumented, and asm statements that are not seen.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "report/assemble.h"
#include "report/records.h"
#include "session/inspect_module.h"

namespace heddle::cli {

// Each file is inspected once, however many results there are.
class ModuleNotes {
 public:
  void AddTo(const report::Records& records, report::RunFacts& facts);

  // What is to be said of the file's asserts when the search begins: a warning, or empty.
  std::string AssertsOff(const std::string& path);

 private:
  // What the code of a file is that was not instrumented; nothing if there is none.
  struct UnseenCode {
    std::string frameworks;  // a note on test frameworks; or empty
    std::string note;        // on other code; or empty
    std::string functions;
  };

  const session::ModuleFacts* FactsOf(const std::string& path);
  static std::optional<UnseenCode> FindUnseenCode(const std::string& path);

  std::map<std::string, std::optional<session::ModuleFacts>> facts_;  // by path
  std::map<std::string, std::string> asserts_off_;                    // by path
  std::map<std::string, std::optional<UnseenCode>> unseen_code_;      // by path
};

}  // namespace heddle::cli
