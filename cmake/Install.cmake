# What `cmake --install` puts in place: the commands, libheddle.so, the headers, the CMake package and the
# pkg-config file. heddle finds libheddle.so by its own place (../lib), so the tree can be moved as a whole.
include(CMakePackageConfigHelpers)

# A copy beside the build products, where heddle-cc of the build tree and the tests look for the headers.
file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/include/*.h ${CMAKE_SOURCE_DIR}/include/*.hpp)
foreach(header IN LISTS headers)
  cmake_path(GET header FILENAME name)
  configure_file(${header} ${CMAKE_BINARY_DIR}/include/${name} COPYONLY)
endforeach()

# Called by src/CMakeLists.txt once the targets exist.
function(heddle_install)
  set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
  foreach(target heddle heddle_cc)
    if(TARGET ${target})
      install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    endif()
  endforeach()
  install(TARGETS heddle_as RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/heddle)
  install(CODE "file(CREATE_LINK heddle-cc
      \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/heddle-c++\" SYMBOLIC)")
  install(TARGETS libheddle LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

  configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/heddleConfig.cmake.in
                                ${CMAKE_BINARY_DIR}/package/heddleConfig.cmake
                                INSTALL_DESTINATION ${package_dir}
                                PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_LIBDIR
                                          CMAKE_INSTALL_LIBEXECDIR CMAKE_INSTALL_INCLUDEDIR)
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/heddleConfigVersion.cmake
                                   COMPATIBILITY SameMinorVersion)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/heddle.pc.in ${CMAKE_BINARY_DIR}/package/heddle.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/package/heddleConfig.cmake
                ${CMAKE_BINARY_DIR}/package/heddleConfigVersion.cmake
          DESTINATION ${package_dir})
  install(FILES ${CMAKE_BINARY_DIR}/package/heddle.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
