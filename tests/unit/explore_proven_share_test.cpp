#include "explore/proven_share.h"

#include <gtest/gtest.h>

namespace heddle::explore {
namespace {

TEST(ProvenShare, SaysNothingBeforeEnoughWereDrawn) {
  ProvenShare share;
  for (uint64_t graph = 1; graph < ProvenShare::kLeastDrawn; ++graph) {
    share.AddProven(graph);
    share.AddDrawn(graph);
    EXPECT_EQ(share.Value(), 0);
  }
  share.AddDrawn(1);
  EXPECT_EQ(share.Value(), 1);
}

TEST(ProvenShare, GrowsAsTheProverComesToWhatWasDrawn) {
  ProvenShare share;
  for (uint64_t graph = 0; graph < ProvenShare::kMostDrawn; ++graph) share.AddDrawn(graph);
  EXPECT_EQ(share.Value(), 0);
  for (uint64_t graph = 0; graph < ProvenShare::kMostDrawn / 2; ++graph) share.AddProven(graph);
  EXPECT_EQ(share.Value(), 0.5);
  for (uint64_t graph = 0; graph < ProvenShare::kMostDrawn / 2; ++graph) share.AddProven(graph);
  EXPECT_EQ(share.Value(), 0.5);  // run again
  for (uint64_t graph = 0; graph < 1000; ++graph) share.AddProven(graph);
  EXPECT_EQ(share.Value(), 1);
}

TEST(ProvenShare, WhatWasRunBeforeItIsDrawnCounts) {
  ProvenShare share;
  for (uint64_t graph = 0; graph < 1000; ++graph) share.AddProven(graph);
  for (uint64_t graph = 0; graph < 32; ++graph) share.AddDrawn(100 * graph);
  EXPECT_EQ(share.Value(), 10.0 / 32);
}

// A graph that is drawn often weighs more.
TEST(ProvenShare, EachDrawCounts) {
  ProvenShare share;
  for (int i = 0; i < 48; ++i) share.AddDrawn(7);
  for (uint64_t graph = 100; graph < 116; ++graph) share.AddDrawn(graph);
  share.AddProven(7);
  EXPECT_EQ(share.Value(), 0.75);
}

TEST(ProvenShare, OnlyTheFirstDrawsCount) {
  ProvenShare share;
  for (uint64_t graph = 0; graph < 2 * uint64_t{ProvenShare::kMostDrawn}; ++graph)
    share.AddDrawn(graph);
  for (uint64_t graph = 0; graph < ProvenShare::kMostDrawn; ++graph) share.AddProven(graph);
  EXPECT_EQ(share.Value(), 1);
}

}  // namespace
}  // namespace heddle::explore
