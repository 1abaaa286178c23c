#include "report/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "replay/schedule_file.h"
#include "report/merge_races.h"
#include "report/names.h"
#include "report/source.h"
#include "report/symbolize.h"
#include "report/test_failure.h"
#include "report/verdict.h"
#include "report/wording.h"
#include "report/wrappers.h"

namespace heddle::report {
namespace {

// "best-first dpor by mdpor,pb"
std::string FinderName(const channel::Finder& finder) {
  if (finder.kind == channel::Finder::kTheSearch) return {};
  if (finder.kind == channel::Finder::kProbe) return "a probe of the estimate";
  std::string name = space::NameOf(space::Point{finder.order, finder.reduction});
  if (finder.priorities.count != 0) name += " by " + space::NameOf(finder.priorities);
  return name;
}

constexpr uint32_t kWithStack = channel::kStepRaceFirst | channel::kStepRaceSecond |
                                channel::kStepBlocked | channel::kStepEnding | channel::kStepLeft |
                                channel::kStepMade;
constexpr uint32_t kMarked = kWithStack | channel::kStepPreempts | channel::kStepEarly;

// Are two accesses marked that nothing orders?
bool IsRace(const std::vector<channel::StepRecord>& steps) {
  return std::ranges::any_of(
      steps, [](const auto& step) { return (step.flags & channel::kStepRaceSecond) != 0; });
}

// An execution may have a million steps; the result keeps its begin, its end, and what is around
// marked steps.
constexpr size_t kKeepFirst = 200;
constexpr size_t kKeepLast = 400;
constexpr size_t kKeepAround = 12;

std::vector<bool> StepsToKeep(const std::vector<channel::StepRecord>& steps, bool all) {
  std::vector<bool> keep(steps.size(), all || steps.size() <= kKeepFirst + kKeepLast);
  if (!keep.empty() && keep[0]) return keep;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (i < kKeepFirst || i + kKeepLast >= steps.size()) keep[i] = true;
    if ((steps[i].flags & kMarked) == 0) continue;
    size_t end = std::min(steps.size(), i + kKeepAround + 1);
    for (size_t j = i - std::min(i, kKeepAround); j < end; ++j) keep[j] = true;
  }
  return keep;
}

// libstdc++'s or libc++'s.
bool IsThreadHeader(const std::string& file) {
  for (const char* name : {"/bits/std_thread.h", "/thread", "/__thread/thread.h"})
    if (file.ends_with(name)) return true;
  return false;
}

// What the program called, from the symbol of heddle's that it got: "memcpy" from "__tsan_memcpy"
// and "__memcpy_chk". Empty: the compiler did, to announce an access.
std::string LibraryCall(std::string_view symbol) {
  constexpr std::string_view kAnnounced = "__tsan_", kFortified = "__", kRoom = "_chk";
  if (symbol.starts_with(kAnnounced)) {
    symbol.remove_prefix(kAnnounced.size());
    return std::string(symbol.starts_with("mem") ? symbol : "");
  }
  if (symbol.starts_with(kFortified) && symbol.ends_with(kRoom)) {
    symbol.remove_prefix(kFortified.size());
    symbol.remove_suffix(kRoom.size());
  }
  return std::string(symbol);
}

// Turns the findings of one search into words; shares the symbol caches between them.
class FindingFormatter {
 public:
  FindingFormatter(const Records& records, std::span<const channel::ThreadName> names,
                   const std::vector<Library>& not_rebuilt, bool all_steps, Symbolizer& symbolizer)
      : records_(records),
        threads_(names),
        not_rebuilt_(not_rebuilt),
        all_steps_(all_steps),
        symbolizer_(symbolizer) {}

  // A message of the program's process, with names for thread numbers and addresses.
  std::string WithNames(const std::string& message) {
    static const std::vector<Module> kNone;
    ObjectNames objects(symbolizer_, records_.modules.empty() ? kNone : records_.modules.back());
    return FillIn(message, threads_, objects);
  }

