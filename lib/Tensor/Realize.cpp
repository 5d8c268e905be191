// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From tensors to plans, and from plans to elements.
#include "Export.h"
#include "OpBuilding.h"
#include "pypto/ExecutionEngine/Array.h"
#include "pypto/ExecutionEngine/GraphProgram.h"
#include "pypto/InitAll.h"
#include "pypto/Pipelines/Pipelines.h"
#include "pypto/Tensor/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include <mutex>
#include <oneapi/tbb/concurrent_hash_map.h>
#include <shared_mutex>
#include <thread>

using namespace pypto;
using namespace pypto::lazy;
using execution::GraphProgram;

using ProgramRef = std::shared_ptr<const GraphProgram>;

//===- Compiling ------------------------------------------------------------------===//

namespace {
/// Kernels that one plan has run. The count has no other writer, so that it costs no more than an
/// addition.
class RunCounter {
public:
  RunCounter() {
    std::lock_guard lock(getAll().mutex);
    getAll().live.insert(this);
  }
  ~RunCounter() {
    std::lock_guard lock(getAll().mutex);
    getAll().live.erase(this);
    getAll().before += count;
  }
  void add(uint64_t kernels) {
    count.store(count.load(std::memory_order_relaxed) + kernels, std::memory_order_relaxed);
  }
  static uint64_t getTotal() {
    std::lock_guard lock(getAll().mutex);
    uint64_t total = getAll().before;
    for (const RunCounter *counter : getAll().live)
      total += counter->count;
    return total;
  }

private:
  struct All {
    std::mutex mutex;
    llvm::DenseSet<const RunCounter *> live;
    /// Of plans that are gone.
    uint64_t before = 0;
  };
  /// Never destroyed: plans may be, later than anything else.
  static All &getAll() {
    static auto *all = new All();
    return *all;
  }

  std::atomic<uint64_t> count = 0;
};

/// One compiler for the process; it compiles one graph at a time.
class Compiler {
public:
  static Compiler &get() {
    // Never destroyed: plans may be, later than anything else.
    static auto *compiler = new Compiler();
    return *compiler;
  }
  llvm::Expected<ProgramRef> compile(const GraphOrder &order);
  std::string print(const GraphOrder &order);

  std::atomic<uint64_t> numCompiled = 0, numHits = 0;
  std::atomic<unsigned> beam = 0;
  std::atomic<bool> showsProgress = false;

private:
  Compiler();
  llvm::Expected<ProgramRef> compileNew(const GraphOrder &order);

  mlir::MLIRContext context;
  std::mutex mutex;
  oneapi::tbb::concurrent_hash_map<std::string, ProgramRef,
                                   oneapi::tbb::tbb_hash_compare<std::string>,
                                   std::allocator<std::pair<const std::string, ProgramRef>>>
      programs;
};
} // namespace

Compiler::Compiler() : context(mlir::MLIRContext::Threading::DISABLED) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  pypto::registerAllDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
}

llvm::Expected<ProgramRef> Compiler::compileNew(const GraphOrder &order) {
  std::lock_guard lock(mutex);
  std::string diagnostics;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    diagnostics += (diagnostics.empty() ? "" : "; ") + diagnostic.str();
  });
  auto fail = [&](const llvm::Twine &reason) {
    return execution::makeError(reason + (diagnostics.empty() ? "" : ": ") + diagnostics);
  };
  mlir::OwningOpRef<mlir::ModuleOp> module = exportGraph(&context, order);
  mlir::PassManager manager(&context, mlir::ModuleOp::getOperationName());
  buildGraphPipeline(manager);
  if (mlir::failed(mlir::verify(*module)) || mlir::failed(manager.run(*module)))
    return fail("cannot make kernels of the graph");
  auto host = module->lookupSymbol<mlir::func::FuncOp>("main");
  llvm::Expected<ProgramRef> program =
      GraphProgram::create(host, {/*naive=*/false, beam, showsProgress});
  if (!program)
    return fail(llvm::toString(program.takeError()));
  ++numCompiled;
  return program;
}

