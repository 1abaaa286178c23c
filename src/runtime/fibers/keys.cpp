#include "runtime/fibers/keys.h"

#include <limits.h>

#include "base/hash.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/tables.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

// Of keys made before main, which live in every execution.
void (*early_destructors[PTHREAD_KEYS_MAX])(void*);
[[HEDDLE_LASTS("as above")]] uint32_t early_key_count;

// A table: the keys that the execution makes.
struct Key {
  bool made;
  void (*destructor)(void*);
};
Key* const keys = reinterpret_cast<Key*>(TableAddress(kKeysTable));
[[HEDDLE_OF_EXECUTION]] uint32_t key_count;

using KeyDestructor = void (*)(void*);

KeyDestructor DestructorOf(uint32_t key) {
  if (key < key_count && keys[key].made) return keys[key].destructor;
  return early_destructors[key];
}

}  // namespace

void InitKeys() {
  MapTable(kKeysTable, sizeof(Key) * PTHREAD_KEYS_MAX);
  AddExecutionTable(kArrayTable<keys, key_count>);
}

void RunKeyDestructors() {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool again = false;
    for (uint32_t key = 0; key < key_count || key < early_key_count; ++key) {
      const KeyDestructor destructor = DestructorOf(key);
      if (destructor == nullptr) continue;
      void* value = pthread_getspecific(key);
      if (value == nullptr) continue;
      pthread_setspecific(key, nullptr);
      destructor(value);
      again = true;
    }
    if (!again) return;
  }
}

bool MayHaveKeyBlocks() {
  constexpr uint32_t kFirstKeys = 32;
  return key_count > kFirstKeys || early_key_count > kFirstKeys;
}

void RememberKey(pthread_key_t key, void (*destructor)(void*)) {
  if (key >= PTHREAD_KEYS_MAX) return;
  if (!InExecution()) {
    early_destructors[key] = destructor;
    if (key >= early_key_count) early_key_count = key + 1;
    return;
  }
  for (; key_count <= key; ++key_count) keys[key_count] = {};
  keys[key] = {true, destructor};
}

uint64_t HashOfKeys() {
  uint64_t hash = 0;
  for (uint32_t key = 0; key < key_count; ++key)
    if (keys[key].made)
      hash += base::MixTwo(key + 1, reinterpret_cast<uintptr_t>(keys[key].destructor));
  return hash;
}

void ForgetKey(pthread_key_t key) {
  // A key from before the snapshot lives again after the rewind; its destructor stays known.
  if (key < key_count && keys[key].made) keys[key].destructor = nullptr;
}

}  // namespace heddle::runtime
