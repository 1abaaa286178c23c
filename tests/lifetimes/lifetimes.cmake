# Generated programs that allocate, pass, use and free blocks, against a model of the life of each block.
set(lifetimes_test ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/lifetimes/lifetimes.py ${CMAKE_BINARY_DIR}/heddle)
add_test(NAME lifetimes/80_programs COMMAND ${lifetimes_test} --programs 80 --search optimal,default)
set_tests_properties(lifetimes/80_programs PROPERTIES LABELS agree TIMEOUT 600 COST 20)
add_test(NAME lifetimes/5000_programs COMMAND ${lifetimes_test} --programs 5000 --seed 100000 --search
                                              default,optimal,none,bounded,sleep-sets,source)
add_test(NAME lifetimes/1000_programs_O0 COMMAND ${lifetimes_test} --programs 1000 --seed 200000 --compiler=-O0)
add_test(NAME lifetimes/1000_programs_clang COMMAND ${lifetimes_test} --programs 1000 --seed 300000 --compiler=--heddle-compiler=clang)
set_tests_properties(lifetimes/5000_programs lifetimes/1000_programs_O0 lifetimes/1000_programs_clang
                     PROPERTIES LABELS "agree;long" TIMEOUT 14400)

# Memory is used again at once: of a program that is right nothing else is said. (What a wrong one does to memory that is another
# block's by then, the model does not know.)
add_test(NAME lifetimes/reuse_now COMMAND ${lifetimes_test} --programs 30 --seed 5000 --only right --search optimal,default
                                          --option=--reuse --option=now)
set_tests_properties(lifetimes/reuse_now PROPERTIES LABELS agree TIMEOUT 600 COST 10)

# Seeds that found a bug: a race that hid behind a visible access; premature frees of which only one was told, and a second free that
# passed for the first.
foreach(seed 243 144 553)
  add_test(NAME lifetimes/seed_${seed} COMMAND ${lifetimes_test} --programs 1 --seed ${seed})
  set_tests_properties(lifetimes/seed_${seed} PROPERTIES LABELS agree TIMEOUT 120)
endforeach()

set(planted_lifetimes ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/lifetimes/planted_lifetimes.py)
add_test(NAME lifetimes/planted COMMAND ${planted_lifetimes} --build ${CMAKE_BINARY_DIR})
set_tests_properties(lifetimes/planted PROPERTIES LABELS "agree;long" TIMEOUT 3600)
add_test(NAME lifetimes/planted_find_places COMMAND ${planted_lifetimes} --check)
set_tests_properties(lifetimes/planted_find_places PROPERTIES LABELS agree TIMEOUT 60)

# The benchmark of what these checks cost leaves them out of a copy of the sources.
add_test(NAME lifetimes/unchecked_finds_places
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/bench/life_cost_bench.py --check)
set_tests_properties(lifetimes/unchecked_finds_places PROPERTIES LABELS agree TIMEOUT 60)
