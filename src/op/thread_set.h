// Sets of threads: a bit for each, in words of 64, the thread's number telling which. Most programs
// have fewer than 64 threads, so most sets are one word.
//
//   ThreadSet       a set in words that somebody else owns; copied like a pointer
//   ThreadSetRef    the same, and changes it
//   FixedThreadSet  owns its words and never allocates: for the way of an event
//   OwnedThreadSet  owns as many as it needs (op/owned_thread_set.h)
//
// a | b, a & b and a - b are sets, too: computed word by word as they are looked at, and stored
// nowhere.
//
//   op::ThreadId next = (open - yielding).NextAfter(running);
//
// A set has a width, the number of its words; no thread beyond them is in it.
//
// Tested by tests/unit/thread_set_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "op/operation.h"

namespace heddle::op {

inline constexpr uint32_t kThreadsPerWord = 64;

// Where the thread is in a set: the word, and the bit in it.
constexpr uint32_t WordOf(ThreadId thread) { return thread / kThreadsPerWord; }
constexpr uint64_t BitOf(ThreadId thread) { return uint64_t{1} << thread % kThreadsPerWord; }

// Of a set that may have the threads 0 .. threads-1.
constexpr uint32_t WidthFor(uint32_t threads) {
  return threads / kThreadsPerWord + (threads % kThreadsPerWord != 0);
}

// What can be asked of a set. `Set` has
//   uint32_t Width() const
//   uint64_t Word(uint32_t w) const  REQUIRES: w < Width()
template <typename Set>
class ThreadSetQueries {
 public:
  bool Has(ThreadId thread) const { return (WordOrNone(WordOf(thread)) & BitOf(thread)) != 0; }

  bool Empty() const {
    uint64_t any = 0;
    for (uint32_t w = 0; w < It().Width(); ++w) any |= It().Word(w);
    return any == 0;
  }

  uint32_t Count() const {
    uint32_t count = 0;
    for (uint32_t w = 0; w < It().Width(); ++w) count += CountOf(It().Word(w));
    return count;
  }

  // Calls visit(thread) for every member, ascending. `visit` may remove that member.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (uint32_t w = 0; w < It().Width(); ++w) {
      for (uint64_t bits = It().Word(w); bits != 0; bits &= bits - 1) visit(Lowest(w, bits));
    }
  }

  // The lowest member; kNoThread if there is none.
  ThreadId First() const { return FirstFrom(0); }

  // The next member after `thread`, cyclically: itself if there is no other; kNoThread if there is
  // none. After kNoThread comes the first.
  ThreadId NextAfter(ThreadId thread) const {
    const uint32_t start = thread + 1;  // kNoThread: 0
    const uint32_t begin = WordOf(start);
    if (begin < It().Width()) {
      const uint64_t bits = It().Word(begin) & (~uint64_t{0} << start % kThreadsPerWord);
      if (bits != 0) return Lowest(begin, bits);
      const ThreadId above = FirstFrom(begin + 1);
      if (above != kNoThread) return above;
    }
    return First();
  }

  // The member that `n` others are below. REQUIRES: n < Count().
  ThreadId Nth(uint32_t n) const {
    for (uint32_t w = 0;; ++w) {
      uint64_t bits = It().Word(w);
      if (w + 1 < It().Width()) {  // the last word need not be counted
        const uint32_t here = CountOf(bits);
        if (n >= here) {
          n -= here;
          continue;
        }
      }
      while (n-- != 0) bits &= bits - 1;
      return Lowest(w, bits);
    }
  }

  // Writes its Width() words to `words`.
  void CopyTo(uint64_t* words) const {
    for (uint32_t w = 0; w < It().Width(); ++w) words[w] = It().Word(w);
  }

  // Word `w`, which may be beyond the width.
  uint64_t WordOrNone(uint32_t w) const { return w < It().Width() ? It().Word(w) : 0; }

  // The set as an operand of |, & and -.
  Set Operand() const { return It(); }
  const Set& It() const { return static_cast<const Set&>(*this); }

 private:
  static ThreadId Lowest(uint32_t w, uint64_t bits) {
    return w * kThreadsPerWord + static_cast<uint32_t>(__builtin_ctzll(bits));
  }
  // A call: the baseline x86-64 cannot count bits.
  static uint32_t CountOf(uint64_t bits) {
    return static_cast<uint32_t>(__builtin_popcountll(bits));
  }
  ThreadId FirstFrom(uint32_t w) const {
    for (; w < It().Width(); ++w) {
      if (const uint64_t bits = It().Word(w); bits != 0) return Lowest(w, bits);
    }
    return kNoThread;
  }
};

// Do they have the same members?
template <typename A, typename B>
bool operator==(const ThreadSetQueries<A>& a, const ThreadSetQueries<B>& b) {
  uint64_t different = 0;
  for (uint32_t w = 0; w < std::max(a.It().Width(), b.It().Width()); ++w)
    different |= a.WordOrNone(w) ^ b.WordOrNone(w);
  return different == 0;
}

class ThreadSet : public ThreadSetQueries<ThreadSet> {
 public:
  constexpr ThreadSet() = default;  // nobody
  constexpr explicit ThreadSet(std::span<const uint64_t> words)
      : ThreadSet(words.data(), static_cast<uint32_t>(words.size())) {}
  constexpr ThreadSet(const uint64_t* words, uint32_t width) : words_(words), width_(width) {}

  uint32_t Width() const { return width_; }
  uint64_t Word(uint32_t w) const { return words_[w]; }
  std::span<const uint64_t> Words() const { return {words_, width_}; }

