# heddle_folder(name [INSIDE] [SUBFOLDERS]): the library heddle_<name> from every .cpp, .c and .S of the current
# folder, and with SUBFOLDERS of the folders below it. INSIDE marks a folder that is part of libheddle.so. A new
# source file needs no change here or there.

set(HEDDLE_WARNINGS -Wall -Wextra -Wswitch-enum $<$<BOOL:${HEDDLE_WERROR}>:-Werror>)
# At -O3 GCC follows values so far that it warns of paths nobody takes, most of them in its own C++ library (GCC bug 105651:
# "literal" + std::string). At -O2, which has these warnings, there are none.
foreach(wrong restrict array-bounds maybe-uninitialized free-nonheap-object)
  list(APPEND HEDDLE_WARNINGS $<$<AND:$<CONFIG:Release>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:-Wno-${wrong}>)
endforeach()

# Code that is loaded into the program under test. Nothing is visible outside unless it says so; no stack
# protector, because its canary lives in a TLS block that changes under our feet; no guarded statics, because
# the guard functions are among those we replace; no loop of ours becomes a call of the memcpy we replace; and a null
# pointer may come in where glibc's headers promise that none does, so the tests for it must stay.
set(HEDDLE_INSIDE_OPTIONS -fvisibility=hidden -fno-stack-protector -fno-delete-null-pointer-checks "-D__nonnull(params)="
    $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-threadsafe-statics>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-tree-loop-distribute-patterns>
    # Each function begins a line of the cache: otherwise a change anywhere moves the others, and costs or gains 5 %.
    $<$<COMPILE_LANGUAGE:CXX>:-falign-functions=64>
    $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-tautological-pointer-compare>
    $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-pointer-bool-conversion>)

# libheddle.so is optimised as a whole: an event goes through small functions of a dozen files, and this saves 5 to 10 % of
# a search. The objects hold code of both kinds, so the tests link as ever. Not with Clang, whose objects need another
# linker, nor where the build is not for speed.
set(whole "$<BOOL:${HEDDLE_LTO}>,$<CONFIG:Release,RelWithDebInfo>")
set(HEDDLE_WHOLE_COMPILE "$<$<AND:${whole},$<COMPILE_LANG_AND_ID:CXX,GNU>>:-flto=auto;-ffat-lto-objects>")
set(HEDDLE_WHOLE_LINK "$<$<AND:${whole},$<LINK_LANG_AND_ID:CXX,GNU>>:-flto=auto;-flto-partition=one>")
set(HEDDLE_APART_LINK "$<$<LINK_LANG_AND_ID:CXX,GNU>:-fno-lto>")

# The command waits for programs, so it need not be fast; a test is run once or twice for each time that it is compiled.
# Below -O2, too, GCC warns of paths nobody takes.
set(quick "$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-maybe-uninitialized;-Wno-restrict;-Wno-stringop-overflow>")
set(HEDDLE_QUICK_OPTIONS "$<$<AND:$<BOOL:${HEDDLE_QUICK}>,$<CONFIG:RelWithDebInfo>>:-Og;${quick}>")
set(HEDDLE_TEST_OPTIONS "$<$<CONFIG:RelWithDebInfo>:-O1;-g1;${quick}>")

# Options of every target of ours; `inside` says that it is loaded into the program under test.
function(heddle_options target inside)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_compile_options(${target} PRIVATE ${HEDDLE_WARNINGS})
  target_compile_definitions(${target} PRIVATE HEDDLE_VERSION="${PROJECT_VERSION}")
  if(inside)
    target_compile_options(${target} PRIVATE ${HEDDLE_INSIDE_OPTIONS} ${HEDDLE_WHOLE_COMPILE})
  else()
    target_link_options(${target} PRIVATE ${HEDDLE_APART_LINK})
  endif()
endfunction()

# What a sanitizer finds ends the test: UBSan only prints it otherwise, and the test passes.
function(heddle_sanitize target)
  if(HEDDLE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${HEDDLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${HEDDLE_SANITIZE})
  endif()
endfunction()

function(heddle_folder name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "INSIDE;SUBFOLDERS" "" "")
  set(patterns ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/*.c ${CMAKE_CURRENT_SOURCE_DIR}/*.S)
  if(arg_SUBFOLDERS)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
    file(GLOB_RECURSE layers RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt)
    list(REMOVE_ITEM layers CMakeLists.txt)
    foreach(layer ${layers})  # a library of its own
      cmake_path(GET layer PARENT_PATH layer)
      list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${layer}/")
    endforeach()
  else()
    file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  endif()
  list(FILTER sources EXCLUDE REGEX "/cli/(main|heddle_cc|heddle_as)\\.cpp$")  # these are programs, see src/cli
  if(NOT sources)  # a folder of headers only
    set(sources ${CMAKE_BINARY_DIR}/headers_only/${name}.cpp)
    file(CONFIGURE OUTPUT ${sources} CONTENT "// heddle::${name} has headers only.\n")
  endif()
  add_library(heddle_${name} STATIC ${sources})
  heddle_options(heddle_${name} ${arg_INSIDE})
  heddle_sanitize(heddle_${name})
  if(NOT arg_INSIDE)
    target_compile_options(heddle_${name} PRIVATE ${HEDDLE_QUICK_OPTIONS})
  else()
    set_property(GLOBAL APPEND PROPERTY HEDDLE_INSIDE_FOLDERS heddle_${name})
    set_property(GLOBAL APPEND PROPERTY HEDDLE_INSIDE_SOURCES ${sources})
  endif()
endfunction()
