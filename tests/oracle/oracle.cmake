# The real runtime against a reference that shares nothing with it: one program that interprets programs, built in several
# ways, and one driver.
heddle_interpreters(oracle oracle DEPENDS oracle/instructions.def oracle/machine.h
                    OPTIONS -mcx16 -fno-optimize-sibling-calls -I${CMAKE_CURRENT_SOURCE_DIR}/oracle -latomic)

add_executable(heddle_oracle_tests oracle/oracle_test.cpp oracle/generate.cpp oracle/objects.cpp oracle/program.cpp oracle/reference.cpp
                                   oracle/steps.cpp)
heddle_options(heddle_oracle_tests OFF)
heddle_sanitize(heddle_oracle_tests)
target_include_directories(heddle_oracle_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/oracle)
# One instruction of many: a default is meant.
target_compile_options(heddle_oracle_tests PRIVATE -Wno-switch-enum)
target_link_libraries(heddle_oracle_tests PRIVATE nlohmann_json::nlohmann_json GTest::gtest GTest::gtest_main)
target_compile_definitions(heddle_oracle_tests PRIVATE HEDDLE_BUILD_DIR="${CMAKE_BINARY_DIR}")
add_dependencies(heddle_oracle_tests heddle_oracle_programs heddle)

add_test(NAME oracle/60_programs COMMAND heddle_oracle_tests)
set_tests_properties(oracle/60_programs PROPERTIES LABELS agree TIMEOUT 600 COST 40)
add_test(NAME oracle/100000_programs COMMAND heddle_oracle_tests)
set_tests_properties(oracle/100000_programs PROPERTIES LABELS "agree;long" TIMEOUT 14400 ENVIRONMENT HEDDLE_ORACLE_PROGRAMS=100000)

# Where states of the program are compared, plain enumeration beside it.
foreach(count 30 10000)
  add_test(NAME oracle/states_${count}_programs COMMAND heddle_oracle_tests)
  set_tests_properties(oracle/states_${count}_programs PROPERTIES LABELS agree TIMEOUT 600 COST 40 ENVIRONMENT
    "HEDDLE_ORACLE_PROGRAMS=${count};HEDDLE_ORACLE_SEED=5000000;HEDDLE_ORACLE_SEARCHES=states,zing,none")
endforeach()
set_tests_properties(oracle/states_10000_programs PROPERTIES LABELS "agree;long" TIMEOUT 14400)

# Seeds that found a bug, with the themes that make their program: a thread came to the wait for a semaphore by an operation on
# something else, and the reductions did not see that it may wait, or not yet, when the semaphore is initialised or destroyed.
# And of searches by states: what a thread had left in another execution counted for a state in which it is not created; and what
# heddle had left on the stack, for one of a thread in the routine of a pthread_once.
function(heddle_oracle_seed seed themes)
  set(searches ${ARGN})
  if(NOT searches)
    set(searches optimal,source,sleep-sets,none)
  endif()
  add_test(NAME oracle/seed_${seed} COMMAND heddle_oracle_tests)
  set(environment HEDDLE_ORACLE_SEED=${seed} HEDDLE_ORACLE_PROGRAMS=1 HEDDLE_ORACLE_SEARCHES=${searches})
  if(themes)
    list(APPEND environment HEDDLE_ORACLE_THEMES=${themes})
  endif()
  set_tests_properties(oracle/seed_${seed} PROPERTIES LABELS agree TIMEOUT 120 ENVIRONMENT "${environment}")
endfunction()
heddle_oracle_seed(8000071 "")
heddle_oracle_seed(8002213 life,mutex,semaphore,condition,rwlock,barrier)
heddle_oracle_seed(8004247 done,ends,verdict,choice,life)
heddle_oracle_seed(8006053 done,ends,verdict,choice,life)
heddle_oracle_seed(5000618 "" states,zing,none)
heddle_oracle_seed(5003919 "" states,zing,none)

# Generated programs with loops, which are compiled while the test runs: loops.py. All answers must be right; and so many complete.
set(heddle_loops ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/oracle/loops.py --heddle ${CMAKE_BINARY_DIR}/heddle)

add_test(NAME oracle/loops COMMAND ${heddle_loops} --programs 12 --way gcc_O2 --search optimal,default --least-complete 0.25)
set_tests_properties(oracle/loops PROPERTIES LABELS agree TIMEOUT 600 COST 40)
foreach(family attempts retries backoff spin-block wake-all timed stop several)
  add_test(NAME oracle/loops_10000_${family} COMMAND ${heddle_loops} --family ${family} --programs 10000 --least-complete 0.45)
  set_tests_properties(oracle/loops_10000_${family} PROPERTIES LABELS "agree;long" TIMEOUT 14400)
endforeach()
add_test(NAME oracle/planted_loops
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/oracle/planted_loops.py --build ${CMAKE_BINARY_DIR})
set_tests_properties(oracle/planted_loops PROPERTIES LABELS "agree;long" TIMEOUT 3600)
add_test(NAME oracle/planted_loops_find_places
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/oracle/planted_loops.py --check)
set_tests_properties(oracle/planted_loops_find_places PROPERTIES LABELS agree TIMEOUT 60)

# Generated programs with objects in frames that may have returned: frames.py.
set(heddle_frames ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/oracle/frames.py ${CMAKE_BINARY_DIR})
add_test(NAME oracle/frames COMMAND ${heddle_frames} --programs 12)
set_tests_properties(oracle/frames PROPERTIES LABELS agree TIMEOUT 600 COST 20)
add_test(NAME oracle/frames_10000 COMMAND ${heddle_frames} --programs 10000)
set_tests_properties(oracle/frames_10000 PROPERTIES LABELS "agree;long" TIMEOUT 14400)

# Generated programs about what surrounds threads: world.py. A fault of the model has to show, too.
set(heddle_world ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/oracle/world.py --build ${CMAKE_BINARY_DIR})
function(heddle_world_family family many seed programs)
  add_test(NAME oracle/world_${family} COMMAND ${heddle_world} --family ${family} --seed ${seed} --programs ${programs} ${ARGN})
  set_tests_properties(oracle/world_${family} PROPERTIES LABELS agree TIMEOUT 600 COST 20)
  add_test(NAME oracle/world_${many}_${family} COMMAND ${heddle_world} --family ${family} --programs ${many})
  set_tests_properties(oracle/world_${many}_${family} PROPERTIES LABELS "agree;long" TIMEOUT 14400)
endfunction()
heddle_world_family(descriptors 10000 100 12 --search default,optimal)
heddle_world_family(signals 10000 1890 6 --search default,optimal)
heddle_world_family(standard 10000 265 3 --search default,optimal)
# Each execution is a process.
heddle_world_family(forks 500 0 1 --search none)
