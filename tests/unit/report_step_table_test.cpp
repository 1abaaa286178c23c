#include "report/step_table.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "channel/records.h"

namespace heddle::report {
namespace {

Step At(const std::string& thread, uint32_t line, const std::string& source, uint32_t flags = 0) {
  Step step;
  step.thread = thread;
  step.text = "locks mutex m";
  step.object = "mutex m";
  step.source = source;
  step.location = {"/src/bank.cpp", line, "Work"};
  step.flags = flags;
  return step;
}

std::string Table(std::vector<Step> steps, int width = 80) {
  Finding finding;
  finding.steps = std::move(steps);
  return StepTable(finding, Terminal(width, false));
}

TEST(StepTable, AColumnPerThread) {
  std::vector<Step> steps = {At("main", 1, "Begin();"),
                             At("T1", 8, "int x = balance;"),
                             At("T1", 8, "int x = balance;"),
                             At("T2", 9, "balance = 3;", channel::kStepPreempts),
                             At("T1", 10, "}"),
                             At("main", 2, "End();", channel::kStepBlocked)};
  steps.back().owner = "T1";
  EXPECT_EQ(Table(steps, 80),
            "               main   T1     T2\n"
            "  bank.cpp:1   Begin();  | locks mutex m\n"
            "  bank.cpp:8          int x = balance;  | locks mutex m\n"
            "                      -- preempted --\n"
            "  bank.cpp:9                 balance = 3;  | locks mutex m\n"
            "  bank.cpp:10         }  | locks mutex m\n"
            "  bank.cpp:2   End();  <- waits for mutex m, held by T1\n");
}

TEST(StepTable, NoLineIsWiderThanTheTerminal) {
  std::vector<Step> steps;
  for (int i = 0; i < 8; ++i) {
    steps.push_back(At("T" + std::to_string(i % 4), static_cast<uint32_t>(i), std::string(300, 'x'),
                       i == 5 ? channel::kStepRaceSecond : 0u));
  }
  for (int width : {60, 80, 200}) {
    std::string text = Table(steps, width);
    for (size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
      EXPECT_LE(end - at, static_cast<size_t>(width)) << text.substr(at, end - at);
    }
  }
}

TEST(StepTable, ANarrowTerminalHasAListInWhichNothingIsCut) {
  std::vector<Step> steps = {
      At("main", 1, "Begin();"), At("T1", 8, "std::lock_guard<std::mutex> guard(account.lock);"),
      At("main", 2, "End();", channel::kStepPreempts | channel::kStepBlocked)};
  steps.back().owner = "T1";
  EXPECT_EQ(Table(steps, 40),
            "  main bank.cpp:1\n"
            "    Begin();\n"
            "    | locks mutex m\n"
            "  T1 bank.cpp:8\n"
            "    std::lock_guard<std::mutex> \n"
            "    guard(account.lock);\n"
            "    | locks mutex m\n"
            "  -- T1 preempted --\n"
            "  main bank.cpp:2\n"
            "    End();\n"
            "    ^ waits for mutex m, held by T1\n");
  const std::string word(100, 'x');
  const std::string text = Table({At("T1", 8, word)}, 40);
  EXPECT_NE(text.find("    " + word.substr(0, 36) + "\n    " + word.substr(0, 36)),
            std::string::npos)
      << text;
}

TEST(StepTable, WhatFailsSaysSoBesideItself) {
  const std::string source = "if (!a.try_lock()) b.lock();";
  Step tries = At("main", 8, source, channel::kStepFailed);
  tries.text = "tries to lock mutex a";
  tries.object = "mutex a";
  Step locks = At("main", 8, source);
  locks.text = "locks mutex b";
  locks.object = "mutex b";
  EXPECT_EQ(Table({tries, locks}, 100), "              main\n  bank.cpp:8  " + source +
                                            "  | tries to lock mutex a: fails, locks mutex b\n");
  // The same operation, with another outcome, is another round of a loop.
  Step again = tries;
  again.flags = 0;
  EXPECT_EQ(Table({tries, again}, 100), "              main\n  bank.cpp:8  " + source +
                                            "  | tries to lock mutex a: fails\n  bank.cpp:8  " +
                                            source + "  | tries to lock mutex a\n");
  Step waits = At("main", 8, source, channel::kStepTimedOut | channel::kStepEarly);
  waits.text = "waits on condition c with a time limit";
  EXPECT_NE(Table({waits, locks}, 120).find("c with a time limit: times out early, locks mutex b"),
            std::string::npos);
}

Step Named(Step step, const std::string& text, const std::string& operation, uint32_t flags = 0) {
  step.text = text;
  step.operation = operation;
  step.flags = flags;
  return step;
}

TEST(StepTable, WhatComesBehindAnAccessOfARaceStandsBehindIt) {
  const Step line = At("T1", 8, "hits++;");
  const Step reads = Named(line, "reads hits: 1", "PlainRead", channel::kStepRaceSecond);
  const Step writes = Named(line, "writes hits: 2", "PlainWrite");
  EXPECT_EQ(Table({reads, writes}, 100),
            "              T1\n"
            "  bank.cpp:8  hits++;  <- second access: reads hits: 1\n"
            "              | writes hits: 2\n");
}

// A lock and its unlock between which nothing is shown take one row; others have their own.
TEST(StepTable, AnEmptySectionTakesOneRow) {
  const Step locks = Named(At("T1", 7, "Guard guard(m);"), "locks mutex m", "MutexLock");
  const Step unlocks = Named(At("T1", 9, "}"), "unlocks mutex m", "MutexUnlock");
  Step writes = Named(At("T1", 8, "hits++;"), "writes hits: 1", "PlainWrite");
  writes.object = "hits";
  EXPECT_EQ(Table({locks, unlocks}, 100),
            "              T1\n"
            "  bank.cpp:7  Guard guard(m);  | locks mutex m, unlocks it at line 9\n");
  EXPECT_EQ(Table({locks, writes, unlocks}, 100),
            "              T1\n"
            "  bank.cpp:7  Guard guard(m);  | locks mutex m\n"
            "  bank.cpp:8  hits++;  | writes hits: 1\n"
            "  bank.cpp:9  }  | unlocks mutex m\n");
  // Of another thread's lock nothing is known here, and a preemption has to be seen.
  Step other = unlocks;
  other.thread = "T2";
  EXPECT_NE(Table({locks, other}, 100).find("}  | unlocks mutex m"), std::string::npos);
  Step preempts = unlocks;
  preempts.flags = channel::kStepPreempts;
  EXPECT_NE(Table({locks, preempts}, 100).find("}  | unlocks mutex m"), std::string::npos);
}

// Of a long line its comment is left out, then its middle: what is done if it holds is at its end.
TEST(StepTable, ALongLineOfTheSourceKeepsItsEnd) {
  const std::string wait =
      "while (permit_.load(std::memory_order_relaxed) == 0) changed.wait(lock);";
  EXPECT_NE(Table({At("T1", 8, wait)}, 70)
                .find("while (permit_.load(std::m...) == 0) changed.wait(lock);"),
            std::string::npos)
      << Table({At("T1", 8, wait)}, 70);
  const std::string comment =
      "if (balance >= amount) balance -= amount;  // the two are not atomic";
  EXPECT_NE(Table({At("T1", 8, comment)}, 70).find("  if (balance >= amount) balance -= amount;\n"),
            std::string::npos)
      << Table({At("T1", 8, comment)}, 70);
  const std::string url =
      "Open(\"https://example.org/a //b/of/a/long/name/of/a/file\", kReadOnly);";
  EXPECT_NE(Table({At("T1", 8, url)}, 70).find("kReadOnly);"), std::string::npos);
}

TEST(StepTable, WhatTheSourceSaysIsNotSaidAgain) {
  const std::string begin = "              T1\n  bank.cpp:8  ";
  EXPECT_EQ(Table({At("T1", 8, "pthread_mutex_lock(&m);")}, 100),
            begin + "pthread_mutex_lock(&m);\n");
  EXPECT_EQ(Table({At("T1", 8, "m.lock();  // first")}, 100), begin + "m.lock();  // first\n");
  // Which of them, whether it did, and what else is on the line, has to be said.
  for (const char* source :
       {"bank->m.lock();", "m.try_lock();", "if (x) m.lock();", "Guard guard(m);"})
    EXPECT_EQ(Table({At("T1", 8, source)}, 100), begin + source + "  | locks mutex m\n");
}

TEST(StepTable, AnAccessThatTheFreeMayComeBeforeSaysSo) {
  Step first = Named(At("T1", 8, "use(p);"), "reads *p: 1", "PlainRead", channel::kStepRaceFirst);
  first.remark = kMayComeAfterFree;
  EXPECT_EQ(Table({first}, 100),
            "              T1\n  bank.cpp:8  use(p);  <- reads *p: 1; may come after the free\n");
}

TEST(StepTable, NothingIsShownBehindARaceThatItDoesNotNeed) {
  const Step first =
      Named(At("T1", 8, "hits++;"), "writes hits: 1", "PlainWrite", channel::kStepRaceFirst);
  const Step second =
      Named(At("T2", 8, "hits++;"), "reads hits: 1", "PlainRead", channel::kStepRaceSecond);
  const Step joins =
      Named(At("main", 9, "Join();"), "joins thread T1", "ThreadJoin", kAsideNoInfluence);
  const std::string text = Table({first, second, joins}, 100);
  EXPECT_EQ(text.find("Join();"), std::string::npos) << text;
  EXPECT_NE(text.find("left out: 1 step without influence on the bug"), std::string::npos) << text;
  // What the execution ends by comes later, and so does all that leads there.
  const Step ends = Named(At("main", 10, "abort();"), "aborts", "Hook", channel::kStepEnding);
  EXPECT_NE(Table({first, second, joins, ends}, 100).find("Join();"), std::string::npos);
}

TEST(StepTable, ABugThatEndsTheProgramIsNotItsExit) {
  const Step line = At("T1", 8, "use(id);");
  const Step exits = Named(line, "ends the program", "ProgramExit");
  const Step ends = Named(line, "accesses freed memory", "Hook", channel::kStepEnding);
  EXPECT_EQ(Table({exits, ends}, 100), "              T1\n  bank.cpp:8  use(id);  <- here\n");
  const Step status = Named(line, "ends the execution", "Hook", channel::kStepEnding);
  EXPECT_NE(Table({exits, status}, 100).find("| ends the program"), std::string::npos);
}

TEST(StepTable, WhatAThreadHoldsItselfIsSaidSo) {
  Step waits = At("T1", 8, "m.lock();", channel::kStepBlocked);
  waits.owner = "T1";
  EXPECT_EQ(Table({waits}, 100),
            "              T1\n"
            "  bank.cpp:8  m.lock();  <- waits for mutex m, which it holds itself\n");
}

TEST(StepTable, ManyThreadsShowThoseThatMatter) {
  std::vector<Step> steps;
  for (int i = 0; i < 50; ++i) steps.push_back(At("T" + std::to_string(i), 5, "Work();"));
  steps.push_back(At("T3", 6, "x = 1;", channel::kStepRaceFirst));
  steps.push_back(At("T40", 7, "x = 2;", channel::kStepRaceSecond));
  std::string text = Table(steps);
  std::string heading = text.substr(0, text.find('\n'));
  EXPECT_NE(heading.find("T3 "), std::string::npos);
  EXPECT_NE(heading.find("T40"), std::string::npos);
  EXPECT_EQ(heading.find("T7"), std::string::npos);
  EXPECT_NE(text.find("... 3 steps of T0, T1, T2 ..."), std::string::npos) << text;
}

TEST(StepTable, WhatIsDoneStandsBesideTheSourceOrBelowIt) {
  const std::string source = "total = total + 1234567890123456789012;";
  Step reads = At("main", 8, source);
  reads.text = "reads total: 100";
  Step writes = reads;
  writes.text = "writes total: 120";
  writes.operation = "PlainWrite";
  writes.remark = "ABA: was 7 in between";
  const std::string begin = "              main\n  bank.cpp:8  " + source;
  EXPECT_EQ(Table({reads, writes}, 100), begin +
                                             "  | reads total: 100, writes total: 120\n"
                                             "              ^ ABA: was 7 in between\n");
  reads.text += std::string(80, '1');
  EXPECT_EQ(Table({reads, writes}, 100),
            begin + "\n              | reads total:\n              |   100" + std::string(79, '1') +
                "\n              |   1" +
                "\n              | writes total: 120  <- ABA: was 7 in between\n");
}

// What is too wide for its column takes more lines, and never begins in another thread's column.
TEST(StepTable, WhatIsTooWideStaysInItsColumn) {
  std::vector<Step> steps = {At("main", 1, "Begin();"), At("T1", 2, "Look();"),
                             At("T2", 3, "waiters.fetch_add(1);")};
  steps[2].text = "updates waiters of the pool that the address of the counter belongs to: 0 -> 1";
  const std::string text = Table(steps, 100);
  const size_t column = text.find("T2");
  const size_t begin = text.find("| updates");
  ASSERT_NE(begin, std::string::npos) << text;
  EXPECT_EQ(begin - text.rfind('\n', begin) - 1, column) << text;
  const size_t more = text.find("| ", begin + 2);
  ASSERT_NE(more, std::string::npos) << text;
  EXPECT_EQ(more - text.rfind('\n', more) - 1, column) << text;
  EXPECT_NE(text.find("0 -> 1"), std::string::npos) << text;
}

TEST(StepTable, NamesAreCutInTheirMiddle) {
  Step step = At("main", 1, "store();");
  step.object = "atomic waiter_pool_of_the_library::for_address(void const*)::pool[1].ver";
  step.text = "stores waiter_pool_of_the_library::for_address(void const*)::pool[1].ver: 1";
  EXPECT_NE(Table({step}, 100).find("| stores waiter_pool_of_the_l... const*)::pool[1].ver: 1\n"),
            std::string::npos)
      << Table({step}, 100);
  Finding finding;
  finding.steps = {step};
  EXPECT_NE(
      StepTable(finding, Terminal(200, false), Steps::kAll)
          .find("stores waiter_pool_of_the_library::for_address(void const*)::pool[1].ver: 1"),
      std::string::npos);
  step.location.file = "/src/a_very_long_name_of_a_source_file.cpp";
  EXPECT_NE(Table({step}, 100).find("a_very_lon...ce_file.cpp:1 "), std::string::npos)
      << Table({step}, 100);
}

// The step of the other thread may be one that is left out.
TEST(StepTable, APreemptionIsOneWhereAnotherThreadFollows) {
  const std::string text =
      Table({At("T1", 1, "Lock();"), At("T1", 2, "Look();", channel::kStepPreempts)}, 100);
  EXPECT_EQ(text.find("preempted"), std::string::npos) << text;
}

TEST(StepTable, RoundsThatAreAlikeAreToldOnce) {
  std::vector<Step> steps = {At("main", 1, "Begin();")};
  for (int i = 0; i < 30; ++i) {
    steps.push_back(At("T1", 4, "lock();"));
    steps.push_back(At("T1", 5, "look();"));
    steps.back().text = "loads x: " + std::to_string(i);
  }
  steps.push_back(At("T1", 4, "lock();", channel::kStepPreempts));
  EXPECT_EQ(Table(steps),
            "              main            T1\n"
            "  bank.cpp:1  Begin();  | locks mutex m\n"
            "  bank.cpp:4                  lock();  | locks mutex m\n"
            "  bank.cpp:5                  look();  | loads x: 0\n"
            "                              ... 2 rows, 30 times in all ...\n"
            "  bank.cpp:4                  lock();  | locks mutex m\n");
  Finding finding;
  finding.steps = steps;
  const std::string all = StepTable(finding, Terminal(80, false), Steps::kAll);
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 63);
}

TEST(StepTable, TheRoundsOfOneLineAreToldOnceToo) {
  std::vector<Step> steps;
  for (int i = 0; i < 1000; ++i) {
    steps.push_back(At("T1", 4, "++x;"));
    steps.back().text = "updates x: " + std::to_string(i) + " -> " + std::to_string(i + 1);
  }
  EXPECT_EQ(Table(steps),
            "              T1\n"
            "  bank.cpp:4  ++x;  | updates x: 0 -> 1\n"
            "              ... this, 1,000 times in all ...\n");
}

TEST(StepTable, WithoutSourceTheOperationIsShown) {
  Step step = At("main", 0, "");
  step.location = {};
  EXPECT_NE(Table({step}).find("locks mutex m"), std::string::npos);
  EXPECT_EQ(Table({}), "");
}

}  // namespace
}  // namespace heddle::report
