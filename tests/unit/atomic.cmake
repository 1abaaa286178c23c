# Atomics, plain accesses and annotations need little of the runtime (fake_runtime.h).
if(TARGET heddle_unit_tests)
  foreach(name annotated atomic atomic_bytes atoms plain two_halves)
    target_sources(heddle_unit_tests PRIVATE ${CMAKE_SOURCE_DIR}/src/runtime/objects/${name}.cpp)
  endforeach()
endif()
