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
#include "runtime/roots.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

struct Place {
  char module[64];
  uint64_t offset;
  uintptr_t pc;  // in this process; 0: its module is not loaded
  bool awaits;   // loops wait there; else it races
};

// What an await's name begins with, in records and schedule files.
constexpr char kAwaitMark = '@';

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
  // Await places that have no name yet.
  uintptr_t wished[kMostWishes];
  uint32_t wished_count = 0;
};
Places* places;

// Private: addresses of this process. Open addressing; 0 is free.
class Slots {
 public:
  void Build(const Places& places, bool awaits) {
    uint64_t wanted = 64;
    while (wanted < 4 * uint64_t{places.in_force}) wanted *= 2;
    if (slots_ != nullptr) ReleaseMemory(slots_, count_ * sizeof(uintptr_t));
    count_ = wanted;
    empty_ = true;
    slots_ = static_cast<uintptr_t*>(ReserveMemory(count_ * sizeof(uintptr_t)));
    for (uint32_t i = 0; i < places.in_force; ++i) {
      const uintptr_t pc = places.all[i].pc;
      if (pc == 0 || places.all[i].awaits != awaits) continue;
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
Slots visible_slots;
Slots await_slots;

// Not while a schedule is replayed or explained: it was found with what is in force.
bool Searches() {
  const channel::Header& header = ChannelHeader();
  return header.settings.mode != channel::Mode::kReplay &&
         static_cast<channel::Phase>(header.phase.load()) == channel::Phase::kSearching;
}

void BuildSlots() {
  visible_slots.Build(*places, false);
  await_slots.Build(*places, true);
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
  Place place = {{}, pc, pc, false};  // code that belongs to no file: an address
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
  place.pc = strcmp(place.module, "?") == 0 ? place.offset : 0;
  ForModules([&](const dl_phdr_info& info) {
    const std::string_view name = ModuleName(info.dlpi_name).substr(0, sizeof place.module - 1);
    if (name == place.module) place.pc = info.dlpi_addr + place.offset;
  });
}

// "libfoo.so+0x55", "+0x1139" for the program's own.
void Parse(const char* text) {
  const char* plus = strrchr(text, '+');
  if (plus == nullptr) return;
  Place place = {};
  if (*text == kAwaitMark) {
    place.awaits = true;
    ++text;
  }
  std::string_view(text, static_cast<size_t>(plus - text))
      .copy(place.module, sizeof place.module - 1);
  place.offset = strtoull(plus + 1, nullptr, 16);
  places->all.push_back(place);
}

// False: it was wished for before.
bool Wish(uintptr_t pc, bool awaits) {
  Place place = PlaceOf(pc);
  place.awaits = awaits;
  for (const Place& known : places->all)
    if (known.offset == place.offset && known.awaits == awaits &&
        strcmp(known.module, place.module) == 0)
      return false;
  char name[sizeof place.module + 1];
  name[0] = kAwaitMark;
  strcpy(name + (awaits ? 1 : 0), place.module);
  channel::PlaceRecord record = {};
  record.head.kind = channel::RecordKind::kPlace;
  record.offset = place.offset;
  AppendRecord(&record.head, sizeof record, name, static_cast<unsigned>(strlen(name) + 1));
  places->all.push_back(place);
  return true;
}

}  // namespace

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

bool AnyPlaceIsVisible() { return !visible_slots.Empty(); }
bool AnyPlaceAwaits() { return !await_slots.Empty(); }
bool IsVisiblePlace(uintptr_t pc) { return visible_slots.Has(pc); }
bool IsAwaitPlace(uintptr_t pc) { return await_slots.Has(pc); }

bool WishPlace(uintptr_t pc) { return Wish(pc, false); }

void WishAwaits(std::span<const uintptr_t> pcs) {
  if (!Searches() || places->beginnings == kMostBeginnings) return;
  for (uintptr_t pc : pcs) {
    bool known = await_slots.Has(pc) || places->wished_count == kMostWishes;
    for (uint32_t i = 0; i < places->wished_count; ++i) known |= places->wished[i] == pc;
    if (known) continue;
    places->wished[places->wished_count++] = pc;
    places->awaits_grew = true;
  }
}

bool AwaitsGrew() { return places->awaits_grew; }

bool PlacesGrew() { return places->awaits_grew || places->in_force != places->all.size(); }

void GrowPlaces() {
  for (uint32_t i = 0; i < places->wished_count; ++i) Wish(places->wished[i], true);
  places->wished_count = 0;
  if (places->awaits_grew) {
    places->awaits_grew = false;
    ++places->beginnings;
  }
  places->in_force = static_cast<uint32_t>(places->all.size());
  BuildSlots();
}

}  // namespace heddle::runtime
