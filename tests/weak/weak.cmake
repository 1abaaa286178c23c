# The litmus tests that tests/model has for the library, of real programs.
add_test(NAME weak/litmus COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/weak/litmus.py ${CMAKE_BINARY_DIR})
set_tests_properties(weak/litmus PROPERTIES LABELS agree TIMEOUT 300 COST 20)

# Random programs with objects that are several events of a graph.
add_test(NAME weak/objects COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/weak/objects.py ${CMAKE_BINARY_DIR})
set_tests_properties(weak/objects PROPERTIES LABELS agree TIMEOUT 300 COST 20)
