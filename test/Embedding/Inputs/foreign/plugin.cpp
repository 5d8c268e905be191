// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Foreign.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "foreign", "1",
          [](mlir::DialectRegistry *registry) { foreign::registerForeignDialect(*registry); }};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "foreign", "1", [] { foreign::registerForeignPasses(); }};
}
