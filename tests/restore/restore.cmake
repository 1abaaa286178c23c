# The runtime without hooks of libc's functions, and without its operator new: the test is an ordinary program. Fibers and sanitizers do not
# get along.
if(NOT HEDDLE_SANITIZE)
  add_executable(heddle_restore_tests restore/restore_test.cpp $<TARGET_OBJECTS:heddle_runtime> $<TARGET_OBJECTS:heddle_world>
                 $<FILTER:$<TARGET_OBJECTS:heddle_memory>,EXCLUDE,operator_new>
                 $<FILTER:$<TARGET_OBJECTS:heddle_hooks>,INCLUDE,tsan_access|inline_asm>)  # known to lower layers
  heddle_options(heddle_restore_tests OFF)
  target_link_libraries(heddle_restore_tests PRIVATE heddle_session heddle_check heddle_channel heddle_trace heddle_plan heddle_op
                        heddle_base heddle_prim GTest::gtest ${CMAKE_DL_LIBS})
  gtest_discover_tests(heddle_restore_tests TEST_PREFIX "restore/" DISCOVERY_TIMEOUT 60 PROPERTIES LABELS unit TIMEOUT 300)
endif()
