# Generated programs that free, allocate again and compare addresses: each search against plain enumeration, with either --reuse.
set(reuse_test ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/reuse/reuse.py ${CMAKE_BINARY_DIR}/heddle)
add_test(NAME reuse/10_programs COMMAND ${reuse_test} --programs 10 --seed 1000)
set_tests_properties(reuse/10_programs PROPERTIES LABELS agree TIMEOUT 600 COST 20)
add_test(NAME reuse/2000_programs COMMAND ${reuse_test} --programs 2000)
set_tests_properties(reuse/2000_programs PROPERTIES LABELS "agree;long" TIMEOUT 14400)
