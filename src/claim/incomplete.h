// Why a search that found no bug is not a proof. Whoever meets a reason reports it (runtime:
// NoteIncomplete), and report/verdict.h, nobody else, takes the claims back for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle::claim {

enum class Incomplete : uint32_t {
#define INCOMPLETE(name, text_name, scope, text) k##name,
#include "claim/incomplete.def"
};

// In which searches it is a reason, and what it leaves of what they claim.
enum class Scope : uint8_t {
  kAny,       // in each; nothing is left
  kReduced,   // if what only reorders independent operations is left out; nothing is left
  kForetold,  // if it foretells from a table of states who can go on; nothing is left
  kRest,      // in each; what was said of bounds that were completed before holds
};

inline constexpr Scope kScopes[] = {
#define INCOMPLETE(name, text_name, scope, text) Scope::scope,
#include "claim/incomplete.def"
};
inline constexpr const char* kNames[] = {
#define INCOMPLETE(name, text_name, scope, text) text_name,
#include "claim/incomplete.def"
};
inline constexpr const char* kTexts[] = {
#define INCOMPLETE(name, text_name, scope, text) text,
#include "claim/incomplete.def"
};

constexpr Scope ScopeOf(Incomplete reason) { return kScopes[static_cast<uint32_t>(reason)]; }
constexpr const char* NameOf(Incomplete reason) { return kNames[static_cast<uint32_t>(reason)]; }

// What stands before and after the detail; all of a text without one is before it.
struct Text {
  std::string_view before, after;
};
constexpr Text TextOf(Incomplete reason) {
  const std::string_view text = kTexts[static_cast<uint32_t>(reason)];
  const size_t detail = text.find("%s");
  if (detail == text.npos) return {text, {}};
  return {text.substr(0, detail), text.substr(detail + 2)};
}

// Nothing, if it is the name of none.
constexpr std::optional<Incomplete> IncompleteOf(std::string_view name) {
  uint32_t reason = 0;
  for (const char* known : kNames) {
    if (name == known) return static_cast<Incomplete>(reason);
    ++reason;
  }
  return std::nullopt;
}

}  // namespace heddle::claim