  // The steps that wrote what the last accesses of the marked threads read.
  static std::vector<bool> ReadFrom(const std::vector<channel::StepRecord>& steps) {
    constexpr int kLastReads = 8;  // of each thread
    std::vector<bool> read_from(steps.size());
    std::map<uint32_t, int> left;  // by thread
    for (const channel::StepRecord& step : steps)
      if ((step.flags & kWithStack) != 0) left[step.thread] = kLastReads;
    std::map<uint64_t, bool> wanted;  // by address
    for (size_t i = steps.size(); i-- > 0;) {
      const channel::StepRecord& step = steps[i];
      if ((step.facts & channel::kFactWritten) != 0 && wanted[step.object]) {
        read_from[i] = true;
        wanted[step.object] = false;
      }
      const auto thread = left.find(step.thread);
      if ((step.facts & channel::kFactRead) == 0 || thread == left.end() || thread->second == 0)
        continue;
      --thread->second;
      wanted[step.object] = true;
    }
    return read_from;
  }

  ToldFinding Tell(const RawFinding& raw) {
    const std::vector<Module>& modules = records_.modules[raw.modules];
    ObjectNames objects(symbolizer_, modules, raw.steps, raw.blocks);
    ToldFinding told;
    Finding& finding = told.finding;
    finding.kind = KindName(raw.head.kind);
    finding.identity = replay::Hex16(raw.head.identity);
    finding.thread = threads_.Name(raw.head.thread);
    finding.preemptions = raw.head.preemptions;
    finding.early_timeouts = raw.head.early_timeouts;
    finding.fewer_may_do = raw.head.fewer_may_do != 0;
    finding.execution = raw.head.execution;
    finding.found_by = FinderName(raw.head.found_by);
    finding.status = raw.head.status;
    finding.not_reproduced = raw.head.not_reproduced != 0;
    if (raw.head.missing == channel::Missing::kMinimising) finding.cut_short = "minimising";
    if (raw.head.missing == channel::Missing::kRecording) finding.cut_short = "recording";

    const std::vector<bool> read_from = ReadFrom(raw.steps);
    std::vector<bool> keep = StepsToKeep(raw.steps, all_steps_);
    uint64_t omitted = 0;
    uint32_t carried = 0;  // over from a step that is left out
    for (size_t i = 0; i < raw.steps.size(); ++i) {
      constexpr uint32_t kCarried = channel::kStepPreempts | channel::kStepEarly;
      if (BelongsToLibrary(raw.steps[i], modules, objects) ||
          BelongsToUnwinder(raw.steps[i], modules) || IsFrameworks(raw, i, modules)) {
        carried |= raw.steps[i].flags & kCarried;
        continue;
      }
      if (!keep[i] && !read_from[i]) {
        ++omitted;
        continue;
      }
      Step step = Tell(raw.steps[i], modules, objects);
      step.remark = Remark(raw.steps, i, objects);
      if (raw.steps[i].op_kind == static_cast<uint8_t>(op::Kind::kHook)) {
        if ((step.flags & channel::kStepEnding) != 0) step.text = EndingText(raw.head.kind);
        if ((step.flags & channel::kStepMade) != 0)
          step.text = raw.head.kind == channel::BugKind::kLeak ? "allocates it" : "initialises it";
      }
      if ((raw.steps[i].facts & channel::kFactLoop) != 0) {
        if ((raw.steps[i].facts & channel::kFactTogether) != 0) step.remark = kGoesRound;
        finding.loops.push_back(LoopOf(raw.steps[i], step, modules));
        finding.fair &= (raw.steps[i].facts & channel::kFactUnfair) == 0;
      }
      if (read_from[i]) step.flags |= channel::kStepReadFrom;
      step.flags |= std::exchange(carried, 0);
      step.omitted_before = std::exchange(omitted, 0);
      step.text += AboutCondition(raw.steps, i, objects);
      told.own.push_back(OwnFrames(raw.steps[i], modules));
      finding.steps.push_back(std::move(step));
    }
    // After the steps, which settle what the objects are called.
    finding.message = FillIn(raw.message, threads_, objects);
    if (!raw.output.empty()) {
      TellTestFailure(raw.output, finding);
      for (Step& step : finding.steps)
        step.source = source_.Line(step.location.file, step.location.line);
    }
    for (const HeapBlock* block : objects.NamedBlocks())
      finding.blocks.push_back(Tell(*block, modules));
    if (IsRace(raw.steps)) {
      finding.may_be_ordered_by = LibraryInRace(raw.steps, modules);
      told.raced = Raced(raw.steps, modules, objects);
    }
    return told;
  }

