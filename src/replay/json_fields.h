// Reads JSON that anybody may have written: a file of another version, cut short, edited, or none
// of ours. Nothing in it is taken for something else: -1 is not a large number, 1.5 not 1, true not
// 1, and whatever is wrong is named by its field.
//
// The names are nlohmann's own, so that a reader looks the same with either.
//
// Tested by tests/unit/replay_json_fields_test.cpp.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::replay {

// No value if `text` is not JSON, or nests deeper than anything that heddle writes: the library
// copies and prints by recursion, so a file of a hundred thousand brackets would end us.
std::optional<nlohmann::ordered_json> ParseJson(std::string_view text);

// Why a file cannot be read: "the field "seed" is missing".
struct WrongField {
  std::string why;
};

// A value of the file, and the name of the field that it is in. All that read throw WrongField.
class Field {
 public:
  using Json = nlohmann::ordered_json;

  // The whole file. REQUIRES: `json` outlives this, and all that is got from it.
  explicit Field(const Json& json) : Field(json, "") {}

  bool contains(const char* name) const { return json_->is_object() && json_->contains(name); }
  Field at(const char* name) const;

  // For the types below.
  template <typename T>
  T get() const;
  // Of a field that older versions do not write.
  template <typename T>
  T value(const char* name, const T& missing) const {
    return contains(name) ? at(name).get<T>() : missing;
  }
  std::string value(const char* name, const char* missing) const {
    return value(name, std::string(missing));
  }

  std::vector<Field> List() const;
  std::vector<std::pair<std::string, Field>> Members() const;  // of an object

  [[noreturn]] void Fail(const std::string& how) const;

 private:
  Field(const Json& json, const char* name) : json_(&json), name_(name) {}

  const Json* json_;
  const char* name_;  // of the field, or of the list that the value is in
};

template <>
std::string Field::get() const;
template <>
bool Field::get() const;
template <>
double Field::get() const;
template <>
uint32_t Field::get() const;
template <>
uint64_t Field::get() const;
template <>
int Field::get() const;
template <>
int64_t Field::get() const;
template <>
std::vector<std::string> Field::get() const;
template <>
std::vector<uint32_t> Field::get() const;
template <>
std::vector<uint64_t> Field::get() const;

}  // namespace heddle::replay
