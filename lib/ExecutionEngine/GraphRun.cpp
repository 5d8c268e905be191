// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GraphRun.h"

#include "GraphExtents.h"
#include "Phases.h"

#include "pypto/ExecutionEngine/GraphProgram.h"
#include "pypto/ExecutionEngine/Renderer.h"

#include "mlir/AsmParser/AsmParserState.h"
#include "llvm/Support/Format.h"
#include <cstring>

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

static constexpr llvm::StringLiteral kGraphPipeline = "pypto-graph-pipeline";
static constexpr llvm::StringLiteral kNaivePipeline = "pypto-naive-graph-pipeline";

func::FuncOp pypto::execution::findGraph(ModuleOp module, StringRef name) {
  if (!module.getOps<pl::FuncOp>().empty())
    return {};
  func::FuncOp only;
  for (auto graph : module.getOps<func::FuncOp>()) {
    if (graph.isExternal() || !graph.isPublic())
      continue;
    if (graph.getName() == (name.empty() ? "main" : name))
      return graph;
    if (only)
      name = name.empty() ? "main" : name; // several: one has to be named
    only = graph;
  }
  return name.empty() ? only : func::FuncOp();
}

/// A tensor as one of a program; other types stay.
static Type getProgramType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return type;
  SmallVector<pl::ExtentAttr> extents;
  for (int64_t extent : tensor.getShape())
    extents.push_back(ShapedType::isDynamic(extent)
                          ? pl::ExtentAttr::getDynamic(type.getContext())
                          : pl::ExtentAttr::get(type.getContext(), extent));
  return pl::TensorType::get(type.getContext(), extents, tensor.getElementType());
}

llvm::Expected<Signature> pypto::execution::getGraphSignature(func::FuncOp graph,
                                                              const AsmParserState *names) {
  graph.getContext()->getOrLoadDialect<pl::PLDialect>();
  Signature signature;
  signature.name = graph.getName();
  auto fail = [&](StringRef what, unsigned index, Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return makeError(what + " " + std::to_string(index) + " of graph '" + signature.name + "' is " +
                     text + ", which cannot be " + (what == "result" ? "handed out" : "given") +
                     " from outside");
  };
  for (auto [index, type] : llvm::enumerate(graph.getArgumentTypes())) {
    if (!getDType(getElementTypeOrSelf(type)) || isa<UnrankedTensorType, VectorType>(type))
      return fail("parameter", index, type);
    signature.parameters.push_back({getParameterName(graph.getBody().front(), index, names),
                                    pl::Direction::In, getProgramType(type)});
  }
  for (auto [index, type] : llvm::enumerate(graph.getResultTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !getDType(tensor.getElementType()))
      return fail("result", index, type);
    signature.results.push_back(getProgramType(type));
  }
  signature.isReturned.assign(signature.parameters.size(), false);
  return signature;
}

/// Binds the buffers of a call: results, tensors, then scalars.
static void bind(GraphProgram::Frame &frame, const GraphProgram &program,
                 ArrayRef<HostValue> results, const Signature &signature,
                 ArrayRef<HostValue> arguments) {
  unsigned next = 0;
  auto bindTensor = [&](const Array &array) {
    for (auto [dim, extent] : llvm::enumerate(array.getShape()))
      if (std::optional<unsigned> index = program.getExtentRegister(next, dim))
        frame.set(*index, extent);
    frame.set(next++, reinterpret_cast<int64_t>(array.data()));
  };
  for (const HostValue &result : results)
    bindTensor(*result.array);
  for (auto [parameter, value] : llvm::zip_equal(signature.parameters, arguments))
    if (parameter.getTensor())
      bindTensor(*value.array);
  for (auto [parameter, value] : llvm::zip_equal(signature.parameters, arguments)) {
    if (parameter.getTensor())
      continue;
    int64_t bits = 0;
    std::memcpy(&bits, value.array->data(), value.array->getNumBytes());
    frame.set(next++, bits);
  }
}

static llvm::Error timeRuns(GraphProgram::Frame &frame, runtime::StaticOrder order,
                            llvm::raw_ostream &out) {
  SmallVector<double> times;
  for (auto begin = Clock::now();
       times.size() < 5 || (times.size() < 1000 && getMilliseconds(begin) < 500);) {
    auto start = Clock::now();
    if (llvm::Error error = frame.run(order))
      return error;
    times.push_back(getMilliseconds(start));
  }
  llvm::sort(times);
  out << "run: min " << llvm::format("%.4f", times.front()) << " ms, median "
      << llvm::format("%.4f", times[times.size() / 2]) << " ms of " << times.size() << " runs\n";
  return llvm::Error::success();
}

