#include "axioms.h"

namespace heddle::litmus {
namespace {

class Axioms {
 public:
  Axioms(const Execution& execution, const Question& question)
      : execution_(execution), question_(question) {
    const std::vector<Event>& events = execution.events;
    for (int i = 0; i < n_; ++i) {
      const Event& event = events[i];
      const Events bit = Events{1} << i;
      if (event.type == Type::kRead) reads_ |= bit;
      if (event.type == Type::kWrite) writes_ |= bit;
      if (event.type == Type::kFence) fences_ |= bit;
      if (event.type == Type::kUse) {  // apart from all that axioms say of accesses and fences
        uses_ |= bit;
        const Use use = event.instruction->use;
        if (use == Use::kReadLock || use == Use::kTryReadLock) by_readers_ |= bit;
        if (use == Use::kRwUnlock && event.level == kWriteLocked) by_writers_ |= bit;
        if (event.order == Order::kAcquire || event.order == Order::kAcqRel) use_acquires_ |= bit;
        if (event.order == Order::kRelease || event.order == Order::kAcqRel) use_releases_ |= bit;
      }
      if (event.locked) locked_ |= bit;
      if (event.order != Order::kPlain) atomic_ |= bit;
      if (event.order == Order::kSeqCst) seq_cst_ |= bit;
      const bool both = event.order == Order::kAcqRel || event.order == Order::kSeqCst;
      if (event.type != Type::kWrite && event.type != Type::kUse &&
          (both || event.order == Order::kAcquire))
        acquires_ |= bit;
      if (event.type != Type::kRead && event.type != Type::kUse &&
          (both || event.order == Order::kRelease))
        releases_ |= bit;
      if (event.type == Type::kRead && event.partner >= 0) rmw_.Add(i, event.partner);
      if (execution.reads_from[i] >= 0) rf_.Add(execution.reads_from[i], i);
      for (int j = 0; j < n_; ++j) {
        if (i != j && event.location >= 0 && event.location == events[j].location) loc_.Add(i, j);
        if (event.name.thread == events[j].name.thread) {
          same_thread_.Add(i, j);
          if (i < j && event.name.thread != kInitial) po_.Add(i, j);
        } else if (event.name.thread == kInitial) {
          started_.Add(i, j);
        }
      }
    }
    for (const std::vector<int>& order : execution.modification_orders)
      for (size_t i = 0; i < order.size(); ++i)
        for (size_t j = i + 1; j < order.size(); ++j) mo_.Add(order[i], order[j]);
    for (const std::vector<int>& chain : execution.chains)
      for (size_t i = 0; i < chain.size(); ++i)
        for (size_t j = i + 1; j < chain.size(); ++j) chain_.Add(chain[i], chain[j]);
    fr_ = Inverse(rf_) * mo_;
  }

  bool IsThinAir() const { return !IsAcyclic(po_ | rf_ | chain_); }

  Verdict Judge() {
    Verdict verdict;
    if (Has(Part::kAtomicity) && !IsAtomic()) return verdict;
    FindHappensBefore();
    switch (question_.model) {
      case Model::kSc:
        verdict.consistent = !Has(Part::kScAcyclic) || IsAcyclic(po_ | rf_ | mo_ | fr_ | chain_);
        break;
      case Model::kTso:
        verdict.consistent = IsTso();
        break;
      case Model::kC11:
        if (!IsC11ButForPsc()) return verdict;
        verdict.consistent = !Has(Part::kPsc) || IsAcyclic(Psc());
        verdict.psc_alone_refuses = !verdict.consistent;
        break;
    }
    if (verdict.consistent) verdict.race = HasRace();
    return verdict;
  }

 private:
  bool Has(Part part) const { return question_.without != part; }
  Relation Only(Events set) const { return litmus::Only(set, n_); }
  Relation OnlyIf(Part part, const Relation& relation) const {
    return Has(part) ? relation : Relation(n_);
  }

  // Nothing is between a read-modify-write and what it read.
  bool IsAtomic() const { return (rmw_ & (fr_ * mo_)).IsEmpty(); }

  Relation ReleaseSequences() const {
    const Relation writes = Only(writes_ & atomic_);
    if (!Has(Part::kReleaseSequences)) return writes;
    const Relation updates = OrSame(Closure(rf_ * rmw_));
    switch (question_.sequences) {
      case litmus::ReleaseSequences::kCxx20:
        return writes * updates;
      case litmus::ReleaseSequences::kC11:
        return writes | ConsecutiveReleaseSequences();
      case litmus::ReleaseSequences::kRc11Paper:
        return Only(writes_) * OrSame(po_ & loc_) * writes * updates;
    }
    return writes;
  }

  // "a maximal contiguous sub-sequence of side effects in the modification order, where the first
  // is A and every subsequent operation is performed by the same thread, or is an atomic
  // read-modify-write operation"
  Relation ConsecutiveReleaseSequences() const {
    Relation sequences(n_);
    for (const std::vector<int>& order : execution_.modification_orders)
      for (size_t first = 0; first < order.size(); ++first) {
        if ((atomic_ >> order[first] & 1) == 0) continue;
        for (size_t i = first + 1; i < order.size(); ++i) {
          const bool update = execution_.events[order[i]].partner >= 0;
          if ((atomic_ >> order[i] & 1) == 0) break;
          if (!update && !same_thread_.Has(order[first], order[i])) break;
          sequences.Add(order[first], order[i]);
        }
      }
    return sequences;
  }

