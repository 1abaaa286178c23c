# src/explain on graphs of litmus shapes and random programs, judged by the axioms, which share nothing with it.
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
add_executable(heddle_explain_tests ${sources} ${CMAKE_CURRENT_LIST_DIR}/../trust/explore.cpp)
heddle_options(heddle_explain_tests OFF)
heddle_sanitize(heddle_explain_tests)
target_include_directories(heddle_explain_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_CURRENT_LIST_DIR}/../trust ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(heddle_explain_tests PRIVATE heddle_axioms heddle_explain heddle_model GTest::gtest GTest::gtest_main)
target_compile_definitions(heddle_explain_tests PRIVATE HEDDLE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
gtest_discover_tests(heddle_explain_tests TEST_PREFIX "explain/" DISCOVERY_TIMEOUT 60
                     PROPERTIES LABELS agree TIMEOUT 600 COST 5)
add_test(NAME explain/20000_programs COMMAND heddle_explain_tests --gtest_filter=*OnRandomPrograms)
set_tests_properties(explain/20000_programs PROPERTIES LABELS "agree;long" TIMEOUT 7200 ENVIRONMENT HEDDLE_AGREE_PROGRAMS=20000)
