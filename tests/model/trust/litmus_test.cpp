// The shapes of litmus.csv under each model: how many executions, which outcomes, whether there is
// a data race. The table was made by other means than src/model.
#include <gtest/gtest.h>

#include "explore.h"
#include "litmus_text.h"

namespace heddle::litmus {
namespace {

std::set<std::string> TextsOf(const std::set<Outcome>& outcomes) {
  std::set<std::string> texts;
  for (const Outcome& outcome : outcomes) texts.insert(ToText(outcome));
  return texts;
}

template <typename Check>
void EachShape(const Check& check) {
  const std::vector<LitmusRow> rows = ReadLitmusTable(HEDDLE_SOURCE_DIR "/tests/model/litmus.csv");
  ASSERT_EQ(rows.size(), 40u);
  for (const LitmusRow& row : rows) {
    SCOPED_TRACE(row.name + ": " + row.text);
    check(row);
  }
}

TEST(Litmus, SequentialConsistency) {
  EachShape([](const LitmusRow& row) {
    const Explored found = Explore(row.program, *model::MakeSequential(), {.keep_graphs = true});
    EXPECT_EQ(found.executions, uint64_t(row.sc_executions));
    EXPECT_EQ(found.graphs.size(), found.executions);
    EXPECT_EQ(TextsOf(found.outcomes), row.sc_outcomes);
  });
}

TEST(Litmus, TotalStoreOrder) {
  EachShape([](const LitmusRow& row) {
    const Explored found = Explore(row.program, *model::MakeTso(), {.keep_graphs = true});
    EXPECT_EQ(found.executions, uint64_t(row.tso_executions));
    EXPECT_EQ(found.graphs.size(), found.executions);
    EXPECT_EQ(TextsOf(found.outcomes), row.tso_outcomes);
  });
}

TEST(Litmus, C11) {
  EachShape([](const LitmusRow& row) {
    const Explored found = Explore(row.program, *model::MakeC11(), {.keep_graphs = true});
    EXPECT_EQ(found.executions, uint64_t(row.c11_executions));
    EXPECT_EQ(found.graphs.size(), found.executions);
    EXPECT_EQ(TextsOf(found.outcomes), row.c11_outcomes);
    EXPECT_EQ(found.race, row.c11_race);
  });
}

TEST(Litmus, C11WithItsOwnReleaseSequences) {
  EachShape([](const LitmusRow& row) {
    const Explored found = Explore(row.program, *model::MakeC11(),
                                   {.continue_own_sequences = true, .keep_graphs = true});
    EXPECT_EQ(found.executions, uint64_t(row.c11_executions_old_release_sequences));
    EXPECT_EQ(found.graphs.size(), found.executions);
  });
}

}  // namespace
}  // namespace heddle::litmus
