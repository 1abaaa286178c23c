// The table of operations (op/op.def) against rules that hold of every line of it.
#include "op/operation.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace heddle::op {
namespace {

std::vector<Kind> AllKinds() {
  std::vector<Kind> kinds;
  for (unsigned i = 0; i < static_cast<unsigned>(Kind::kCount); ++i) {
    kinds.push_back(static_cast<Kind>(i));
  }
  return kinds;
}

TEST(Operations, NamesAndTextsAreTheirOwn) {
  std::set<std::string> names;
  std::set<std::string> texts;
  for (const Kind kind : AllKinds()) {
    EXPECT_TRUE(names.insert(Info(kind).name).second) << Info(kind).name;
    EXPECT_TRUE(texts.insert(Info(kind).text).second) << Info(kind).text;
  }
}

TEST(Operations, WhoBlocksWaitsForSomething) {
  for (const Kind kind : AllKinds()) {
    SCOPED_TRACE(Info(kind).name);
    if (!MayWait(kind)) continue;
    EXPECT_NE(Info(kind).needs, Needs::kNothing);
    EXPECT_FALSE(Has(kind, kTries));                        // it fails instead
    EXPECT_NE(std::string(Info(FamilyOf(kind)).noun), "");  // the report says for what
  }
}

TEST(Operations, WhoTriesMayFail) {
  for (const Kind kind : AllKinds()) {
    if (!Has(kind, kTries)) continue;
    EXPECT_NE(Info(kind).needs, Needs::kNothing) << Info(kind).name;
  }
}

TEST(Operations, WhatHasAValueIsNoPlainWrite) {
  for (const Kind kind : AllKinds()) {
    if (!Has(kind, kHasValue)) continue;
    EXPECT_TRUE(Info(kind).access == Access::kRead || IsAtomic(kind) || kind == Kind::kChoose)
        << Info(kind).name;
  }
}

// A lock is taken or given back by an operation on a lock; only a wait touches two objects.
TEST(Operations, LocksAndPairs) {
  for (const Kind kind : AllKinds()) {
    SCOPED_TRACE(Info(kind).name);
    const Family family = FamilyOf(kind);
    const bool on_lock = family == Family::kMutex || family == Family::kRwLock ||
                         family == Family::kSpinLock ||
                         (family == Family::kStream && kind != Kind::kStreamUse);
    // To lock a mutex again after a wait is the end of that wait.
    EXPECT_EQ(Has(kind, kLocks), on_lock && kind != Kind::kCondReacquire);
    EXPECT_EQ(Has(kind, kPairs), kind == Kind::kCondWait);
  }
}

}  // namespace
}  // namespace heddle::op
