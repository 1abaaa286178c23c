// Functions that are not for several threads at once, since they keep something in static memory of
// the C library's: the environment, the buffer in which gmtime answers, the numbers of drand48.
// Each is a plain access to that memory, so two that nothing orders are a data race. Where libc
// tells nobody the address, a variable of ours stands for it, named as a report may have it.

#define __NO_INLINE__  // or headers define some of these names themselves
#include <dirent.h>
#include <getopt.h>
#include <grp.h>
#include <netdb.h>
#include <pwd.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/passing.h"
#include "runtime/prim/real.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

[[HEDDLE_OF_EXECUTION]] static char numbers_of_drand48;
[[HEDDLE_OF_EXECUTION]] static char table_of_hsearch;
[[HEDDLE_OF_EXECUTION]] static char users_of_getpwent;
[[HEDDLE_OF_EXECUTION]] static char groups_of_getgrent;
[[HEDDLE_OF_EXECUTION]] static char hosts_of_gethostent;
[[HEDDLE_OF_EXECUTION]] static char name_of_tmpnam;

namespace {

void See(const void* memory, size_t bytes, bool write, uintptr_t pc) {
  if (IsSeen(pc)) PlainRange(memory, bytes, write, pc);
}

// The strings of the environment, and how many there are, stand behind this variable.
void SeeEnvironment(bool write, uintptr_t pc) { See(&environ, sizeof environ, write, pc); }

// What a look-up of `name`, up to its end or a '=', reads of the strings that lie on the heap,
// where only putenv leaves what the program may free. Others may change them at each access.
void LookUp(const char* name, uintptr_t pc) {
  if (name == nullptr || !IsSeen(pc)) return;
  const size_t length = strcspn(name, "=");
  for (size_t i = 0; environ != nullptr && environ[i] != nullptr; ++i) {
    const char* const string = environ[i];
    if (IsOnHeap(reinterpret_cast<uintptr_t>(string))) SeeRead(string, pc);
    if (strncmp(string, name, length) == 0 && string[length] == '=') return;
  }
}

// The call writes `bytes` of memory of libc's, the same each time, and answers its address, which
// is `known` once it was made. Others may read what was there before up to the access.
template <typename T, typename Call>
HEDDLE_PASSING T* AnswerThere(T*& known, size_t bytes, uintptr_t pc, Call call) {
  if (known == nullptr && IsSeen(pc) && IsPlainPoint(pc)) known = call();
  const bool was_known = known != nullptr;
  if (was_known) See(known, bytes, true, pc);
  T* const answer = call();
  if (answer != nullptr && !was_known) See(known = answer, bytes, true, pc);
  return answer;
}

}  // namespace

