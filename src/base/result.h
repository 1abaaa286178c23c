// Result<T>: a value, or one line that tells the user what went wrong and what to do about it.
// Used by the supervisor (cli, session, report); nothing in the program's process returns one.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace heddle::base {

struct Error {
  std::string message;  // one line, no trailing newline
};

template <typename T>
class Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT: implicit on purpose
  Result(Error error) : state_(std::move(error)) {}  // NOLINT
  bool Ok() const { return state_.index() == 0; }
  explicit operator bool() const { return Ok(); }
  T& operator*() { return std::get<0>(state_); }
  const T& operator*() const { return std::get<0>(state_); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  const std::string& Message() const { return std::get<1>(state_).message; }

 private:
  std::variant<T, Error> state_;
};

}  // namespace heddle::base
