#include "session/session.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "session/process_time.h"

namespace heddle::session {
namespace {

constexpr uint32_t kMaxRestarts = 1000;
constexpr uint32_t kMaxRestartsInPlace = 3;  // in a row, without one more execution
constexpr uint64_t kTickMs = 100;
constexpr uint64_t kAnswerMs = 2;     // the program's process waits for answers
constexpr uint64_t kRestMs = 20;      // it may stand still at the end of the search
constexpr uint64_t kStoppingMs = 10;  // the user does, too

std::string DescribeStatus(int status) {
  if (WIFSIGNALED(status)) {
    const char* name = sigabbrev_np(WTERMSIG(status));
    return name != nullptr ? std::string("killed by SIG") + name
                           : "killed by signal " + std::to_string(WTERMSIG(status));
  }
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

// ---- signals ----

WaitedSignals::WaitedSignals() {
  struct sigaction child_default = {};
  // An ignored SIGCHLD, which exec inherits, would lose exit statuses.
  child_default.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &child_default, &old_child_);
  sigemptyset(&set_);
  sigaddset(&set_, SIGCHLD);
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGTSTP}) {
    struct sigaction action;
    sigaction(number, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&set_, number);
  }
  sigprocmask(SIG_BLOCK, &set_, &old_mask_);
}

WaitedSignals::~WaitedSignals() {
  sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
  sigaction(SIGCHLD, &old_child_, nullptr);
}

int WaitedSignals::Wait(uint64_t ms) {
  timespec timeout = {static_cast<time_t>(ms / 1000), static_cast<long>(ms % 1000 * 1000000)};
  const int number = sigtimedwait(&set_, nullptr, &timeout);
  return number > 0 ? number : 0;
}

// ---- one session ----

Session::Session(const SessionOptions& options, ChannelMemory& memory, const WaitedSignals& signals)
    : options_(options),
      memory_(memory),
      header_(memory.Header()),
      signals_(signals),
      watchdog_(options.hang_ms),
      stopping_(options.stop_ms) {}

void Session::Begin() {
  begun_ms_ = NowMs();
  if (options_.saver != nullptr) header_.save_at_end = options_.saver->SavesEnd(0);
  Start();
}

void Session::Start() {
  base::Result<pid_t> child = Spawn(options_.launch, memory_.Descriptor(), signals_.OldMask());
  if (!child.Ok()) return Finish({SessionEndKind::kSetUpError, child.Message()});
  child_ = *child;
  header_.runner = 0;
  watchdog_.Reset(NowMs());
}

void Session::Finish(SessionEnd end) {
  child_ = -1;
  Tick(NowMs());
  end.elapsed_s = ElapsedS(NowMs());
  end.peak_memory_bytes = peak_memory_bytes_;
  end_ = std::move(end);
}

void Session::Abandon() {
  if (end_ || child_ < 0) return;
  Signal(SIGKILL);
  int status = 0;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  end_ = SessionEnd{SessionEndKind::kKilled, "not wanted any more"};
}

void Session::Handle(int signal) {
  if (end_) return;
  switch (signal) {
    case SIGINT:
    case SIGTERM:
    case SIGHUP:
      Interrupt();
      break;
    case SIGTSTP:
      Suspend();
      break;
    default:  // SIGCHLD or nothing: who looks sees what it was
      break;
  }
}

void Session::Look() {
  if (end_) return;
  if (const std::optional<int> status = Reap()) {
    if (std::optional<SessionEnd> end = After(*status))
      Finish(*std::move(end));
    else
      Start();
    return;
  }
  Answer();
  Save();
  if (options_.on_look) options_.on_look(header_);
  const uint64_t now_ms = NowMs();
  if (now_ms - last_tick_ms_ >= kTickMs) Tick(now_ms);
  Watch(now_ms);
}

uint64_t Session::WaitMs() const {
  if (options_.is_suppressed || options_.on_look || header_.save_wished != 0) return kAnswerMs;
  if (stopping_.Begun()) return kStoppingMs;
  const uint64_t tick_ms = header_.save_at_end != 0 ? kRestMs : kTickMs;
  const uint64_t limit_ms = TimeLimitMs();
  const uint64_t had_ms = NowMs() - std::min(NowMs(), searching_since_ms_);
  if (limit_ms == 0 || searching_since_ms_ == 0 || had_ms >= limit_ms) return tick_ms;
  return std::min(tick_ms, limit_ms - had_ms);
}

void Session::Answer() {
  const uint32_t question = header_.question.load();
  if (question == header_.answer.load()) return;
  header_.answer_suppressed =
      options_.is_suppressed && options_.is_suppressed(memory_.Report()) ? 1 : 0;
  header_.answer.store(question);
  watchdog_.Reset(NowMs());
}

