// Functions of libc of which nothing else is looked at than the memory of the program's that they
// read and write: dates, sorting, addresses of the network, attributes, sets of signals. operands.h
// has how it is seen.

#define __NO_INLINE__  // or headers define some of these names themselves
#include <arpa/inet.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"
#include "runtime/prim/optimizer.h"
#include "runtime/prim/passing.h"
#include "runtime/prim/real.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

// What the time zone is says the environment, which gmtime and its kin do not look at.
void SeeZone(uintptr_t pc) { SeeRead(&environ, pc); }

size_t BytesOf(const char* string) { return string != nullptr ? Length(string, kEndless) + 1 : 0; }

// A call that writes a date as text, of which the room is known.
template <typename Call>
HEDDLE_PASSING char* WriteDate(char* to, uintptr_t pc, Call call) {
  constexpr size_t kRoom = 26;  // by POSIX
  char* answer = nullptr;
  AnswerBytes(to, kRoom, pc, [&](char* at) HEDDLE_PASSING {
    answer = call(at);
    return BytesOf(answer);
  });
  return answer != nullptr ? to : nullptr;
}

template <typename Call>
HEDDLE_PASSING tm* MakeDate(const time_t* time, tm* date, uintptr_t pc, Call call) {
  time_t kept;
  HoldArguments(date);
  const time_t* const given = ReadOperand(time, kept, pc);
  SeeWrite(date, pc);
  return call(given, date);
}

// A date that is put into the usual range.
template <typename Call>
HEDDLE_PASSING time_t MakeTime(tm* date, uintptr_t pc, Call call) {
  SeeRead(date, pc);
  SeeWrite(date, pc);
  return call(date);
}

}  // namespace

