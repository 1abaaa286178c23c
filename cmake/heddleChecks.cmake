# heddle_add_check and heddle_discover_tests, for who uses heddle. heddleConfig.cmake includes this file, and so does the
# script that lists a program's cases once it is built. docs/build-systems.md describes both functions.
#
# Names of tests come from the program, and may hold whatever CMake's lists and strings give a meaning to. They are therefore
# never elements of a list, and are written as bracket arguments: [===[a;b [c] ${d} "e" \f]===].
cmake_policy(VERSION 3.16)

set(HEDDLE_CHECKS_FILE ${CMAKE_CURRENT_LIST_FILE})

# TEXT as a bracket argument. At least three signs, because a generator expression in TEXT stands for another text.
function(_heddle_quote out text)
  set(signs "===")
  while(TRUE)
    string(FIND "${text}]" "]${signs}]" found)
    if(found EQUAL -1)
      break()
    endif()
    string(APPEND signs "=")
  endwhile()
  set(${out} "[${signs}[${text}]${signs}]" PARENT_SCOPE)
endfunction()

# The elements of LIST as bracket arguments, each after a space.
function(_heddle_quote_all out list)
  set(text "")
  foreach(element IN LISTS ${list})
    _heddle_quote(quoted "${element}")
    string(APPEND text " ${quoted}")
  endforeach()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# A file name for what a test leaves: readable, and another one for each name of a test.
function(_heddle_file_name out name)
  string(REGEX REPLACE "[^A-Za-z0-9_.+-]" "_" file "${name}")
  string(REGEX REPLACE "^[.]" "_" file "${file}")
  string(SUBSTRING "${file}" 0 100 file)
  if(NOT "${file}" STREQUAL "${name}")
    string(SHA256 hash "${name}")
    string(SUBSTRING ${hash} 0 8 hash)
    string(APPEND file "-${hash}")
  endif()
  set(${out} "${file}" PARENT_SCOPE)
endfunction()

# What every check gets unless the list OPTIONS has it: schedules and the result in files of its own, and no colours. There is
# no progress line, because ctest's tests do not write to a terminal.
function(_heddle_default_options out name folder options)
  _heddle_file_name(file "${name}")
  set(defaults "")
  foreach(default IN ITEMS "--color=never" "--out=${folder}/heddle-out/${file}" "--json=${folder}/heddle-results/${file}.json")
    string(REGEX REPLACE "=.*" "" option "${default}")
    if(NOT ";${${options}}" MATCHES ";${option}(=|;|$)")
      list(APPEND defaults "${default}")
    endif()
  endforeach()
  set(${out} "${defaults}" PARENT_SCOPE)
endfunction()

# The variable TARGET names a program, or the function WHO of ours was called wrongly. An alias becomes what it stands for:
# only that has properties to set.
function(_heddle_program target who)
  set(name "${${target}}")
  if("${name}" STREQUAL "")
    message(FATAL_ERROR "${who} needs the TARGET of a program")
  endif()
  if(NOT TARGET "${name}")
    message(FATAL_ERROR "${who}: there is no target ${name}; add_executable has to come before")
  endif()
  get_target_property(type ${name} TYPE)
  if(NOT type STREQUAL "EXECUTABLE")
    message(FATAL_ERROR "${who}: ${name} is no program (${type}): give the target of add_executable")
  endif()
  get_target_property(real ${name} ALIASED_TARGET)
  if(real)
    set(${target} ${real} PARENT_SCOPE)
  endif()
endfunction()

