# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Everything that a user can choose about a build.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
option(PYPTO_ENABLE_ASSERTIONS "Keep assertions of our own code on" OFF)
option(PYPTO_ENABLE_TESTS "Build the unit tests and the lit suite" ON)
option(PYPTO_ENABLE_PCH "Use precompiled headers" ON)
option(PYPTO_ENABLE_WERROR "Warnings in our own code are errors" ON)
set(PYPTO_SANITIZER "" CACHE STRING "Value of -fsanitize= for the whole build, e.g. address,undefined")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
