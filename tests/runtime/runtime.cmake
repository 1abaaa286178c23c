# The step loop and what hangs on it, with small programs (small_program.h): the layers of the runtime as they are, but for the
# hooks, which would replace the tests' own malloc and pthread functions. libstdc++ comes first, or operator new would be that of
# heddle's heap. Not with a sanitizer: each thread runs on a stack and thread-local storage of its own, and leaves frames
# behind where an execution ends.
if(HEDDLE_SANITIZE)
  return()
endif()
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/runtime/*.cpp)
add_executable(heddle_runtime_tests ${sources}
               $<FILTER:$<TARGET_OBJECTS:heddle_hooks>,INCLUDE,tsan_access|inline_asm>)  # known to lower layers
heddle_options(heddle_runtime_tests OFF)
target_include_directories(heddle_runtime_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/runtime)
target_link_libraries(heddle_runtime_tests PRIVATE stdc++ heddle_search heddle_compose heddle_target heddle_session heddle_world
                      heddle_primitives heddle_runtime heddle_objects heddle_memory heddle_prim heddle_check heddle_channel heddle_trace heddle_plan heddle_op heddle_base GTest::gtest
                      GTest::gtest_main)
gtest_discover_tests(heddle_runtime_tests TEST_PREFIX "runtime/" DISCOVERY_TIMEOUT 60
                     PROPERTIES LABELS unit TIMEOUT 60 COST 5)
