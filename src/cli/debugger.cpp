#include "cli/debugger.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "channel/layout.h"
#include "channel/records.h"
#include "cli/command.h"

namespace heddle::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string OwnPath() {
  char self[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  return std::string(self, static_cast<size_t>(length > 0 ? length : 0));
}

// What is special about a step, in a word for the script.
const char* Mark(const report::Step& step) {
  if ((step.flags & channel::kStepRaceFirst) != 0) return "race-first";
  if ((step.flags & channel::kStepRaceSecond) != 0) return "race-second";
  if ((step.flags & channel::kStepBlocked) != 0) return "blocked";
  if ((step.flags & channel::kStepEnding) != 0) return "ending";
  if ((step.flags & channel::kStepLeft) != 0) return "left";
  if ((step.flags & channel::kStepMade) != 0) return "made";
  return "";
}

Json Of(const report::Step& step, uint64_t number) {
  Json json = {{"number", number},
               {"thread", step.thread},
               {"text", step.text},
               {"file", step.location.file},
               {"line", step.location.line},
               {"function", step.location.function},
               {"source", step.source},
               {"mark", Mark(step)},
               {"preempts", (step.flags & channel::kStepPreempts) != 0},
               {"owner", step.owner}};
  if (step.moment != channel::kNotMade) json["moment"] = step.moment;
  return json;
}

// "" if gdb runs and has Python, or what is wrong.
std::string WhatIsWrongWith(const std::string& debugger) {
  constexpr int kCannotStart = 127;
  const pid_t child = fork();
  if (child < 0) return std::string("cannot start a process: ") + std::strerror(errno);
  if (child == 0) {
    const int null = open("/dev/null", O_RDWR);
    for (int descriptor : {0, 1, 2}) dup2(null, descriptor);
    execlp(debugger.c_str(), debugger.c_str(), "-nx", "-batch", "-ex",
           "python gdb.execute('quit 3')", nullptr);
    _exit(kCannotStart);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 3) return "";
  if (WIFEXITED(status) && WEXITSTATUS(status) == kCannotStart)
    return "cannot start " + debugger + ": is gdb installed? (apt-get install gdb)";
  return debugger + " has no Python, which heddle's commands need (apt-get install gdb)";
}

}  // namespace

base::Result<std::string> FindDebuggerScript() {
  std::string folder = OwnPath();
  folder.resize(folder.rfind('/') == std::string::npos ? 0 : folder.rfind('/'));
  for (const char* place : {"", "/../share/heddle", "/../../share/heddle"}) {
    char resolved[PATH_MAX];
    const std::string candidate = folder + place + "/heddle_gdb.py";
    if (realpath(candidate.c_str(), resolved) != nullptr) return std::string(resolved);
  }
  return base::Error{"heddle_gdb.py is neither beside " + OwnPath() +
                     " nor in ../share/heddle: install heddle again"};
}

std::string DebuggerSteps(const report::Finding& finding, const std::string& file,
                          const std::string& program, const replay::ScheduleFile& schedule,
                          const std::string& library) {
  Json steps = Json::array();
  uint64_t number = 0;
  for (const report::Step& step : finding.steps) {
    number += step.omitted_before + 1;
    steps.push_back(Of(step, number));
  }
  const Json json = {{"schedule", file},
                     {"program", program},
                     {"arguments", schedule.arguments},
                     {"library", library},
                     {"channel_variable", channel::kChannelVariable},
                     {"hang_signal", channel::kHangSignal},
                     {"kind", finding.kind},
                     {"message", finding.message},
                     {"thread", finding.thread},
                     {"steps", steps}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

int BecomeDebugger(const std::string& debugger, const std::string& script, int channel, int steps) {
  const std::string wrong = WhatIsWrongWith(debugger);
  if (!wrong.empty()) return Fail(wrong);
  for (int descriptor : {channel, steps}) fcntl(descriptor, F_SETFD, 0);
  setenv("HEDDLE_DEBUGGER_FILES", (std::to_string(channel) + "," + std::to_string(steps)).c_str(),
         1);
  execlp(debugger.c_str(), debugger.c_str(), "-q", "-x", script.c_str(), nullptr);
  return Fail("cannot start " + debugger + ": " + std::strerror(errno));
}

}  // namespace heddle::cli
