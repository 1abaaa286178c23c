# Reductions against enumeration, on generated programs that wait in loops: on the real runtime, as it depends on what
# compilers make of a loop.
set(awaits_interpreters "")
foreach(way gcc_O2 gcc_O0 clang_O2)
  string(REGEX MATCH "^[a-z]+" compiler ${way})
  string(REGEX MATCH "O[0-9]$" optimisation ${way})
  set(interpreter ${CMAKE_BINARY_DIR}/tests/awaits_${way})
  add_custom_command(
    OUTPUT ${interpreter}
    COMMAND ${CMAKE_BINARY_DIR}/heddle-cc --heddle-compiler=${compiler} -std=gnu17 -${optimisation} -g -Wall -pthread
            -I${CMAKE_SOURCE_DIR}/include -o ${interpreter} ${CMAKE_CURRENT_SOURCE_DIR}/awaits/interpreter.c
    DEPENDS heddle_cc libheddle awaits/interpreter.c ${CMAKE_SOURCE_DIR}/include/heddle.h
    VERBATIM)
  list(APPEND awaits_interpreters ${interpreter})
endforeach()
add_custom_target(heddle_awaits_interpreters ALL DEPENDS ${awaits_interpreters})

set(awaits_test ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/awaits/awaits_test.py ${CMAKE_BINARY_DIR}/heddle)
add_test(NAME awaits/40_programs COMMAND ${awaits_test} ${CMAKE_BINARY_DIR}/tests/awaits_gcc_O2 --programs 40)
set_tests_properties(awaits/40_programs PROPERTIES LABELS agree TIMEOUT 300)
foreach(way gcc_O2 gcc_O0 clang_O2)
  add_test(NAME awaits/2000_programs_${way} COMMAND ${awaits_test} ${CMAKE_BINARY_DIR}/tests/awaits_${way} --programs 2000)
  set_tests_properties(awaits/2000_programs_${way} PROPERTIES LABELS "agree;long" TIMEOUT 10000)
endforeach()
