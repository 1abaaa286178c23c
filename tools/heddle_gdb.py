"""gdb and heddle: follows a schedule that `heddle check` recorded, and stops where it fails.

`heddle replay --gdb FILE.heddle` starts gdb with this script. A front end that starts gdb itself sources it and says
`heddle-replay FILE.heddle`, then runs the program. `help heddle` lists the commands.

How it works. The program's process runs each of its threads on a kernel thread of its own, one at a time
(src/runtime/fibers/kernel_threads.h). libheddle has two functions for breakpoints (src/runtime/debugger.h):
heddle_debugger_begin, where this script says at which moment to stop, and heddle_debugger_stop, which is called there.
Then the operation is finished, so that the thread stands in the program's own code, right behind it; unless it has to
wait on the way, or the program ends. To go back is to start the program again and to stop earlier: the schedule is the
same, so everything is.
"""

import json
import os
import shlex
import shutil
import subprocess

import gdb

LIBRARY = "libheddle.so"
FOLDER = os.path.dirname(os.path.realpath(__file__))  # gdb forgets the name when the script has been read
HELP = """Commands for a program that follows a schedule of heddle's.

heddle-step [N]    goes on to the next step of the schedule, or to the N-th next, of whatever thread
heddle-back [N]    goes one step back, or N
heddle-goto N      goes to step N; without N, to where it fails
heddle-steps [A B] lists the steps, or those from A to B, and marks the present one
heddle-threads     lists the threads: where each stands in the program, and in which operation
heddle-thread NAME selects a thread by its name in reports: main, T1, T1.2
heddle-where       says again where this is, and what the bug is
heddle-replay FILE takes up a schedule (heddle replay --gdb has done that)

A step is what the report shows: a lock, an atomic operation, a racing access. After heddle-step it has been made (a racing
plain access is about to be made), and the thread that made it is selected. Breakpoints, watchpoints, next, step, finish and
print work as ever; other threads run when the schedule says so. Do not call functions of the program that lock anything.
run and start begin again; heddle-back and heddle-goto do, too, and disable breakpoints on their way."""

# HeddleDebuggerReason (src/runtime/debugger.h)
MOMENT, OPERATION, ENDS = 0, 1, 2
# HeddleDebugger: words
STOP_AT, LEAVING, REASON, MOMENT_NOW, THREAD, ENDING, NUMBER, THREADS, THREAD_COUNT = range(9)
THREAD_BYTES, PATH_AT, PATH_BYTES = 64, 24, 40  # HeddleThread


with open("/proc/self/cmdline", "rb") as words:
    WORDS = words.read().decode(errors="replace").split("\0")
# Is a front end at the other end, which wants to know of each stop? gdb does not tell scripts.
MACHINE = any(word.startswith(("--interpreter=mi", "-interpreter=mi", "-i=mi", "--i=mi", "mi")) for word in WORDS[1:4])
# gdb 13.1 crashes at the end of a batch, which has no time for what is posted, with an action that was not begun.
after_this = (lambda action: action()) if {"-batch", "--batch"} & set(WORDS) else gdb.post_event


def say(text):
    gdb.write(text + "\n")


def in_heddle(frame):
    name = gdb.current_progspace().solib_name(frame.pc())
    return name is not None and os.path.basename(name) == LIBRARY


def frames():
    """Of the selected thread, innermost first."""
    frame = gdb.newest_frame()
    while frame is not None and frame.is_valid():
        yield frame
        try:
            frame = frame.older()
        except gdb.error:
            return


def is_programs_own(frame):
    """Not heddle's, nor in the headers and libraries of the system."""
    if in_heddle(frame):
        return False
    symtab = frame.find_sal().symtab
    if symtab is None or os.path.basename(symtab.filename) in ("heddle.h", "heddle.hpp"):
        return False
    return not symtab.fullname().startswith("/usr/")


def program_frame():
    """The innermost frame of the program's own code; else the innermost outside heddle; else None."""
    outside = None
    for frame in frames():
        if is_programs_own(frame):
            return frame
        if outside is None and not in_heddle(frame):
            outside = frame
    return outside


class Shared:
    """The variable heddle_debugger of the program's process."""

    @staticmethod
    def words():
        return gdb.parse_and_eval("(unsigned long *)&heddle_debugger")

    @staticmethod
    def read(word):
        return int(Shared.words()[word])

    @staticmethod
    def write(word, value):
        address = int(Shared.words()) + 8 * word
        gdb.selected_inferior().write_memory(address, int(value).to_bytes(8, "little"))


