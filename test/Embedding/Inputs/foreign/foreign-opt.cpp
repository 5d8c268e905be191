// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Foreign.h"

#include "pypto/InitAll.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  pypto::registerAllDialects(registry);
  pypto::registerAllPasses();
  foreign::registerForeignDialect(registry);
  foreign::registerForeignPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "foreign driver\n", registry));
}
