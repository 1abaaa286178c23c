// Programs as text, and the table of litmus shapes: litmus.csv, whose `text` column is in this
// notation.
//
// Threads are divided by `|`, instructions by `;`. A location is a letter, a register another.
// Orders: na, rlx, acq, rel, ar, sc.
//   R x a rlx          a = x
//   W x 1 rlx          x = 1        A value is a constant, a register, or both: 1, a, a+1, a-1.
//   X x a 1 ar         a = exchange(x, 1)
//   U x a rlx          a = fetch_add(x, 1);     U x a 2 rlx: 2 instead of 1
//   C x a 0 1 ar acq   a = x; compare_exchange(x, from 0, to 1), and the order if it fails
//   F sc               a fence
//   lock m acq         a use of an object, which is a letter, too: lock, unlock, rdlock, wrlock,
//                      rwunlock, wait, post
//   try m a acq rlx    a = whether it was locked; the order if so, and if not. Also tryrd, trywait
//   ?a ...             the instruction only if a is not 0;     ?a=2,3 ...: the next three are
//   skipped if a is 2
// `# x y` at the end: final values that are observed; without it none are. `@ 0 1` behind it:
// the levels of the objects at first, in alphabetical order; else 0.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "program.h"

namespace heddle::litmus {

// Registers and locations are numbered in alphabetical order.
Program ParseProgram(const std::string& text);

// In the same notation: locations are x, y, z (w to z if there are four), objects m, n and
// so on, registers a, b, c and so on.
std::string ToText(const Program& program);

// "0120": a digit each; with commas where one is longer or negative.
std::string ToText(const Outcome& outcome);

struct LitmusRow {
  std::string name;
  std::string text;
  Program program;
  int sc_executions = 0;
  int tso_executions = 0;
  int c11_executions = 0;
  int c11_executions_old_release_sequences = 0;
  std::set<std::string> sc_outcomes;
  std::set<std::string> tso_outcomes;  // those of sc and more
  std::set<std::string> c11_outcomes;
  bool c11_race = false;
};

std::vector<LitmusRow> ReadLitmusTable(const std::string& file);

}  // namespace heddle::litmus