  // What depends on where the steps of all findings are shown.
  void PlaceSteps(std::vector<ToldFinding>& all) {
    std::vector<PlacedStep> placed;
    for (ToldFinding& told : all)
      for (size_t i = 0; i < told.own.size(); ++i)
        placed.push_back({&told.finding.steps[i], std::move(told.own[i])});
    LeaveOutWrappers(placed, source_);
    for (ToldFinding& told : all) {
      told.finding.message = WithPlaces(std::move(told.finding.message), told.finding.steps);
      told.finding.locations = Locations(told.finding.steps);
    }
  }

 private:
  // In the order of the source; each line once.
  Loop LoopOf(const channel::StepRecord& raw, const Step& step,
              const std::vector<Module>& modules) {
    Loop loop = {step.thread, {step.location}};
    for (const uint64_t pc : {raw.value, raw.written, raw.expected})
      if (pc != 0) loop.locations.push_back(ProgramsOwn(symbolizer_.Frames(modules, pc, false)));
    const auto key = [](const Location& at) { return std::tie(at.file, at.line); };
    std::ranges::sort(loop.locations, {}, key);
    const auto same = [&](const Location& a, const Location& b) { return key(a) == key(b); };
    loop.locations.erase(std::unique(loop.locations.begin(), loop.locations.end(), same),
                         loop.locations.end());
    return loop;
  }

  // The innermost ones of the program's own code.
  std::vector<Frame> OwnFrames(const channel::StepRecord& step,
                               const std::vector<Module>& modules) {
    constexpr size_t kEnough = 5;
    std::vector<Frame> own;
    for (uint32_t i = 0; i < step.frames && own.size() < kEnough; ++i)
      for (const Frame& frame : symbolizer_.Frames(modules, step.pc[i], i == 0 && step.exact != 0))
        if (!frame.library && !frame.location.file.empty()) own.push_back(frame);
    return own;
  }

  // A wait gives up its mutex; a signal may find nobody. A signal's value is the thread that it
  // wakes, a broadcast's how many, and main's number is 0: it waits if the last step that it made
  // is a wait.
  std::string AboutCondition(const std::vector<channel::StepRecord>& steps, size_t at,
                             ObjectNames& objects) {
    constexpr uint32_t kNoWait =
        channel::kStepBlocked | channel::kStepLeft | channel::kStepTimedOut;
    constexpr uint64_t kAllKept = 20'000;  // of longer executions, the middle may be missing
    const channel::StepRecord& step = steps[at];
    const auto is = [](const channel::StepRecord& one, op::Kind kind) {
      return one.op_kind == static_cast<uint8_t>(kind);
    };
    if ((step.flags & kNoWait) != 0) return "";
    if (is(step, op::Kind::kCondWait) && step.object2 != 0)
      return ", gives up " + objects.Full(op::Kind::kMutexUnlock, step.object2);
    const bool signal = is(step, op::Kind::kCondSignal);
    if ((!signal && !is(step, op::Kind::kCondBroadcast)) || step.value != 0) return "";
    if (steps.back().number > kAllKept) return "";
    for (size_t i = at; signal && i-- > 0;) {
      if (steps[i].thread != 0) continue;
      if (is(steps[i], op::Kind::kCondWait) && steps[i].object == step.object) return "";
      break;
    }
    return ": nobody waits";
  }

