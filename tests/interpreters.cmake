# heddle_interpreters(NAME FOLDER [DEPENDS FILES...] [OPTIONS WORDS...]): FOLDER/interpreter.c, which makes the program that
# its arguments describe, built with heddle-cc in several ways as tests/NAME_<way> of the build tree, by the target
# heddle_NAME_programs. OPTIONS come last, so libraries can be among them.
set(HEDDLE_INTERPRETER_WAYS gcc_O2 gcc_O0 clang_O2)
function(heddle_interpreters name folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "DEPENDS;OPTIONS")
  set(interpreters "")
  foreach(way IN LISTS HEDDLE_INTERPRETER_WAYS)
    string(REGEX MATCH "^[a-z]+" compiler ${way})
    string(REGEX MATCH "O[0-9]$" optimisation ${way})
    set(interpreter ${CMAKE_BINARY_DIR}/tests/${name}_${way})
    add_custom_command(
      OUTPUT ${interpreter}
      COMMAND ${CMAKE_BINARY_DIR}/heddle-cc --heddle-compiler=${compiler} -std=gnu17 -${optimisation} -g -Wall -pthread
              -I${CMAKE_SOURCE_DIR}/include -o ${interpreter} ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/interpreter.c ${arg_OPTIONS}
      DEPENDS heddle_cc heddle_as libheddle ${folder}/interpreter.c ${arg_DEPENDS} ${CMAKE_SOURCE_DIR}/include/heddle.h
      VERBATIM)
    list(APPEND interpreters ${interpreter})
  endforeach()
  add_custom_target(heddle_${name}_programs ALL DEPENDS ${interpreters})
endfunction()
