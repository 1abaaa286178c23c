# Observers of the search need nothing of the runtime.
if(TARGET heddle_unit_tests)
  target_sources(heddle_unit_tests PRIVATE ${CMAKE_SOURCE_DIR}/src/search/outcomes.cpp)
endif()
