// A set of threads that owns its words and takes memory for them: not for the way of an event.
#pragma once

#include <vector>

#include "op/thread_set.h"

namespace heddle::op {

class OwnedThreadSet : public ThreadSetQueries<OwnedThreadSet> {
 public:
  OwnedThreadSet() = default;
  // Empty, with room for the threads 0 .. threads-1.
  explicit OwnedThreadSet(uint32_t threads) : words_(WidthFor(threads)) {}

  uint32_t Width() const { return static_cast<uint32_t>(words_.size()); }
  uint64_t Word(uint32_t w) const { return words_[w]; }
  ThreadSet Operand() const { return ThreadSet(words_); }

  // REQUIRES: there is room for it.
  void Add(ThreadId thread) { words_[WordOf(thread)] |= BitOf(thread); }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace heddle::op
