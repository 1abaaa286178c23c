#include "report/wrappers.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace heddle::report {
namespace {

Frame At(const std::string& file, uint32_t line, const std::string& function, uint32_t declared) {
  return {{"/src/" + file, line, function}, "/src/program", false, declared};
}

// Steps of one operation, and the lines at which they are shown in the end.
class Steps {
 public:
  void Add(std::vector<Frame> own, const std::string& operation = "AtomicLoad") {
    Step step;
    step.operation = operation;
    step.location = own.front().location;
    steps_.push_back(step);
    own_.push_back(std::move(own));
  }
  std::string Shown() {
    std::vector<PlacedStep> placed;
    for (size_t i = 0; i < steps_.size(); ++i) placed.push_back({&steps_[i], own_[i]});
    SourceFiles source;
    LeaveOutWrappers(placed, source);
    std::string text;
    for (const Step& step : steps_) {
      text += (text.empty() ? "" : " ") + step.location.function + ":" +
              std::to_string(step.location.line);
      if (!step.within.file.empty()) text += "[" + std::to_string(step.within.line) + "]";
    }
    return text;
  }

 private:
  std::vector<Step> steps_;
  std::vector<std::vector<Frame>> own_;
};

Frame Get() { return At("atomic.h", 5, "Get", 4); }

TEST(Wrappers, AFunctionOfAHeaderThatTwoLinesCall) {
  Steps steps;
  steps.Add({Get(), At("main.c", 20, "main", 10)});
  steps.Add({Get(), At("main.c", 21, "main", 10)});
  EXPECT_EQ(steps.Shown(), "main:20[5] main:21[5]");
}

TEST(Wrappers, OrOfAFileNamedAfterWhatItWraps) {
  Steps steps;
  steps.Add({At("my_thread.c", 5, "Lock", 4), At("main.c", 20, "main", 10)});
  steps.Add({At("my_thread.c", 5, "Lock", 4), At("main.c", 21, "main", 10)});
  steps.Add({At("queue.c", 5, "Pop", 4), At("main.c", 22, "main", 10)});
  steps.Add({At("queue.c", 5, "Pop", 4), At("main.c", 23, "main", 10)});
  EXPECT_EQ(steps.Shown(), "main:20[5] main:21[5] Pop:5 Pop:5");
}

TEST(Wrappers, OneCallerIsNotEnough) {
  Steps steps;
  steps.Add({Get(), At("main.c", 20, "main", 10)});
  steps.Add({Get(), At("main.c", 20, "main", 10)});
  EXPECT_EQ(steps.Shown(), "Get:5 Get:5");
}

TEST(Wrappers, AFunctionThatDoesMoreIsNone) {
  Steps lines;
  lines.Add({Get(), At("main.c", 20, "main", 10)});
  lines.Add({At("atomic.h", 6, "Get", 4), At("main.c", 21, "main", 10)});
  EXPECT_EQ(lines.Shown(), "Get:5 Get:6");
  Steps operations;
  operations.Add({Get(), At("main.c", 20, "main", 10)});
  operations.Add({Get(), At("main.c", 21, "main", 10)}, "AtomicStore");
  EXPECT_EQ(operations.Shown(), "Get:5 Get:5");
  Steps is_long;
  is_long.Add({At("atomic.h", 50, "Get", 4), At("main.c", 20, "main", 10)});
  is_long.Add({At("atomic.h", 50, "Get", 4), At("main.c", 21, "main", 10)});
  EXPECT_EQ(is_long.Shown(), "Get:50 Get:50");
}

TEST(Wrappers, OneThatItsOwnFileCallsOrNobodyKnownIsNone) {
  Steps steps;
  steps.Add({Get(), At("main.c", 20, "main", 10)});
  steps.Add({Get(), At("main.c", 21, "main", 10)});
  steps.Add({Get(), At("atomic.h", 30, "Other", 28)});
  EXPECT_EQ(steps.Shown(), "Get:5 Get:5 Get:5");
  Steps alone;
  alone.Add({Get(), At("main.c", 20, "main", 10)});
  alone.Add({Get(), At("main.c", 21, "main", 10)});
  alone.Add({Get()});
  EXPECT_EQ(alone.Shown(), "Get:5 Get:5 Get:5");
}

TEST(Wrappers, AWrapperOfAWrapperIsOne) {
  const Frame lock = At("lock.h", 9, "Lock", 8);
  Steps steps;
  steps.Add({Get(), lock, At("main.c", 20, "main", 10)});
  steps.Add({Get(), lock, At("main.c", 21, "main", 10)});
  steps.Add({Get(), At("main.c", 22, "main", 10)});
  EXPECT_EQ(steps.Shown(), "main:20[5] main:21[5] main:22[5]");
}

}  // namespace
}  // namespace heddle::report
