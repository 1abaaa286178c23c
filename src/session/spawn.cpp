#include "session/spawn.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "channel/layout.h"
#include "runtime/prim/target_machine.h"

namespace heddle::session {
namespace {

// `library` before what is preloaded `already`.
std::string PreloadBefore(const std::string& library, std::string_view already) {
  // The loader splits LD_PRELOAD at spaces and colons and expands '$', with no way to quote them. A
  // path that has one of these is given as a descriptor instead, which the program inherits.
  std::string value = library;
  if (library.find_first_of(" :$") != std::string::npos) {
    static int descriptor = open(library.c_str(), O_RDONLY);
    if (descriptor >= 0) value = "/proc/self/fd/" + std::to_string(descriptor);
  }
  if (!already.empty()) value.append(" ").append(already);
  return value;
}

// The environment of the program: the caller's, or the one asked for, with our variables set.
std::vector<std::string> Environment(const Launch& launch, int channel) {
  std::string channel_variable = std::string(channel::kChannelVariable) + "=";
  constexpr std::string_view kPreload = "LD_PRELOAD=";
  std::string_view preloaded;
  std::vector<std::string> result;
  const std::vector<std::string> given =
      launch.environment ? *launch.environment : OwnEnvironment();
  for (const std::string_view text : given) {
    if (text.starts_with(channel_variable)) continue;
    if (text.starts_with(kPreload) && !launch.library.empty()) {
      preloaded = text.substr(kPreload.size());
      continue;
    }
    if (text.starts_with("LD_BIND_NOW=")) continue;
    result.emplace_back(text);
  }
  result.push_back(channel_variable + std::to_string(channel));
  if (!launch.library.empty())
    result.push_back(std::string(kPreload) + PreloadBefore(launch.library, preloaded));
  // Every function is bound before main: a lazy binding would be undone by each rewind, and done
  // again.
  result.push_back("LD_BIND_NOW=1");
  return result;
}

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Everything between fork and exec: only system calls, the strings are made already. Comes back
// only when the program could not be started; errno says why.
void BecomeProgram(const Launch& launch, int channel, const sigset_t& mask, pid_t parent,
                   char* const* arguments, char* const* environment) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // the parent died before the line above took effect
  if (!launch.foreground) {
    setpgid(0, 0);
    int null = open("/dev/null", O_RDWR);
    if (null < 0) return;
    dup2(null, 0);
    if (!launch.show_output) {
      dup2(null, 1);
      dup2(null, 2);
    }
    if (null > 2) close(null);
    rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);  // a search may crash the program thousands of times
  }
  fcntl(channel, F_SETFD, 0);
  // Refused by some container profiles; nothing depends on it but the readability of addresses.
  int persona = personality(0xffffffff);
  if (persona >= 0) personality(static_cast<unsigned long>(persona) | ADDR_NO_RANDOMIZE);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  if (!launch.directory.empty() && chdir(launch.directory.c_str()) != 0) return;
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  execve(launch.program.c_str(), arguments, environment);
}

}  // namespace

base::Result<std::string> FindRuntimeLibrary() {
  char self[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) return base::Error{"cannot find heddle's own path: is /proc mounted?"};
  std::string folder(self, static_cast<size_t>(length));
  folder.resize(folder.rfind('/'));
  for (const char* place : {"", "/../lib", "/../" HEDDLE_LIBRARY_FOLDER, "/../lib64"}) {
    char resolved[PATH_MAX];
    std::string candidate = folder + place + "/libheddle.so";
    if (realpath(candidate.c_str(), resolved) != nullptr) return std::string(resolved);
  }
  return base::Error{"libheddle.so is neither beside " +
                     std::string(self, static_cast<size_t>(length)) +
                     " nor in ../lib: install heddle again"};
}

std::vector<std::string> OwnEnvironment() {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) entries.emplace_back(*entry);
  return entries;
}

std::string PreloadValue(const std::string& library) {
  const char* already = std::getenv("LD_PRELOAD");
  return PreloadBefore(library, already != nullptr ? already : "");
}

base::Result<pid_t> Spawn(const Launch& launch, int channel, const sigset_t& mask) {
  std::vector<std::string> argument_strings = launch.arguments;
  std::vector<std::string> environment_strings = Environment(launch, channel);
  std::vector<char*> arguments = Pointers(argument_strings);
  std::vector<char*> environment = Pointers(environment_strings);
  int failure[2];  // closed by a successful exec; otherwise carries its errno
  if (pipe2(failure, O_CLOEXEC) != 0) {
    return base::Error{std::string("cannot start the program: ") + std::strerror(errno)};
  }
  pid_t parent = getpid();
  pid_t child = fork();
  if (child == 0) {
    BecomeProgram(launch, channel, mask, parent, arguments.data(), environment.data());
    int error = errno;
    ssize_t ignored = write(failure[1], &error, sizeof error);
    _exit(ignored > 0 ? 126 : 127);
  }
  int error = child < 0 ? errno : 0;
  close(failure[1]);
  if (child > 0) {
    ssize_t got;
    do {
      got = read(failure[0], &error, sizeof error);
    } while (got < 0 && errno == EINTR);
    if (got <= 0) error = 0;
  }
  close(failure[0]);
  if (error == 0) return child;
  if (child > 0) waitpid(child, nullptr, 0);
  return base::Error{"cannot start " + launch.program + ": " + std::strerror(error)};
}

}  // namespace heddle::session
