// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/ExecutionEngine/Runner.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/SourceMgr.h"
#include <chrono>
#include <cstring>

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

using Clock = std::chrono::steady_clock;

static double getMilliseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

//===- Program ----------------------------------------------------------------===//

namespace {
/// The program in memory, with the signature of its entry.
struct Program {
  std::shared_ptr<llvm::SourceMgr> sources = std::make_shared<llvm::SourceMgr>();
  OwningOpRef<ModuleOp> module;
  Signature signature;
};
} // namespace

static llvm::Error openProgram(StringRef path, llvm::SourceMgr &sources) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &message);
  if (!buffer)
    return makeError(message);
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  return llvm::Error::success();
}

/// Fills `program`. A failure without an error has been reported as a diagnostic.
static llvm::Expected<bool> parseProgram(MLIRContext &context, StringRef entryName,
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

/// False after a diagnostic.
static llvm::Expected<bool> lower(Program &program, StringRef pipeline) {
  PassManager manager(program.module->getContext(), ModuleOp::getOperationName());
  if (failed(applyPassManagerCLOptions(manager)))
    return false;
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(parsePassPipeline(pipeline, manager, os)))
    // The text is a diagnostic with the line and a caret below it.
    return makeError("--pipeline: " + StringRef(message).split('\n').first.split("error: ").second);
  manager.addInstrumentation(std::make_unique<ReturnOrderWatch>(program.signature));
  return succeeded(manager.run(*program.module));
}

//===- Execution ----------------------------------------------------------------===//

/// Runs on fresh copies of what is written, so that each run does the same work.
static llvm::Error timeRuns(const Signature &signature, ArrayRef<HostValue> arguments,
                            JIT::Invoker invoker, llvm::raw_ostream &out) {
  constexpr unsigned minRuns = 5, maxRuns = 1000;
  constexpr double budget = 500;
  SmallVector<std::pair<Array *, Array>> written;
  for (auto [parameter, value] : llvm::zip_equal(signature.parameters, arguments))
    if (parameter.direction != pl::Direction::In)
      written.emplace_back(value.array.get(), value.array->clone());
  Invocation invocation(signature, arguments);
  SmallVector<double> times;
  for (auto begin = Clock::now();
       times.size() < minRuns || (times.size() < maxRuns && getMilliseconds(begin) < budget);) {
    for (auto &[array, original] : written)
      std::memcpy(array->data(), original.data(), original.getNumBytes());
    auto start = Clock::now();
    if (llvm::Error error = invocation.run(invoker))
      return error;
    times.push_back(getMilliseconds(start));
  }
  llvm::sort(times);
  out << "run: min " << llvm::format("%.4f", times.front()) << " ms, median "
      << llvm::format("%.4f", times[times.size() / 2]) << " ms of " << times.size() << " runs\n";
  return llvm::Error::success();
}

/// Results and written parameters of one run.
static llvm::Expected<SmallVector<Output>>
runOnce(const Signature &signature, ArrayRef<HostValue> arguments, JIT::Invoker invoker) {
  Invocation invocation(signature, arguments);
  if (llvm::Error error = invocation.run(invoker))
    return std::move(error);
  llvm::Expected<SmallVector<HostValue>> results = invocation.getResults();
  if (!results)
    return results.takeError();
  return collectOutputs(signature, arguments, *results);
}

/// Comparisons, files and the summary. False if a comparison failed. Comparisons come first: where
/// one cannot be made nothing is written.
static llvm::Expected<bool> report(const RunOptions &options, ArrayRef<Output> outputs,
                                   llvm::raw_ostream &out) {
  std::string text;
  llvm::raw_string_ostream comparisons(text);
  llvm::Expected<bool> isEqual =
      compareOutputs(outputs, options.expected, options.tolerance, comparisons);
  if (!isEqual)
    return isEqual;
  if (llvm::Error error = writeOutputs(outputs, options.outputs))
    return std::move(error);
  if (options.outputs.empty())
    for (const Output &output : outputs)
      out << output.label << ": " << summarize(output.type, *output.value.array) << '\n';
  out << text;
  return isEqual;
}

static unsigned countOutputs(const Signature &signature) {
  unsigned count = signature.results.size();
  for (auto [parameter, isReturned] : llvm::zip_equal(signature.parameters, signature.isReturned))
    count += parameter.direction != pl::Direction::In && !isReturned;
  return count;
}

static llvm::Error checkCounts(const RunOptions &options, const Signature &signature) {
  unsigned count = countOutputs(signature);
  for (auto [flag, given] :
       {std::pair("--out", options.outputs.size()), std::pair("--expect", options.expected.size())})
    if (given > count)
      return makeError("'" + signature.name + "' has " + std::to_string(count) +
                       " outputs, but got " + std::to_string(given) + " of " + flag);
  return llvm::Error::success();
}

static llvm::Expected<bool> run(const RunOptions &options, MLIRContext &context, Program &program,
                                llvm::raw_ostream &out) {
  llvm::Expected<bool> isParsed = parseProgram(context, options.entry, program);
  if (!isParsed || !*isParsed)
    return isParsed;
  Signature &signature = program.signature;
  if (llvm::Error error = checkCounts(options, signature))
    return std::move(error);
  llvm::Expected<SmallVector<HostValue>> arguments = makeArguments(signature, options);
  if (!arguments)
    return arguments.takeError();

  auto start = Clock::now();
  llvm::Expected<bool> isLowered = lower(program, options.pipeline);
  if (!isLowered || !*isLowered)
    return isLowered;
  double lowering = getMilliseconds(start);
  start = Clock::now();
  llvm::Expected<std::unique_ptr<JIT>> jit =
      JIT::create(*program.module, {signature.name, options.dumpLLVM ? &llvm::errs() : nullptr});
  if (!jit)
    return jit.takeError();
  unsigned numParameters = Invocation(signature, *arguments).getNumParameters();
  llvm::Expected<JIT::Invoker> invoker = (*jit)->lookup(signature.name, numParameters);
  if (!invoker)
    return invoker.takeError();
  if (options.time)
    out << "compile: passes " << llvm::format("%.1f", lowering) << " ms, machine code "
        << llvm::format("%.1f", getMilliseconds(start)) << " ms\n";

  llvm::Expected<SmallVector<Output>> outputs = runOnce(signature, *arguments, *invoker);
  if (!outputs)
    return outputs.takeError();
  llvm::Expected<bool> isEqual = report(options, *outputs, out);
  if (isEqual && options.time)
    if (llvm::Error error = timeRuns(signature, *arguments, *invoker, out))
      return std::move(error);
  return isEqual;
}

int pypto::execution::runProgram(const RunOptions &options, const DialectRegistry &registry,
                                 llvm::raw_ostream &out, llvm::raw_ostream &err) {
  Program program;
  if (llvm::Error error = openProgram(options.program, *program.sources)) {
    err << "error: " << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  SourceMgrDiagnosticHandler handler(*program.sources, &context, err);
  llvm::Expected<bool> isGood = run(options, context, program, out);
  program.module = {};
  if (isGood)
    return *isGood ? 0 : 1;
  err << "error: " << llvm::toString(isGood.takeError()) << '\n';
  return 1;
}