  Step Tell(const channel::StepRecord& raw, const std::vector<Module>& modules,
            ObjectNames& objects) {
    auto kind =
        static_cast<op::Kind>(std::min(raw.op_kind, static_cast<uint8_t>(op::Kind::kCount)));
    constexpr uint32_t kNotExecuted = channel::kStepBlocked | channel::kStepLeft;
    if ((raw.flags & kNotExecuted) != 0) kind = objects.WaitKind(kind, raw.object);
    objects.At(raw.number);
    Step step;
    step.thread = threads_.Name(raw.thread);
    step.flags = raw.flags;
    step.moment = raw.moment;
    step.object = objects.Full(kind, raw.object);
    step.call = LibraryCall({raw.call, strnlen(raw.call, sizeof raw.call)});
    bool about_thread = ObjectKindOf(kind).noun == nullptr;
    step.text = StepText(kind, objects.Short(kind, raw.object),
                         about_thread ? threads_.Name(raw.other) : "");
    step.operation = kind < op::Kind::kCount ? op::Info(kind).name : "Unknown";
    if ((raw.facts & channel::kFactFrees) != 0) {
      step.operation = kFree;
      if (std::string block = objects.BlockName(raw.object); !block.empty()) step.object = block;
      step.text = "frees " + step.object;
    }
    if ((raw.facts & channel::kFactDestroys) != 0) {
      // All of it, not the member that it begins with.
      step.object = objects.InMessage(raw.object, "");
      step.object = step.object.substr(0, step.object.find('.'));
      step.text = "destroys " + step.object;
    }
    if (op::IsAtomic(kind) || op::IsPlain(kind)) {
      TellValues(raw, kind, objects, step);
    } else if (kind == op::Kind::kChoose && raw.size != 0) {
      // The value: 0, or one more than the bytes that it did not get (world/allocate.cpp).
      step.operation = "Allocate";
      step.text = "allocates memory";
      if ((raw.flags & kNotExecuted) == 0 && raw.value != 0)
        step.text = "fails to allocate " + std::to_string(raw.value - 1) + " bytes";
    } else if (op::Has(kind, op::kHasValue) && (raw.flags & kNotExecuted) == 0) {
      step.text += " (" + ValueText(raw.value, raw.size) + ")";
    }
    if (!about_thread && (raw.flags & channel::kStepBlocked) != 0) {
      step.owner = threads_.Name(raw.other);
    }

    if (op::IsAtomic(kind) && objects.IsVariable(raw.object)) {
      const std::string noun = std::string(ObjectKindOf(kind).noun) + " ";
      if (const size_t at = step.text.find(noun); at != std::string::npos)
        step.text.erase(at, noun.size());
    }
    std::vector<Frame> stack = Stack(modules, {raw.pc, raw.frames}, raw.exact != 0);
    step.location = ProgramsOwn(stack);
    step.source = source_.Line(step.location.file, step.location.line);
    if ((raw.flags & kWithStack) != 0) step.stack = std::move(stack);
    return step;
  }

  // What the accesses of a race touch, by names that are the same in other findings.
  std::string Raced(const std::vector<channel::StepRecord>& steps,
                    const std::vector<Module>& modules, ObjectNames& objects) {
    std::set<std::string> names;
    for (const channel::StepRecord& step : steps)
      if ((step.flags & (channel::kStepRaceFirst | channel::kStepRaceSecond)) != 0)
        names.insert(Touched(step, modules, objects));
    std::string all;
    for (const std::string& name : names) all += name + "\n";
    return all;
  }

  // A variable, or a member of a block's type. A block of no known type is told from others by
  // where it was allocated, memory without a name by its address.
  std::string Touched(const channel::StepRecord& step, const std::vector<Module>& modules,
                      ObjectNames& objects) {
    const HeapBlock* block = objects.BlockAt(step.object, step.number);
    if (block != nullptr && !block->type) {
      const channel::BlockRecord& record = block->record;
      return PlaceText(ProgramsOwn(Stack(modules, {record.pc, record.frames}, false))) + "+" +
             std::to_string(step.object - record.address);
    }
    objects.At(step.number);
    if (!objects.IsVariable(step.object)) return fmt::format("{:#x}", step.object);
    return WithoutIndices(objects.Short(static_cast<op::Kind>(step.op_kind), step.object));
  }

