// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/ExecutionEngine/Runner.h"

#include "GraphRun.h"
#include "PassCheck.h"
#include "Program.h"

#include "pypto/ExecutionEngine/Kernel.h"
#include "pypto/ExecutionEngine/OrderCheck.h"
#include "pypto/Interpreter/Interpreter.h"
#include "pypto/Runtime/ParallelFor.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Format.h"
#include <thread>

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

//===- Execution ----------------------------------------------------------------===//

/// Runs on fresh copies of what is written, so that each run does the same work.
static llvm::Error timeRuns(const RunOptions &options, const Signature &signature,
                            ArrayRef<HostValue> arguments, JIT::Invoker invoker,
                            llvm::raw_ostream &out) {
  constexpr unsigned minRuns = 5, maxRuns = 1000;
  constexpr double budget = 500;
  llvm::Expected<WrittenArguments> written = WrittenArguments::create(signature, arguments);
  if (!written)
    return written.takeError();
  Invocation invocation(signature, arguments);
  SmallVector<double> times;
  for (auto begin = Clock::now();
       times.size() < minRuns || (times.size() < maxRuns && getMilliseconds(begin) < budget);) {
    written->restore();
    auto start = Clock::now();
    if (llvm::Error error = invocation.run(invoker, options.tasks))
      return error;
    times.push_back(getMilliseconds(start));
  }
  llvm::sort(times);
  out << "run: min " << llvm::format("%.4f", times.front()) << " ms, median "
      << llvm::format("%.4f", times[times.size() / 2]) << " ms of " << times.size() << " runs\n";
  return llvm::Error::success();
}

/// Results and written parameters of one run. Prints what the tasks did, also where one failed.
static llvm::Expected<SmallVector<Output>> runOnce(const RunOptions &options,
                                                   const Signature &signature,
                                                   ArrayRef<HostValue> arguments,
                                                   JIT::Invoker invoker, llvm::raw_ostream &out) {
  Invocation invocation(signature, arguments);
  runtime::TaskGraphOptions tasks = options.tasks;
  tasks.recordPlan = options.printPlan || !options.profile.empty();
  runtime::TaskPlan plan;
  llvm::Error error = invocation.run(invoker, tasks, &plan);
  if (options.printPlan == PlanFormat::Text)
    plan.print(out);
  else if (options.printPlan == PlanFormat::Dot)
    plan.printDot(out);
  else if (options.printPlan)
    makeReport(plan).print(out, *options.printPlan);
  if (llvm::Error failure = writeProfile(options, makeReport(plan)))
    return llvm::joinErrors(std::move(error), std::move(failure));
  if (error)
    return std::move(error);
  llvm::Expected<SmallVector<HostValue>> results = invocation.getResults();
  if (!results)
    return results.takeError();
  return collectOutputs(signature, arguments, *results);
}

