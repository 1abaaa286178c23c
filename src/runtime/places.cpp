#include "runtime/places.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

#include <string_view>
#include <vector>

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
};

// In heddle's heap: outlives the process.
struct Places {
  std::vector<Place> all;
  uint32_t in_force = 0;
};
Places* places;

// Private: addresses of this process. Open addressing; 0 is free.
uintptr_t* slots;
uint64_t slot_count;

uint64_t SlotOf(uintptr_t pc) { return (pc * 0x9e3779b97f4a7c15ull >> 32) & (slot_count - 1); }

void BuildSlots() {
  uint64_t wanted = 64;
  while (wanted < 4 * uint64_t{places->in_force}) wanted *= 2;
  if (slots != nullptr) ReleaseMemory(slots, slot_count * sizeof(uintptr_t));
  slot_count = wanted;
  slots = static_cast<uintptr_t*>(ReserveMemory(slot_count * sizeof(uintptr_t)));
  for (uint32_t i = 0; i < places->in_force; ++i) {
    const uintptr_t pc = places->all[i].pc;
    if (pc == 0) continue;
    uint64_t at = SlotOf(pc);
    while (slots[at] != 0 && slots[at] != pc) at = (at + 1) & (slot_count - 1);
    slots[at] = pc;
  }
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
  Place place = {{}, pc, pc};  // code that belongs to no file: an address
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
  std::string_view(text, static_cast<size_t>(plus - text))
      .copy(place.module, sizeof place.module - 1);
  place.offset = strtoull(plus + 1, nullptr, 16);
  places->all.push_back(place);
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

bool IsVisiblePlace(uintptr_t pc) {
  for (uint64_t at = SlotOf(pc); slots[at] != 0; at = (at + 1) & (slot_count - 1))
    if (slots[at] == pc) return true;
  return false;
}

bool WishPlace(uintptr_t pc) {
  const Place place = PlaceOf(pc);
  for (const Place& known : places->all)
    if (known.offset == place.offset && strcmp(known.module, place.module) == 0) return false;
  channel::PlaceRecord record = {};
  record.head.kind = channel::RecordKind::kPlace;
  record.offset = place.offset;
  AppendRecord(&record.head, sizeof record, place.module,
               static_cast<unsigned>(strlen(place.module) + 1));
  places->all.push_back(place);
  return true;
}

bool PlacesGrew() { return places->in_force != places->all.size(); }

void GrowPlaces() {
  places->in_force = static_cast<uint32_t>(places->all.size());
  BuildSlots();
}

}  // namespace heddle::runtime
