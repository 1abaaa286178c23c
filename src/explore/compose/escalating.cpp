#include "explore/compose/escalating.h"

#include <algorithm>
#include <utility>

#include "explore/compose/registry.h"

namespace heddle::explore {
namespace {

using space::Order;
using space::Point;
using space::Reduction;

// What an execution costs besides its operations: as much as so many of them (docs/perf.md).
constexpr uint64_t kPerExecution = 50;

// Turns of each search before shares count (docs/algorithms/escalating.md).
constexpr uint64_t kEvenTurns = 32;

// Of context bounding without a reduction, no more than its first turns, one after another when the
// others have had so many: what one preemption at each of the last places finds comes late in all
// that go by graphs.
constexpr uint64_t kTurnsOfPlain = 4;
constexpr uint64_t kTurnsBeforePlain = 4;
constexpr uint64_t kAllTurns = ~uint64_t{0};

// The prover's share; each of the others has one. With six of them it has 4 in 10, and they have
// one in ten each, within which lies how much later than the best of them a bug is found.
constexpr uint32_t kShareOfProver = 4;

// What all have run before the others may have to rest: some 20 ms. Of the bug suite all but one
// bug are found in less (docs/bug-suite.md).
constexpr uint64_t kWorkBeforeRests = 100'000;

// The others get one part in so many of what the prover is estimated to run in all, where an
// operation of theirs takes half as long again as one of the prover's.
constexpr uint64_t kOneInForOthers = 14;

// How far behind that they have to be to go on again: so that neither they nor the prover find
// their data gone from the caches at every turn.
constexpr uint64_t kWorkInARow = 16'000;

// Of what work that is left may take in memory, each of the others has one part in so many. Best
// first and at random they keep more than they will ever run.
constexpr uint64_t kOneInOfMemory = 128;

// What a node of the branches at random takes, with what sleeps there; measured with three threads.
constexpr uint64_t kBytesPerNode = 1024;

constexpr uint64_t kAllWork = ~uint64_t{0};

struct Share {
  Point point;
  uint32_t share;
  uint64_t most_turns;
};

// The prover first. Then those whose first execution is a new one: all that go by defaults begin
// with the one that the prover has begun with.
std::vector<Share> SharesOf(const Point& whole) {
  std::vector<Share> shares;
  const auto add = [&](const Point& point, uint32_t share = 1, uint64_t most_turns = kAllTurns) {
    if (space::WhyNot(point).empty()) shares.push_back({point, share, most_turns});
  };
  const auto draw = [&](Order order, Reduction reduction) {
    add({order, reduction, {}, whole.points, {}});
  };
  const bool reduces = whole.reduction != Reduction::kNone;
  // A memory model has no preemptions to count: beside the prover it draws.
  if (whole.memory_model != space::MemoryModel::kSc) {
    Point drawn = {Order::kRandom, Reduction::kNone, whole.bound, whole.points, {}};
    drawn.memory_model = whole.memory_model;
    add(space::ProverOf(whole), kShareOfProver);
    add(drawn);
    return shares;
  }
  Point best = {Order::kBestFirst, Reduction::kNone, whole.bound, whole.points,
                space::kDefaultPriorities};
  add(space::ProverOf(whole), kShareOfProver);
  if (!whole.bound.IsNone()) {
    add(best, 2);
    return shares;
  }
  draw(Order::kRff, Reduction::kNone);
  draw(Order::kRandom, Reduction::kNone);
  draw(Order::kSurw, Reduction::kNone);
  const Reduction bounded = reduces ? Reduction::kBounded : Reduction::kNone;
  if (reduces) best.reduction = Reduction::kDpor;
  add({Order::kContextBounded, bounded, {}, whole.points, {}});
  add(best);
  if (!reduces) return shares;
  draw(Order::kRandom, whole.reduction);
  add({Order::kContextBounded, Reduction::kNone, {}, whole.points, {}}, 1, kTurnsOfPlain);
  return shares;
}

// One thread that never had a choice does the same in every search.
bool IsTheOnlyOne(const trace::Execution& execution) {
  return execution.created <= 1 && execution.choices.empty() &&
         trace::ClassOf(execution.ending.kind) == trace::EndClass::kComplete;
}

}  // namespace

// A part of the spill for each search, far from the others'.
class Escalating::PartSpill final : public Spill {
 public:
  PartSpill(Spill& all, uint64_t begin) : all_(all), begin_(begin) {}
  bool Write(uint64_t at, const void* data, size_t bytes) override {
    return all_.Write(begin_ + at, data, bytes);
  }
  bool Read(uint64_t at, void* data, size_t bytes) override {
    return all_.Read(begin_ + at, data, bytes);
  }

