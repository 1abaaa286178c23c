// What every test program needs: start a few threads, wait for them. The main thread does
// nothing else, so the interleavings of a program are those of its bodies alone.
#pragma once

#include <assert.h>
#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void *(*Body)(void *);

enum { kMostThreads = 64 };

// Runs bodies[0] .. bodies[count-1], each in its own thread, with its index as the argument.
static inline void RunThreads(int count, const Body *bodies) {
  pthread_t threads[kMostThreads];
  assert(count <= kMostThreads);
  for (int i = 0; i < count; i++)
    if (pthread_create(&threads[i], 0, bodies[i], (void *)(long)i) != 0) assert(!"pthread_create");
  for (int i = 0; i < count; i++)
    if (pthread_join(threads[i], 0) != 0) assert(!"pthread_join");
}

// Runs `count` threads of the same body.
static inline void RunSame(int count, Body body) {
  Body bodies[kMostThreads];
  for (int i = 0; i < count; i++) bodies[i] = body;
  RunThreads(count, bodies);
}

#ifdef __cplusplus
}
#endif
