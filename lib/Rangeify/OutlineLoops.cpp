// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elements.h"
#include "pypto/Rangeify/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace pypto::rangeify;

namespace pypto::rangeify {
#define GEN_PASS_DEF_OUTLINELOOPS
#include "pypto/Rangeify/Passes.h.inc"
} // namespace pypto::rangeify

static bool isKnownTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getNumElements() != 0;
}

/// Gives the body what costs nothing to make again: constants, numbers that are the same
/// everywhere.
static void cloneUniform(scf::ForOp loop) {
  OpBuilder b = OpBuilder::atBlockBegin(loop.getBody());
  for (bool changed = true; changed;) {
    changed = false;
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(loop.getRegion(), captured);
    for (Value value : captured) {
      Operation *op = value.getDefiningOp();
      if (!op || !(op->hasTrait<OpTrait::ConstantLike>() ||
                   (isa<RankedTensorType>(value.getType()) && isUniform(value))))
        continue;
      b.setInsertionPointToStart(loop.getBody());
      Value copy = b.clone(*op)->getResult(cast<OpResult>(value).getResultNumber());
      replaceAllUsesInRegionWith(value, copy, loop.getRegion());
      changed = true;
    }
  }
}

/// What the loop begins with is in memory: one number everywhere is written there.
static void storeInits(scf::ForOp loop) {
  OpBuilder b(loop);
  for (OpOperand &init : loop.getInitArgsMutable()) {
    if (!isUniform(init.get()))
      continue;
    auto type = cast<RankedTensorType>(init.get().getType());
    Location loc = init.get().getLoc();
    Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
    SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(type.getRank()));
    SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
    auto copy = linalg::GenericOp::create(b, loc, type, init.get(), empty, maps, loops,
                                          [](OpBuilder &body, Location loc, ValueRange elements) {
                                            linalg::YieldOp::create(body, loc, elements[0]);
                                          });
    init.set(copy.getResult(0));
  }
}

static LogicalResult check(scf::ForOp loop) {
  for (Value init : loop.getInitArgs())
    if (!isKnownTensor(init.getType()))
      return loop.emitError()
             << "expects a loop of a graph to carry tensors of known extents, but got "
             << init.getType();
  if (!loop.getInductionVar().getType().isIndex())
    return loop.emitError() << "expects a loop of a graph over indices, but got "
                            << loop.getInductionVar().getType();
  return success();
}

/// The body as a graph of its own: of what is carried, of other tensors, of scalars, and of the
/// number of the iteration.
static LogicalResult outline(scf::ForOp loop, StringRef name) {
  if (failed(check(loop)))
    return failure();
  cloneUniform(loop);
  storeInits(loop);
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(loop.getRegion(), captured);
  SmallVector<Value> parameters(loop.getRegionIterArgs());
  for (Value value : captured)
    if (isa<RankedTensorType>(value.getType())) {
      if (!isKnownTensor(value.getType()))
        return loop.emitError()
               << "expects a loop of a graph to read tensors of known extents, but got "
               << value.getType();
      parameters.push_back(value);
    }
  for (Value value : captured)
    if (!isa<RankedTensorType>(value.getType()))
      parameters.push_back(value);
  parameters.push_back(loop.getInductionVar());

  OpBuilder b(loop->getParentOfType<func::FuncOp>());
  Location loc = loop.getLoc();
  auto graph = func::FuncOp::create(
      b, loc, name, b.getFunctionType(ValueRange(parameters).getTypes(), loop.getResultTypes()));
  graph.setPrivate();
  Block *entry = graph.addEntryBlock();
  IRMapping mapping;
  mapping.map(parameters, entry->getArguments());
  b.setInsertionPointToStart(entry);
  for (Operation &op : loop.getBody()->without_terminator())
    b.clone(op, mapping);
  SmallVector<Value> yielded;
  for (Value value : loop.getBody()->getTerminator()->getOperands())
    yielded.push_back(mapping.lookupOrDefault(value));
  func::ReturnOp::create(b, loc, yielded);

  Operation *yield = loop.getBody()->getTerminator();
  b.setInsertionPoint(yield);
  auto call = func::CallOp::create(b, loc, graph, parameters);
  yield->setOperands(call.getResults());
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*loop.getBody())))
    if (&op != yield && &op != call)
      op.erase();
  return success();
}

namespace {
struct OutlineLoopsPass : pypto::rangeify::impl::OutlineLoopsBase<OutlineLoopsPass> {
  void runOnModule() override {
    SmallVector<func::FuncOp> graphs(getOperation().getOps<func::FuncOp>());
    while (!graphs.empty()) {
      func::FuncOp graph = graphs.pop_back_val();
      if (graph.isExternal() || !graph.getBody().hasOneBlock())
        continue;
      unsigned number = 0;
      for (auto loop : llvm::to_vector(graph.getOps<scf::ForOp>())) {
        if (loop.getNumResults() == 0)
          continue;
        std::string name = (graph.getName() + "_loop_" + Twine(number++)).str();
        if (failed(outline(loop, name)))
          return signalPassFailure();
        graphs.push_back(getOperation().lookupSymbol<func::FuncOp>(name));
      }
    }
  }
};
} // namespace