 private:
  const uint64_t* words_ = nullptr;
  uint32_t width_ = 0;
};

// One thread.
class OnlyThread : public ThreadSetQueries<OnlyThread> {
 public:
  constexpr explicit OnlyThread(ThreadId thread) : thread_(thread) {}

  uint32_t Width() const { return WordOf(thread_) + 1; }
  uint64_t Word(uint32_t w) const { return w == WordOf(thread_) ? BitOf(thread_) : 0; }

 private:
  ThreadId thread_;
};

template <typename A, typename B>
class ThreadSetUnion : public ThreadSetQueries<ThreadSetUnion<A, B>> {
 public:
  ThreadSetUnion(A a, B b) : a_(a), b_(b) {}

  uint32_t Width() const { return std::max(a_.Width(), b_.Width()); }
  uint64_t Word(uint32_t w) const { return a_.WordOrNone(w) | b_.WordOrNone(w); }

 private:
  A a_;
  B b_;
};

template <typename A, typename B>
class ThreadSetIntersection : public ThreadSetQueries<ThreadSetIntersection<A, B>> {
 public:
  ThreadSetIntersection(A a, B b) : a_(a), b_(b) {}

  uint32_t Width() const { return std::min(a_.Width(), b_.Width()); }
  uint64_t Word(uint32_t w) const { return a_.Word(w) & b_.Word(w); }

 private:
  A a_;
  B b_;
};

template <typename A, typename B>
class ThreadSetDifference : public ThreadSetQueries<ThreadSetDifference<A, B>> {
 public:
  ThreadSetDifference(A a, B b) : a_(a), b_(b) {}

  uint32_t Width() const { return a_.Width(); }
  uint64_t Word(uint32_t w) const { return a_.Word(w) & ~b_.WordOrNone(w); }

 private:
  A a_;
  B b_;
};

template <typename A, typename B>
auto operator|(const ThreadSetQueries<A>& a, const ThreadSetQueries<B>& b) {
  return ThreadSetUnion(a.It().Operand(), b.It().Operand());
}
template <typename A, typename B>
auto operator&(const ThreadSetQueries<A>& a, const ThreadSetQueries<B>& b) {
  return ThreadSetIntersection(a.It().Operand(), b.It().Operand());
}
template <typename A, typename B>
auto operator-(const ThreadSetQueries<A>& a, const ThreadSetQueries<B>& b) {
  return ThreadSetDifference(a.It().Operand(), b.It().Operand());
}

class ThreadSetRef : public ThreadSetQueries<ThreadSetRef> {
 public:
  explicit ThreadSetRef(std::span<uint64_t> words)
      : ThreadSetRef(words.data(), static_cast<uint32_t>(words.size())) {}
  ThreadSetRef(uint64_t* words, uint32_t width) : words_(words), width_(width) {}

  uint32_t Width() const { return width_; }
  uint64_t Word(uint32_t w) const { return words_[w]; }
  ThreadSet Operand() const { return {words_, width_}; }

  // REQUIRES, here and below: the thread is within the width.
  void Add(ThreadId thread) { words_[WordOf(thread)] |= BitOf(thread); }
  void Remove(ThreadId thread) { words_[WordOf(thread)] &= ~BitOf(thread); }
  void Clear() { std::fill_n(words_, width_, 0); }

  // Removes the lowest member, and answers it. REQUIRES: there is one.
  ThreadId TakeFirst() {
    const ThreadId first = First();
    Remove(first);
    return first;
  }

 private:
  uint64_t* words_;
  uint32_t width_;
};

// Has room for the threads 0 .. kThreads-1. Words beyond the width are 0, and never touched. All
// zero: empty, of width 0.
template <uint32_t kThreads>
class FixedThreadSet : public ThreadSetQueries<FixedThreadSet<kThreads>> {
 public:
  FixedThreadSet() = default;
  FixedThreadSet(const FixedThreadSet&) = delete;
  FixedThreadSet& operator=(const FixedThreadSet&) = delete;

  uint32_t Width() const { return width_; }
  uint64_t Word(uint32_t w) const { return words_[w]; }
  ThreadSet Operand() const { return {words_, width_}; }

  // REQUIRES: thread < kThreads.
  bool Has(ThreadId thread) const { return (words_[WordOf(thread)] & BitOf(thread)) != 0; }
  // REQUIRES, here and below: the thread is within the width.
  void Add(ThreadId thread) { words_[WordOf(thread)] |= BitOf(thread); }
  void Remove(ThreadId thread) { words_[WordOf(thread)] &= ~BitOf(thread); }
  void Clear() { std::fill_n(words_, width_, 0); }

  // Empties it, and makes it as wide as the threads 0 .. threads-1 need.
  void Reset(uint32_t threads) {
    Clear();
    width_ = WidthFor(threads);
  }
  // At least as wide as that; keeps its members.
  void Widen(uint32_t threads) { width_ = std::max(width_, WidthFor(threads)); }

  // Puts it in, and takes it out again (base::SavedBytes).
  template <typename Bytes>
  void Save(Bytes& to) const {
    to.Put(width_);
    to.Put(words_, width_);
  }
  template <typename Reader>
  void Restore(Reader& from) {
    Clear();
    width_ = from.template Get<uint32_t>();
    from.Get(words_, width_);
  }

 private:
  uint32_t width_;
  uint64_t words_[WidthFor(kThreads)];
};

}  // namespace heddle::op