  void FindHappensBefore() {
    const Relation fences = Only(fences_);
    const Relation before = OrSame(OnlyIf(Part::kReleaseFences, fences * po_));
    const Relation behind = OrSame(OnlyIf(Part::kAcquireFences, po_ * fences));
    const Relation sw = Only(releases_) * before * ReleaseSequences() * rf_ *
                        Only(reads_ & atomic_) * behind * Only(acquires_);
    // A reader's lock synchronises with unlocks by writers, not by other readers.
    const Relation by_objects = (Only(use_releases_) * chain_ * Only(use_acquires_)) -
                                (Only(~by_writers_) * chain_ * Only(by_readers_));
    hb_ = Closure(po_ | started_ | OnlyIf(Part::kSynchronisation, sw | by_objects));
  }

  bool IsC11ButForPsc() const {
    if (Has(Part::kNoThinAir) && IsThinAir()) return false;
    if (!hb_.IsIrreflexive()) return false;
    // eco is rf, mo, fr, mo;rf and fr;rf: the others are among these.
    const Relation eco = OnlyIf(Part::kCoherenceRf, rf_) | OnlyIf(Part::kCoherenceMo, mo_) |
                         OnlyIf(Part::kCoherenceFr, fr_) | OnlyIf(Part::kCoherenceMoRf, mo_ * rf_) |
                         OnlyIf(Part::kCoherenceFrRf, fr_ * rf_);
    return (hb_ * eco).IsIrreflexive();
  }

  Relation Psc() const {
    const Relation eco = Closure(rf_ | mo_ | fr_);
    const Relation po_elsewhere = po_ - loc_;
    const Relation scb =
        OnlyIf(Part::kScbPo, po_) | OnlyIf(Part::kScbPoHbPo, po_elsewhere * hb_ * po_elsewhere) |
        OnlyIf(Part::kScbHbLoc, hb_ & loc_) | OnlyIf(Part::kScbMo, mo_) | OnlyIf(Part::kScbFr, fr_);
    const Relation any = Only(seq_cst_);
    const Relation fence = Only(seq_cst_ & fences_);
    const Relation near = OrSame(Has(Part::kPscHbToBase) ? hb_ : Relation(n_));
    const Relation base = (any | fence * near) * scb * (any | near * fence);
    const Relation between =
        fence *
        (OnlyIf(Part::kPscHbOfFences, hb_) | OnlyIf(Part::kPscEcoOfFences, hb_ * eco * hb_)) *
        fence;
    return OnlyIf(Part::kPscBase, base) | OnlyIf(Part::kPscBetweenFences, between);
  }

  // x86-TSO as axioms (Alglave et al., "Herding cats"), of the instructions that the orders become:
  // a seq_cst fence is an mfence, other fences nothing; read-modify-writes are locked, also a
  // compare-exchange that fails; all else is a mov. Between a seq_cst store and a later seq_cst
  // load is a fence, but whether it follows the store or precedes the load is the compiler's
  // choice, so nobody else profits from it.
  bool IsTso() const {
    const Relation program_order_at_one = po_ & loc_;
    if (Has(Part::kTsoPerLocation) && !IsAcyclic(program_order_at_one | rf_ | mo_ | fr_))
      return false;
    if (!Has(Part::kTsoGlobal)) return true;
    const Relation between_accesses = Only(reads_ | writes_) * po_ * Only(reads_ | writes_);
    const Relation delayed = Only(writes_) * po_ * Only(reads_);
    Events locked = locked_;
    if (!Has(Part::kTsoFailedLocked))
      for (int i = 0; i < n_; ++i)
        if (execution_.events[i].partner < 0) locked &= ~(Events{1} << i);
    const Relation lock = OnlyIf(Part::kTsoLocked, Only(locked));
    const Relation mfence = OnlyIf(Part::kTsoFences, Only(fences_ & seq_cst_));
    const Relation seq_cst =
        OnlyIf(Part::kTsoSeqCst, Only(writes_ & seq_cst_) * po_ * Only(reads_ & seq_cst_));
    const Relation kept =
        (between_accesses - delayed) | po_ * mfence * po_ | seq_cst | lock * po_ | po_ * lock;
    const Relation seen = Has(Part::kTsoOwnWritesEarly) ? rf_ - same_thread_ : rf_;
    const Relation use = Only(uses_);  // locked instructions
    return IsAcyclic(kept | use * po_ | po_ * use | chain_ | seen | mo_ | fr_);
  }

  bool HasRace() const {
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < i; ++j) {
        const Events pair = Events{1} << i | Events{1} << j;
        if (loc_.Has(i, j) && (pair & writes_) != 0 && (pair & ~atomic_) != 0 &&
            !same_thread_.Has(i, j) && !hb_.Has(i, j) && !hb_.Has(j, i))
          return true;
      }
    return false;
  }

  const Execution& execution_;
  const Question& question_;
  const int n_ = static_cast<int>(execution_.events.size());
  Events reads_ = 0, writes_ = 0, fences_ = 0, locked_ = 0;
  Events uses_ = 0, use_acquires_ = 0, use_releases_ = 0;
  Events by_readers_ = 0, by_writers_ = 0;
  Events atomic_ = 0, seq_cst_ = 0, acquires_ = 0, releases_ = 0;
  Relation po_{n_}, rf_{n_}, mo_{n_}, fr_{n_}, rmw_{n_}, loc_{n_}, same_thread_{n_}, started_{n_};
  Relation chain_{n_}, hb_{n_};
};

}  // namespace

bool IsThinAir(const Execution& execution) {
  const Question any;
  return Axioms(execution, any).IsThinAir();
}

Verdict Judge(const Execution& execution, const Question& question) {
  return Axioms(execution, question).Judge();
}

}  // namespace heddle::litmus
