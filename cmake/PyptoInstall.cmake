# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The CMake package Pypto: libraries and programs are added to the export where they are defined.
include(CMakePackageConfigHelpers)
set(_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Pypto)
install(EXPORT PyptoTargets NAMESPACE Pypto:: DESTINATION ${_package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/PyptoConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/PyptoConfig.cmake
  INSTALL_DESTINATION ${_package_dir} PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/PyptoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/PyptoConfig.cmake ${PROJECT_BINARY_DIR}/cmake/PyptoConfigVersion.cmake
        DESTINATION ${_package_dir})
# Headers, the TableGen files that others may include, and what is generated from them.
foreach(_root ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  install(DIRECTORY ${_root}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc" PATTERN "CMakeFiles" EXCLUDE)
endforeach()