  // What std::thread keeps of a thread to start: a copy of what it is to call.
  bool IsThreadsOwn(const HeapBlock& block, const std::vector<Module>& modules) {
    for (uint32_t i = 0; i < block.record.frames; ++i)
      for (const Frame& frame : symbolizer_.Frames(modules, block.record.pc[i], false))
        if (IsLibrarySource(frame.location.file) && IsThreadHeader(frame.location.file))
          return true;
    return false;
  }

  // A plain access by code of a library, which the reader does not know, and that the finding is
  // not about.
  bool BelongsToLibrary(const channel::StepRecord& step, const std::vector<Module>& modules,
                        ObjectNames& objects) {
    const auto kind = static_cast<op::Kind>(step.op_kind);
    if (kind != op::Kind::kPlainRead && kind != op::Kind::kPlainWrite) return false;
    if ((step.flags & (kWithStack | channel::kStepPreempts)) != 0) return false;
    if (step.frames == 0) return true;
    const HeapBlock* block = objects.BlockAt(step.object, step.number);
    if (block != nullptr && IsThreadsOwn(*block, modules)) return true;
    return symbolizer_.Frames(modules, step.pc[0], false).front().library;
  }

  // What is thrown passes a pthread_once of the unwinder's, in libgcc: no step that the program's
  // source has, and no other thread waits for it.
  bool BelongsToUnwinder(const channel::StepRecord& step, const std::vector<Module>& modules) {
    const auto kind = static_cast<op::Kind>(step.op_kind);
    if (kind != op::Kind::kOnceBegin && kind != op::Kind::kOnceEnd) return false;
    if (all_steps_ || step.frames == 0 || (step.flags & kWithStack) != 0) return false;
    const Frame& caller = symbolizer_.Frames(modules, step.pc[0], false).front();
    return std::filesystem::path(caller.module).filename().string().starts_with("libgcc_s.so");
  }

  // A step of a test framework's own, unless the finding is about the same object. They are left to
  // those who want to see every step.
  bool IsFrameworks(const RawFinding& raw, size_t at, const std::vector<Module>& modules) {
    const channel::StepRecord& step = raw.steps[at];
    if (all_steps_ || (step.flags & (kWithStack | channel::kStepPreempts)) != 0) return false;
    const auto about = [&](const channel::StepRecord& other) {
      return (other.flags & kWithStack) != 0 && other.object != 0 && other.object == step.object;
    };
    for (uint32_t i = 0; i < step.frames; ++i) {
      for (const Frame& frame : symbolizer_.Frames(modules, step.pc[i], false)) {
        if (IsTestFramework(frame.location.function))
          return std::none_of(raw.steps.begin(), raw.steps.end(), about);
        if (!frame.library) return false;
      }
    }
    return false;
  }

  void TellValues(const channel::StepRecord& raw, op::Kind kind, ObjectNames& objects, Step& step) {
    const auto value = [&](channel::StepFacts fact, uint64_t number) {
      return (raw.facts & fact) != 0 ? objects.Value(raw.object, number, raw.size) : "";
    };
    step.read = value(channel::kFactRead, raw.value);
    step.written = value(channel::kFactWritten, raw.written);
    step.expected = value(channel::kFactExpected, raw.expected);
    const bool failed = (raw.flags & channel::kStepFailed) != 0;
    step.text =
        WithValues(std::move(step.text), kind, failed, {step.read, step.written, step.expected});
  }

  // A compare-exchange that succeeds has found the value that its thread had read before; others
  // may have changed it in between, and back.
  std::string Remark(const std::vector<channel::StepRecord>& steps, size_t at,
                     ObjectNames& objects) {
    constexpr uint32_t kBoth = channel::kFactRead | channel::kFactWritten;
    const channel::StepRecord& step = steps[at];
    if (step.op_kind != static_cast<uint8_t>(op::Kind::kAtomicCompareExchange) ||
        (step.facts & kBoth) != kBoth)
      return "";
    std::string remark;
    for (size_t i = at; i-- > 0;) {
      const channel::StepRecord& earlier = steps[i];
      if (earlier.object != step.object) continue;
      if (earlier.thread == step.thread)
        return (earlier.facts & channel::kFactRead) != 0 && earlier.value == step.value ? remark
                                                                                        : "";
      if ((earlier.facts & channel::kFactWritten) == 0 || earlier.written == step.value) continue;
      remark = "ABA: was " + objects.Value(step.object, earlier.written, step.size) +
               " in between, by " + threads_.Name(earlier.thread);
    }
    return "";
  }