# With NDEBUG, which Release, RelWithDebInfo and MinSizeRel define, a check finds no failed assert(). Says so once for TARGET,
# where the project's flags define it; who then compiles with -UNDEBUG knows. The check itself warns of each file.
function(_heddle_say_ndebug target)
  get_property(several_configurations GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  get_target_property(said ${target} HEDDLE_SAID_NDEBUG)
  if(several_configurations OR said)
    return()
  endif()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" configuration)
  get_target_property(options ${target} COMPILE_OPTIONS)
  get_target_property(definitions ${target} COMPILE_DEFINITIONS)
  string(REPLACE ";" " " own "${options} ${definitions} ")
  foreach(language C CXX)
    set(flags " ${CMAKE_${language}_FLAGS} ${CMAKE_${language}_FLAGS_${configuration}} ${own}")
    if(flags MATCHES "[ ;](-D ?)?NDEBUG[ =]" AND NOT flags MATCHES "-U ?NDEBUG|--heddle-keep-asserts")
      set_target_properties(${target} PROPERTIES HEDDLE_SAID_NDEBUG TRUE)
      message(STATUS "heddle: assert() does nothing in ${target}, which is built with NDEBUG: "
                     "target_compile_options(${target} PRIVATE -UNDEBUG) keeps it")
      return()
    endif()
  endforeach()
endfunction()

# heddle_add_check(NAME name TARGET target [OPTIONS heddle-option...] [ARGS program-argument...] [TIMEOUT seconds] [COST n])
function(heddle_add_check)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TARGET;TIMEOUT;COST" "OPTIONS;ARGS")
  if("${arg_NAME}" STREQUAL "")
    message(FATAL_ERROR "heddle_add_check needs NAME and the TARGET of a program")
  endif()
  _heddle_program(arg_TARGET "heddle_add_check(NAME ${arg_NAME})")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_add_check: it does not know ${arg_UNPARSED_ARGUMENTS}")
  endif()
  _heddle_say_ndebug(${arg_TARGET})
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/heddle-results)
  _heddle_default_options(defaults "${arg_NAME}" "${CMAKE_CURRENT_BINARY_DIR}" arg_OPTIONS)
  add_test(NAME "${arg_NAME}"
           COMMAND ${HEDDLE_BIN_DIR}/heddle check ${defaults} ${arg_OPTIONS} -- $<TARGET_FILE:${arg_TARGET}> ${arg_ARGS})
  set_tests_properties("${arg_NAME}" PROPERTIES LABELS heddle)
  foreach(property TIMEOUT COST)
    if(DEFINED arg_${property})
      set_tests_properties("${arg_NAME}" PROPERTIES ${property} "${arg_${property}}")
    endif()
  endforeach()
endfunction()

