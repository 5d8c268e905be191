# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The one precompiled header: MLIR's headers only, so that it is built once.
if(PYPTO_ENABLE_PCH)
  if(NOT EXISTS ${PROJECT_BINARY_DIR}/pypto_pch.cpp)
    file(WRITE ${PROJECT_BINARY_DIR}/pypto_pch.cpp "")
  endif()
  add_library(pypto_pch OBJECT ${PROJECT_BINARY_DIR}/pypto_pch.cpp)
  target_compile_options(pypto_pch PRIVATE $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
  target_precompile_headers(pypto_pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/Precompiled.h)
endif()

function(pypto_use_pch target)
  if(PYPTO_ENABLE_PCH)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
    target_precompile_headers(${target} REUSE_FROM pypto_pch)
    get_target_property(_type ${target} TYPE)
    if(_type STREQUAL EXECUTABLE)
      # The header was compiled with -fPIC; -fPIE would not match.
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${target} PRIVATE -fPIC)
    endif()
  endif()
endfunction()

# add_pypto_library(name source... [DEPENDS target...])
# Objects of libPypto.so. There is one shared object with all of the project's C++: a dialect that is linked
# into two objects of one process has two sets of TypeIDs.
function(add_pypto_library name)
  cmake_parse_arguments(ARG "NO_PCH" "" "DEPENDS" ${ARGN})
  add_library(${name} OBJECT ${ARG_UNPARSED_ARGUMENTS})
  add_dependencies(${name} PyptoIncGen ${ARG_DEPENDS})
  if(NOT ARG_NO_PCH)
    pypto_use_pch(${name})
  endif()
  set_property(GLOBAL APPEND PROPERTY PYPTO_OBJECT_LIBRARIES ${name})
endfunction()

# pypto_embed_mlir_c_api(target): puts the part of MLIR's C API that goes with ours into a shared object. libMLIR.so
# does not have it, and the imported targets of its archives would bring a second, static MLIR into the process.
function(pypto_embed_mlir_c_api target)
  set(_archives)
  foreach(_part IR Interfaces RegisterEverything Transforms Arith Bufferization ControlFlow Func Index Linalg LLVM Math
          MemRef SCF Tensor Vector)
    get_target_property(_archive MLIRCAPI${_part} LOCATION)
    list(APPEND _archives ${_archive})
  endforeach()
  list(JOIN _archives "," _archives)
  target_link_libraries(${target} PRIVATE "$<LINK_LIBRARY:WHOLE_ARCHIVE,${_archives}>")
endfunction()

# add_pypto_tool(name source... [LINK target...]): an installed program over libPypto.so.
function(add_pypto_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE Pypto ${ARG_LINK})
  pypto_use_pch(${name})
  set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};${PYPTO_LLVM_PREFIX}/lib")
  install(TARGETS ${name} EXPORT PyptoTargets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# pypto_tablegen(Prefix source.td ACTION...): e.g. pypto_tablegen(PLOps PLOps.td OPS) makes PLOps.h.inc and
# PLOps.cpp.inc and adds them to PyptoIncGen.
add_custom_target(PyptoIncGen)
function(pypto_inc_target name)
  add_public_tablegen_target(${name})
  add_dependencies(PyptoIncGen ${name})
endfunction()
