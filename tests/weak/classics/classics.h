// The words of the classics: accesses whose order is a macro, so that -DPUBLISH=relaxed weakens one of them.
#pragma once

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define ORDER_NAMED(order) memory_order_##order
#define ORDER(order) ORDER_NAMED(order)
#define LOAD(place, order) atomic_load_explicit(&(place), ORDER(order))
#define STORE(place, value, order) atomic_store_explicit(&(place), value, ORDER(order))
#define EXCHANGE(place, value, order) atomic_exchange_explicit(&(place), value, ORDER(order))
#define ADD(place, value, order) atomic_fetch_add_explicit(&(place), value, ORDER(order))
#define CAS(place, expected, value, order, failure) \
  atomic_compare_exchange_strong_explicit(&(place), expected, value, ORDER(order), ORDER(failure))
#define FENCE(order) atomic_thread_fence(ORDER(order))

typedef void* (*Body)(void*);

// Each body in a thread of its own, with its index as the argument.
static inline void RunThreads(int count, const Body* bodies) {
  pthread_t threads[8];
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, bodies[i], (void*)(long)i);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}
