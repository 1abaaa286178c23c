#include "replay/json_fields.h"

#include <limits>

namespace heddle::replay {
namespace {

using Json = Field::Json;

// A result nests 7 deep: the file, its bugs, a bug, its steps, a step, its stack, a frame.
constexpr int kDeepest = 64;

bool NestsTooDeep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

template <typename T>
T Unsigned(const Field& field, const Json& json) {
  constexpr uint64_t kMost = std::numeric_limits<T>::max();
  if (json.is_number_unsigned() && json.get<uint64_t>() <= kMost) return json.get<T>();
  field.Fail("is not a whole number from 0 to " + std::to_string(kMost));
}

template <typename T>
T Signed(const Field& field, const Json& json) {
  constexpr int64_t kLeast = std::numeric_limits<T>::min();
  constexpr int64_t kMost = std::numeric_limits<T>::max();
  // What is positive was read as unsigned.
  const bool fits = json.is_number_unsigned()
                        ? json.get<uint64_t>() <= static_cast<uint64_t>(kMost)
                        : json.is_number_integer() && json.get<int64_t>() >= kLeast;
  if (fits) return json.get<T>();
  field.Fail("is not a whole number from " + std::to_string(kLeast) + " to " +
             std::to_string(kMost));
}

template <typename T>
std::vector<T> ListOf(const Field& field) {
  std::vector<T> list;
  for (const Field& item : field.List()) list.push_back(item.get<T>());
  return list;
}

}  // namespace

std::optional<Json> ParseJson(std::string_view text) {
  if (NestsTooDeep(text)) return std::nullopt;
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return std::nullopt;
  return json;
}

void Field::Fail(const std::string& how) const {
  throw WrongField{*name_ == '\0' ? "it " + how
                                  : "the field \"" + std::string(name_) + "\" " + how};
}

Field Field::at(const char* name) const {
  if (!json_->is_object()) Fail("is not an object");
  const auto found = json_->find(name);
  const Field field(found == json_->end() ? *json_ : *found, name);
  if (found == json_->end()) field.Fail("is missing");
  return field;
}

std::vector<Field> Field::List() const {
  if (!json_->is_array()) Fail("is not a list");
  std::vector<Field> list;
  for (const Json& item : *json_) list.push_back({item, name_});
  return list;
}

std::vector<std::pair<std::string, Field>> Field::Members() const {
  if (!json_->is_object()) Fail("is not an object");
  std::vector<std::pair<std::string, Field>> members;
  for (const auto& [key, value] : json_->items()) members.push_back({key, Field(value, name_)});
  return members;
}

template <>
std::string Field::get() const {
  if (!json_->is_string()) Fail("is not a text");
  return json_->get<std::string>();
}
template <>
bool Field::get() const {
  if (!json_->is_boolean()) Fail("is neither true nor false");
  return json_->get<bool>();
}
template <>
double Field::get() const {
  if (!json_->is_number()) Fail("is not a number");
  return json_->get<double>();
}
template <>
uint32_t Field::get() const {
  return Unsigned<uint32_t>(*this, *json_);
}
template <>
uint64_t Field::get() const {
  return Unsigned<uint64_t>(*this, *json_);
}
template <>
int Field::get() const {
  return Signed<int>(*this, *json_);
}
template <>
int64_t Field::get() const {
  return Signed<int64_t>(*this, *json_);
}
template <>
std::vector<std::string> Field::get() const {
  return ListOf<std::string>(*this);
}
template <>
std::vector<uint32_t> Field::get() const {
  return ListOf<uint32_t>(*this);
}
template <>
std::vector<uint64_t> Field::get() const {
  return ListOf<uint64_t>(*this);
}

}  // namespace heddle::replay
