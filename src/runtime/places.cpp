#include "runtime/places.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

#include <string_view>
#include <vector>

#include "base/hash.h"
#include "runtime/control.h"
#include "runtime/memory/own_heap.h"
#include "runtime/memory/pages.h"
#include "runtime/prim/lifetime.h"
#include "runtime/roots.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

// What a place is for.
enum class Use : uint8_t { kRaces, kAwaits, kBeginsWait, kCount };

// What its name begins with, in records and schedule files.
constexpr std::string_view kMarks[] = {"", "@", "!"};

struct Place {
  char module[64];
  uint64_t offset;
  uintptr_t pc;  // in this process; 0: its module is not loaded
  Use use;
};

// Within a search the places stay the same, so that what is vain in one execution is so in all. A
// search that has begun again so often makes do with those that it knows.
constexpr uint32_t kMostBeginnings = 50;
constexpr uint32_t kMostWishes = 64;  // at a time

// In heddle's heap: outlives the process.
struct Places {
  std::vector<Place> all;
  uint32_t in_force = 0;
  uint32_t beginnings = 0;  // because of awaits
  bool awaits_grew = false;
  // Those wished for on the way of events, which have no name yet.
  struct {
    uintptr_t pc;
    Use use;
  } wished[kMostWishes];
  uint32_t wished_count = 0;
  bool stuck = false;  // the last wishes were granted before, and yet are not in force
};
[[HEDDLE_LASTS("of the search")]] Places* places;

// Private: addresses of this process. Open addressing; 0 is free.
class Slots {
 public:
  void Build(const Places& places, Use use) {
    uint64_t wanted = 64;
    while (wanted < 4 * uint64_t{places.in_force}) wanted *= 2;
    if (slots_ != nullptr) UnmapMemory(slots_, count_ * sizeof(uintptr_t));
    count_ = wanted;
    empty_ = true;
    slots_ = static_cast<uintptr_t*>(ReserveMemory(count_ * sizeof(uintptr_t)));
    for (uint32_t i = 0; i < places.in_force; ++i) {
      const uintptr_t pc = places.all[i].pc;
      if (pc == 0 || places.all[i].use != use) continue;
      uint64_t at = SlotOf(pc);
      while (slots_[at] != 0 && slots_[at] != pc) at = (at + 1) & (count_ - 1);
      slots_[at] = pc;
      empty_ = false;
    }
  }
  bool Has(uintptr_t pc) const {
    for (uint64_t at = SlotOf(pc); slots_[at] != 0; at = (at + 1) & (count_ - 1))
      if (slots_[at] == pc) return true;
    return false;
  }
  bool Empty() const { return empty_; }

 private:
  uint64_t SlotOf(uintptr_t pc) const { return (base::Spread(pc) >> 32) & (count_ - 1); }

  uintptr_t* slots_ = nullptr;
  uint64_t count_ = 0;
  bool empty_ = true;
};
[[HEDDLE_LASTS("of the search")]] Slots slots_of[static_cast<size_t>(Use::kCount)];

Slots& SlotsOf(Use use) { return slots_of[static_cast<size_t>(use)]; }
std::string_view MarkOf(Use use) { return kMarks[static_cast<size_t>(use)]; }

// Not while a schedule is replayed or explained: it was found with what is in force.
bool Searches() {
  const channel::Header& header = ChannelHeader();
  return header.settings.mode != channel::Mode::kReplay &&
         static_cast<channel::Phase>(header.phase.load()) == channel::Phase::kSearching;
}

void BuildSlots() {
  for (const Use use : {Use::kRaces, Use::kAwaits, Use::kBeginsWait})
    SlotsOf(use).Build(*places, use);
}

// The part of a module's path that names it: nothing for the program itself.
std::string_view ModuleName(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

template <typename F>
void ForModules(F f) {
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* argument) {
        (*static_cast<F*>(argument))(*info);
        return 0;
      },
      &f);
}

Place PlaceOf(uintptr_t pc) {
  Place place = {{}, pc, pc, Use::kRaces};  // code that belongs to no file: an address
  strcpy(place.module, "?");
  ForModules([&](const dl_phdr_info& info) {
    for (int i = 0; i < info.dlpi_phnum; ++i) {
      const ElfW(Phdr)& segment = info.dlpi_phdr[i];
      const uintptr_t begin = info.dlpi_addr + segment.p_vaddr;
      if (segment.p_type != PT_LOAD || pc < begin || pc >= begin + segment.p_memsz) continue;
      const std::string_view name = ModuleName(info.dlpi_name);
      memset(place.module, 0, sizeof place.module);
      name.copy(place.module, sizeof place.module - 1);
      place.offset = pc - info.dlpi_addr;
    }
  });
  return place;
}

void Find(Place& place) {
  const bool in_no_file = strcmp(place.module, "?") == 0;
  place.pc = in_no_file ? place.offset : AddressOf(place.module, place.offset);
}

