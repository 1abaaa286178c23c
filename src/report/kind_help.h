// What each kind of bug is and what usually helps: for formats whose readers may never have heard
// of heddle.
#pragma once

#include <span>
#include <string_view>

namespace heddle::report {

struct KindHelp {
  std::string_view kind;    // as in the JSON
  std::string_view what;    // one sentence: what is wrong with a program that has it
  std::string_view remedy;  // one or two sentences: what to look for
};

// In the order of docs/checks.md.
std::span<const KindHelp> AllKindHelp();

// Of a kind that this version does not know: a help that claims nothing.
const KindHelp& KindHelpOf(std::string_view kind);

}  // namespace heddle::report
