// THREADS ITEMS: each thread but the first puts ITEMS into a queue, the first tries to take one out
// as often as all others together put one in.
#pragma once

#include <cstdlib>
#include <thread>
#include <vector>

// `put(i)` and `take()` are calls of the queue. The program's exit status.
template <typename Put, typename Take>
int RunQueue(int argc, char** argv, Put put, Take take) {
  if (argc != 3) return 1;
  const int threads = std::atoi(argv[1]);
  const int items = std::atoi(argv[2]);
  std::vector<std::thread> all;
  all.emplace_back([&] {
    for (int i = 0; i < items * (threads - 1); ++i) take();
  });
  for (int t = 1; t < threads; ++t) {
    all.emplace_back([&] {
      for (int i = 0; i < items; ++i) put(i);
    });
  }
  for (std::thread& thread : all) thread.join();
  return 0;
}
