// Test frameworks: how a test program is told to list its cases, how that list is read, and which
// arguments make it run one of them.
//
// A framework is a class in a file of its own. Nothing here runs a program: which framework is in
// it is read from its file (Recognise), what it prints is handed in (Listing).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace heddle::cases {

// What a program printed when it was asked for its cases, and how it ended.
struct Listing {
  std::string output;                   // its standard output
  int status = 0;                       // its exit status
  std::vector<std::string> given = {};  // the user's arguments, which were among those it had
};

// A test case, and the arguments after the program's own that run it and nothing else.
struct Case {
  std::string name;
  std::vector<std::string> arguments;
  // Other cases that these arguments run, too, because the framework has no way to tell them apart.
  std::vector<std::string> runs_too;
};

using Arguments = std::vector<std::string>;

class Framework {
 public:
  virtual ~Framework() = default;

  virtual std::string_view Name() const = 0;

  // Texts that a program has in its read-only data if it holds the framework, and otherwise not;
  // and how the file name of the framework's shared library begins, if there is one. One of them is
  // enough.
  virtual std::span<const std::string_view> Marks() const = 0;
  virtual std::string_view Library() const = 0;

  // The arguments of the program that list its cases. `given`: what the user gives it.
  virtual Arguments ToList(const Arguments& given) const = 0;

  // The names in the list, in its order; an error where there is no list. What the program printed
  // before and after it does not count.
  virtual base::Result<std::vector<std::string>> ReadList(const Listing& listing) const = 0;

  // One case for each of `names`, as ReadList answered them; of several with one name that cannot
  // be run apart only the first.
  virtual std::vector<Case> CasesOf(const std::vector<std::string>& names) const = 0;

  // The arguments that run a case: the user's, without those that choose other cases, then
  // the case's own.
  virtual Arguments ToRun(const Arguments& given, const Case& one) const = 0;
};

// All that there are.
std::span<const Framework* const> Frameworks();

// One for each framework (google_test.cpp, catch2.cpp, doctest.cpp).
const Framework& GoogleTest();
const Framework& Catch2Version2();
const Framework& Catch2Version3();
const Framework& Doctest();

}  // namespace heddle::cases