extern "C" {

// ---- dates ----

HEDDLE_EXPORT HEDDLE_PASSING tm* gmtime_r(const time_t* time, tm* date) noexcept {
  return MakeDate(time, date, HEDDLE_ACCESS_CALLER, Real<&gmtime_r>("gmtime_r"));
}
HEDDLE_EXPORT HEDDLE_PASSING tm* localtime_r(const time_t* time, tm* date) noexcept {
  SeeZone(HEDDLE_ACCESS_CALLER);
  return MakeDate(time, date, HEDDLE_ACCESS_CALLER, Real<&localtime_r>("localtime_r"));
}
HEDDLE_EXPORT HEDDLE_PASSING time_t mktime(tm* date) noexcept {
  SeeZone(HEDDLE_ACCESS_CALLER);
  return MakeTime(date, HEDDLE_ACCESS_CALLER, Real<&mktime>("mktime"));
}
HEDDLE_EXPORT HEDDLE_PASSING time_t timelocal(tm* date) noexcept {
  SeeZone(HEDDLE_ACCESS_CALLER);
  return MakeTime(date, HEDDLE_ACCESS_CALLER, Real<&timelocal>("timelocal"));
}
HEDDLE_EXPORT HEDDLE_PASSING time_t timegm(tm* date) noexcept {
  return MakeTime(date, HEDDLE_ACCESS_CALLER, Real<&timegm>("timegm"));
}
HEDDLE_EXPORT HEDDLE_PASSING char* asctime_r(const tm* date, char* text) noexcept {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  tm kept;
  HoldArguments(text);
  date = ReadOperand(date, kept, pc);
  return WriteDate(
      text, pc, [=](char* at) HEDDLE_PASSING { return Real<&asctime_r>("asctime_r")(date, at); });
}
HEDDLE_EXPORT HEDDLE_PASSING char* ctime_r(const time_t* time, char* text) noexcept {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  time_t kept;
  SeeZone(pc);
  HoldArguments(text);
  time = ReadOperand(time, kept, pc);
  return WriteDate(text, pc,
                   [=](char* at) HEDDLE_PASSING { return Real<&ctime_r>("ctime_r")(time, at); });
}
HEDDLE_EXPORT HEDDLE_PASSING size_t strftime(char* to, size_t room, const char* format,
                                             const tm* date) noexcept {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  auto* const real = Real<&strftime>("strftime");
  if (!IsSeen(pc)) return real(to, room, format, date);
  tm kept;
  HoldArguments(to, room, date);
  format = Operand(format, kEndless, pc);
  date = ReadOperand(date, kept, pc);
  size_t length = 0;
  // Nothing is said of what it leaves there if there is too little room.
  AnswerBytes(to, room, pc, [&](char* at) HEDDLE_PASSING {
    length = real(at, room, format, date);
    return length != 0 ? length + 1 : 0;
  });
  return length;
}
// Which of the date's fields it writes is not specified.
HEDDLE_EXPORT HEDDLE_PASSING char* strptime(const char* text, const char* format,
                                            tm* date) noexcept {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  SeeString(text, pc);
  SeeString(format, pc);
  char* const behind = Real<&strptime>("strptime")(text, format, date);
  if (behind != nullptr) SeeWrite(date, pc);
  return behind;
}

// ---- sorting ----

// The elements lie in their order when it returns, wherever they lay before.
HEDDLE_EXPORT HEDDLE_PASSING void qsort(void* array, size_t count, size_t size,
                                        __compar_fn_t compare) {
  if (count > 1) SeeBytesWritten(array, count * size, HEDDLE_ACCESS_CALLER);
  Real<&qsort>("qsort")(array, count, size, compare);
}
HEDDLE_EXPORT HEDDLE_PASSING void qsort_r(void* array, size_t count, size_t size,
                                          __compar_d_fn_t compare, void* argument) {
  if (count > 1) SeeBytesWritten(array, count * size, HEDDLE_ACCESS_CALLER);
  Real<&qsort_r>("qsort_r")(array, count, size, compare, argument);
}

// ---- bytes and strings ----

HEDDLE_EXPORT HEDDLE_PASSING int rand_r(unsigned* seed) noexcept {
  SeeWrite(seed, HEDDLE_ACCESS_CALLER);
  return Real<&rand_r>("rand_r")(seed);
}
HEDDLE_EXPORT HEDDLE_PASSING void swab(const void* from, void* to, ssize_t bytes) noexcept {
  if (bytes > 1) {
    const size_t even = static_cast<size_t>(bytes) & ~size_t{1};
    HoldArguments(to, even);
    SeeBytesRead(from, even, HEDDLE_ACCESS_CALLER);
    SeeBytesWritten(to, even, HEDDLE_ACCESS_CALLER);
  }
  Real<&swab>("swab")(from, to, bytes);
}
HEDDLE_EXPORT HEDDLE_PASSING int strcoll(const char* a, const char* b) noexcept {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  HoldArguments(b);
  a = Operand(a, kEndless, pc);
  SeeString(b, pc);
  return Real<&strcoll>("strcoll")(a, b);
}
HEDDLE_EXPORT HEDDLE_PASSING size_t strxfrm(char* to, const char* from, size_t room) noexcept {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  HoldArguments(to, room);
  from = Operand(from, kEndless, pc);
  size_t length = 0;
  AnswerBytes(to, room, pc, [&](char* at) HEDDLE_PASSING {
    length = Real<&strxfrm>("strxfrm")(at, from, room);
    return length < room ? length + 1 : 0;
  });
  return length;
}
HEDDLE_EXPORT HEDDLE_PASSING int strverscmp(const char* a, const char* b) noexcept {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  HoldArguments(b);
  a = Operand(a, kEndless, pc);
  SeeString(b, pc);
  return Real<&strverscmp>("strverscmp")(a, b);
}
// GNU's form answers a string of its own for every error that it knows.
HEDDLE_EXPORT HEDDLE_PASSING char* strerror_r(int error, char* to, size_t room) noexcept {
  char* const answer = Real<&strerror_r>("strerror_r")(error, to, room);
  if (answer == Unknown(to) && room != 0)
    SeeBytesWritten(to, BytesOf(answer), HEDDLE_ACCESS_CALLER);
  return answer;
}
int __xpg_strerror_r(int error, char* to, size_t room) noexcept;
HEDDLE_EXPORT HEDDLE_PASSING int __xpg_strerror_r(int error, char* to, size_t room) noexcept {
  const int answer = Real<&__xpg_strerror_r>("__xpg_strerror_r")(error, to, room);
  if (room != 0) SeeBytesWritten(to, BytesOf(to), HEDDLE_ACCESS_CALLER);
  return answer;
}
HEDDLE_EXPORT HEDDLE_PASSING size_t mbstowcs(wchar_t* to, const char* from, size_t room) noexcept {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  // How many bytes make `room` characters is not asked: of a longer string the rest is not looked
  // at.
  if (to == nullptr || !IsSeen(pc) || Length(from, kEndless) < room) SeeString(from, pc);
  const size_t count = Real<&mbstowcs>("mbstowcs")(to, from, room);
  if (count != ~size_t{0}) SeeWrite(to, pc, count < room ? count + 1 : room);
  return count;
}
HEDDLE_EXPORT HEDDLE_PASSING size_t wcstombs(char* to, const wchar_t* from, size_t room) noexcept {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  const size_t count = Real<&wcstombs>("wcstombs")(to, from, room);
  if (count == ~size_t{0} || !IsSeen(pc)) return count;
  if (to == nullptr || count < room) SeeRead(from, pc, Length(from, kEndless) + 1);
  SeeWrite(to, pc, count < room ? count + 1 : room);
  return count;
}
HEDDLE_EXPORT HEDDLE_PASSING char* realpath(const char* path, char* answer) noexcept {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  SeeString(path, pc);
  char* const found = Real<&realpath>("realpath")(path, answer);
  if (found != nullptr) SeeBytesWritten(found, BytesOf(found), pc);
  return found;
}

// ---- the network ----

HEDDLE_EXPORT HEDDLE_PASSING const char* inet_ntop(int family, const void* address, char* to,
                                                   socklen_t room) noexcept {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  HoldArguments(to, room);
  SeeBytesRead(address, family == AF_INET ? 4 : family == AF_INET6 ? 16 : 0, pc);
  const char* const answer = Real<&inet_ntop>("inet_ntop")(family, address, to, room);
  if (answer != nullptr) SeeBytesWritten(to, BytesOf(answer), pc);
  return answer;
}
HEDDLE_EXPORT HEDDLE_PASSING int inet_pton(int family, const char* text, void* address) noexcept {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  SeeString(text, pc);
  const int answer = Real<&inet_pton>("inet_pton")(family, text, address);
  if (answer == 1) SeeBytesWritten(address, family == AF_INET ? 4 : 16, pc);
  return answer;
}
HEDDLE_EXPORT HEDDLE_PASSING int inet_aton(const char* text, in_addr* address) noexcept {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  SeeString(text, pc);
  const int answer = Real<&inet_aton>("inet_aton")(text, address);
  if (answer != 0) SeeWrite(address, pc);
  return answer;
}
HEDDLE_EXPORT HEDDLE_PASSING in_addr_t inet_addr(const char* text) noexcept {
  SeeString(text, HEDDLE_ACCESS_CALLER);
  return Real<&inet_addr>("inet_addr")(text);
}
HEDDLE_EXPORT HEDDLE_PASSING int getaddrinfo(const char* node, const char* service,
                                             const addrinfo* wanted, addrinfo** found) {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  SeeString(node, pc);
  SeeString(service, pc);
  SeeRead(wanted, pc);
  const int answer = Real<&getaddrinfo>("getaddrinfo")(node, service, wanted, found);
  if (answer == 0) SeeWrite(found, pc);
  return answer;
}
HEDDLE_EXPORT HEDDLE_PASSING int getnameinfo(const sockaddr* address, socklen_t bytes, char* host,
                                             socklen_t host_room, char* service,
                                             socklen_t service_room, int flags) {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  SeeBytesRead(address, bytes, pc);
  const int answer = Real<&getnameinfo>("getnameinfo")(address, bytes, host, host_room, service,
                                                       service_room, flags);
  if (answer != 0) return answer;
  if (host_room != 0) SeeBytesWritten(host, BytesOf(host), pc);
  if (service_room != 0) SeeBytesWritten(service, BytesOf(service), pc);
  return answer;
}
HEDDLE_EXPORT HEDDLE_PASSING int gethostname(char* to, size_t room) noexcept {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  const int answer = Real<&gethostname>("gethostname")(to, room);
  if (answer == 0) SeeBytesWritten(to, BytesOf(to), pc);
  return answer;
}

}  // extern "C"

