#include "session/output_of.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "channel/layout.h"
#include "session/process_time.h"

namespace heddle::session {
namespace {

constexpr size_t kMostOutput = size_t{64} << 20;
constexpr int kLookMs = 20;

// Between fork and exec. Comes back only when the program could not be started.
void BecomeProgram(const Launch& launch, int output) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  const int null = open("/dev/null", O_RDWR);
  if (null < 0) return;
  dup2(null, 0);
  dup2(null, 2);
  dup2(output, 1);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  unsetenv(channel::kChannelVariable);
  if (!launch.library.empty()) setenv("LD_PRELOAD", PreloadValue(launch.library).c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& argument : launch.arguments)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execv(launch.program.c_str(), arguments.data());
}

// Is the process over? It stays a zombie, so that its group cannot be somebody else's.
bool IsOver(pid_t child) {
  siginfo_t info = {};
  return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid != 0;
}

// What comes out of `input` while `child` lives, and what is left there when it is over. False:
// the limit passed, or it was too much.
bool ReadAll(int input, pid_t child, uint64_t limit_ms, std::string& text) {
  const uint64_t end_ms = NowMs() + limit_ms;
  while (true) {
    const bool over = IsOver(child);
    pollfd poll_input = {input, POLLIN, 0};
    const int ready = poll(&poll_input, 1, over ? 0 : kLookMs);
    if (ready > 0) {
      char part[65536];
      const ssize_t got = read(input, part, sizeof part);
      if (got > 0) text.append(part, static_cast<size_t>(got));
      if (got == 0 && over) return true;
      if (got == 0) poll(nullptr, 0, kLookMs);  // it closed its output, and goes on
    } else if (over) {
      return true;
    }
    if (NowMs() > end_ms || text.size() > kMostOutput) return false;
  }
}

}  // namespace

base::Result<ProgramOutput> OutputOf(const Launch& launch, uint64_t limit_ms) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return base::Error{std::string("it cannot be started: ") + std::strerror(errno)};
  const pid_t child = fork();
  if (child == 0) {
    BecomeProgram(launch, ends[1]);
    _exit(127);
  }
  const int error = errno;
  close(ends[1]);
  ProgramOutput output;
  const bool whole = child > 0 && ReadAll(ends[0], child, limit_ms, output.text);
  close(ends[0]);
  if (child < 0) return base::Error{std::string("it cannot be started: ") + std::strerror(error)};
  kill(-child, SIGKILL);
  kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!whole && output.text.size() > kMostOutput) return base::Error{"it prints without end"};
  if (!whole)
    return base::Error{"it does not end within " + std::to_string(limit_ms / 1000) + " s"};
  if (WIFSIGNALED(status)) {
    const char* name = sigabbrev_np(WTERMSIG(status));
    return base::Error{std::string("it was killed by SIG") + (name != nullptr ? name : "RT")};
  }
  output.status = WEXITSTATUS(status);
  return output;
}

}  // namespace heddle::session