def path_of(thread):
    """What reports call the thread."""
    count = Shared.read(THREAD_COUNT)
    if count == 0:
        return thread.name
    table = gdb.selected_inferior().read_memory(Shared.read(THREADS), count * THREAD_BYTES).tobytes()
    for at in range(0, len(table), THREAD_BYTES):
        if int.from_bytes(table[at + 4:at + 8], "little") == thread.ptid[1]:
            return table[at + PATH_AT:at + PATH_AT + PATH_BYTES].split(b"\0")[0].decode()
    return thread.name


class Begin(gdb.Breakpoint):
    """Where the execution begins: says where it shall stop."""

    def __init__(self, replay):
        super().__init__("heddle_debugger_begin", internal=True)
        self.silent = not MACHINE
        self.replay = replay

    def stop(self):
        self.replay.begun()
        return False


class Stop(gdb.Breakpoint):
    def __init__(self, replay):
        super().__init__("heddle_debugger_stop", internal=True)
        self.silent = not MACHINE
        self.replay = replay

    def stop(self):
        return self.replay.wants_stop()


class Replay:
    """One schedule under the debugger."""

    def __init__(self, channel, told):
        self.channel = channel
        self.told = told
        self.steps = told["steps"]
        self.made = [step for step in self.steps if "moment" in step]
        self.target = None       # moment to stop at in the next process; None: where it fails
        self.busy = False        # a command of ours is on its way, and will say where it came
        self.at_end = False      # stands where the execution ends
        self.signalled = False   # gdb has stopped at the signal that ends it
        self.begins = 0          # processes that came to the beginning
        self.is_in_program = False
        self.settle_due = False
        self.breakpoints = []
        self.settling = None     # settle(), between two stops
        self.waits = False       # for a stop that is settling's
        self.library_folder = None  # descriptor, once wanted

    def prepare(self):
        told = self.told
        for setting in ("set confirm off", "set print thread-events off", "set breakpoint pending on",
                        "set non-stop off",
                        "set startup-with-shell on", f"handle SIG{told['hang_signal']} nostop noprint pass"):
            gdb.execute(setting, to_string=True)
        gdb.execute("set exec-wrapper sh -c " + shlex.quote(self.wrapper()))
        if gdb.current_progspace().filename is None:
            gdb.execute("file " + shlex.quote(told["program"]), to_string=True)
        gdb.execute("set args " + " ".join(map(shlex.quote, told["arguments"])))
        gdb.events.new_objfile.connect(self.loaded)
        gdb.events.stop.connect(self.stopped)
        gdb.events.exited.connect(self.exited)

    def wrapper(self):
        """Starts the program, as sh: neither gdb nor the shell that it starts programs with is to be taken over. gdb closes
        descriptors that it has not had from the beginning, so the channel is opened here. sh knows descriptors 0 to 9."""
        library, own = self.told["library"], f"/proc/{os.getpid()}/fd"
        if any(character in library for character in " :$"):  # which the loader takes for its own
            # gdb opens the library by the loader's name for it: that name is to mean the same in both processes.
            if self.library_folder is None:
                self.library_folder = os.open(os.path.dirname(library), os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
            library = f"{own}/{self.library_folder}/{os.path.basename(library)}"
        return (f'exec 9<>{own}/{self.channel}; {self.told["channel_variable"]}=9 LD_BIND_NOW=1 '
                f'LD_PRELOAD={shlex.quote(library)}"${{LD_PRELOAD:+ $LD_PRELOAD}}" exec "$0" "$@"')

    def forget(self):
        gdb.events.new_objfile.disconnect(self.loaded)
        gdb.events.stop.disconnect(self.stopped)
        gdb.events.exited.disconnect(self.exited)
        for breakpoint in self.breakpoints:
            breakpoint.delete()

    def loaded(self, event):
        """libheddle is there: now its functions can have breakpoints."""
        if not self.breakpoints and os.path.basename(event.new_objfile.filename or "") == LIBRARY:
            self.breakpoints = [Begin(self), Stop(self)]

    # ---- where it fails ----

    def failing_step(self):
        """The step to stop at first; None if nothing was made before the end."""
        for step in self.made:
            if step["mark"] == "race-second":
                return step
        return self.made[-1] if self.made else None

    def stops_at_end(self):
        """Does the bug show in how the execution ends?"""
        return self.told["kind"] not in ("data-race", "hang")

    # ---- called by the breakpoints ----

    def begun(self):
        self.begins += 1
        self.at_end = self.signalled = self.is_in_program = False
        target = self.target
        if target is None and not self.stops_at_end() and self.failing_step():
            target = self.failing_step()["moment"]
        self.target = None
        Shared.write(STOP_AT, target or 0)

    def wants_stop(self):
        reason = Shared.read(REASON)
        if reason != ENDS:
            self.settle_due = reason == MOMENT
            self.is_in_program = False
            return True
        if self.signalled:
            return False  # it has been seen
        if Shared.read(ENDING) == 1 and not self.busy and not self.stops_at_end():
            return False
        self.at_end = True
        return True

    # ---- events ----

    def stopped(self, event):
        if isinstance(event, gdb.SignalEvent):
            fatal = event.stop_signal in ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT", "SIGTRAP", "SIGSYS")
            self.signalled = self.signalled or (fatal and self.begins > 0)
        if self.busy:
            return
        if self.waits:
            self.waits = False
            gdb.post_event(self.settle_on)
            return
        ours = isinstance(event, gdb.BreakpointEvent) and any(b in self.breakpoints for b in event.breakpoints)
        if ours or (isinstance(event, gdb.SignalEvent) and self.signalled):
            after_this(self.arrive)

    def exited(self, event):
        self.at_end = self.signalled = self.is_in_program = False
        if self.waits:
            self.waits = False
            gdb.post_event(self.settle_on)
        if self.begins == 0 and not self.busy:
            after_this(explain_failed_start)

    # ---- going ----

    def is_running(self):
        return gdb.selected_inferior().pid != 0

    def moment(self):
        return Shared.read(MOMENT_NOW)

    def go_on(self):
        """Continues until something stops the program. Our command says where."""
        was, self.busy = self.busy, True
        try:
            gdb.execute("continue", to_string=True)
        finally:
            self.busy = was

    def start(self, moment):
        """A new process, up to the moment; None: where it fails."""
        self.target = moment
        begins = self.begins
        was, self.busy = self.busy, True
        try:
            if self.is_running():
                gdb.execute("kill", to_string=True)
            gdb.execute("run", to_string=True)
        except gdb.error as error:
            if self.begins == begins:
                say(f"heddle: {error}")
        finally:
            self.busy = was
        if self.begins == begins:
            explain_failed_start()
            raise gdb.GdbError("the program did not start")

    def settle(self):
        """From the stop in libheddle to the program's own code behind the operation, if nothing else has to run first.
        A generator: whoever asks it for the next value lets the program go on before asking again."""
        self.settle_due = False
        if self.at_end or Shared.read(REASON) != MOMENT:
            return
        self.is_in_program = yield from self.leave_for(next((frame for frame in frames() if not in_heddle(frame)), None))
        index = self.index_now()
        if not self.is_in_program or (index >= 0 and self.made[index]["mark"].startswith("race-")):
            return
        # Out of the headers and libraries of the system, too. On the way there may be another operation.
        own = program_frame()
        if own is not None and own.pc() != gdb.newest_frame().pc() and is_programs_own(own):
            self.is_in_program = yield from self.leave_for(own)

    def leave_for(self, frame):
        """Goes on to where this thread comes back to the frame. False: it stands before another operation of the
        schedule first, or ended."""
        if frame is None or frame.type() == gdb.SIGTRAMP_FRAME:
            return False
        here = gdb.Breakpoint(f"*{frame.pc():#x}", internal=True)
        here.silent = not MACHINE
        here.thread = gdb.selected_thread().global_num
        Shared.write(LEAVING, Shared.read(THREAD) + 1)
        yield
        came = self.is_running() and here.hit_count > 0
        if self.is_running():
            Shared.write(LEAVING, 0)
        here.delete()
        return came

    def settle_now(self):
        if not self.settle_due:
            return
        with Quiet():
            for _ in self.settle():
                self.go_on()

    def arrive(self):
        """After a stop of ours that no command waits for: says where this is. A front end shows the innermost frame, so the
        thread goes to the program's code; gdb's own user has another one selected, and next begins with heddle-leave."""
        if not self.is_running():
            return
        if not MACHINE:
            return self.tell()
        # Here `continue` does not wait.
        self.settling, self.quiet = self.settle(), Quiet()
        self.quiet.__enter__()
        self.settle_on()

    def settle_on(self):
        try:
            if self.is_running():
                next(self.settling)
                self.waits = True
                gdb.execute("continue", to_string=True)
                return
        except StopIteration:
            pass
        self.settling = None
        self.quiet.__exit__()
        if self.is_running():
            self.tell()

    def go_to(self, step):
        """The state right after `step`; None: where it fails."""
        end = step is None and self.stops_at_end()
        target = None if step is None else step["moment"]
        if step is None and not end and self.failing_step():
            target = self.failing_step()["moment"]
        with Quiet():
            if not self.is_running() or self.at_end or self.signalled or target is None or target <= self.moment():
                self.start(target)
            else:
                Shared.write(STOP_AT, target)
                self.go_on()
        if self.is_running():
            self.settle_now()
        self.after_going()

    def step_on(self, step):
        """To a later step, as `continue` does: a breakpoint may come first."""
        Shared.write(STOP_AT, step["moment"] if step is not None else 0)
        number = Shared.read(NUMBER)
        self.go_on()
        if not self.is_running():
            return self.after_going()
        if Shared.read(NUMBER) != number or self.signalled:
            self.settle_now()
            return self.after_going()
        Shared.write(STOP_AT, 0)
        say("heddle: stopped on the way (a breakpoint?)")
        gdb.execute("frame")

    def after_going(self):
        if self.is_running():
            self.tell()
        else:
            say("heddle: the program has ended")

    # ---- saying ----

    def index_now(self):
        """Of the last step made, in self.made; -1: none."""
        moment = self.moment()
        index = -1
        for i, step in enumerate(self.made):
            if step["moment"] <= moment:
                index = i
        return index

    def total(self):
        return self.made[-1]["number"] if self.made else 0

    def tell(self):
        if self.at_end and self.told["kind"] in ("deadlock", "livelock"):  # who came last may have ended, or only join
            gdb.execute(f"heddle-thread {self.told['thread']}", to_string=True)
        say(self.position())
        frame = program_frame()
        if frame is not None:
            frame.select()
            gdb.execute("frame")

    def position(self):
        index = self.index_now()
        name = path_of(thread) if (thread := gdb.selected_thread()) is not None else "?"
        lines = []
        if index >= 0:
            step = self.made[index]
            coming = step["mark"].startswith("race-") and step["moment"] == self.moment()
            lines.append(f"heddle: {'before ' if coming else ''}step {step['number']} of {self.total()}: {describe(step)}")
        else:
            lines.append(f"heddle: before the first of {self.total()} steps")
        if (self.at_end or self.signalled) and not self.stops_at_end():
            lines.append("  here the program ends")
        elif self.at_end or self.signalled:
            lines.append(f"  here it ends, in {name}: {self.told['kind']}: {self.told['message']}")
        else:
            if index >= 0 and self.made[index] is self.failing_step() and not self.stops_at_end():
                lines.append(f"  here it fails: {self.told['kind']}: {self.told['message']}")
            if not self.is_in_program and Shared.read(NUMBER) != 0:
                lines.append(f"  {name} stands inside heddle, before its next operation or its end: heddle-step goes on")
        return "\n".join(lines)


def describe(step):
    where = f"{os.path.basename(step['file'])}:{step['line']}" if step["file"] else step["function"]
    return f"{step['thread']} {step['text']}" + (f", {where}" if where else "") + \
        (" (preempts)" if step["preempts"] else "")


class Quiet:
    """The user's breakpoints do not stop the program meanwhile."""

    def __enter__(self):
        self.disabled = [b for b in gdb.breakpoints() if b.is_valid() and b.enabled and b.visible]
        for breakpoint in self.disabled:
            breakpoint.enabled = False

    def __exit__(self, *_):
        for breakpoint in self.disabled:
            if breakpoint.is_valid():
                breakpoint.enabled = True


def explain_failed_start():
    say("heddle: the program did not come to its main function. If gdb says above that it cannot trace it (ptrace): in "
        "Docker, start the container with --cap-add=SYS_PTRACE; elsewhere see /proc/sys/kernel/yama/ptrace_scope")


class HideHeddle:
    """Backtraces show of libheddle's frames only the one that the program has called: `pthread_mutex_lock`, for example.
    `backtrace -no-filters` shows all."""

    def __init__(self):
        self.name, self.priority, self.enabled = "heddle", 100, True
        gdb.current_progspace().frame_filters[self.name] = self

    def filter(self, decorators):
        kept = None
        for decorator in decorators:
            if in_heddle(decorator.inferior_frame()):
                kept = decorator
                continue
            if kept is not None:
                yield kept
                kept = None
            yield decorator


replay = None


def current():
    if replay is None:
        raise gdb.GdbError("no schedule: heddle-replay FILE.heddle takes one up")
    return replay


def running():
    if not current().is_running():
        raise gdb.GdbError("the program does not run: heddle-goto or run starts it")
    return replay


def number_in(argument, otherwise):
    words = gdb.string_to_argv(argument)
    if not words:
        return otherwise
    try:
        return int(gdb.parse_and_eval(words[0]))
    except gdb.error as error:
        raise gdb.GdbError(str(error))


class Command(gdb.Command):
    name = ""

    def __init__(self):
        super().__init__(self.name, gdb.COMMAND_RUNNING)
        self.dont_repeat_by_default = True


class HeddleStep(Command):
    """heddle-step [N]: goes on to the next step of the schedule, or to the N-th next, of whatever thread."""
    name = "heddle-step"

    def invoke(self, argument, from_tty):
        r = running()
        count = number_in(argument, 1)
        if count < 0:
            raise gdb.GdbError("heddle-back goes back")
        if r.at_end or r.signalled:
            raise gdb.GdbError("the execution ends here: heddle-back goes back")
        index = r.index_now() + count
        if count:
            r.step_on(r.made[index] if index < len(r.made) else None)


class HeddleBack(Command):
    """heddle-back [N]: goes one step back, or N. The program is started again and follows the schedule up to there."""
    name = "heddle-back"

    def invoke(self, argument, from_tty):
        r = running()
        count = number_in(argument, 1)
        index = r.index_now()
        # The last step was made before the end: that is one back from there.
        if (r.at_end or r.signalled) and count > 0:
            index += 1
        index -= count
        if index < 0:
            raise gdb.GdbError("there is no step before the first; start goes to main")
        r.go_to(r.made[min(index, len(r.made) - 1)])


class HeddleGoto(Command):
    """heddle-goto [N]: goes to step N as heddle-steps counts; without N, to where it fails."""
    name = "heddle-goto"

    def invoke(self, argument, from_tty):
        r = current()
        number = number_in(argument, None)
        if number is None:
            return r.go_to(None)
        step = next((step for step in r.made if step["number"] >= number), None)
        if step is None or number < 1:
            raise gdb.GdbError(f"the steps are 1 to {r.total()}")
        r.go_to(step)


class HeddleSteps(Command):
    """heddle-steps [FIRST [LAST]]: lists the steps of the schedule; => is the last one made."""
    name = "heddle-steps"

    def invoke(self, argument, from_tty):
        r = current()
        words = [int(word) for word in gdb.string_to_argv(argument)]
        first = words[0] if words else 1
        last = words[1] if len(words) > 1 else float("inf")
        now = r.made[r.index_now()]["number"] if r.is_running() and r.begins and r.index_now() >= 0 else 0
        before = 0
        for step in r.steps:
            if "moment" not in step or not first <= step["number"] <= last:
                before = step["number"]
                continue
            if step["number"] > before + 1 and step["number"] > first:
                say(f"        ... {step['number'] - before - 1} more ...")
            before = step["number"]
            say(f"{'=>' if step['number'] == now else '  '} {step['number']:>4}  {describe(step)}"
                + (f"    {step['source']}" if step["source"] else ""))
        for step in r.steps:
            if step["mark"] in ("blocked", "left", "ending"):
                what = {"blocked": "waits: ", "left": "stands before: ", "ending": "ends it: "}[step["mark"]]
                where = f"{os.path.basename(step['file'])}:{step['line']}" if step["file"] else step["function"]
                say(f"     end  {step['thread']} {what}{step['text'] if step['mark'] != 'ending' else r.told['kind']}, {where}")


class HeddleThreads(Command):
    """heddle-threads: lists the threads: where each stands in the program's own code."""
    name = "heddle-threads"

    def invoke(self, argument, from_tty):
        running()
        selected, frame_before = gdb.selected_thread(), gdb.selected_frame()
        for thread in sorted(gdb.selected_inferior().threads(), key=lambda thread: thread.num):
            thread.switch()
            frame = program_frame()
            inner = next((frame for frame in frames()), None)
            operation = None
            for candidate in frames():
                if not in_heddle(candidate):
                    break
                operation = candidate.name()
            place = "has no frame of the program's"
            if frame is not None:
                sal = frame.find_sal()
                place = f"{frame.name()} at {sal.symtab.filename}:{sal.line}" if sal.symtab else str(frame.name())
            known = operation is not None and not operation.startswith("heddle::") and inner is not None and in_heddle(inner)
            inside = f", in {operation}" if known else ""
            path = path_of(thread)
            name = path if thread.name == path[:15] else f'{path} "{thread.name}"'
            say(f"{'*' if thread.num == selected.num else ' '} {thread.num:<3} {name:<15} {place}{inside}")
        selected.switch()
        frame_before.select()


class HeddleThread(Command):
    """heddle-thread NAME: selects the thread that reports call so (main, T1, T1.2), and its frame in the program's code."""
    name = "heddle-thread"

    def invoke(self, argument, from_tty):
        running()
        for thread in gdb.selected_inferior().threads():
            if argument.strip() in (path_of(thread), thread.name):
                thread.switch()
                frame = program_frame()
                if frame is not None:
                    frame.select()
                return gdb.execute("frame")
        raise gdb.GdbError(f"no thread {argument}: heddle-threads lists them")


class HeddleLeave(Command):
    """heddle-leave: out of libheddle, to the program's own code; what next, step and finish do first."""
    name = "heddle-leave"

    def invoke(self, argument, from_tty):
        r = replay
        if r is None or not r.is_running() or r.signalled or not in_heddle(gdb.newest_frame()):
            return
        if r.at_end:
            raise gdb.GdbError("the execution ends here: heddle-back goes back")
        frame = program_frame()
        if frame is None:
            raise gdb.GdbError("this thread has no code of the program left to run: heddle-step goes on")
        thread = gdb.selected_thread()
        here = gdb.Breakpoint(f"*{frame.pc():#x}", internal=True)
        here.silent = not MACHINE
        here.thread = thread.global_num
        try:
            r.go_on()
            hit = r.is_running() and here.hit_count > 0
        finally:
            here.delete()
        if not hit:
            if r.is_running():
                r.tell()
            raise gdb.GdbError("something else came first")
        r.is_in_program = True


class HeddleWhere(Command):
    """heddle-where: says where in the schedule this is, and what the bug is."""
    name = "heddle-where"

    def invoke(self, argument, from_tty):
        r = running()
        r.tell()
        say(f"  the bug: {r.told['kind']}: {r.told['message']}")


def take_up(channel, steps):
    global replay
    with os.fdopen(os.dup(steps), "r", encoding="utf-8") as file:
        file.seek(0)
        told = json.load(file)
    if replay is not None:
        replay.forget()
    replay = Replay(channel, told)
    replay.prepare()
    HideHeddle()


def heddle_command():
    """The heddle that this script belongs to."""
    for candidate in (os.path.join(FOLDER, "heddle"), os.path.join(FOLDER, "../../bin/heddle")):
        if os.access(candidate, os.X_OK):
            return candidate
    return shutil.which("heddle")


class HeddleReplay(Command):
    """heddle-replay FILE: takes up a schedule; run then follows it, up to where it fails."""
    name = "heddle-replay"

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        if len(words) != 1:
            raise gdb.GdbError("heddle-replay FILE.heddle")
        command = heddle_command()
        if command is None:
            raise gdb.GdbError("heddle is not beside this script, nor in PATH")
        channel, steps = os.memfd_create("heddle", 0), os.memfd_create("heddle-steps", 0)
        done = subprocess.run([command, "replay", f"--debugger-files={channel},{steps}", words[0]],
                              pass_fds=(channel, steps), stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            raise gdb.GdbError((done.stdout + done.stderr).strip())
        take_up(channel, steps)
        say(f"heddle: {os.path.basename(words[0])}: {replay.told['kind']}; run goes to where it fails")


class Heddle(gdb.Command):
    __doc__ = HELP

    def __init__(self):
        super().__init__("heddle", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE)

    def invoke(self, argument, from_tty):
        say(HELP)


for command in (Heddle, HeddleStep, HeddleBack, HeddleGoto, HeddleSteps, HeddleThreads, HeddleThread, HeddleLeave, HeddleWhere,
                HeddleReplay):
    command()
for stepping in ("next", "step", "until", "advance"):
    gdb.execute(f"define hook-{stepping}\nheddle-leave\nend")

if "HEDDLE_DEBUGGER_FILES" in os.environ:
    take_up(*map(int, os.environ.pop("HEDDLE_DEBUGGER_FILES").split(",")))
    gdb.execute("unset environment HEDDLE_DEBUGGER_FILES", to_string=True)
    try:
        replay.go_to(None)
    except gdb.GdbError:
        pass
