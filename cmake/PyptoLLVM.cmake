# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds Debian's LLVM/MLIR 22 and sets the flags that match how it was built.
find_program(LLVM_CONFIG_22 NAMES llvm-config-22 REQUIRED)
execute_process(COMMAND ${LLVM_CONFIG_22} --prefix OUTPUT_VARIABLE PYPTO_LLVM_PREFIX
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
# LLVMConfig names an llvm-lit that no Debian package ships.
if(NOT LLVM_EXTERNAL_LIT)
  find_program(LLVM_EXTERNAL_LIT NAMES lit HINTS ${PYPTO_LLVM_PREFIX}/bin NO_DEFAULT_PATH REQUIRED)
endif()
set(MLIR_LINK_MLIR_DYLIB ON)
find_package(MLIR 22.1 REQUIRED CONFIG HINTS ${PYPTO_LLVM_PREFIX}/lib/cmake/mlir)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
set(LLVM_RUNTIME_OUTPUT_INTDIR ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
set(LLVM_LIBRARY_OUTPUT_INTDIR ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(GNUInstallDirs)

# LLVM_DEFINITIONS is one string; unsplit it would become one broken -D.
separate_arguments(PYPTO_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${PYPTO_LLVM_DEFINITIONS})
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories(${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)

add_compile_options(
  $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>
  -ffunction-sections -fdata-sections
  -Wall -Wextra -Wno-unused-parameter
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
  $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual>)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_compile_options(-fdiagnostics-color)
endif()
if(PYPTO_ENABLE_WERROR)
  add_compile_options(-Werror)
endif()
if(PYPTO_ENABLE_ASSERTIONS)
  # The library was built with NDEBUG. Of its headers only Pass::Statistic changes layout with it, and
  # `tools/dev lint` keeps that one out.
  add_compile_options(-UNDEBUG)
endif()
if(PYPTO_SANITIZER)
  add_compile_options(-fsanitize=${PYPTO_SANITIZER} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  # libMLIR is not instrumented: vptr checks would see its types as foreign.
  add_compile_options(-fno-sanitize=vptr)
  add_link_options(-fsanitize=${PYPTO_SANITIZER})
endif()
find_program(PYPTO_LLD NAMES ld.lld-22)
if(PYPTO_LLD AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_link_options(--ld-path=${PYPTO_LLD})
endif()
find_program(PYPTO_CCACHE NAMES ccache)
if(PYPTO_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${PYPTO_CCACHE})
  # Precompiled headers need these to be cached; the time stamps in them are turned off in AddPypto.cmake.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${PYPTO_CCACHE})
endif()
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON) # a build tree can be moved