 private:
  Spill& all_;
  const uint64_t begin_;
};

Escalating::State::~State() {
  for (const Part& part : parts) Find(part.point)->free_state(part.state);
}

Escalating::Escalating(State* state, const Options& options, Spill* spill)
    : s_(*state), options_(options) {
  if (s_.parts.empty()) {
    for (const auto& [point, share, most_turns] : SharesOf(options.whole)) {
      s_.parts.push_back({point, share, most_turns, Find(point)->make_state()});
    }
  }
  constexpr uint64_t kBytesOfPart = uint64_t{1} << 39;
  for (size_t part = 0; part < s_.parts.size(); ++part) {
    if (spill != nullptr) {
      spills_.push_back(std::make_unique<PartSpill>(*spill, spills_.size() * kBytesOfPart));
    }
    explorers_.push_back(AttachPart(part));
  }
}

std::unique_ptr<Explorer> Escalating::AttachPart(size_t part) const {
  const auto entry = Find(s_.parts[part].point);
  const uint64_t memory =
      part == 0 ? options_.memory_limit : options_.memory_limit / kOneInOfMemory;
  Peers peers;
  peers.reads_stale = options_.reads_stale;
  return entry->Attach(s_.parts[part].state, options_.seed + s_.parts[part].anew,
                       spills_.empty() ? nullptr : spills_[part].get(), options_.stop_token,
                       std::max<uint64_t>(memory, 1), peers);
}

Escalating::~Escalating() = default;

// The one that has had the fewest of its first turns, or else the least of its share; null if all
// are over.
Escalating::Part* Escalating::Next() {
  if (OthersRest()) return &s_.parts.front();
  const auto first_turns = [](const Part& part) {
    // It is the last, so it comes once each of the others has had one more.
    if (part.most_turns != kAllTurns) return kTurnsBeforePlain - 1;
    return std::min(part.turns, kEvenTurns);
  };
  const auto comes_before = [&](const Part& a, const Part& b) {
    const uint64_t first_of_a = first_turns(a);
    const uint64_t first_of_b = first_turns(b);
    if (first_of_a != first_of_b) return first_of_a < first_of_b;
    return a.work * b.share < b.work * a.share;
  };
  Part* next = nullptr;
  for (Part& part : s_.parts) {
    if (part.over) continue;
    if (next == nullptr || comes_before(part, *next)) next = &part;
  }
  return next;
}

// How much the others may have run by now. What the prover runs in all is estimated from what it
// has run and how much of what is drawn it has behind it.
uint64_t Escalating::WorkForOthers() const {
  const double proven = s_.proven.Value();
  if (proven == 0) return kAllWork;
  const auto in_all = static_cast<uint64_t>(static_cast<double>(s_.work_of_prover) / proven);
  return in_all / (s_.took ? 2 * kOneInForOthers : kOneInForOthers);
}

// Once it can be told that the prover will come to its end, it is to get there nearly as soon as by
// itself. Without a reduction it runs each graph many times, so nothing is told by those that it
// has run.
bool Escalating::OthersRest() {
  const Part& prover = s_.parts.front();
  if (prover.over || prover.point.reduction == Reduction::kNone || s_.work < kWorkBeforeRests)
    return false;
  const uint64_t of_others = s_.work - s_.work_of_prover;
  const uint64_t for_others = WorkForOthers();
  s_.prover_alone = of_others + (s_.prover_alone ? kWorkInARow : 0) > for_others;
  return s_.prover_alone;
}

std::optional<plan::Plan> Escalating::NextPlan() {
  while (Part* const part = s_.exhausted ? nullptr : Next()) {
    s_.turn = static_cast<uint32_t>(part - s_.parts.data());
    if (auto plan = explorers_[s_.turn]->NextPlan()) return plan;
    part->over = true;
    if (s_.turn == 0 || explorers_[s_.turn]->Complete()) {
      s_.exhausted = true;
      s_.proved_by = s_.turn;
    }
  }
  return std::nullopt;
}

void Escalating::NoteRun(const trace::Execution& execution) {
  Part& part = s_.parts[s_.turn];
  const uint64_t work = execution.events.size() + kPerExecution;
  if (++part.turns > kEvenTurns) part.work += work;
  s_.work += work;
  if (s_.turn == 0) s_.work_of_prover += work;
  if (trace::ClassOf(execution.ending.kind) != trace::EndClass::kComplete) return;
  if (s_.turn == 0) s_.proven.AddProven(execution.happens_before);
  const bool is_walk = part.point.order == Order::kRandom && space::Samples(part.point);
  if (is_walk) s_.proven.AddDrawn(execution.happens_before);
}

void Escalating::EndOthers() {
  for (size_t other = 1; other < s_.parts.size(); ++other) s_.parts[other].over = true;
}

void Escalating::Learn(const trace::Execution& execution) {
  NoteRun(execution);
  Part& part = s_.parts[s_.turn];
  explorers_[s_.turn]->Learn(execution);
  if (part.turns == part.most_turns) part.over = true;
  if (s_.turn == 0 && part.turns == 1 && IsTheOnlyOne(execution)) EndOthers();
  BeginAnewIfFull(s_.turn);
}

// Branches at random: whatever was begun and left keeps all that is run from earlier nodes on in
// memory, because more may have to be run there (Reduction::CloseBegun). Where it goes next does
// not help, so the search forgets what it has run, and draws others. Nothing rests on it: the
// prover is another one.
void Escalating::BeginAnewIfFull(size_t part) {
  Part& full = s_.parts[part];
  const bool at_random = full.point.order == Order::kRandom && !space::Samples(full.point);
  const uint64_t most = options_.memory_limit / kOneInOfMemory / kBytesPerNode;
  if (part == 0 || !at_random || full.over || explorers_[part]->Nodes() <= most) return;
  s_.earlier.peak_nodes = PeakNodes();
  FreePart(part);
  ++full.anew;
  full.state = Find(full.point)->make_state();
  explorers_[part] = AttachPart(part);
}

bool Escalating::Complete() const {
  return s_.exhausted && !s_.earlier.incomplete && explorers_[s_.proved_by]->Complete();
}

std::optional<claim::Incomplete> Escalating::Gap() const {
  if (s_.earlier.gap) return s_.earlier.gap;
  if (!s_.exhausted) return std::nullopt;
  return explorers_[s_.proved_by]->Gap();
}

int64_t Escalating::CurrentBound() const { return explorers_[s_.turn]->CurrentBound(); }

int64_t Escalating::CompletedBound() const {
  int64_t completed = -1;
  for (const auto& explorer : explorers_) {
    completed = std::max(completed, explorer->CompletedBound());
  }
  return completed;
}

int64_t Escalating::CompletedBoundAlone() const {
  int64_t completed = s_.earlier.completed_bound;
  for (size_t part = 1; part < explorers_.size(); ++part) {
    completed = std::max(completed, explorers_[part]->CompletedBound());
  }
  return completed;
}

std::optional<Branch> Escalating::Split() {
  return s_.exhausted ? std::nullopt : explorers_.front()->Split();
}

std::optional<Branch> Escalating::SplitLarge(uint64_t least) {
  return s_.exhausted ? std::nullopt : explorers_.front()->SplitLarge(least);
}

void Escalating::KeepNumbers() {
  State::Earlier& earlier = s_.earlier;
  earlier.incomplete |= !explorers_.front()->Complete();
  if (!earlier.gap) earlier.gap = explorers_.front()->Gap();
  earlier.completed_bound = CompletedBoundAlone();
  earlier.peak_nodes = PeakNodes();
}

void Escalating::FreePart(size_t part) {
  s_.earlier.ran_again += explorers_[part]->RanAgain();
  explorers_[part].reset();
  Find(s_.parts[part].point)->free_state(s_.parts[part].state);
}

// A prover that has had its branch is followed by a new one. What is by bound or best first would
// be run again by each that takes a branch.
bool Escalating::Take(const Branch& branch) {
  Part& prover = s_.parts.front();
  if (prover.over) {
    KeepNumbers();
    FreePart(0);
    prover.state = Find(prover.point)->make_state();
    explorers_.front() = AttachPart(0);
  } else if (s_.took) {
    return false;
  }
  if (!explorers_.front()->Take(branch)) return false;
  prover.over = s_.exhausted = false;
  if (std::exchange(s_.took, true)) return true;
  for (size_t part = s_.parts.size(); part-- > 1;) {
    if (space::Samples(s_.parts[part].point)) continue;
    FreePart(part);
    explorers_.erase(explorers_.begin() + static_cast<ptrdiff_t>(part));
    s_.parts.erase(s_.parts.begin() + static_cast<ptrdiff_t>(part));
  }
  return true;
}

uint64_t Escalating::RanAgain() const {
  uint64_t again = s_.earlier.ran_again;
  for (const auto& explorer : explorers_) again += explorer->RanAgain();
  return again;
}

uint64_t Escalating::Nodes() const {
  uint64_t nodes = 0;
  for (const auto& explorer : explorers_) nodes += explorer->Nodes();
  return nodes;
}

uint64_t Escalating::PeakNodes() const {
  uint64_t nodes = 0;
  for (const auto& explorer : explorers_) nodes += explorer->PeakNodes();
  return std::max(s_.earlier.peak_nodes, nodes);
}

std::optional<space::Point> Escalating::FoundBy() const { return s_.parts[s_.turn].point; }

}  // namespace heddle::explore