llvm::Expected<ProgramRef> Compiler::compile(const GraphOrder &order) {
  decltype(programs)::accessor entry;
  std::string key = order.key;
  if (unsigned width = beam)
    key += "\nbeam " + std::to_string(width);
  if (!programs.insert(entry, key) && entry->second) {
    ++numHits;
    return entry->second;
  }
  llvm::Expected<ProgramRef> program = compileNew(order);
  if (program)
    entry->second = *program;
  return program;
}

std::string Compiler::print(const GraphOrder &order) {
  std::lock_guard lock(mutex);
  std::string text;
  llvm::raw_string_ostream os(text);
  exportGraph(&context, order)->print(os);
  return text;
}

void pypto::lazy::setCompileOptions(const CompileOptions &options) {
  Compiler::get().beam = options.beam;
  Compiler::get().showsProgress = options.showsProgress;
}

Counters pypto::lazy::getCounters() {
  execution::KernelCounters kernels = execution::getKernelCounters();
  Compiler &compiler = Compiler::get();
  return {compiler.numCompiled,   compiler.numHits, kernels.compiled,    kernels.memoryHits,
          RunCounter::getTotal(), kernels.diskHits, kernels.diskFailures};
}

llvm::Error pypto::lazy::trySetKernelCacheDirectory(llvm::StringRef directory) {
  if (llvm::Error error = execution::checkKernelCacheDirectory(directory))
    return error;
  execution::setKernelCacheDirectory(directory);
  return llvm::Error::success();
}
void pypto::lazy::setKernelCacheWarning(std::function<void(const std::string &text)> warn) {
  execution::setKernelCacheWarning(std::move(warn));
}
void pypto::lazy::setKernelCacheDirectory(llvm::StringRef directory) {
  if (llvm::Error error = trySetKernelCacheDirectory(directory))
    throwError(std::move(error));
}

//===- Plans ------------------------------------------------------------------------===//

namespace {
/// Of the thread that executes a plan. It has to cost next to nothing where there is no other one:
/// a mutex takes as long as the dispatch of a kernel.
class ExecutionLock {
public:
  void lock() {
    for (unsigned tries = 0; isTaken.exchange(true, std::memory_order_acquire); ++tries) {
      if (tries < 64)
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }
  void unlock() { isTaken.store(false, std::memory_order_release); }

private:
  std::atomic<bool> isTaken = false;
};
} // namespace

struct ExecutionPlan::Implementation {
  explicit Implementation(ProgramRef program) : program(program), frame(program) {}

  ProgramRef program;
  /// Of what an execution changes.
  ExecutionLock lock;
  RunCounter numRun;
  GraphProgram::Frame frame;
  PlanOrder order = PlanOrder::Dataflow;
  /// What is computed: each node once.
  llvm::SmallVector<NodeRef> roots;
  llvm::SmallVector<BufferRef> outputs, inputs;
  llvm::SmallVector<VariableRef> variables;
  llvm::SmallVector<int64_t> values;
  /// The root that is the i-th output of the user.
  llvm::SmallVector<unsigned> positions;

