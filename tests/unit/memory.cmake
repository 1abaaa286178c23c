# The heaps and the snapshot stand alone and are tested as they are. The rest of the runtime replaces libc's functions,
# so it cannot be linked into a test.
if(TARGET heddle_unit_tests)
  if(HEDDLE_SANITIZE MATCHES thread)  # its shadow lies where these heaps must be
    get_target_property(sources heddle_unit_tests SOURCES)
    list(FILTER sources EXCLUDE REGEX "/memory_[a-z_]*_test[.]cpp$")
    set_target_properties(heddle_unit_tests PROPERTIES SOURCES "${sources}")
  else()
    foreach(name arena large_blocks memory_hash own_heap pages process_memory program_heap rewind snapshot)
      target_sources(heddle_unit_tests PRIVATE ${CMAKE_SOURCE_DIR}/src/runtime/memory/${name}.cpp)
    endforeach()
  endif()
endif()