  std::vector<Frame> Stack(const std::vector<Module>& modules, std::span<const uint64_t> pcs,
                           bool exact) {
    std::vector<Frame> stack;
    for (size_t i = 0; i < pcs.size(); ++i) {
      const auto& frames = symbolizer_.Frames(modules, pcs[i], i == 0 && exact);
      stack.insert(stack.end(), frames.begin(), frames.end());
    }
    return stack;
  }

  Block Tell(const HeapBlock& block, const std::vector<Module>& modules) {
    Block told;
    told.name = block.name;
    told.bytes = block.record.bytes;
    told.thread = threads_.Name(block.record.thread);
    told.location = ProgramsOwn(Stack(modules, {block.record.pc, block.record.frames}, false));
    told.source = source_.Line(told.location.file, told.location.line);
    return told;
  }

  // A library that was not rebuilt and that one of the racing accesses comes from, or one of their
  // threads: its own atomics may order them. If there is none, all that the program calls: what it
  // calls between the accesses (to lock and to unlock, perhaps) leaves no trace.
  std::string LibraryInRace(const std::vector<channel::StepRecord>& steps,
                            const std::vector<Module>& modules) const {
    constexpr uint32_t kRacing = channel::kStepRaceFirst | channel::kStepRaceSecond;
    std::set<uint32_t> threads;
    for (const channel::StepRecord& step : steps) {
      if ((step.flags & kRacing) == 0) continue;
      threads.insert(step.thread);
      for (uint32_t i = 0; i < step.frames; ++i)
        if (std::string name = LibraryAt(modules, step.pc[i]); !name.empty()) return name;
    }
    for (const channel::StepRecord& step : steps) {
      if (step.op_kind != static_cast<uint8_t>(op::Kind::kThreadCreate)) continue;
      if (threads.count(step.other) == 0) continue;
      if (std::string name = LibraryAt(modules, step.object2); !name.empty()) return name;
    }
    std::string names;
    for (const Library& library : not_rebuilt_)
      if (library.called) names += (names.empty() ? "" : ", ") + library.name;
    return names;
  }

  std::string LibraryAt(const std::vector<Module>& modules, uint64_t address) const {
    for (const Module& module : modules) {
      if (address < module.begin || address >= module.end) continue;
      for (const Library& library : not_rebuilt_)
        if (library.path == module.path) return library.name;
    }
    return "";
  }

  // `message` of a race with its accesses' places: %P1% and %P2%, " at bank.cpp:8" or nothing.
  static std::string WithPlaces(std::string message, const std::vector<Step>& steps) {
    for (const auto& [mark, flag] : {std::pair("%P1%", channel::kStepRaceFirst),
                                     std::pair("%P2%", channel::kStepRaceSecond)}) {
      const size_t at = message.find(mark);
      if (at == std::string::npos) continue;
      const auto step = std::find_if(steps.begin(), steps.end(), [flag = flag](const Step& one) {
        return (one.flags & flag) != 0;
      });
      const bool known = step != steps.end() && !step->location.file.empty();
      message.replace(at, std::strlen(mark), known ? " at " + PlaceText(step->location) : "");
    }
    // "%T1% waits for mutex ...": where it does.
    for (const Step& step : steps) {
      if ((step.flags & channel::kStepBlocked) == 0 || step.location.file.empty()) continue;
      const std::string waits = step.thread + " waits ";
      if (const size_t at = message.find(waits); at != std::string::npos)
        message.insert(at + waits.size(), "at " + PlaceText(step.location) + " ");
    }
    return message;
  }

  static std::vector<Location> Locations(const std::vector<Step>& steps) {
    std::vector<Location> locations;
    for (const Step& step : steps) {
      if ((step.flags & kWithStack) != 0) locations.push_back(step.location);
    }
    return locations;
  }