// How long nobody may look at what the program's process wants.
void Session::Save() {
  if (options_.saver == nullptr) return;
  Saver& saver = *options_.saver;
  const uint64_t run_ms = NowMs() - begun_ms_;
  const uint32_t rest = header_.at_rest.load();
  if (rest != header_.go_on.load()) {
    saver.Copy(memory_, child_);
    header_.save_at_end = 1;  // or what is in the file is older than the end
    header_.go_on.store(rest);
    saver.Finish(memory_, run_ms, peak_memory_bytes_);
    rested_ = true;
    watchdog_.Reset(NowMs());
    return;
  }
  if (header_.save_at_end == 0 && saver.SavesEnd(run_ms)) header_.save_at_end = 1;
  if (saver.IsDue(run_ms) && header_.phase == static_cast<uint32_t>(channel::Phase::kSearching))
    header_.save_wished = 1;
}

// Of this run and those before.
double Session::ElapsedS(uint64_t now_ms) const {
  const uint64_t earlier_ms = options_.saver != nullptr ? options_.saver->EarlierMs() : 0;
  return static_cast<double>(now_ms - begun_ms_ + earlier_ms) / 1000.0;
}

std::optional<int> Session::Reap() {
  siginfo_t info = {};
  // WNOWAIT: as long as the leader is a zombie its group cannot be somebody else's.
  if (waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      info.si_pid == 0) {
    return std::nullopt;
  }
  if (!options_.launch.foreground) kill(-child_, SIGKILL);  // what the program forked
  int status = 0;
  rusage usage = {};
  while (wait4(child_, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  peak_memory_bytes_ = std::max(peak_memory_bytes_, static_cast<uint64_t>(usage.ru_maxrss) * 1024);
  return status;
}

void Session::Signal(int number) {
  if (child_ < 0) return;
  if (!options_.launch.foreground && kill(-child_, number) == 0) return;
  kill(child_, number);
}

void Session::Interrupt() {
  // A first one after the time is up changes nothing: the search ends anyway. Who signals a process
  // and then its group (timeout, batch systems) means it once.
  constexpr uint64_t kOnceMs = 300;
  const uint64_t now_ms = NowMs();
  const bool is_second = interrupted_ms_ != 0 && now_ms - interrupted_ms_ >= kOnceMs;
  if (interrupted_ms_ == 0) interrupted_ms_ = now_ms;
  const bool is_starting = IsStarting();  // nobody there yet who could answer the request
  RequestStop(channel::StopRequest::kInterrupted);
  if (is_second || is_starting) KillForGood(is_second ? "interrupted twice" : "interrupted");
}

void Session::RequestStop(channel::StopRequest why) {
  if (end_) return;
  uint32_t none = 0;
  header_.stop_request.compare_exchange_strong(none, static_cast<uint32_t>(why));
  if (!stopping_.Begun()) stopping_.Begin(NowMs(), header_.save_at_end != 0);
}

bool Session::IsStarting() const {
  return header_.phase == static_cast<uint32_t>(channel::Phase::kStarting);
}

void Session::KillForGood(const char* why) {
  if (killed_for_.empty()) killed_for_ = why;
  Signal(SIGKILL);
}

void Session::Suspend() {
  Pause();
  raise(SIGSTOP);
  Resume();
}

void Session::Resume() {
  Signal(SIGCONT);
  watchdog_.Reset(NowMs());
}

// The process that runs the program: the one that searches, or its child.
pid_t Session::Runner() const {
  const auto forked = static_cast<pid_t>(header_.runner.load());
  return forked != 0 ? forked : child_;
}

Watchdog::Sample Session::See() const {
  const pid_t runner = Runner();
  const uint64_t heartbeat = header_.progress.heartbeat.load();
  // A process that takes over from one that died has its execution to conclude, and may not be
  // ready for signals.
  const bool in_flight = header_.in_flight != 0 && heartbeat != inherited_heartbeat_;
  return {heartbeat, !IsStarting(), in_flight, ProcessorMs(runner), IsAsleep(runner)};
}

void Session::Watch(uint64_t now_ms) {
  WatchTime(now_ms);
  // Who has asked it to stand still lets it go on.
  if (header_.at_rest.load() != header_.go_on.load()) {
    rested_ = true;
    return watchdog_.Reset(now_ms);
  }
  const Watchdog::Sample sample = See();
  if (std::exchange(rested_, false) && stopping_.Begun()) stopping_.Begin(now_ms);
  if (stopping_.Begun()) return Stop(sample.in_flight, now_ms);
  switch (watchdog_.Look(sample, now_ms)) {
    case Watchdog::Action::kNone:
      break;
    case Watchdog::Action::kSignal:
      kill(child_, channel::kHangSignal);
      break;
    case Watchdog::Action::kKill:
      hang_killed_ = true;
      Signal(SIGKILL);
      break;
  }
}

// Of the search, so that what it has found is saved within the user's.
uint64_t Session::TimeLimitMs() const {
  const uint64_t limit_ms = header_.settings.time_limit_ms;
  uint64_t takes_ms = 0;
  if (limit_ms != 0 && options_.end_takes_ms) takes_ms = options_.end_takes_ms();
  if (limit_ms != 0 && options_.saver != nullptr) {
    const int file = memory_.Descriptor();
    takes_ms = options_.saver->EndTakesMs(NowMs() - begun_ms_, {&file, 1});
  }
  return limit_ms - std::min(limit_ms / 2, takes_ms);
}

// The time of the search begins when the program has reached main.
void Session::WatchTime(uint64_t now_ms) {
  if (searching_since_ms_ == 0 && !IsStarting()) searching_since_ms_ = now_ms;
  const uint64_t limit_ms = TimeLimitMs();
  if (limit_ms == 0 || searching_since_ms_ == 0 || stopping_.Begun()) return;
  if (now_ms - searching_since_ms_ >= limit_ms) RequestStop(channel::StopRequest::kTime);
}

void Session::Stop(bool in_flight, uint64_t now_ms) {
  switch (stopping_.Look(in_flight, now_ms)) {
    case Stopping::Action::kNone:
      break;
    case Stopping::Action::kSignal:
      kill(child_, channel::kHangSignal);
      break;
    case Stopping::Action::kKillExecution:
      KillExecution();
      break;
    case Stopping::Action::kKill:
      KillForGood("the search did not end when it was told to");
      break;
  }
}

// Where each execution has a process of its own, that one; the one that forked it goes on.
void Session::KillExecution() {
  const pid_t runner = Runner();
  if (runner != child_ && getpgid(runner) == child_) {
    kill(runner, SIGKILL);
    return;
  }
  stop_killed_ = true;
  Signal(SIGKILL);
}

void Session::Tick(uint64_t now_ms) {
  last_tick_ms_ = now_ms;
  if (options_.on_tick) {
    options_.on_tick(header_, ElapsedS(now_ms));
  }
}

// The process is gone: is that the end, or does another one go on?
std::optional<SessionEnd> Session::After(int status) {
  bool hung = std::exchange(hang_killed_, false);
  const bool stopped = std::exchange(stop_killed_, false);
  auto phase = static_cast<channel::Phase>(header_.phase.load());
  header_.set_up_error[sizeof header_.set_up_error - 1] = '\0';
  if (header_.set_up_error[0] != '\0') {
    return SessionEnd{SessionEndKind::kSetUpError, header_.set_up_error};
  }
  if (phase == channel::Phase::kFinished) return SessionEnd{};
  // Ctrl-C at a replay reaches the program too, which is in our process group.
  if (options_.launch.foreground && header_.stop_request != 0)
    return SessionEnd{SessionEndKind::kKilled, "interrupted"};
  if (!killed_for_.empty()) return SessionEnd{SessionEndKind::kKilled, killed_for_};
  if (options_.ends_when_killed && phase != channel::Phase::kStarting && !hung && !stopped &&
      WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
    return SessionEnd{SessionEndKind::kKilledOutside,
                      "the program's process was killed from outside (SIGKILL; was the machine out "
                      "of memory?)"};
  if (header_.in_flight == 0) return DiedOutsideExecution(phase, status, hung);

  uint64_t executions = header_.progress.executions;
  restarts_in_place_ = executions == executions_at_death_ ? restarts_in_place_ + 1 : 1;
  executions_at_death_ = executions;
  if (restarts_in_place_ > kMaxRestartsInPlace || header_.restarts >= kMaxRestarts) {
    return SessionEnd{SessionEndKind::kGaveUp,
                      "the program's process died " + std::to_string(header_.restarts + 1) +
                          " times (last: " + DescribeStatus(status) + "); search given up"};
  }
  header_.death_status = status;
  header_.hang_kill = hung ? 1 : 0;
  header_.stop_kill = stopped ? 1 : 0;
  header_.restarts += 1;
  inherited_heartbeat_ = header_.progress.heartbeat.load();
  return std::nullopt;
}

SessionEnd Session::DiedOutsideExecution(channel::Phase phase, int status, bool hung) {
  const bool killed = !hung && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (phase != channel::Phase::kStarting && killed) {
    return {SessionEndKind::kGaveUp,
            "the program's process was killed from outside (SIGKILL; was the machine out of "
            "memory?) between two executions"};
  }
  if (phase != channel::Phase::kStarting) {
    return {SessionEndKind::kInternal,
            hung ? "internal error: the search stands still"
                 : "internal error: the search ended with " + DescribeStatus(status)};
  }
  const char* hint = options_.launch.show_output || options_.launch.foreground
                         ? ""
                         : " (--show-output shows what it printed)";
  if (hung && header_.settings.at_check[0] != '\0') {
    return {SessionEndKind::kSetUpError,
            "the program, run again, did not come to its heddle::Check in time"};
  }
  if (hung) {
    return {SessionEndKind::kSetUpError,
            "the program did not reach main in time: does a constructor wait or loop?"};
  }
  return {SessionEndKind::kSetUpError, "the program ended before heddle could take over at main: " +
                                           DescribeStatus(status) + hint};
}

SessionEnd RunSession(const SessionOptions& options, ChannelMemory& memory) {
  WaitedSignals signals;
  Session session(options, memory, signals);
  session.Begin();
  while (!session.IsOver()) {
    session.Look();
    if (!session.IsOver()) session.Handle(signals.Wait(session.WaitMs()));
  }
  return session.End();
}

}  // namespace heddle::session