// ---- attributes and sets ----

// What these change, and look at, is the object at `object`.
#define HEDDLE_CHANGES(object, name, parameters, arguments)   \
  HEDDLE_EXPORT HEDDLE_PASSING int name parameters noexcept { \
    SeeWrite(object, HEDDLE_ACCESS_CALLER);                   \
    const int answer = Real<&name>(#name) arguments;          \
    return answer;                                            \
  }
#define HEDDLE_ASKS(object, name, parameters, arguments)      \
  HEDDLE_EXPORT HEDDLE_PASSING int name parameters noexcept { \
    SeeRead(object, HEDDLE_ACCESS_CALLER);                    \
    const int answer = Real<&name>(#name) arguments;          \
    return answer;                                            \
  }
// The answer goes to `value`.
#define HEDDLE_TELLS(type, value_type, name)                                              \
  HEDDLE_EXPORT HEDDLE_PASSING int name(const type* object, value_type* value) noexcept { \
    HoldArguments(value);                                                                 \
    SeeRead(object, HEDDLE_ACCESS_CALLER);                                                \
    SeeWrite(value, HEDDLE_ACCESS_CALLER);                                                \
    const int answer = Real<&name>(#name)(object, value);                                 \
    return answer;                                                                        \
  }
#define HEDDLE_SETS(type, value_type, name) \
  HEDDLE_CHANGES(object, name, (type * object, value_type value), (object, value))
#define HEDDLE_ATTRIBUTES(type, prefix)                            \
  HEDDLE_CHANGES(object, prefix##_init, (type * object), (object)) \
  HEDDLE_CHANGES(object, prefix##_destroy, (type * object), (object))

extern "C" {

HEDDLE_ATTRIBUTES(pthread_attr_t, pthread_attr)
HEDDLE_SETS(pthread_attr_t, int, pthread_attr_setdetachstate)
HEDDLE_SETS(pthread_attr_t, size_t, pthread_attr_setstacksize)
HEDDLE_SETS(pthread_attr_t, size_t, pthread_attr_setguardsize)
HEDDLE_CHANGES(object, pthread_attr_setstack, (pthread_attr_t * object, void* stack, size_t bytes),
               (object, stack, bytes))
HEDDLE_TELLS(pthread_attr_t, int, pthread_attr_getdetachstate)
HEDDLE_TELLS(pthread_attr_t, size_t, pthread_attr_getstacksize)
HEDDLE_TELLS(pthread_attr_t, size_t, pthread_attr_getguardsize)
HEDDLE_EXPORT HEDDLE_PASSING int pthread_attr_getstack(const pthread_attr_t* object, void** stack,
                                                       size_t* bytes) noexcept {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  HoldArguments(stack, bytes);
  SeeRead(object, pc);
  SeeWrite(stack, pc);
  SeeWrite(bytes, pc);
  return Real<&pthread_attr_getstack>("pthread_attr_getstack")(object, stack, bytes);
}

HEDDLE_ATTRIBUTES(pthread_mutexattr_t, pthread_mutexattr)
HEDDLE_SETS(pthread_mutexattr_t, int, pthread_mutexattr_settype)
HEDDLE_SETS(pthread_mutexattr_t, int, pthread_mutexattr_setrobust)
HEDDLE_SETS(pthread_mutexattr_t, int, pthread_mutexattr_setpshared)
HEDDLE_SETS(pthread_mutexattr_t, int, pthread_mutexattr_setprotocol)
HEDDLE_TELLS(pthread_mutexattr_t, int, pthread_mutexattr_gettype)
HEDDLE_TELLS(pthread_mutexattr_t, int, pthread_mutexattr_getrobust)
HEDDLE_TELLS(pthread_mutexattr_t, int, pthread_mutexattr_getpshared)
HEDDLE_TELLS(pthread_mutexattr_t, int, pthread_mutexattr_getprotocol)

HEDDLE_ATTRIBUTES(pthread_condattr_t, pthread_condattr)
HEDDLE_SETS(pthread_condattr_t, clockid_t, pthread_condattr_setclock)
HEDDLE_SETS(pthread_condattr_t, int, pthread_condattr_setpshared)
HEDDLE_TELLS(pthread_condattr_t, clockid_t, pthread_condattr_getclock)
HEDDLE_TELLS(pthread_condattr_t, int, pthread_condattr_getpshared)

HEDDLE_ATTRIBUTES(pthread_rwlockattr_t, pthread_rwlockattr)
HEDDLE_SETS(pthread_rwlockattr_t, int, pthread_rwlockattr_setkind_np)
HEDDLE_SETS(pthread_rwlockattr_t, int, pthread_rwlockattr_setpshared)
HEDDLE_TELLS(pthread_rwlockattr_t, int, pthread_rwlockattr_getkind_np)
HEDDLE_TELLS(pthread_rwlockattr_t, int, pthread_rwlockattr_getpshared)

HEDDLE_ATTRIBUTES(pthread_barrierattr_t, pthread_barrierattr)
HEDDLE_SETS(pthread_barrierattr_t, int, pthread_barrierattr_setpshared)
HEDDLE_TELLS(pthread_barrierattr_t, int, pthread_barrierattr_getpshared)

HEDDLE_CHANGES(set, sigemptyset, (sigset_t * set), (set))
HEDDLE_CHANGES(set, sigfillset, (sigset_t * set), (set))
HEDDLE_CHANGES(set, sigaddset, (sigset_t * set, int number), (set, number))
HEDDLE_CHANGES(set, sigdelset, (sigset_t * set, int number), (set, number))
HEDDLE_ASKS(set, sigismember, (const sigset_t* set, int number), (set, number))

}  // extern "C"
