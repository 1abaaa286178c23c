// heddle check --shard: one of N parts of a search that begins, for jobs that know nothing of each
// other. Each of them cuts the search in the same way (pieces.h): after the same number of
// executions, not after the same time. What was run before the cut belongs to the first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/search_options.h"
#include "cli/search_run.h"

namespace heddle::cli {

struct Shard {
  uint64_t number = 1;  // from 1 to count
  uint64_t count = 1;
};

// "3/10"; "auto", or "auto/10" where the environment does not say how many: as the first of these
// says that is there: Bazel (TEST_), GoogleTest (GTEST_), Slurm, Kubernetes (JOB_COMPLETION_INDEX),
// GitLab (CI_NODE_INDEX).
base::Result<Shard> ParseShard(const std::string& text);

// Answers the exit status. REQUIRES: options.shard is given.
int ExploreShard(const SearchOptions& options, const SearchSubject& subject,
                 const std::vector<std::string>& command);

}  // namespace heddle::cli
