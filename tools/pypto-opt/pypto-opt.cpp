// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  pypto::registerAllDialects(registry);
  pypto::registerAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "pypto optimizer driver\n", registry));
}
