#!/usr/bin/env python3
"""A program that uses the environment's locale has its files mapped once, however many executions there are; one that uses
another locale runs each execution in a process of its own."""

import os
import sys

from heddle_run import Case, read_json

PROGRAM = r"""
#include <assert.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *Lock(void *arg) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return arg;
}
static int Mapped(void) {  // how often one file of the locale is
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[1024];
  int count = 0;
  assert(maps);
  while (fgets(line, sizeof line, maps)) count += strstr(line, "/LC_TIME") != 0;
  fclose(maps);
  return count;
}
int main(int argc, char **argv) {
  assert(strcmp(setlocale(LC_ALL, 0), "C") == 0);
  if (argc > 1) setenv("LC_ALL", argv[1], 1);
  assert(setlocale(LC_ALL, ""));
  assert(setlocale(LC_ALL, setlocale(LC_ALL, 0)));
  locale_t own = newlocale(LC_ALL_MASK, "", 0);
  assert(own && Mapped() == 1);
  freelocale(own);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, Lock, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
"""

CPP = r"""
#include <cassert>
#include <locale>
#include <thread>
int main() {
  assert(std::locale().name() == "C");
  std::locale::global(std::locale(""));
  assert(std::locale().name() == "C.UTF-8");
  std::thread([] {}).join();
}
"""

case = Case(sys.argv[1])
clean = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "LOCPATH"))}


def check(what, program, *arguments, executions, rewind, **environment):
    done = case.heddle("check", "--reduction", "optimal", "--json", "result.json", "--", program, *arguments,
                       env={**clean, **environment})
    result = read_json(case.path / "result.json") if done.status == 0 else {}
    case.expect(what, result.get("complete") and result["executions"] == executions and result["rewind"] == rewind, done)


# Two locks in each thread, C(4,2) = 6.
program = case.compile("locale", PROGRAM)
check("the environment's", program, executions=6, rewind="checkpoint", LC_ALL="C.UTF-8")
check("that of LANG", program, executions=6, rewind="checkpoint", LANG="C.UTF-8")
check("another one than the environment's", program, "C.UTF-8", executions=6, rewind="fork-checkpoint", LC_ALL="C")
program = case.compile("cpp_locale", CPP, "-std=c++17", compiler="heddle-c++")
check("the C++ library's", program, executions=1, rewind="checkpoint", LC_ALL="C.UTF-8")
case.finish()
