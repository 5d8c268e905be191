// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/InitAll.h"
#include "pypto/Properties/PropertyInstrumentation.h"
#ifdef PYPTO_INCLUDE_TESTS
#include "TestPasses.h"
#endif
#include "pypto/Tools/KeepValueNames.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

/// Adds to the pipelines of `config` the watch over foreign passes; the record says what it saw.
static std::shared_ptr<pypto::PropertyRecord> watchForeignPasses(MlirOptMainConfig &config) {
  auto record = std::make_shared<pypto::PropertyRecord>();
  config.setPassPipelineSetupFn([original = config, record](PassManager &pm) {
    pypto::addPropertyInstrumentation(pm, record);
    return original.setupPassPipeline(pm);
  });
  return record;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllPasses();
  pypto::registerAllDialects(registry);
  pypto::registerAllPasses();
#ifdef PYPTO_INCLUDE_TESTS
  pypto::test::registerTestPasses();
#endif
  llvm::cl::opt<bool> verifyProperties(
      "verify-properties", llvm::cl::init(true),
      llvm::cl::desc("Check the properties that passes require and produce"));
  llvm::cl::opt<bool> keepValueNames(
      "keep-value-names", llvm::cl::desc("Make locations of the names that values have in text"));
  auto [inputName, outputName] =
      registerAndParseCLIOptions(argc, argv, "pypto optimizer driver\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldListPasses() || config.shouldShowDialects())
    return asMainReturnCode(MlirOptMain(argc, argv, inputName, outputName, registry));

  pypto::setPropertyVerification(verifyProperties);
  std::shared_ptr<pypto::PropertyRecord> record;
  if (verifyProperties)
    record = watchForeignPasses(config);

  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputName, &message);
  std::unique_ptr<llvm::ToolOutputFile> output =
      input ? openOutputFile(outputName, &message) : nullptr;
  if (!output) {
    llvm::errs() << message << "\n";
    return EXIT_FAILURE;
  }
  if (keepValueNames)
    input = pypto::keepValueNames(std::move(input), registry, config.inputSplitMarker(),
                                  config.shouldAllowUnregisteredDialects());
  if (!input || failed(MlirOptMain(output->os(), std::move(input), registry, config)))
    return EXIT_FAILURE;
  // Expected diagnostics alone decide when they are what is tested.
  if (record && record->violated && !config.shouldVerifyDiagnostics())
    return EXIT_FAILURE;
  output->keep();
  return EXIT_SUCCESS;
}
