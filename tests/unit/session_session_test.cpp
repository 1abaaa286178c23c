// Sessions with this test program as the program under test: it finds HEDDLE_CHANNEL in its
// environment and plays a part instead of running tests.
#include "session/session.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

namespace heddle::session {
namespace {

constexpr char kPart[] = "HEDDLE_TEST_PART";

void SetPhase(channel::Header& header, channel::Phase phase) {
  header.phase = static_cast<uint32_t>(phase);
}

[[noreturn]] void Finish(channel::Header& header) {
  SetPhase(header, channel::Phase::kFinished);
  _exit(0);
}

[[noreturn]] void WaitForever() {
  for (;;) pause();
}

void Die(int) { _exit(9); }

void Compute(clock_t ms) {
  const clock_t begun = clock();
  while (clock() - begun < ms * (CLOCKS_PER_SEC / 1000)) {
  }
}

[[noreturn]] void Play(const std::string& part, channel::Header& header) {
  if (part == "exits-early") _exit(3);
  if (part == "set-up-error") {
    std::strcpy(header.set_up_error, "no threads here");
    _exit(1);
  }
  // One that takes over finds the phase and the execution of the one before, and no handler yet.
  if (part == "takes-over-slowly" && header.restarts != 0) Compute(700);
  SetPhase(header, channel::Phase::kSearching);
  if (part == "dies-idle") raise(SIGSEGV);
  if (part == "killed-idle") raise(SIGKILL);
  header.progress.executions += 1;
  header.progress.heartbeat += 1;
  bool first = header.restarts == 0;
  if ((part == "dies-once" || part == "takes-over-slowly") && !first) Finish(header);
  if (part == "checks-death") {
    if (!first) {
      header.progress.events = static_cast<uint64_t>(WTERMSIG(header.death_status));
      Finish(header);
    }
  }
  if (part == "dies-once" || part == "takes-over-slowly" || part == "checks-death") {
    header.in_flight = 1;
    raise(SIGKILL);
  }
  if (part == "dies-in-place") {
    header.progress.executions = 5;
    header.in_flight = 1;
    raise(SIGKILL);
  }
  if (part == "hangs-deaf") {
    if (!first) {
      header.progress.events = header.hang_kill;
      Finish(header);
    }
    signal(channel::kHangSignal, SIG_IGN);
    header.in_flight = 1;
    WaitForever();
  }
  if (part == "hangs") {
    signal(channel::kHangSignal, [](int) {
      int fd = std::atoi(std::getenv(channel::kChannelVariable));
      void* base = mmap(nullptr, channel::kArenaAt, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      Finish(*static_cast<channel::Header*>(base));
    });
    header.in_flight = 1;
    WaitForever();
  }
  if (part == "waits-for-stop") {
    kill(getppid(), SIGINT);
    while (header.stop_request == 0) usleep(1000);
    header.summary.stop = channel::Stop::kInterrupted;
    Finish(header);
  }
  if (part == "ignores-stop") {
    signal(SIGINT, SIG_IGN);
    kill(getppid(), SIGINT);
    while (header.stop_request == 0) usleep(1000);
    kill(getppid(), SIGINT);
    WaitForever();
  }
  if (part == "is-stopped") {
    signal(channel::kHangSignal, [](int) {
      int fd = std::atoi(std::getenv(channel::kChannelVariable));
      void* base = mmap(nullptr, channel::kArenaAt, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      auto& of_handler = *static_cast<channel::Header*>(base);
      of_handler.progress.events = of_handler.stop_request.load();
      Finish(of_handler);
    });
    header.in_flight = 1;
    WaitForever();
  }
  if (part == "runs-on-deaf") {
    if (!first) {
      header.progress.events = header.stop_kill;
      Finish(header);
    }
    signal(channel::kHangSignal, SIG_IGN);
    header.in_flight = 1;
    WaitForever();
  }
  if (part == "computes-on") WaitForever();
  if (part == "leaves-children") {
    pid_t child = fork();
    if (child == 0) {
      signal(SIGTERM, Die);
      WaitForever();
    }
    header.progress.events = static_cast<uint64_t>(child);
    Finish(header);
  }
  if (part == "looks-around") {
    char path[64] = {};
    ssize_t length = readlink("/proc/self/fd/0", path, sizeof path - 1);
    bool quiet = length > 0 && std::string(path) == "/dev/null" && isatty(1) == 0;
    sigset_t mask;
    sigprocmask(SIG_SETMASK, nullptr, &mask);
    bool unblocked = sigismember(&mask, SIGINT) == 0 && sigismember(&mask, SIGCHLD) == 0;
    int open_files = 0;
    for (int fd = 3; fd < 256; ++fd) open_files += fcntl(fd, F_GETFD) >= 0;
    bool own_group = getpgrp() == getpid();
    header.progress.events =
        quiet && unblocked && own_group ? static_cast<uint64_t>(open_files) : 99;
  }
  Finish(header);
}

__attribute__((constructor)) void MaybePlay() {
  const char* descriptor = std::getenv(channel::kChannelVariable);
  const char* part = std::getenv(kPart);
  if (descriptor == nullptr || part == nullptr) return;
  void* base = mmap(nullptr, channel::kArenaAt, PROT_READ | PROT_WRITE, MAP_SHARED,
                    std::atoi(descriptor), 0);
  if (base == MAP_FAILED) _exit(2);
  Play(part, *static_cast<channel::Header*>(base));
}

class SessionTest : public testing::Test {
 protected:
  // Each process has any time that it needs to end, but in a test of who does not.
  SessionEnd Run(const std::string& part, uint64_t hang_ms = 10000, uint64_t stop_ms = 60000) {
    setenv(kPart, part.c_str(), 1);
    SessionOptions options;
    options.launch.program = "/proc/self/exe";
    options.launch.arguments = {"program"};
    options.hang_ms = hang_ms;
    options.stop_ms = stop_ms;
    options.on_tick = [this](const channel::Header&, double) { ++ticks_; };
    SessionEnd end = RunSession(options, *memory_);
    unsetenv(kPart);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // no zombie
    return end;
  }
  channel::Header& Header() { return memory_->Header(); }

  base::Result<ChannelMemory> memory_ = ChannelMemory::Create();
  int ticks_ = 0;
};

TEST_F(SessionTest, EndsWhenTheProgramIsDone) {
  SessionEnd end = Run("finishes");
  EXPECT_EQ(end.kind, SessionEndKind::kFinished);
  EXPECT_EQ(Header().progress.executions, 1u);
  EXPECT_GT(end.peak_memory_bytes, 0u);
  EXPECT_GE(ticks_, 1);
}

TEST_F(SessionTest, GivesTheProgramACleanStart) {
  EXPECT_EQ(Run("looks-around").kind, SessionEndKind::kFinished);
  EXPECT_GE(Header().progress.events,
            1u);  // the channel, and what this test itself was started with
  EXPECT_LT(Header().progress.events, 99u);
}

TEST_F(SessionTest, GoesOnAfterADeathUnderAnExecution) {
  EXPECT_EQ(Run("dies-once").kind, SessionEndKind::kFinished);
  EXPECT_EQ(Header().restarts, 1u);
  EXPECT_EQ(Header().progress.executions, 2u);
}

TEST_F(SessionTest, TellsTheNextProcessHowTheLastDied) {
  EXPECT_EQ(Run("checks-death").kind, SessionEndKind::kFinished);
  EXPECT_EQ(Header().progress.events, static_cast<uint64_t>(SIGKILL));
  EXPECT_EQ(Header().hang_kill, 0u);
}

TEST_F(SessionTest, GivesUpWhenNothingMoves) {
  SessionEnd end = Run("dies-in-place");
  EXPECT_EQ(end.kind, SessionEndKind::kGaveUp);
  EXPECT_NE(end.message.find("SIGKILL"), std::string::npos);
  EXPECT_EQ(Header().restarts, 3u);
}

TEST_F(SessionTest, ADeathBetweenExecutionsIsInternal) {
  EXPECT_EQ(Run("dies-idle").kind, SessionEndKind::kInternal);
}

TEST_F(SessionTest, AKillBetweenExecutionsIsSomebodyElses) {
  const SessionEnd end = Run("killed-idle");
  EXPECT_EQ(end.kind, SessionEndKind::kGaveUp);
  EXPECT_NE(end.message.find("killed from outside"), std::string::npos);
}

TEST_F(SessionTest, SaysWhyTheProgramCannotBeControlled) {
  SessionEnd end = Run("set-up-error");
  EXPECT_EQ(end.kind, SessionEndKind::kSetUpError);
  EXPECT_EQ(end.message, "no threads here");
}

TEST_F(SessionTest, SaysThatTheProgramNeverReachedMain) {
  SessionEnd end = Run("exits-early");
  EXPECT_EQ(end.kind, SessionEndKind::kSetUpError);
  EXPECT_NE(end.message.find("exit status 3"), std::string::npos);
}

TEST_F(SessionTest, AHangIsSignalledFirst) {
  EXPECT_EQ(Run("hangs", 200).kind, SessionEndKind::kFinished);
  EXPECT_EQ(Header().restarts, 0u);
}

// ---- the time is up ----

TEST_F(SessionTest, AnExecutionIsEndedWhenTheTimeIsUp) {
  Header().settings.time_limit_ms = 100;
  EXPECT_EQ(Run("is-stopped").kind, SessionEndKind::kFinished);
  EXPECT_EQ(Header().progress.events, static_cast<uint64_t>(channel::StopRequest::kTime));
}

TEST_F(SessionTest, OneThatDoesNotAnswerIsKilledAndAnotherProcessTellsTheRest) {
  Header().settings.time_limit_ms = 100;
  EXPECT_EQ(Run("runs-on-deaf").kind, SessionEndKind::kFinished);
  EXPECT_EQ(Header().progress.events, 1u);
  EXPECT_EQ(Header().hang_kill, 0u);
}

TEST_F(SessionTest, WhoComputesOnIsKilledForGood) {
  Header().settings.time_limit_ms = 100;
  const SessionEnd end = Run("computes-on", 10000, Stopping::kAllMs);
  EXPECT_EQ(end.kind, SessionEndKind::kKilled);
  EXPECT_NE(end.message.find("did not end when it was told to"), std::string::npos) << end.message;
  EXPECT_EQ(Header().restarts, 0u);
}

TEST_F(SessionTest, AHangThatDoesNotAnswerIsKilled) {
  EXPECT_EQ(Run("hangs-deaf", 200).kind, SessionEndKind::kFinished);
  EXPECT_EQ(Header().restarts, 1u);
  EXPECT_EQ(Header().progress.events, 1u);  // hang_kill, as the second process saw it
}

TEST_F(SessionTest, OneThatTakesOverIsNotAskedWhileItBegins) {
  EXPECT_EQ(Run("takes-over-slowly", 200).kind, SessionEndKind::kFinished);
  EXPECT_EQ(Header().restarts, 1u);
}

TEST_F(SessionTest, AnInterruptAsksTheProgramToStop) {
  EXPECT_EQ(Run("waits-for-stop").kind, SessionEndKind::kFinished);
  EXPECT_EQ(Header().summary.stop, channel::Stop::kInterrupted);
}

TEST_F(SessionTest, ASecondInterruptKills) {
  EXPECT_EQ(Run("ignores-stop", 10000, Stopping::kAllMs).kind, SessionEndKind::kKilled);
}

TEST_F(SessionTest, LeavesNoGrandchildren) {
  EXPECT_EQ(Run("leaves-children").kind, SessionEndKind::kFinished);
  pid_t grandchild = static_cast<pid_t>(Header().progress.events);
  // Killed, it may still be waiting for init to collect it.
  bool gone = false;
  for (int i = 0; i < 200 && !gone; ++i) {
    std::string path = "/proc/" + std::to_string(grandchild) + "/stat";
    FILE* stat = std::fopen(path.c_str(), "r");
    char state = 'X';
    if (stat != nullptr) {
      if (std::fscanf(stat, "%*d %*s %c", &state) != 1) state = 'X';
      std::fclose(stat);
    }
    gone = state == 'X' || state == 'Z';
    if (!gone) usleep(10000);
  }
  EXPECT_TRUE(gone);
}

TEST_F(SessionTest, AProgramThatCannotStartIsASetUpError) {
  SessionOptions options;
  options.launch.program = "/nonexistent/program";
  options.launch.arguments = {"program"};
  SessionEnd end = RunSession(options, *memory_);
  EXPECT_EQ(end.kind, SessionEndKind::kSetUpError);
  EXPECT_NE(end.message.find("/nonexistent/program"), std::string::npos);
}

}  // namespace
}  // namespace heddle::session