// `seen`: the accesses, of a call at HEDDLE_ACCESS_CALLER.
#define HEDDLE_SEES(result, name, parameters, arguments, seen) \
  HEDDLE_EXPORT HEDDLE_PASSING result name parameters {        \
    seen;                                                      \
    result answer = Real<&name>(#name) arguments;              \
    return answer;                                             \
  }
#define HEDDLE_SEES_VOID(name, parameters, arguments, seen) \
  HEDDLE_EXPORT HEDDLE_PASSING void name parameters {       \
    seen;                                                   \
    Real<&name>(#name) arguments;                           \
  }
#define HEDDLE_READS(memory) See(&(memory), sizeof(memory), false, HEDDLE_ACCESS_CALLER)
#define HEDDLE_WRITES(memory) See(&(memory), sizeof(memory), true, HEDDLE_ACCESS_CALLER)
#define HEDDLE_READS_STRING(string) SeeString(string, HEDDLE_ACCESS_CALLER)
#define HEDDLE_READS_VALUE(pointer) SeeRead(pointer, HEDDLE_ACCESS_CALLER)
#define HEDDLE_READS_ENVIRONMENT SeeEnvironment(false, HEDDLE_ACCESS_CALLER)
#define HEDDLE_WRITES_ENVIRONMENT SeeEnvironment(true, HEDDLE_ACCESS_CALLER)
#define HEDDLE_LOOKS_UP(name) LookUp(name, HEDDLE_ACCESS_CALLER)
// Answers in static memory: `type` is what the answer points to, `bytes` of it.
#define HEDDLE_ANSWERS(type, bytes, name, parameters, arguments, seen)   \
  HEDDLE_EXPORT HEDDLE_PASSING type* name parameters {                   \
    [[HEDDLE_LASTS("where libc has it")]] static type* known;            \
    const uintptr_t pc = HEDDLE_ACCESS_CALLER;                           \
    seen;                                                                \
    return AnswerThere(known, bytes, pc, [&]() HEDDLE_PASSING -> type* { \
      type* const answer = Real<&name>(#name) arguments;                 \
      return answer;                                                     \
    });                                                                  \
  }

extern "C" {

// ---- the environment ----

HEDDLE_SEES(char*, getenv, (const char* name) noexcept, (name),
            (HEDDLE_READS_STRING(name), HEDDLE_READS_ENVIRONMENT, HEDDLE_LOOKS_UP(name)))
HEDDLE_SEES(char*, secure_getenv, (const char* name) noexcept, (name),
            (HEDDLE_READS_STRING(name), HEDDLE_READS_ENVIRONMENT, HEDDLE_LOOKS_UP(name)))
HEDDLE_SEES(int, setenv, (const char* name, const char* value, int replace) noexcept,
            (name, value, replace),
            (HEDDLE_READS_STRING(name), HEDDLE_READS_STRING(value), HEDDLE_WRITES_ENVIRONMENT,
             HEDDLE_LOOKS_UP(name)))
HEDDLE_SEES(int, unsetenv, (const char* name) noexcept, (name),
            (HEDDLE_READS_STRING(name), HEDDLE_WRITES_ENVIRONMENT, HEDDLE_LOOKS_UP(name)))
HEDDLE_SEES(int, putenv, (char* string) noexcept, (string),
            (HEDDLE_READS_STRING(string), HEDDLE_WRITES_ENVIRONMENT, HEDDLE_LOOKS_UP(string)))
HEDDLE_SEES(int, clearenv, () noexcept, (), HEDDLE_WRITES_ENVIRONMENT)

// ---- dates: which time zone it is says the environment ----

HEDDLE_ANSWERS(tm, sizeof(tm), gmtime, (const time_t* time) noexcept, (time),
               HEDDLE_READS_VALUE(time))
HEDDLE_ANSWERS(tm, sizeof(tm), localtime, (const time_t* time) noexcept, (time),
               (HEDDLE_READS_VALUE(time), HEDDLE_READS_ENVIRONMENT))
constexpr size_t kDateBytes = 26;
HEDDLE_ANSWERS(char, kDateBytes, asctime, (const tm* date) noexcept, (date),
               HEDDLE_READS_VALUE(date))
HEDDLE_ANSWERS(char, kDateBytes, ctime, (const time_t* time) noexcept, (time),
               (HEDDLE_READS_VALUE(time), HEDDLE_READS_ENVIRONMENT))
HEDDLE_SEES_VOID(tzset, () noexcept, (), HEDDLE_READS_ENVIRONMENT)

// ---- numbers ----

HEDDLE_SEES(double, drand48, () noexcept, (), HEDDLE_WRITES(numbers_of_drand48))
HEDDLE_SEES(long, lrand48, () noexcept, (), HEDDLE_WRITES(numbers_of_drand48))
HEDDLE_SEES(long, mrand48, () noexcept, (), HEDDLE_WRITES(numbers_of_drand48))
HEDDLE_SEES_VOID(srand48, (long seed) noexcept, (seed), HEDDLE_WRITES(numbers_of_drand48))
HEDDLE_SEES(unsigned short*, seed48, (unsigned short seed[3]) noexcept, (seed),
            HEDDLE_WRITES(numbers_of_drand48))
HEDDLE_SEES_VOID(lcong48, (unsigned short parameters[7]) noexcept, (parameters),
                 HEDDLE_WRITES(numbers_of_drand48))
// These have numbers of the caller's, and go on from them by the parameters of lcong48.
HEDDLE_SEES(double, erand48, (unsigned short state[3]) noexcept, (state),
            (HEDDLE_READS(numbers_of_drand48), SeeWrite(state, HEDDLE_ACCESS_CALLER, 3)))
HEDDLE_SEES(long, nrand48, (unsigned short state[3]) noexcept, (state),
            (HEDDLE_READS(numbers_of_drand48), SeeWrite(state, HEDDLE_ACCESS_CALLER, 3)))
HEDDLE_SEES(long, jrand48, (unsigned short state[3]) noexcept, (state),
            (HEDDLE_READS(numbers_of_drand48), SeeWrite(state, HEDDLE_ACCESS_CALLER, 3)))

HEDDLE_ANSWERS(char, 1, ecvt, (double value, int digits, int* point, int* sign) noexcept,
               (value, digits, point, sign), )
HEDDLE_ANSWERS(char, 1, fcvt, (double value, int digits, int* point, int* sign) noexcept,
               (value, digits, point, sign), )
HEDDLE_ANSWERS(char, 1, l64a, (long value) noexcept, (value), )

// ---- tables ----

HEDDLE_SEES(int, hcreate, (size_t most) noexcept, (most), HEDDLE_WRITES(table_of_hsearch))
HEDDLE_SEES_VOID(hdestroy, () noexcept, (), HEDDLE_WRITES(table_of_hsearch))
HEDDLE_SEES(ENTRY*, hsearch, (ENTRY entry, ACTION action) noexcept, (entry, action),
            See(&table_of_hsearch, 1, action == ENTER, HEDDLE_ACCESS_CALLER))

HEDDLE_ANSWERS(passwd, sizeof(passwd), getpwnam, (const char* name), (name),
               HEDDLE_READS_STRING(name))
HEDDLE_ANSWERS(passwd, sizeof(passwd), getpwuid, (uid_t id), (id), )
HEDDLE_SEES(passwd*, getpwent, (), (), HEDDLE_WRITES(users_of_getpwent))
HEDDLE_SEES_VOID(setpwent, (), (), HEDDLE_WRITES(users_of_getpwent))
HEDDLE_SEES_VOID(endpwent, (), (), HEDDLE_WRITES(users_of_getpwent))
HEDDLE_ANSWERS(group, sizeof(group), getgrnam, (const char* name), (name),
               HEDDLE_READS_STRING(name))
HEDDLE_ANSWERS(group, sizeof(group), getgrgid, (gid_t id), (id), )
HEDDLE_SEES(group*, getgrent, (), (), HEDDLE_WRITES(groups_of_getgrent))
HEDDLE_SEES_VOID(setgrent, (), (), HEDDLE_WRITES(groups_of_getgrent))
HEDDLE_SEES_VOID(endgrent, (), (), HEDDLE_WRITES(groups_of_getgrent))
HEDDLE_ANSWERS(hostent, sizeof(hostent), gethostbyname, (const char* name), (name),
               HEDDLE_READS_STRING(name))
HEDDLE_ANSWERS(hostent, sizeof(hostent), gethostbyname2, (const char* name, int family),
               (name, family), HEDDLE_READS_STRING(name))
HEDDLE_ANSWERS(hostent, sizeof(hostent), gethostbyaddr,
               (const void* address, socklen_t bytes, int family), (address, bytes, family),
               SeeBytesRead(address, bytes, HEDDLE_ACCESS_CALLER))
HEDDLE_SEES(hostent*, gethostent, (), (), HEDDLE_WRITES(hosts_of_gethostent))
HEDDLE_ANSWERS(servent, sizeof(servent), getservbyname, (const char* name, const char* protocol),
               (name, protocol), (HEDDLE_READS_STRING(name), HEDDLE_READS_STRING(protocol)))
HEDDLE_ANSWERS(servent, sizeof(servent), getservbyport, (int port, const char* protocol),
               (port, protocol), HEDDLE_READS_STRING(protocol))
HEDDLE_ANSWERS(protoent, sizeof(protoent), getprotobyname, (const char* name), (name),
               HEDDLE_READS_STRING(name))
HEDDLE_ANSWERS(protoent, sizeof(protoent), getprotobynumber, (int number), (number), )

// ---- names ----

HEDDLE_ANSWERS(char, 1, ttyname, (int descriptor) noexcept, (descriptor), )
HEDDLE_ANSWERS(char, 1, ptsname, (int descriptor) noexcept, (descriptor), )
HEDDLE_ANSWERS(char, 1, getlogin, (), (), )
HEDDLE_SEES(char*, tmpnam, (char* name) noexcept, (name),
            if (name == nullptr) HEDDLE_WRITES(name_of_tmpnam))

// ---- the arguments ----

HEDDLE_SEES(int, getopt, (int argc, char* const* argv, const char* options) noexcept,
            (argc, argv, options), (HEDDLE_WRITES(optind), HEDDLE_WRITES(optarg)))
HEDDLE_SEES(int, getopt_long,
            (int argc, char* const* argv, const char* options, const option* longer,
             int* index) noexcept,
            (argc, argv, options, longer, index), (HEDDLE_WRITES(optind), HEDDLE_WRITES(optarg)))

// ---- directories: each stream is for one thread at a time ----

#define HEDDLE_WRITES_DIRECTORY See(directory, 1, true, HEDDLE_ACCESS_CALLER)
HEDDLE_SEES(dirent*, readdir, (DIR * directory), (directory), HEDDLE_WRITES_DIRECTORY)
HEDDLE_SEES(dirent64*, readdir64, (DIR * directory), (directory), HEDDLE_WRITES_DIRECTORY)
HEDDLE_SEES_VOID(rewinddir, (DIR * directory) noexcept, (directory), HEDDLE_WRITES_DIRECTORY)
HEDDLE_SEES_VOID(seekdir, (DIR * directory, long place) noexcept, (directory, place),
                 HEDDLE_WRITES_DIRECTORY)
HEDDLE_SEES(long, telldir, (DIR * directory) noexcept, (directory),
            See(directory, 1, false, HEDDLE_ACCESS_CALLER))

}  // extern "C"
