#include "session/worker_mark.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace heddle::session {
namespace {

constexpr char kWorker[] = ".worker-";
constexpr char kUnnamed[] = ".new";

// Of the open file description: closing another descriptor of the file leaves it, and the program's
// process, which has none, does not keep it.
struct flock WholeFile() {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

}  // namespace

WorkerMark::WorkerMark(std::string result) : result_(std::move(result)) {
  Make();
  LookForDead();
}

WorkerMark::~WorkerMark() {
  if (file_ < 0) return;
  if (!stays_) unlink(path_.c_str());
  close(file_);
}

void WorkerMark::Make() {
  char host[65] = {};
  gethostname(host, sizeof host - 1);
  const std::string path = result_ + kWorker + host + "-" + std::to_string(getpid());
  // A worker of this number that died long ago stays counted.
  std::string name = path;
  std::error_code error;
  for (int number = 2; std::filesystem::exists(name, error); ++number)
    name = path + "-" + std::to_string(number);
  const std::filesystem::path whole(name);
  const std::string unnamed =
      (whole.parent_path() / ("." + whole.filename().string() + kUnnamed)).string();
  const int file = open(unnamed.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return;
  struct flock lock = WholeFile();
  if (fcntl(file, F_OFD_SETLK, &lock) != 0 || rename(unnamed.c_str(), name.c_str()) != 0) {
    unlink(unnamed.c_str());
    close(file);
    return;
  }
  file_ = file;
  path_ = name;
}

void WorkerMark::LookForDead() {
  if (file_ < 0) return;
  const std::filesystem::path result(result_);
  const std::filesystem::path folder = result.has_parent_path() ? result.parent_path() : ".";
  const std::string begin = result.filename().string() + kWorker;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const std::string path = (result.parent_path() / name).string();
    if (name.starts_with("." + begin) && name.ends_with(kUnnamed)) unnamed_.push_back(path);
    if (!name.starts_with(begin)) continue;
    if (path == path_) continue;
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) continue;  // it ended meanwhile
    struct flock lock = WholeFile();
    if (fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK) dead_.push_back(path);
    close(file);
  }
}

void WorkerMark::RemoveDead() {
  for (const std::string& path : dead_) unlink(path.c_str());
  dead_.clear();
  // One that is about to get its name loses it, which does no harm: its worker would run in vain.
  for (const std::string& path : unnamed_) unlink(path.c_str());
  unnamed_.clear();
}

}  // namespace heddle::session