/// What the interpreter makes of the program, after passes if some are asked for.
static llvm::Expected<bool> interpretProgram(const RunOptions &options, Program &program,
                                             ArrayRef<HostValue> arguments,
                                             SmallVectorImpl<Output> &outputs,
                                             llvm::raw_ostream &out) {
  if (options.pipeline != RunOptions().pipeline) {
    llvm::Expected<bool> isTransformed = runPasses(program, options.pipeline, "--pipeline");
    if (!isTransformed || !*isTransformed)
      return isTransformed;
  }
  auto start = Clock::now();
  FailureOr<SmallVector<HostValue>> results = interpretEntry(program, arguments);
  if (failed(results))
    return false;
  if (options.time)
    out << "interpreted: " << llvm::format("%.1f", getMilliseconds(start)) << " ms\n";
  llvm::Expected<SmallVector<Output>> collected =
      collectOutputs(program.signature, arguments, *results);
  if (!collected)
    return collected.takeError();
  outputs = std::move(*collected);
  return true;
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
  // What is for other programs stands alone.
  bool isQuiet = options.printPlan && *options.printPlan != PlanFormat::Text;
  if (options.outputs.empty() && !isQuiet)
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

/// A graph. With `check` it is run by plain loops, too.
static llvm::Expected<bool> runAndReport(const RunOptions &options, Program &program,
                                         ArrayRef<HostValue> arguments, llvm::raw_ostream &out) {
  OwningOpRef<ModuleOp> original(options.check ? program.module->clone() : ModuleOp());
  auto outputs = runGraph(options, program, arguments, out);
  if (!outputs)
    return outputs.takeError();
  if (!*outputs)
    return false;
  llvm::Expected<bool> isGood = report(options, **outputs, out);
  if (!isGood || !options.check)
    return isGood;
  program.module = std::move(original);
  RunOptions plain;
  plain.level = "none";
  auto expected = runGraph(plain, program, arguments, out);
  if (!expected)
    return expected.takeError();
  if (!*expected)
    return false;
  llvm::Expected<bool> isEqual =
      compareOutputs(**outputs, **expected, "plain loops", options.tolerance, out);
  return isEqual ? *isGood && *isEqual : std::move(isEqual);
}

/// The pipeline with what the options ask of it.
static std::string getCpuPipeline(const RunOptions &options) {
  SmallVector<std::string> flags;
  if (options.beam != 0)
    flags.push_back("beam=" + std::to_string(options.beam));
  if (options.beam != 0 && options.showsProgress)
    flags.push_back("progress=true");
  if (!options.level.empty())
    flags.push_back("opt=" + (options.level == "heuristic" ? "default" : options.level));
  // The interpreter checks whatever it does.
  if (options.checkBounds && !options.interpret)
    flags.push_back("check-bounds");
  return flags.empty() ? options.pipeline : options.pipeline + "{" + llvm::join(flags, " ") + "}";
}

/// A program of `pl` functions.
static llvm::Expected<bool> runTiles(const RunOptions &options, Program &program,
                                     ArrayRef<HostValue> arguments, llvm::raw_ostream &out) {
  const Signature &signature = program.signature;
  if (!options.checkEachPass.empty())
    return checkEachPass(options, program, arguments, out);
  if (options.interpret) {
    SmallVector<Output> outputs;
    llvm::Expected<bool> isDone = interpretProgram(options, program, arguments, outputs, out);
    return isDone && *isDone ? report(options, outputs, out) : std::move(isDone);
  }

  auto start = Clock::now();
  llvm::Expected<bool> isLowered = runPasses(program, options.pipeline, "--pipeline");
  if (!isLowered || !*isLowered)
    return isLowered;
  double lowering = getMilliseconds(start);
  start = Clock::now();
  JITOptions jitOptions;
  jitOptions.entry = signature.name;
  jitOptions.dump = options.dumpLLVM ? &llvm::errs() : nullptr;
  jitOptions.level = options.llvmLevel;
  llvm::Expected<std::unique_ptr<JIT>> jit = JIT::create(*program.module, jitOptions);
  if (!jit)
    return jit.takeError();
  unsigned numParameters = Invocation(signature, arguments).getNumParameters();
  llvm::Expected<JIT::Invoker> invoker = (*jit)->lookup(signature.name, numParameters);
  if (!invoker)
    return invoker.takeError();
  if (options.time)
    out << "compile: passes " << llvm::format("%.1f", lowering) << " ms, machine code "
        << llvm::format("%.1f", getMilliseconds(start)) << " ms\n";

  auto runAs = [&](const RunOptions &chosen) {
    return runOnce(chosen, signature, arguments, *invoker, out);
  };
  std::optional<WrittenArguments> written;
  if (options.checkOrders) {
    llvm::Expected<WrittenArguments> copies = WrittenArguments::create(signature, arguments);
    if (!copies)
      return copies.takeError();
    written.emplace(std::move(*copies));
  }
  llvm::Expected<SmallVector<Output>> outputs = runAs(options);
  if (!outputs)
    return outputs.takeError();
  if (written) {
    llvm::Expected<bool> isSame = checkOrders(options, *written, *outputs, runAs, out);
    if (!isSame || !*isSame)
      return isSame;
  }
  llvm::Expected<bool> isEqual = report(options, *outputs, out);
  if (isEqual && options.time)
    if (llvm::Error error = timeRuns(options, signature, arguments, *invoker, out))
      return std::move(error);
  return isEqual;
}

static llvm::Expected<bool> run(const RunOptions &options, MLIRContext &context, Program &program,
                                llvm::raw_ostream &out) {
  llvm::Expected<bool> isParsed = parseProgram(context, options.entry, program);
  if (!isParsed || !*isParsed)
    return isParsed;
  if (llvm::Error error = checkOptions(options, program.isGraph))
    return std::move(error);
  Signature &signature = program.signature;
  if (llvm::Error error = checkCounts(options, signature))
    return std::move(error);
  if (!options.stopAfter.empty())
    return stopGraph(options, program, out);
  llvm::Expected<SmallVector<HostValue>> arguments = makeArguments(signature, options);
  if (!arguments)
    return arguments.takeError();
  if (program.isGraph)
    return runAndReport(options, program, *arguments, out);
  RunOptions tileOptions = options;
  tileOptions.pipeline = getCpuPipeline(options);
  return runTiles(tileOptions, program, *arguments, out);
}

int pypto::execution::runProgram(const RunOptions &options, const DialectRegistry &registry,
                                 llvm::raw_ostream &out, llvm::raw_ostream &err) {
  if (options.tasks.threads > runtime::kMaxThreads) {
    err << "error: --threads expects at most " << runtime::kMaxThreads << ", but got "
        << options.tasks.threads << '\n';
    return 1;
  }
  bool isAdversarial = options.tasks.order == runtime::TaskOrder::Adversarial;
  runtime::setParallelThreads(isAdversarial ? 1 : options.tasks.threads);
  Program program;
  if (llvm::Error error = openProgram(options.program, *program.sources)) {
    err << "error: " << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  setKernelCacheWarning([&err](const std::string &text) { err << "warning: " << text << '\n'; });
  llvm::scope_exit forget([] { setKernelCacheWarning(nullptr); });
  MLIRContext context(registry);
  // Its pool ends the process where a thread cannot be started.
  if (context.isMultithreadingEnabled() &&
      !runtime::canStartThreads(std::thread::hardware_concurrency()))
    context.disableMultithreading();
  context.printOpOnDiagnostic(false);
  SourceMgrDiagnosticHandler handler(*program.sources, &context, err);
  llvm::Expected<bool> isGood = run(options, context, program, out);
  program.module = {};
  if (isGood)
    return *isGood ? 0 : 1;
  err << "error: " << llvm::toString(isGood.takeError()) << '\n';
  return 1;
}
