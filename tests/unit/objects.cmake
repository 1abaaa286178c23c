# The state machines of the objects need nothing of the runtime. Their table does, and is tested with it.
if(TARGET heddle_unit_tests)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/runtime/objects/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/table[.]cpp$")
  target_sources(heddle_unit_tests PRIVATE ${sources})
endif()
