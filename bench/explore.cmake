heddle_bench(explore ${CMAKE_CURRENT_LIST_DIR}/explore_bench.cpp)
target_link_libraries(heddle_explore_bench PRIVATE heddle_compose)
