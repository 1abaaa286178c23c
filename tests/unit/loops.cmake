# What the machine's code says of loops needs nothing of the runtime.
if(TARGET heddle_unit_tests)
  target_link_libraries(heddle_unit_tests PRIVATE heddle_loop_code)
endif()
