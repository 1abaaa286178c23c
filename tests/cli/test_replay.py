"""A recorded bug shows again every time: N replays of one finding. `test_replay.py BUILD [N]`, N = 50."""

import sys

from heddle_run import Case, read_json

PROGRAM = """
#include <assert.h>
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>
static std::atomic<int> x{0};
int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) threads.emplace_back([] { int seen = x; x = seen + 1; });
  for (auto &thread : threads) thread.join();
  std::printf("x is %d\\n", x.load());
  std::fflush(stdout);
  assert(x == 3);
}
"""



def lost(done):
    """Did the program say, in its own words, that an update was lost?"""
    return "x is 1" in done.out or "x is 2" in done.out


case = Case(sys.argv[1])
count = int(sys.argv[2]) if len(sys.argv) > 2 else 50
program = case.compile("program", PROGRAM, compiler="heddle-c++")
done = case.heddle("check", "--json", "result.json", program)
case.expect("the bug is found", done.status == 1, done)
if done.status == 1:
    bug = read_json(case.path / "result.json")["bugs"][0]
    case.expect("with the fewest preemptions", bug["preemptions"] == 1, done)
    case.expect("the report says how to replay", "heddle replay" in done.out + done.err, done)
    failed = 0
    for _ in range(count):
        again = case.heddle("replay", bug["schedule"])
        if again.status != 1 or not lost(again):
            failed += 1
            last = again
    case.expect(f"{count} replays of {count}", failed == 0, last if failed else again)
    case.expect("replay shows the program's own output", lost(again), again)
    elsewhere = case.heddle("replay", case.path / bug["schedule"], cwd="/")
    case.expect("replay works from another directory", elsewhere.status == 1, elsewhere)
case.finish()