  void bind();
  llvm::Error execute();
};

ExecutionPlan::ExecutionPlan(std::unique_ptr<Implementation> implementation)
    : implementation(std::move(implementation)) {}
ExecutionPlan::~ExecutionPlan() = default;

void ExecutionPlan::Implementation::bind() {
  unsigned next = 0;
  for (const BufferRef &buffer : outputs)
    frame.set(next++, reinterpret_cast<int64_t>(buffer->data()));
  for (const BufferRef &buffer : inputs)
    frame.set(next++, reinterpret_cast<int64_t>(buffer->data()));
  for (int64_t value : values)
    frame.set(next++, value);
}

llvm::Error ExecutionPlan::Implementation::execute() {
  bind();
  if (llvm::Error error = frame.run(order))
    return error;
  numRun.add(program->getNumCalls());
  return llvm::Error::success();
}

llvm::Error ExecutionPlan::tryExecute() {
  std::lock_guard lock(implementation->lock);
  return implementation->execute();
}

llvm::Error ExecutionPlan::tryProfile() {
  std::lock_guard lock(implementation->lock);
  implementation->bind();
  return implementation->frame.runTimed(implementation->order);
}

void ExecutionPlan::profile(llvm::raw_ostream &os) {
  if (llvm::Error error = tryProfile())
    throwError(std::move(error));
  print(os, PlanFormat::Trace);
}

llvm::Error ExecutionPlan::tryExecuteWithVars(const Tensor::Variables &variables) {
  std::lock_guard lock(implementation->lock);
  llvm::SmallVector<int64_t> values = implementation->values;
  for (auto &[name, value] : variables) {
    const Variable *known = nullptr;
    for (auto [variable, slot] : llvm::zip_equal(implementation->variables, values)) {
      if (variable->name != name)
        continue;
      known = variable.get();
      slot = value;
      if (value < known->min || value > known->max)
        return execution::makeError("variable '" + name + "' expects a value from " +
                                    llvm::Twine(known->min) + " to " + llvm::Twine(known->max) +
                                    ", but got " + llvm::Twine(value));
    }
    if (!known)
      return execution::makeError("the plan has no variable '" + name + "'");
  }
  implementation->values = values;
  return implementation->execute();
}

void ExecutionPlan::execute() {
  if (llvm::Error error = tryExecute())
    throwError(std::move(error));
}
void ExecutionPlan::executeWithVars(const Tensor::Variables &variables) {
  if (llvm::Error error = tryExecuteWithVars(variables))
    throwError(std::move(error));
}

size_t ExecutionPlan::numOutputs() const { return implementation->positions.size(); }
BufferRef ExecutionPlan::outputBufferAt(size_t index) const {
  if (index >= numOutputs())
    throw TensorException("the plan has " + std::to_string(numOutputs()) + " outputs, but output " +
                          std::to_string(index) + " was asked for");
  return implementation->outputs[implementation->positions[index]];
}
llvm::SmallVector<int64_t> ExecutionPlan::outputShapeAt(size_t index) const {
  (void)outputBufferAt(index);
  std::lock_guard lock(implementation->lock);
  llvm::SmallVector<int64_t> shape;
  for (const Extent &extent : implementation->roots[implementation->positions[index]]->shape) {
    int64_t value = extent.max;
    for (auto [variable, current] :
         llvm::zip_equal(implementation->variables, implementation->values))
      if (extent.variable == variable)
        value = extent.getAt(current);
    shape.push_back(value);
  }
  return shape;
}
DType ExecutionPlan::outputDTypeAt(size_t index) const {
  (void)outputBufferAt(index);
  return implementation->roots[implementation->positions[index]]->dtype;
}
size_t ExecutionPlan::numKernels() const { return implementation->program->getNumCalls(); }
const GraphProgram &ExecutionPlan::getProgram(size_t kernel) const {
  if (kernel >= numKernels())
    throw TensorException("the plan has " + std::to_string(numKernels()) + " kernels, but kernel " +
                          std::to_string(kernel) + " was asked for");
  return *implementation->program;
}
llvm::StringRef ExecutionPlan::kernelNameAt(size_t index) const {
  return getProgram(index).getKernelName(index);
}
llvm::ArrayRef<unsigned> ExecutionPlan::kernelDependenciesAt(size_t index) const {
  return getProgram(index).getGraph().getPredecessors(index);
}
unsigned ExecutionPlan::kernelGroupAt(size_t index) const {
  return getProgram(index).getGraph().getGroup(index);
}
void ExecutionPlan::setOrder(PlanOrder order) {
  std::lock_guard lock(implementation->lock);
  implementation->order = order;
}
void ExecutionPlan::print(llvm::raw_ostream &os, PlanFormat format) const {
  std::lock_guard lock(implementation->lock);
  implementation->program->makeReport(&implementation->frame).print(os, format);
}
int64_t ExecutionPlan::getScratchBytes() const {
  return implementation->program->getScratchBytes();
}

/// A plan for `roots`, each of which is there once and not in memory.
static llvm::Expected<std::unique_ptr<ExecutionPlan>> makePlan(llvm::ArrayRef<NodeRef> roots,
                                                               llvm::ArrayRef<unsigned> positions) {
  GraphOrder order(roots);
  if (std::string clash = describeClash(order.variables); !clash.empty())
    return execution::makeError("in one graph " + clash);
  llvm::Expected<ProgramRef> program = Compiler::get().compile(order);
  if (!program)
    return program.takeError();
  auto plan = std::make_unique<ExecutionPlan::Implementation>(*program);
  plan->roots.assign(roots.begin(), roots.end());
  plan->positions.assign(positions.begin(), positions.end());
  bool fits = plan->frame.isValid();
  for (const NodeRef &root : roots) {
    BufferRef buffer = Buffer::create(countElements(root->shape) * getSize(root->dtype));
    fits &= buffer != nullptr;
    plan->outputs.push_back(std::move(buffer));
  }
  if (!fits)
    return execution::makeError("out of memory for the buffers of a plan");
  for (auto &[node, buffer] : order.inputs)
    plan->inputs.push_back(buffer);
  plan->variables = order.variables;
  for (const VariableRef &variable : order.variables)
    plan->values.push_back(variable->max);
  return std::make_unique<ExecutionPlan>(std::move(plan));
}

//===- Tensors ------------------------------------------------------------------------===//

/// The index of `node` among `roots`, to which it is added if it is new.
static unsigned addRoot(llvm::SmallVectorImpl<NodeRef> &roots, const NodeRef &node) {
  auto *found = llvm::find(roots, node);
  unsigned position = found - roots.begin();
  if (found == roots.end())
    roots.push_back(node);
  return position;
}

std::shared_ptr<const Tensor::Bound> Tensor::getBound(const NodeRef &node) const {
  auto bound = entry->bound.load();
  return bound && bound->node == node ? bound : nullptr;
}

/// The extents of `shape` at these values of variables, else the largest.
static llvm::SmallVector<int64_t> evaluate(llvm::ArrayRef<Extent> shape,
                                           const Tensor::Variables &variables) {
  llvm::SmallVector<int64_t> extents;
  for (const Extent &extent : shape) {
    auto value = extent.isStatic() ? variables.end() : variables.find(extent.variable->name);
    extents.push_back(value == variables.end() ? extent.max : extent.getAt(value->second));
  }
  return extents;
}

llvm::SmallVector<int64_t> Tensor::getDataShape() const {
  NodeRef node = getNode();
  auto bound = getBound(node);
  return evaluate(node->shape, bound ? bound->variables : Variables());
}

Tensor::Variables Tensor::chooseValues(const NodeRef &node, const Variables &asked) const {
  Variables values;
  if (!node->hasVariables)
    return values;
  auto bound = getBound(node);
  for (const VariableRef &variable : GraphOrder(node).variables) {
    auto value = asked.find(variable->name);
    values[variable->name] = value != asked.end() ? value->second
                             : bound              ? bound->variables.at(variable->name)
                                                  : variable->max;
  }
  return values;
}

struct Tensor::Batch {
  Variables variables;
  llvm::SmallVector<NodeRef> roots;
  /// With the root that each stands for.
  llvm::SmallVector<std::pair<Tensor, unsigned>> tensors;

