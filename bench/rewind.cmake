set(memory ${CMAKE_SOURCE_DIR}/src/runtime/memory)
heddle_bench(rewind rewind_bench.cpp ${memory}/arena.cpp ${memory}/large_blocks.cpp ${memory}/pages.cpp
             ${memory}/program_heap.cpp ${memory}/snapshot.cpp)
target_link_libraries(heddle_rewind_bench PRIVATE heddle_base)
