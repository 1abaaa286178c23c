// A log with rotation. A writer asks whether the file is full, under the lock, rotates in a second section, and writes in a third.
// Interleaving: two writers both find the file full, and both rotate: an empty file is archived, and the archive is one too many; or a file
// grows over its limit, because somebody else's lines come between look and write.
// bug: preemptions=2 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static constexpr int kLimit = 3, kLines = 3, kWriters = 3;
static std::mutex mutex;
static int lines_in_file;
static std::vector<int> archive;

static void Write() {
#ifdef FIXED
  std::lock_guard<std::mutex> guard(mutex);
  if (lines_in_file == kLimit) archive.push_back(lines_in_file), lines_in_file = 0;
  lines_in_file++;
#else
  bool full;
  {
    std::lock_guard<std::mutex> guard(mutex);
    full = lines_in_file >= kLimit;
  }
  if (full) {
    std::lock_guard<std::mutex> guard(mutex);
    archive.push_back(lines_in_file), lines_in_file = 0;
  }
  std::lock_guard<std::mutex> guard(mutex);
  lines_in_file++;
#endif
}

int main() {
  std::vector<std::thread> writers;
  for (int i = 0; i < kWriters; i++)
    writers.emplace_back([] {
      for (int line = 0; line < kLines; line++) Write();
    });
  for (auto &writer : writers) writer.join();
  for (int lines : archive) assert(lines > 0);  // an archived file has lines
}