  /// False if a variable has another value here.
  bool accepts(const Variables &values) const {
    return llvm::all_of(values, [&](const auto &value) {
      auto found = variables.find(value.first);
      return found == variables.end() || found->second == value.second;
    });
  }
};

llvm::Error Tensor::compute(const Batch &batch) {
  // No assignment moves memory meanwhile.
  std::shared_lock lock(getAssignMutex());
  auto all = llvm::to_vector(llvm::seq<unsigned>(0, batch.roots.size()));
  llvm::Expected<std::unique_ptr<ExecutionPlan>> plan = makePlan(batch.roots, all);
  if (!plan)
    return plan.takeError();
  if (llvm::Error error = (*plan)->tryExecuteWithVars(batch.variables))
    return error;
  for (auto [index, root] : llvm::enumerate(batch.roots))
    if (!root->hasVariables)
      root->setRealized((*plan)->outputBufferAt(index));
  for (auto &[tensor, index] : batch.tensors)
    if (const NodeRef &root = batch.roots[index]; root->hasVariables)
      tensor.entry->bound.store(std::make_shared<Bound>(
          Bound{root, tensor.chooseValues(root, batch.variables), (*plan)->outputBufferAt(index)}));
  return llvm::Error::success();
}

llvm::Error Tensor::tryRealizeBatch(llvm::ArrayRef<Tensor> tensors, const Variables &variables) {
  // One, unless tensors have been computed for different values that are to stay.
  llvm::SmallVector<Batch, 1> batches;
  Variables unknown = variables;
  for (const Tensor &tensor : tensors) {
    NodeRef node = tensor.getNode();
    Variables values = tensor.chooseValues(node, variables);
    for (const auto &[name, value] : values)
      unknown.erase(name);
    auto bound = tensor.getBound(node);
    if (bound ? bound->variables == values : findBase(node) != nullptr)
      continue;
    auto *batch = llvm::find_if(batches, [&](const Batch &one) { return one.accepts(values); });
    if (batch == batches.end())
      batch = &batches.emplace_back();
    batch->variables.insert(values.begin(), values.end());
    batch->tensors.emplace_back(tensor, addRoot(batch->roots, node));
  }
  if (!unknown.empty())
    return execution::makeError("nothing that is computed has a variable '" +
                                unknown.begin()->first + "'");
  for (const Batch &batch : batches)
    if (llvm::Error error = compute(batch))
      return error;
  batches.clear();
  for (const Tensor &tensor : tensors)
    if (llvm::Error error = tensor.settle())
      return error;
  return llvm::Error::success();
}

llvm::Error Tensor::tryRealize(const Variables &variables) const {
  return tryRealizeBatch(*this, variables);
}
void Tensor::realize(const Variables &variables) const { realizeBatch(*this, variables); }
void Tensor::realizeBatch(llvm::ArrayRef<Tensor> tensors, const Variables &variables) {
  if (llvm::Error error = tryRealizeBatch(tensors, variables))
    throwError(std::move(error));
}

llvm::Expected<std::unique_ptr<ExecutionPlan>>
Tensor::tryPrepareBatch(llvm::ArrayRef<Tensor> tensors) {
  llvm::SmallVector<unsigned> positions;
  llvm::SmallVector<NodeRef> roots;
  for (const Tensor &tensor : tensors) {
    NodeRef node = tensor.getNode();
    // A plan computes its outputs each time, even those that only copy.
    if (findBase(node))
      node = makeNode(OpKind::Contiguous, node->dtype, node->shape, node);
    positions.push_back(addRoot(roots, node));
  }
  return makePlan(roots, positions);
}
llvm::Expected<std::unique_ptr<ExecutionPlan>> Tensor::tryPrepare() const {
  return tryPrepareBatch(*this);
}
std::unique_ptr<ExecutionPlan> Tensor::prepare() const { return unwrap(tryPrepare()); }
std::unique_ptr<ExecutionPlan> Tensor::prepareBatch(llvm::ArrayRef<Tensor> tensors) {
  return unwrap(tryPrepareBatch(tensors));
}

std::string Tensor::toMLIR(llvm::ArrayRef<Tensor> tensors) {
  llvm::SmallVector<NodeRef> roots;
  for (const Tensor &tensor : tensors)
    roots.push_back(tensor.getNode());
  return Compiler::get().print(GraphOrder(roots));
}

void Tensor::checkDType(DType dtype) const {
  if (dtype != getDType())
    throw TensorException(("expects elements of type " + stringifyDType(getDType()) +
                           ", but they are read as " + stringifyDType(dtype))
                              .str());
}

std::pair<BufferRef, llvm::SmallVector<int64_t>> Tensor::getElements() const {
  // Again if another thread has assigned in between.
  while (true) {
    realize();
    NodeRef node = getNode();
    if (auto bound = getBound(node))
      return {bound->buffer, evaluate(node->shape, bound->variables)};
    NodeRef base = findBase(node);
    if (BufferRef buffer = base ? base->getRealized() : nullptr)
      return {buffer, evaluate(node->shape, {})};
  }
}
