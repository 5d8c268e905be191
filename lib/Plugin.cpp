// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry points that make libPypto.so a dialect and pass plugin of any MLIR tool, e.g.
// mlir-opt --load-dialect-plugin=libPypto.so --load-pass-plugin=libPypto.so.
#include "pypto/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "pypto", PYPTO_VERSION,
          [](mlir::DialectRegistry *registry) { pypto::registerAllDialects(*registry); }};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "pypto", PYPTO_VERSION, [] { pypto::registerAllPasses(); }};
}
