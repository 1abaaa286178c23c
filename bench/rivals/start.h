// How every program here begins and ends: read the numbers of the command line, start threads, wait
// for them. The main thread does nothing else, so the traces are those of the threads alone.
#pragma once

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMostThreads = 64 };

// Of the accesses that are written with it; reads_from_bench.py makes them relaxed.
#ifndef ORDER
#define ORDER memory_order_seq_cst
#endif

// The number in `text`, from `least` to `most`. `name` is what the user has to give.
static inline int Number(const char* text, const char* name, int least, int most) {
  char* end = NULL;
  const long value = text ? strtol(text, &end, 10) : 0;
  if (!text || end == text || *end != '\0' || value < least || value > most) {
    fprintf(stderr, "give %s, a number from %d to %d\n", name, least, most);
    exit(2);
  }
  return (int)value;
}

// Starts body(0) ... body(count - 1) in threads of their own and waits for them all.
static inline void RunThreads(int count, void* (*body)(void*)) {
  pthread_t threads[kMostThreads + 1];
  for (int i = 0; i < count; ++i) {
    if (pthread_create(&threads[i], NULL, body, (void*)(long)i) != 0) {
      fprintf(stderr, "cannot start %d threads\n", count);
      exit(2);
    }
  }
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}
