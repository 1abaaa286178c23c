# What `cmake --install` puts in place: the commands, libheddle.so, the headers, the CMake package, the pkg-config file,
# man pages, completions, documents and examples. Nothing of it names the place: heddle finds libheddle.so by its own
# (../lib), the package files by theirs; so the tree can be moved as a whole.
include(CMakePackageConfigHelpers)

# A copy beside the build products, where heddle-cc of the build tree and the tests look for the headers.
file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/include/*.h ${CMAKE_SOURCE_DIR}/include/*.hpp)
foreach(header IN LISTS headers)
  cmake_path(GET header FILENAME name)
  configure_file(${header} ${CMAKE_BINARY_DIR}/include/${name} COPYONLY)
endforeach()
foreach(header assert.h bits/c++config.h)
  configure_file(${CMAKE_SOURCE_DIR}/include/heddle/${header} ${CMAKE_BINARY_DIR}/include/heddle/${header} COPYONLY)
endforeach()

# Beside heddle in the build tree, where `heddle replay --gdb` looks first.
configure_file(${CMAKE_SOURCE_DIR}/tools/heddle_gdb.py ${CMAKE_BINARY_DIR}/heddle_gdb.py COPYONLY)
# It finds heddle beside its name, and its modules beside what the name leads to.
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/campaign/heddle-campaign ${CMAKE_BINARY_DIR}/heddle-campaign SYMBOLIC)

# Man pages and completions, made of what `heddle --help` says. An instrumented heddle may not run here (ASan's fixed
# places), and nobody installs it.
find_package(Python3 COMPONENTS Interpreter)
function(heddle_pages)
  if(NOT Python3_Interpreter_FOUND OR HEDDLE_SANITIZE)
    message(STATUS "No man pages and completions: they need Python 3, and a heddle without a sanitizer")
    return()
  endif()
  set(pages ${CMAKE_BINARY_DIR}/pages)
  file(GLOB templates CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/packaging/man/*.in)
  set(made ${pages}/completions/heddle.bash ${pages}/completions/_heddle ${pages}/completions/heddle.fish)
  set(manuals ${pages}/man/heddle-c++.1.gz)
  foreach(template IN LISTS templates)
    cmake_path(GET template STEM LAST_ONLY manual)
    list(APPEND manuals ${pages}/man/${manual}.gz)
  endforeach()
  add_custom_command(OUTPUT ${made} ${manuals}
                     COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/packaging/make_pages.py $<TARGET_FILE:heddle> ${pages}
                     DEPENDS heddle ${CMAKE_SOURCE_DIR}/packaging/make_pages.py ${CMAKE_SOURCE_DIR}/campaign/heddle_campaign/cli.py
                             ${templates}
                     COMMENT "Making man pages and completions")
  add_custom_target(heddle_pages ALL DEPENDS ${made} ${manuals})
  install(FILES ${manuals} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  # bash looks for a file with the name of the command.
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/package)
  install(FILES ${pages}/completions/heddle.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME heddle)
  foreach(command heddle-cc heddle-c++)
    file(CREATE_LINK heddle ${CMAKE_BINARY_DIR}/package/${command} SYMBOLIC)
    install(FILES ${CMAKE_BINARY_DIR}/package/${command} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  endforeach()
  # Debian keeps the first of these two for what the administrator puts there.
  set(zsh_folder zsh/site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(zsh_folder zsh/vendor-completions)
  endif()
  install(FILES ${pages}/completions/_heddle DESTINATION ${CMAKE_INSTALL_DATADIR}/${zsh_folder})
  install(FILES ${pages}/completions/heddle.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endfunction()

# Called by src/CMakeLists.txt once the targets exist.
function(heddle_install)
  set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
  foreach(target heddle heddle_cc)
    if(TARGET ${target})
      install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    endif()
  endforeach()
  install(TARGETS heddle_as RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/heddle)
  install(FILES ${CMAKE_BINARY_DIR}/heddle-c++ DESTINATION ${CMAKE_INSTALL_BINDIR})  # a link to heddle-cc
  install(TARGETS libheddle heddle_calls LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  if(TARGET heddle_gcc)
    install(TARGETS heddle_gcc LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
  install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/heddle/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heddle)
  install(FILES ${CMAKE_SOURCE_DIR}/tools/heddle_gdb.py DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle)
  install(PROGRAMS ${CMAKE_SOURCE_DIR}/campaign/heddle-campaign DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/campaign/ DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle/campaign
          FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)
  install(FILES ${CMAKE_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs ${CMAKE_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
  if(NOT HEDDLE_DEBIAN)  # whose packages have no copies of the licences that Debian has; and see Package.cmake
    install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
  endif()
  heddle_pages()
  # All of it, and no tests.
  add_custom_target(heddle_product DEPENDS heddle heddle_cc heddle_as libheddle heddle_calls)
  foreach(target heddle_gcc heddle_pages)  # where the compiler is GCC, and where Python is
    if(TARGET ${target})
      add_dependencies(heddle_product ${target})
    endif()
  endforeach()

  configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/heddleConfig.cmake.in
                                ${CMAKE_BINARY_DIR}/package/heddleConfig.cmake
                                INSTALL_DESTINATION ${package_dir}
                                PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_LIBDIR
                                          CMAKE_INSTALL_LIBEXECDIR CMAKE_INSTALL_INCLUDEDIR)
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/heddleConfigVersion.cmake
                                   COMPATIBILITY SameMinorVersion)
  file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
  string(REGEX REPLACE "/$" "" prefix_from_pkgconfig "${prefix_from_pkgconfig}")
  configure_file(${CMAKE_SOURCE_DIR}/cmake/heddle.pc.in ${CMAKE_BINARY_DIR}/package/heddle.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/package/heddleConfig.cmake
                ${CMAKE_BINARY_DIR}/package/heddleConfigVersion.cmake
                ${CMAKE_SOURCE_DIR}/cmake/heddleChecks.cmake
          DESTINATION ${package_dir})
  install(FILES ${CMAKE_BINARY_DIR}/package/heddle.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
