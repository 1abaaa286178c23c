# The litmus tests that tests/model has for the library, of real programs.
add_test(NAME weak/litmus COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/weak/litmus.py ${CMAKE_BINARY_DIR})
set_tests_properties(weak/litmus PROPERTIES LABELS agree TIMEOUT 300 COST 20)

# Random programs with objects that are several events of a graph.
add_test(NAME weak/objects COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/weak/objects.py ${CMAKE_BINARY_DIR})
set_tests_properties(weak/objects PROPERTIES LABELS agree TIMEOUT 300 COST 20)

# Locks, queues and counts of the literature, with each of their orders weakened in turn.
set(classics ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/weak/classics.py ${CMAKE_BINARY_DIR})
add_test(NAME weak/classics COMMAND ${classics})
set_tests_properties(weak/classics PROPERTIES LABELS agree TIMEOUT 300)
add_test(NAME weak/classics_every COMMAND ${classics} --every)
set_tests_properties(weak/classics_every PROPERTIES LABELS "agree;long" TIMEOUT 3600)
