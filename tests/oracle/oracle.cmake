# The real runtime against a reference that shares nothing with it: one program that interprets programs, built in several
# ways, and one driver.
set(oracle_interpreters "")
foreach(way gcc_O2 gcc_O0 clang_O2)
  string(REGEX MATCH "^[a-z]+" compiler ${way})
  string(REGEX MATCH "O[0-9]$" optimisation ${way})
  set(interpreter ${CMAKE_BINARY_DIR}/tests/oracle_${way})
  add_custom_command(
    OUTPUT ${interpreter}
    COMMAND ${CMAKE_BINARY_DIR}/heddle-cc --heddle-compiler=${compiler} -std=gnu17 -${optimisation} -g -Wall -pthread -mcx16
            -fno-optimize-sibling-calls -I${CMAKE_SOURCE_DIR}/include -I${CMAKE_CURRENT_SOURCE_DIR}/oracle -o ${interpreter}
            ${CMAKE_CURRENT_SOURCE_DIR}/oracle/interpreter.c -latomic
    DEPENDS heddle_cc libheddle oracle/interpreter.c oracle/instructions.def oracle/machine.h ${CMAKE_SOURCE_DIR}/include/heddle.h
    VERBATIM)
  list(APPEND oracle_interpreters ${interpreter})
endforeach()
add_custom_target(heddle_oracle_interpreters DEPENDS ${oracle_interpreters})

add_executable(heddle_oracle_tests oracle/oracle_test.cpp oracle/generate.cpp oracle/objects.cpp oracle/program.cpp oracle/reference.cpp
                                   oracle/steps.cpp)
heddle_options(heddle_oracle_tests OFF)
heddle_sanitize(heddle_oracle_tests)
target_include_directories(heddle_oracle_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/oracle)
# One instruction of many: a default is meant.
target_compile_options(heddle_oracle_tests PRIVATE -Wno-switch-enum)
target_link_libraries(heddle_oracle_tests PRIVATE nlohmann_json::nlohmann_json GTest::gtest GTest::gtest_main)
target_compile_definitions(heddle_oracle_tests PRIVATE HEDDLE_BUILD_DIR="${CMAKE_BINARY_DIR}")
add_dependencies(heddle_oracle_tests heddle_oracle_interpreters heddle)

add_test(NAME oracle/500_programs COMMAND heddle_oracle_tests)
set_tests_properties(oracle/500_programs PROPERTIES LABELS agree TIMEOUT 600)
add_test(NAME oracle/100000_programs COMMAND heddle_oracle_tests)
set_tests_properties(oracle/100000_programs PROPERTIES LABELS "agree;long" TIMEOUT 14400 ENVIRONMENT HEDDLE_ORACLE_PROGRAMS=100000)