# heddle_discover_tests(TARGET target [OPTIONS heddle-option...] [ARGS program-argument...] [PREFIX text]
#                       [PROPERTIES name value...] [TIMEOUT seconds])
#
# Three files in the build directory for each call; of the first two, one for each configuration where there are several:
#   TARGET-heddle-N-list.cmake     written by CMake, run after each build of TARGET: asks heddle for the cases
#   TARGET-heddle-N-cases.cmake    written by the former: one add_test for each case
#   TARGET-heddle-N-include.cmake  written by CMake, read by ctest: includes the cases; a failing test where there are none yet
function(heddle_discover_tests)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;PREFIX;TIMEOUT" "OPTIONS;ARGS;PROPERTIES")
  _heddle_program(arg_TARGET "heddle_discover_tests")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_discover_tests: it does not know ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(CMAKE_VERSION VERSION_LESS 3.18)
    message(FATAL_ERROR "heddle_discover_tests needs CMake 3.18")
  endif()
  _heddle_say_ndebug(${arg_TARGET})
  if(NOT DEFINED arg_PREFIX AND NOT "PREFIX" IN_LIST ARGV)  # PREFIX "" is not defined, either
    set(arg_PREFIX "${arg_TARGET}.")
  endif()

  # LABELS adds to ours; of other properties the user's value is the last one, and counts.
  set(labels heddle)
  set(properties "")
  if(DEFINED arg_TIMEOUT)
    set(properties " TIMEOUT ${arg_TIMEOUT}")
  endif()
  set(property "")
  foreach(element IN LISTS arg_PROPERTIES)
    if("${property}" STREQUAL "")
      set(property "${element}")
      continue()
    endif()
    if("${property}" STREQUAL "LABELS")
      list(APPEND labels ${element})
    else()
      _heddle_quote(value "${element}")
      string(APPEND properties " ${property} ${value}")
    endif()
    set(property "")
  endforeach()
  if(NOT "${property}" STREQUAL "")
    message(FATAL_ERROR "heddle_discover_tests: the property ${property} has no value")
  endif()
  _heddle_quote(labels "${labels}")
  string(PREPEND properties "LABELS ${labels}")

  get_target_property(calls ${arg_TARGET} HEDDLE_DISCOVERIES)
  if(NOT calls)
    set(calls 0)
  endif()
  math(EXPR calls "${calls} + 1")
  set_target_properties(${arg_TARGET} PROPERTIES HEDDLE_DISCOVERIES ${calls})
  set(base ${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}-heddle-${calls})
  get_property(several_configurations GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(several_configurations)
    set(list_file ${base}-list-$<CONFIG>.cmake)
    set(cases_file ${base}-cases-$<CONFIG>.cmake)
    set(cases_for_ctest "${base}-cases-\${CTEST_CONFIGURATION_TYPE}.cmake")
  else()
    set(list_file ${base}-list.cmake)
    set(cases_file ${base}-cases.cmake)
    set(cases_for_ctest "${cases_file}")
  endif()

  # `program`, with the program's arguments, and `options` are texts of quoted arguments, and are quoted once more.
  _heddle_quote(program "$<TARGET_FILE:${arg_TARGET}>")
  _heddle_quote_all(arguments arg_ARGS)
  string(APPEND program "${arguments}")
  _heddle_quote_all(options arg_OPTIONS)
  set(heddle "${HEDDLE_BIN_DIR}/heddle")
  set(target "${arg_TARGET}")
  set(prefix "${arg_PREFIX}")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}")
  _heddle_quote(checks_file "${HEDDLE_CHECKS_FILE}")
  set(text "# Made by heddle_discover_tests.\ninclude(${checks_file})\n")
  foreach(setting IN ITEMS heddle program options target prefix properties folder cases_file)
    _heddle_quote(value "${${setting}}")
    string(APPEND text "set(${setting} ${value})\n")
  endforeach()
  string(APPEND text "_heddle_list_cases()\n")
  file(GENERATE OUTPUT "${list_file}" CONTENT "${text}")

  add_custom_command(TARGET ${arg_TARGET} POST_BUILD BYPRODUCTS "${cases_file}"
                     COMMAND "${CMAKE_COMMAND}" -P "${list_file}"
                     COMMENT "Listing the cases of ${arg_TARGET}" VERBATIM)
  file(WRITE ${base}-include.cmake
       "if(EXISTS \"${cases_for_ctest}\")\n"
       "  include(\"${cases_for_ctest}\")\n"
       "else()\n"
       "  add_test(\"${arg_TARGET}_NOT_BUILT\" \"${arg_TARGET}_NOT_BUILT\")\n"
       "  set_tests_properties(\"${arg_TARGET}_NOT_BUILT\" PROPERTIES LABELS heddle)\n"
       "endif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${base}-include.cmake)
endfunction()

# The body of TARGET-heddle-N-list.cmake, whose variables it reads. The build fails where there is nothing to list: tests that
# silently are not there would pass.
function(_heddle_list_cases)
  file(REMOVE "${cases_file}")
  _heddle_quote(heddle "${heddle}")
  cmake_language(EVAL CODE "
    set(option_list ${options})
    execute_process(COMMAND ${heddle} check --list-cases -- ${program} WORKING_DIRECTORY [===[${folder}]===] TIMEOUT 60
                    RESULT_VARIABLE status OUTPUT_VARIABLE names ERROR_VARIABLE words)")
  if(NOT "${status}" STREQUAL "0")
    string(STRIP "${words}" words)
    message(FATAL_ERROR "heddle_discover_tests: cannot list the cases of ${target} (${status}): ${words}")
  endif()
  file(MAKE_DIRECTORY "${folder}/heddle-results")
  set(text "# Made by heddle_discover_tests.\n")
  set(count 0)
  while(NOT "${names}" STREQUAL "")
    string(FIND "${names}\n" "\n" end)
    string(SUBSTRING "${names}" 0 ${end} name)
    string(LENGTH "${names}" length)
    if(end EQUAL length)
      set(names "")
    else()
      math(EXPR end "${end} + 1")
      string(SUBSTRING "${names}" ${end} -1 names)
    endif()
    math(EXPR count "${count} + 1")
    _heddle_default_options(defaults "${prefix}${name}" "${folder}" option_list)
    _heddle_quote_all(defaults defaults)
    _heddle_quote(test "${prefix}${name}")
    _heddle_quote(case "--case=${name}")
    string(APPEND text "add_test(${test} ${heddle} check${defaults} ${case}${options} -- ${program})\n"
           "set_tests_properties(${test} PROPERTIES ${properties})\n")
  endwhile()
  if(count EQUAL 0)
    message(FATAL_ERROR "heddle_discover_tests: ${target} has no cases")
  endif()
  file(WRITE "${cases_file}" "${text}")
endfunction()
