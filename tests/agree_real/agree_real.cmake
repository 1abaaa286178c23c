# The real runtime against the fake target: one program that interprets programs, built in several ways, and one driver.
heddle_interpreters(interpreter agree_real DEPENDS agree/instructions.def OPTIONS -I${CMAKE_CURRENT_SOURCE_DIR}/agree)

add_executable(heddle_agree_real_tests agree_real/agree_real_test.cpp)
heddle_options(heddle_agree_real_tests OFF)
heddle_sanitize(heddle_agree_real_tests)
target_include_directories(heddle_agree_real_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/agree)
target_link_libraries(heddle_agree_real_tests PRIVATE heddle_target heddle_trace heddle_plan heddle_op heddle_base
                      nlohmann_json::nlohmann_json GTest::gtest GTest::gtest_main)
target_compile_definitions(heddle_agree_real_tests PRIVATE HEDDLE_BUILD_DIR="${CMAKE_BINARY_DIR}")
add_dependencies(heddle_agree_real_tests heddle_interpreter_programs heddle)

add_test(NAME agree_real/30_programs COMMAND heddle_agree_real_tests)
set_tests_properties(agree_real/30_programs PROPERTIES LABELS agree TIMEOUT 600 COST 40)
add_test(NAME agree_real/20000_programs COMMAND heddle_agree_real_tests)
set_tests_properties(agree_real/20000_programs PROPERTIES LABELS "agree;long" TIMEOUT 7200 ENVIRONMENT HEDDLE_AGREE_PROGRAMS=20000)