/// The parameters by the names that the user gave them.
static PlanReport makeReport(const GraphProgram &program, const GraphProgram::Frame *frame,
                             const Signature &signature) {
  PlanReport report = program.makeReport(frame);
  SmallVector<StringRef> names;
  for (const Parameter &parameter : signature.parameters)
    if (parameter.getTensor())
      names.push_back(parameter.name);
  // Results come first.
  for (auto [index, name] : llvm::enumerate(names))
    if (size_t position = signature.results.size() + index;
        !name.empty() && position < report.buffers.size())
      report.buffers[position].name = name;
  return report;
}

/// The run that counts. The first one of a plan is slower than all others, so that a run before it
/// is not looked at where one wants to see times.
static llvm::Error runOnce(const RunOptions &options, const GraphProgram &program,
                           GraphProgram::Frame &frame, const Signature &signature,
                           llvm::raw_ostream &out) {
  if (!options.printPlan && options.profile.empty())
    return frame.run(options.graphOrder);
  if (llvm::Error error = frame.run(options.graphOrder))
    return error;
  if (llvm::Error error = frame.runTimed(options.graphOrder))
    return error;
  PlanReport report = makeReport(program, &frame, signature);
  if (options.printPlan)
    report.print(out, *options.printPlan);
  return writeProfile(options, report);
}

/// How kernels are compiled. The error is about the command line.
static llvm::Expected<KernelOptions> getKernelOptions(const RunOptions &options) {
  KernelOptions result;
  result.beam = options.beam;
  result.showsProgress = options.showsProgress;
  result.naive = options.level == "none" || options.pipeline == kNaivePipeline;
  if (options.renderer.empty())
    return result;
  llvm::Expected<const Renderer *> renderer = findRenderer(options.renderer);
  if (!renderer)
    return makeError("--renderer: " + llvm::toString(renderer.takeError()));
  result.renderer = *renderer;
  return result;
}

llvm::Expected<bool> pypto::execution::stopGraph(const RunOptions &options, Program &program,
                                                 llvm::raw_ostream &out) {
  llvm::Expected<KernelOptions> kernels = getKernelOptions(options);
  if (!kernels)
    return kernels.takeError();
  llvm::Expected<Phase> phase = findPhase(options.stopAfter);
  if (!phase)
    return makeError("--stop-after: " + llvm::toString(phase.takeError()));
  return printPhase(program, *phase, *kernels, out);
}

llvm::Expected<std::optional<SmallVector<Output>>>
pypto::execution::runGraph(const RunOptions &options, Program &program,
                           ArrayRef<HostValue> arguments, llvm::raw_ostream &out) {
  const Signature &signature = program.signature;
  llvm::Expected<KernelOptions> kernels = getKernelOptions(options);
  if (!kernels)
    return kernels.takeError();
  StringRef pipeline = options.pipeline;
  if (pipeline == RunOptions().pipeline)
    pipeline = kernels->naive ? kNaivePipeline : kGraphPipeline;
  auto graph = program.module->lookupSymbol<func::FuncOp>(signature.name);
  auto shapes = computeResultShapes(graph, arguments);
  if (failed(shapes))
    return std::nullopt;
  auto start = Clock::now();
  llvm::Expected<bool> isLowered = runPasses(program, pipeline, "--pipeline");
  if (!isLowered)
    return isLowered.takeError();
  if (!*isLowered)
    return std::nullopt;
  double lowering = getMilliseconds(start);
  start = Clock::now();
  auto host = program.module->lookupSymbol<func::FuncOp>(signature.name);
  if (!host)
    return makeError("--pipeline leaves no function '" + signature.name + "'");
  auto compiled = GraphProgram::create(host, *kernels);
  if (!compiled)
    return compiled.takeError();
  if (options.time)
    out << "compile: passes " << llvm::format("%.1f", lowering) << " ms, machine code "
        << llvm::format("%.1f", getMilliseconds(start)) << " ms\n";

  SmallVector<HostValue> results;
  for (auto [type, shape] : llvm::zip_equal(signature.results, *shapes)) {
    llvm::Expected<Array> array =
        Array::create(*getDType(cast<pl::TensorType>(type).getElementType()), shape);
    if (!array)
      return array.takeError();
    results.push_back({std::make_shared<Array>(std::move(*array)), shape});
  }
  GraphProgram::Frame frame(*compiled);
  bind(frame, **compiled, results, signature, arguments);
  if (!frame.isValid())
    return makeError("out of memory for what kernels hand to each other");
  if (llvm::Error error = runOnce(options, **compiled, frame, signature, out))
    return std::move(error);
  if (options.time)
    if (llvm::Error error = timeRuns(frame, options.graphOrder, out))
      return std::move(error);
  return collectOutputs(signature, arguments, results);
}
