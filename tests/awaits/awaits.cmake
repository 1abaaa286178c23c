# Reductions against enumeration, on generated programs that wait in loops: on the real runtime, as it depends on what
# compilers make of a loop.
heddle_interpreters(awaits awaits)

set(awaits_test ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/awaits/awaits_test.py ${CMAKE_BINARY_DIR}/heddle)
add_test(NAME awaits/8_programs COMMAND ${awaits_test} ${CMAKE_BINARY_DIR}/tests/awaits_gcc_O2 --programs 8)
set_tests_properties(awaits/8_programs PROPERTIES LABELS agree TIMEOUT 300)
add_test(NAME awaits/5_programs_that_yield COMMAND ${awaits_test} ${CMAKE_BINARY_DIR}/tests/awaits_gcc_O2 --programs 5 --yielding)
set_tests_properties(awaits/5_programs_that_yield PROPERTIES LABELS agree TIMEOUT 300)
foreach(way IN LISTS HEDDLE_INTERPRETER_WAYS)
  add_test(NAME awaits/2000_programs_${way} COMMAND ${awaits_test} ${CMAKE_BINARY_DIR}/tests/awaits_${way} --programs 2000)
  add_test(NAME awaits/1000_programs_that_yield_${way}
           COMMAND ${awaits_test} ${CMAKE_BINARY_DIR}/tests/awaits_${way} --programs 1000 --yielding)
  set_tests_properties(awaits/2000_programs_${way} awaits/1000_programs_that_yield_${way}
                       PROPERTIES LABELS "agree;long" TIMEOUT 10000)
endforeach()