  const Records& records_;
  ThreadNames threads_;
  const std::vector<Library>& not_rebuilt_;
  const bool all_steps_;
  Symbolizer& symbolizer_;
  SourceFiles source_;
};

Note NoteOf(const RawNote& raw, std::string text) {
  switch (raw.kind) {
    case channel::NoteKind::kIncomplete:
      return {"incomplete", std::move(text), claim::NameOf(raw.reason)};
    case channel::NoteKind::kWarning:
      return {"warning", std::move(text)};
    case channel::NoteKind::kInfo:
      break;
  }
  return {"info", std::move(text)};
}

void CopyNumbers(const channel::Header& header, SearchResult& result) {
  const channel::Progress& progress = header.progress;
  const channel::Summary& summary = header.summary;
  result.executions = progress.executions;
  result.redundant = progress.redundant;
  result.assumed_away = progress.assumed_away;
  result.cut = progress.cut;
  result.hooks = progress.hooks;
  result.events = progress.events;
  result.threads = progress.threads;
  result.suppressed = progress.suppressed;
  result.completed_bound = progress.completed_bound;
  result.restarts = header.restarts;
  result.estimate = EstimateOf(progress.estimate);
  result.advised_bound = progress.advised_bound;
  result.advised = EstimateOf(progress.advised);
  result.complete = summary.complete != 0;
  result.whole_space = summary.whole_space != 0;
  result.time_limits = summary.time_limits != 0;
  result.stop = StopName(summary.stop);
  result.happens_before = summary.happens_before;
  if (summary.coverage_overflow == 0) result.trace_sum = summary.trace_sum;
  result.peak_nodes = summary.peak_nodes;
  result.steps_skipped = summary.steps_skipped;
  result.states = summary.states;
  result.state_bytes = summary.state_bytes;
  result.collisions = summary.collisions;
  const size_t in_bounds = std::min(summary.states_by_bound_count, channel::kMaxCoverageBounds);
  result.states_by_bound.assign(summary.states_by_bound, summary.states_by_bound + in_bounds);
  result.most_choices = summary.most_choices;
  size_t bounds = std::min(summary.by_preemptions_count, channel::kMaxCoverageBounds);
  result.by_preemptions.assign(summary.by_preemptions, summary.by_preemptions + bounds);
  const size_t points = std::min(summary.over_executions_count, channel::kMaxCoveragePoints);
  for (const auto& [executions, graphs] : std::span(summary.over_executions, points))
    result.over_executions.push_back({executions, graphs});
  result.all_graphs = result.whole_space && summary.coverage_overflow == 0;
}

void CopySettings(const channel::Settings& settings, SearchResult& result) {
  result.order = space::NameOf(settings.order);
  result.priority = space::NameOf(settings.priorities);
  result.rewind = channel::RewindName(settings.rewind);
  result.points = space::NameOf(settings.points);
  result.timeouts = TimeoutsName(settings.timeouts);
  result.release_sequences = channel::ReleaseSequencesName(settings.release_sequences);
  result.reduction = space::NameOf(settings.reduction);
  result.visited = space::NameOf(settings.visited);
  result.exact = settings.exact != 0;
  result.seed = settings.seed;
  result.races_checked = settings.report_races != 0;
  result.depth = settings.depth;
  if (!settings.bound.IsNone()) result.bound = settings.bound;
}

void AddNotes(const channel::Header& header, const Records& records, const RunFacts& facts,
              FindingFormatter& formatter, SearchResult& result) {
  result.notes = facts.notes;
  const bool atomic_statements = header.settings.points == channel::Points::kHooks;
  // They are about code whose accesses are not seen. Within a statement nobody looks at any.
  for (Note& note : result.notes)
    if (atomic_statements && note.kind == "incomplete") note = {"info", note.text};
  for (const RawNote& note : records.notes) {
    Note told = NoteOf(note, formatter.WithNames(note.text));
    bool known = std::any_of(result.notes.begin(), result.notes.end(),
                             [&](const Note& other) { return other.text == told.text; });
    if (!known) result.notes.push_back(std::move(told));  // a restarted process says it again
  }
  if (records.damaged) {
    result.notes.push_back(
        {"warning", "the last finding was cut off when the program's process died"});
  }
  if (const uint64_t lost = header.report_lost.load(); lost != 0) {
    result.notes.push_back(IncompleteNote(claim::Incomplete::kReportFull, Counted(lost, "record")));
  }
  if (header.summary.coverage_overflow != 0) {
    result.notes.push_back({"info",
                            "coverage counts are lower bounds: more happens-before graphs "
                            "than the table holds"});
  }
}

// The theorem of data-race freedom (docs/claims.md): what it asks for, and nothing that it does not
// know.
bool HoldsUnderWeakMemory(const channel::Summary& summary, const RunFacts& facts,
                          const SearchResult& result) {
  const bool raced =
      std::any_of(result.findings.begin(), result.findings.end(),
                  [](const Finding& finding) { return finding.kind == "data-race"; });
  return result.whole_space && result.instrumented && !facts.frameworks_unseen && !raced &&
         result.suppressed == 0 && summary.weak_pairs_watched != 0 && summary.beyond_c11 == 0 &&
         result.weak_memory.pairs.empty();
}

}  // namespace

