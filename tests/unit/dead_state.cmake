# What is dead at a place of code needs nothing of the runtime.
if(TARGET heddle_unit_tests)
  target_sources(heddle_unit_tests PRIVATE ${CMAKE_SOURCE_DIR}/src/runtime/fibers/dead_state.cpp
                                           ${CMAKE_SOURCE_DIR}/src/runtime/prim/decode.cpp
                                           ${CMAKE_SOURCE_DIR}/src/runtime/prim/linkage.cpp)
endif()
