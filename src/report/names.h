// Names for what the channel knows by number or address: threads by creation path, objects by the
// variable they are, or numbered by kind in the order in which the report first meets them (M1, M2,
// A1).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "channel/channel.h"
#include "op/operation.h"
#include "report/symbolize.h"

namespace heddle::report {

class ThreadNames {
 public:
  explicit ThreadNames(std::span<const channel::ThreadName> names)
      : names_(names.begin(), names.end()) {}

  std::string Path(uint32_t number) const;  // "main", "1", "1.2": as in schedule files
  std::string Name(uint32_t number) const;  // "main", "T1", "T1.2"; empty for none

 private:
  std::vector<channel::ThreadName> names_;
};

class ObjectNames {
 public:
  ObjectNames(Symbolizer& symbolizer, const std::vector<Module>& modules)
      : symbolizer_(symbolizer), modules_(modules) {}

  // A thread that nobody has signalled yet is blocked before kCondReacquire, but what it waits for
  // is the condition variable: then kCondWait, else `kind`.
  op::Kind WaitKind(op::Kind kind, uint64_t address) const;
  // Without its noun: "account_lock", "M1". Empty for address 0 and for operations without an
  // object.
  std::string Short(op::Kind kind, uint64_t address);
  // With it: "mutex account_lock".
  std::string Full(op::Kind kind, uint64_t address);
  // For an address in a message: what an earlier step called it, else the variable, else a number.
  // `before` is the text that precedes it: a noun there is not said twice.
  std::string InMessage(uint64_t address, const std::string& before);
  // Where the call is that returns to `pc`, in the program's own code: "queue.cpp:12".
  std::string Place(uint64_t pc);
  // The function that begins at `address`.
  std::string Function(uint64_t address);

 private:
  struct Named {
    const char* noun;
    std::string name;
  };
  const Named& Name(const char* noun, char letter, uint64_t address);

  Symbolizer& symbolizer_;
  const std::vector<Module>& modules_;
  std::map<std::pair<char, uint64_t>, Named> names_;
  std::map<char, int> counts_;
};

// `message` with %T<n>%, %O<hex>%, %F<hex>% and %L<hex>% replaced by the names of threads, objects,
// functions and source lines.
std::string FillIn(const std::string& message, const ThreadNames& threads, ObjectNames& objects);

}  // namespace heddle::report
