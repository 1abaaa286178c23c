# `./dev package`: a Debian package, by CPack, from a build tree of the preset `package`.
#
# What is installed is stripped: libheddle.so keeps .dynsym, by whose names reports call its functions, and .eh_frame, by
# which exceptions, gdb and the program's own stack walks go through it. The rest is in heddle-dbgsym, where gdb finds it.
if(NOT HEDDLE_DEBIAN)
  return()
endif()
if(NOT Python3_Interpreter_FOUND)
  message(FATAL_ERROR "The package has man pages and completions, which need Python 3")
endif()

set(debian ${CMAKE_BINARY_DIR}/package/debian)
configure_file(${CMAKE_SOURCE_DIR}/packaging/debian/changelog.in ${debian}/changelog.Debian @ONLY)
configure_file(${CMAKE_SOURCE_DIR}/CHANGELOG.md ${debian}/changelog COPYONLY)
# Without gzip's date and name, the same sources give the same package.
execute_process(COMMAND gzip -9nkf ${debian}/changelog ${debian}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${debian}/changelog.gz ${debian}/changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${CMAKE_SOURCE_DIR}/packaging/debian/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${CMAKE_SOURCE_DIR}/packaging/debian/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
        RENAME heddle)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_VENDOR heddle)
set(CPACK_PACKAGE_CONTACT "heddle maintainers <maintainers@users.noreply.a-seed-b5eed93f.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "stateless model checker for C and C++ threads")
set(CPACK_PACKAGE_DESCRIPTION
"heddle runs a real multithreaded C or C++ program again and again, one
interleaving of its threads at a time, until every interleaving that matters is
explored or a bug is found: a data race, a deadlock, a failed assertion, a
crash. Then it hands over a schedule that shows the bug again every time.
.
This package has the command, the drop-in compilers heddle-cc and heddle-c++,
the library that is loaded into the program, and files for CMake and
pkg-config.")
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The assembler that stands between runs the real one. libcrypto is opened when needed, so no link tells of it.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "binutils, libssl3")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++ | clang, libc6-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gdb, cmake, pkg-config, python3, python3-distributed")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/packaging/debian/triggers)
set(CPACK_DEBIAN_DEBUGINFO_PACKAGE ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)
include(CPack)
