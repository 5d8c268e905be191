// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CrashHandler.h"
#include "Options.h"
#ifdef PYPTO_INCLUDE_TESTS
#include "TestPasses.h"
#endif

#include "pypto/ExecutionEngine/Files.h"
#include "pypto/ExecutionEngine/Runner.h"
#include "pypto/InitAll.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  installCrashHandler();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  pypto::registerAllDialects(registry);
  pypto::registerAllPasses();
#ifdef PYPTO_INCLUDE_TESTS
  pypto::test::registerBrokenPasses();
#endif
  mlir::registerPassManagerCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerAsmPrinterCLOptions();
  int code = pypto::execution::runProgram(parseRunOptions(argc, argv), registry, llvm::outs(),
                                          llvm::errs());
  llvm::Error error = pypto::execution::flush(llvm::outs(), "to the standard output");
  if (!error)
    return code;
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
  return 1;
}
