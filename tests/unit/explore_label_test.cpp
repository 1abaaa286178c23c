// Steps by name (explore/order/step_label.h): what they depend on, and which options are those of
// one step.
#include "explore/order/step_label.h"

#include <gtest/gtest.h>

#include <vector>

#include "execution_by_hand.h"

namespace heddle::explore {
namespace {

using op::Access;
using op::Kind;

constexpr uint32_t kA = 0;  // objects
constexpr uint32_t kB = 1;

Label Touching(op::ThreadId thread, const std::vector<Touch>& touches) {
  Label label;
  label.thread = thread;
  label.touches = touches;
  return label;
}

// The table of explore/order/step_graph.h's accesses: the same two commute unless they are writes.
TEST(Label, DependsByObjectAndAccess) {
  const Access all[] = {Access::kNone, Access::kRead, Access::kShared, Access::kWrite};
  //                            none   read   shared write
  const bool depend[4][4] = {{false, false, false, false},  // none
                             {false, false, true, true},    // read
                             {false, true, false, true},    // shared
                             {false, true, true, true}};    // write
  for (size_t a = 0; a < 4; ++a) {
    for (size_t b = 0; b < 4; ++b) {
      EXPECT_EQ(Depend(Touch{kA, all[a]}, Touch{kA, all[b]}), depend[a][b]) << a << " " << b;
      EXPECT_FALSE(Depend(Touch{kA, all[a]}, Touch{kB, all[b]})) << a << " " << b;
    }
  }
}

TEST(Label, DependsByAnyOfItsAccesses) {
  const Label both = Touching(0, {{kA, Access::kRead}, {kB, Access::kWrite}});
  EXPECT_FALSE(Depend(both, Touching(1, {{kA, Access::kRead}})));
  EXPECT_TRUE(Depend(both, Touching(1, {{kA, Access::kRead}, {kB, Access::kRead}})));
  EXPECT_TRUE(Depend(Touching(1, {{kB, Access::kRead}}), both));
  EXPECT_FALSE(Depend(both, Touching(1, {})));
}

TEST(Label, DependsOnItsThreadAndOnWhatIsNotKnown) {
  EXPECT_TRUE(Depend(Touching(0, {}), Touching(0, {})));
  Label unknown = Touching(1, {});
  unknown.unknown = true;
  EXPECT_TRUE(Depend(Touching(0, {}), unknown));
  EXPECT_TRUE(Depend(unknown, Touching(0, {})));
}

//   T0              T1            T2
//   1 load A and B
//                   2 store B
//                                 3 ends the program
TEST(Label, IsThatOfAStep) {
  ByHand hand(3);
  hand.Step(0, Kind::kAtomicLoad, Access::kRead, {{kA}, {kB}});
  hand.Store(1, kB);
  hand.Step(2, Kind::kProgramExit, Access::kWrite, {{2}});
  StepGraph graph;
  graph.Extend(hand.Get());
  const Label load = LabelOf(graph, 1);
  EXPECT_EQ(load.thread, 0u);
  ASSERT_EQ(load.touches.size(), 2u);
  EXPECT_EQ(load.touches[0].object, kA);
  EXPECT_EQ(load.touches[1].object, kB);
  EXPECT_EQ(load.touches[1].access, Access::kRead);
  EXPECT_TRUE(load.covers);
  EXPECT_FALSE(load.ends || load.unknown || load.alone || load.open || load.vain);
  EXPECT_TRUE(load.options.empty());

  EXPECT_TRUE(Depend(load, LabelOf(graph, 2)));
  EXPECT_TRUE(Depend(load, graph, 2));
  EXPECT_TRUE(Depend(load, graph, 1));  // its own thread
  EXPECT_FALSE(Depend(load, graph, 3));
  EXPECT_FALSE(Depend(Touching(2, {{kA, Access::kRead}}), graph, 1));

  EXPECT_TRUE(LabelOf(graph, 3).ends);
  // In place: nothing of what was there before is left.
  Label label = load;
  label.open = true;
  Describe(graph, 2, label);
  EXPECT_EQ(label.thread, 1u);
  EXPECT_EQ(label.touches.size(), 1u);
  EXPECT_FALSE(label.open);
}

// A sleeping or planned step answers choices; the step that runs may list more or fewer of them.
TEST(Label, HasTheOptionsOfOneStep) {
  using Options = std::vector<plan::ScriptOption>;
  const auto same = [](const Options& label_options, bool label_open, const Options& options,
                       bool open) {
    Label label;
    label.options = label_options;
    label.open = label_open;
    return SameOptions(label, options, open);
  };
  EXPECT_TRUE(same({}, false, {}, false));
  EXPECT_TRUE(same({{0, 1}, {0, 2}}, false, {{0, 1}, {0, 2}}, false));
  EXPECT_FALSE(same({{0, 1}}, false, {{0, 2}}, false));
  EXPECT_FALSE(same({{0, 1}}, false, {{1, 1}}, false));
  EXPECT_FALSE(same({{0, 1}}, true, {{0, 2}}, true));
  // The label lists more: only if more may follow the others.
  EXPECT_FALSE(same({{0, 1}, {0, 0}}, false, {{0, 1}}, false));
  EXPECT_TRUE(same({{0, 1}, {0, 2}}, false, {{0, 1}}, true));
  // It lists fewer: what follows is decided by default, which is option 0.
  EXPECT_FALSE(same({{0, 1}}, false, {{0, 1}, {0, 0}}, false));
  EXPECT_TRUE(same({{0, 1}}, true, {{0, 1}, {0, 0}}, false));
  EXPECT_FALSE(same({{0, 1}}, true, {{0, 1}, {0, 2}}, false));
}

}  // namespace
}  // namespace heddle::explore