// "libfoo.so+0x55", "+0x1139" for the program's own.
void Parse(const char* text) {
  const char* plus = strrchr(text, '+');
  if (plus == nullptr) return;
  Place place = {};
  for (const Use use : {Use::kAwaits, Use::kBeginsWait}) {
    if (*text != MarkOf(use)[0]) continue;
    place.use = use;
    ++text;
    break;
  }
  std::string_view(text, static_cast<size_t>(plus - text))
      .copy(place.module, sizeof place.module - 1);
  place.offset = strtoull(plus + 1, nullptr, 16);
  places->all.push_back(place);
}

// False: it was wished for before.
bool Wish(uintptr_t pc, Use use) {
  Place place = PlaceOf(pc);
  place.use = use;
  for (const Place& known : places->all)
    if (known.offset == place.offset && known.use == use && strcmp(known.module, place.module) == 0)
      return false;
  char name[sizeof place.module + 1];
  const std::string_view mark = MarkOf(use);
  mark.copy(name, mark.size());
  strcpy(name + mark.size(), place.module);
  channel::PlaceRecord record = {};
  record.head.kind = channel::RecordKind::kPlace;
  record.offset = place.offset;
  AppendRecord(&record.head, sizeof record, name, static_cast<unsigned>(strlen(name) + 1));
  places->all.push_back(place);
  return true;
}

}  // namespace

uintptr_t AddressOf(std::string_view module, uint64_t offset) {
  uintptr_t address = 0;
  ForModules([&](const dl_phdr_info& info) {
    const std::string_view name = ModuleName(info.dlpi_name).substr(0, sizeof(Place::module) - 1);
    if (name == module) address = info.dlpi_addr + offset;
  });
  return address;
}

void InitPlaces() {
  void*& root = g_own_heap.Root(kPlacesRoot);
  if (root == nullptr) {
    root = places = new Places;
    const char* const end = ReplayPlaces() + ChannelHeader().settings.places_bytes;
    for (const char* at = ReplayPlaces(); at < end; at += strlen(at) + 1) Parse(at);
    places->in_force = static_cast<uint32_t>(places->all.size());
  }
  places = static_cast<Places*>(root);
  for (Place& place : places->all) Find(place);
  BuildSlots();
}

uint32_t PlacesInForce() { return places->in_force; }

bool AnyPlaceIsVisible() { return !SlotsOf(Use::kRaces).Empty(); }
bool AnyPlaceAwaits() { return !SlotsOf(Use::kAwaits).Empty(); }
bool AnyPlaceBeginsWait() { return !SlotsOf(Use::kBeginsWait).Empty(); }
bool IsVisiblePlace(uintptr_t pc) { return SlotsOf(Use::kRaces).Has(pc); }
bool IsAwaitPlace(uintptr_t pc) { return SlotsOf(Use::kAwaits).Has(pc); }
bool IsWaitPlace(uintptr_t pc) { return SlotsOf(Use::kBeginsWait).Has(pc); }

bool WishPlace(uintptr_t pc) { return Wish(pc, Use::kRaces); }

namespace {

// What does not fit is wished for again by the next search.
bool WishInside(uintptr_t pc, Use use) {
  if (SlotsOf(use).Has(pc) || places->wished_count == kMostWishes) return false;
  for (uint32_t i = 0; i < places->wished_count; ++i)
    if (places->wished[i].pc == pc && places->wished[i].use == use) return false;
  places->wished[places->wished_count++] = {pc, use};
  return true;
}

void WishOrNote(uintptr_t pc, Use use) {
  if (!Searches()) return;
  if (!places->stuck) {
    WishInside(pc, use);
  } else if (!SlotsOf(use).Has(pc)) {
    NoteIncomplete(Incomplete::kNamelessModule);
  }
}

}  // namespace

void WishAwaits(std::span<const uintptr_t> pcs) {
  if (!Searches() || places->beginnings == kMostBeginnings) return;
  for (uintptr_t pc : pcs) places->awaits_grew |= WishInside(pc, Use::kAwaits);
}

void WishWaitPlace(uintptr_t pc) { WishOrNote(pc, Use::kBeginsWait); }

void WishLifePlace(uintptr_t pc) { WishOrNote(pc, Use::kRaces); }

bool WishSpinPlace(uintptr_t pc) {
  return Searches() && !places->stuck && WishInside(pc, Use::kRaces);
}

bool PlacesGrewInside() { return places->wished_count != 0; }

bool PlacesGrew() { return PlacesGrewInside() || places->in_force != places->all.size(); }

void GrowPlaces() {
  bool any = places->wished_count == 0;
  for (uint32_t i = 0; i < places->wished_count; ++i)
    any |= Wish(places->wished[i].pc, places->wished[i].use);
  places->stuck |= !any;
  places->wished_count = 0;
  if (places->awaits_grew) {
    places->awaits_grew = false;
    ++places->beginnings;
  }
  places->in_force = static_cast<uint32_t>(places->all.size());
  BuildSlots();
}

bool IsStepAt(uintptr_t pc) {
  return g_state.all_points || (FreesAreSteps() && IsVisiblePlace(pc));
}

}  // namespace heddle::runtime
