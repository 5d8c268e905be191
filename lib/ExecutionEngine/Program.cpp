// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Program.h"

#include "pypto/ExecutionEngine/Files.h"

#include "GraphRun.h"

#include "pypto/Interpreter/Interpreter.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

//===- Program ----------------------------------------------------------------===//

llvm::Error pypto::execution::openProgram(StringRef path, llvm::SourceMgr &sources) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &message);
  if (!buffer)
    return makeError(message);
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  return llvm::Error::success();
}

llvm::Expected<bool> pypto::execution::parseProgram(MLIRContext &context, StringRef entryName,
                                                    Program &program) {
  ParserConfig config(&context);
  AsmParserState names;
  bool isText = !isBytecode(*program.sources->getMemoryBuffer(program.sources->getMainFileID()));
  if (isText) {
    // The names of parameters are in the text only.
    Block block;
    if (failed(parseAsmSourceFile(*program.sources, &block, config, &names)))
      return false;
    program.module = mlir::detail::constructContainerOpForParserIfNecessary<ModuleOp>(
        &block, &context, UnknownLoc::get(&context));
  } else {
    program.module = parseSourceFile<ModuleOp>(program.sources, config);
  }
  if (!program.module)
    return false;
  if (func::FuncOp graph = findGraph(*program.module, entryName)) {
    llvm::Expected<Signature> signature = getGraphSignature(graph, isText ? &names : nullptr);
    if (!signature)
      return signature.takeError();
    program.signature = std::move(*signature);
    program.isGraph = true;
    return true;
  }
  llvm::Expected<pl::FuncOp> entry = findEntry(*program.module, entryName);
  if (!entry)
    return entry.takeError();
  // What an earlier run of the passes moved is part of the program as written.
  entry->getOperation()->removeAttr(pl::kReturnPermutationAttrName);
  llvm::Expected<Signature> signature = getSignature(*entry, isText ? &names : nullptr);
  if (!signature)
    return signature.takeError();
  program.signature = std::move(*signature);
  return true;
}

//===- Passes -----------------------------------------------------------------===//

namespace {
/// Watches the entry for the permutation of its results, which is gone once it is lowered.
struct ReturnOrderWatch : PassInstrumentation {
  explicit ReturnOrderWatch(Signature &signature) : signature(signature) {}

  void runAfterPass(Pass *, Operation *op) override {
    auto module = dyn_cast<ModuleOp>(op);
    if (!module || module->getParentOp())
      return;
    auto entry = module.lookupSymbol<pl::FuncOp>(signature.name);
    auto permutation =
        entry ? entry->getAttrOfType<DenseI64ArrayAttr>(pl::kReturnPermutationAttrName) : nullptr;
    if (permutation && isPermutationVector(permutation.asArrayRef()) &&
        permutation.size() == static_cast<int64_t>(signature.results.size()))
      signature.returnPermutation.assign(permutation.asArrayRef().begin(),
                                         permutation.asArrayRef().end());
  }

  static bool isPermutationVector(ArrayRef<int64_t> numbers) {
    SmallVector<int64_t> sorted(numbers);
    llvm::sort(sorted);
    return llvm::equal(sorted, llvm::seq<int64_t>(0, numbers.size()));
  }

  Signature &signature;
};
} // namespace

llvm::Expected<bool> pypto::execution::runPasses(Program &program, StringRef pipeline,
                                                 StringRef option) {
  PassManager manager(program.module->getContext(), ModuleOp::getOperationName());
  if (failed(applyPassManagerCLOptions(manager)))
    return false;
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(parsePassPipeline(pipeline, manager, os)))
    // The text is a diagnostic with the line and a caret below it.
    return makeError(option + ": " + StringRef(message).split('\n').first.split("error: ").second);
  manager.addInstrumentation(std::make_unique<ReturnOrderWatch>(program.signature));
  return succeeded(manager.run(*program.module));
}

llvm::Error pypto::execution::writeProfile(const RunOptions &options, const PlanReport &report) {
  if (options.profile.empty())
    return llvm::Error::success();
  return writeFile(options.profile,
                   [&](llvm::raw_ostream &os) { report.print(os, PlanFormat::Trace); });
}

//===- Interpretation ---------------------------------------------------------===//

FailureOr<SmallVector<HostValue>>
pypto::execution::interpretEntry(Program &program, ArrayRef<HostValue> arguments,
                                 const interpreter::Options &options,
                                 SmallVectorImpl<std::vector<bool>> *undefined) {
  auto entry = program.module->lookupSymbol<pl::FuncOp>(program.signature.name);
  if (!entry)
    return program.module->emitError("expects '")
           << program.signature.name << "' to be a 'pl.func' where it is interpreted";
  FailureOr<interpreter::Run> run = interpreter::interpret(entry, arguments, options);
  if (failed(run))
    return failure();
  // Passes may have moved results.
  SmallVector<HostValue> results;
  for (unsigned i = 0, e = program.signature.results.size(); i != e; ++i) {
    interpreter::Outcome &outcome = run->results[program.signature.getLoweredResult(i)];
    results.push_back(outcome.value);
    if (undefined)
      undefined->push_back(std::move(outcome.undefined));
  }
  for (auto [index, parameter] : llvm::enumerate(program.signature.parameters))
    if (undefined && parameter.direction != pl::Direction::In &&
        !program.signature.isReturned[index])
      undefined->push_back(std::move(run->arguments[index].undefined));
  return results;
}
