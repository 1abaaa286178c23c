// The functions behind the names we interpose: libc's own, found once by dlsym(RTLD_NEXT).
#pragma once

namespace heddle::runtime {

// Address of the next definition of `name` after ours (default version, or `version` when given);
// null if there is none.
void* FindReal(const char* name, const char* version = nullptr);

// Real<&pthread_mutex_lock>("pthread_mutex_lock")(m): looks the name up at the first call.
template <auto* kFunction>
inline auto* Real(const char* name, const char* version = nullptr) {
  static decltype(kFunction) real = nullptr;  // same value whoever writes it
  if (real == nullptr) real = reinterpret_cast<decltype(kFunction)>(FindReal(name, version));
  return real;
}

}  // namespace heddle::runtime