Finding TellFinding(const RawFinding& raw, const Records& records,
                    std::span<const channel::ThreadName> names, Symbolizer& symbolizer) {
  const std::vector<Library>
      unknown;  // which libraries were not rebuilt does not matter to the question
  FindingFormatter formatter(records, names, unknown, false, symbolizer);
  std::vector<ToldFinding> one;
  one.push_back(formatter.Tell(raw));
  formatter.PlaceSteps(one);
  return std::move(one.front().finding);
}

const char* TimeoutsName(channel::Timeouts timeouts) {
  return timeouts == channel::Timeouts::kLast ? "last" : "any";
}

SearchResult Assemble(const channel::Header& header, const Records& records,
                      std::span<const channel::ThreadName> names, const RunFacts& facts,
                      Symbolizer& symbolizer) {
  SearchResult result;
  result.heddle_version = HEDDLE_VERSION;
  result.program = facts.program;
  result.arguments = facts.arguments;
  result.instrumented = facts.instrumented;
  result.preset = facts.preset;
  result.elapsed_s = facts.elapsed_s;
  result.peak_memory_bytes = facts.peak_memory_bytes;
  CopySettings(header.settings, result);
  CopyNumbers(header, result);
  if (facts.out_of_control) result.complete = result.all_graphs = false;

  FindingFormatter formatter(records, names, facts.not_rebuilt, facts.all_steps, symbolizer);
  std::vector<ToldFinding> all;
  for (const RawFinding& raw : records.findings) {
    all.push_back(formatter.Tell(raw));
    all.back().finding.record = all.size() - 1;
  }
  formatter.PlaceSteps(all);
  for (size_t i = 0; i < records.findings.size(); ++i) {
    for (const RawFinding& raw : records.findings[i].other) {
      std::vector<ToldFinding> other;
      other.push_back(formatter.Tell(raw));
      formatter.PlaceSteps(other);
      all[i].finding.other.push_back(std::move(other.front().finding));
    }
  }
  result.findings = MergeRaces(std::move(all));
  for (const RawFinding& raw : records.weak_pairs) {
    Finding told = formatter.Tell(raw).finding;
    for (Step& step : told.steps) step.flags = 0;  // no race
    if (told.steps.size() == 2)
      result.weak_memory.pairs.push_back({std::move(told.steps[0]), std::move(told.steps[1])});
  }
  for (const RawOutcome& outcome : records.outcomes) {
    result.outcomes[outcome.label] = {outcome.count, outcome.preemptions, outcome.early_timeouts};
  }
  AddNotes(header, records, facts, formatter, result);
  WithdrawClaims(result, header.settings.mode != channel::Mode::kReplay);
  result.weak_memory.holds = HoldsUnderWeakMemory(header.summary, facts, result);
  bool out_of_control = facts.out_of_control || header.summary.stop == channel::Stop::kUncontrolled;
  result.verdict = JudgeVerdict(result, out_of_control);
  result.guarantee = Guarantee(result);
  return result;
}

}  // namespace heddle::report
