// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MatmulSchedule.h"
#include "pypto/ExecutionEngine/ScheduleSearch.h"
#include "pypto/Transforms/Passes.h"
#include "pypto/Transforms/Schedule.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace pypto;

namespace pypto {
#define GEN_PASS_DEF_SEARCHSCHEDULES
#include "pypto/Transforms/Passes.h.inc"
} // namespace pypto

namespace {
/// A module with one product, and with what `--lower-matmul` makes part of it.
class Isolation {
public:
  Isolation(const matmul::Contraction &product, const matmul::Surroundings &around)
      : product(product), b(UnknownLoc::get(product.op->getContext()), product.op->getContext()) {
    if (around.fill)
      operations.push_back(around.fill);
    operations.push_back(product.op);
    if (around.epilogue)
      operations.push_back(around.epilogue);
    if (around.isPrivate)
      inner = product.out.memref;
  }

  /// Null where an extent or a stride is known to the run only.
  OwningOpRef<ModuleOp> run();

private:
  bool addValue(Value value);

  matmul::Contraction product;
  ImplicitLocOpBuilder b;
  SmallVector<Operation *> operations;
  /// A buffer that nothing else sees.
  Value inner;
  SmallVector<Value> outer;
  SmallVector<Type> types;
  SmallVector<Value> scalars;
};
} // namespace

/// Sorts a value that the operations use. Buffers become parameters.
bool Isolation::addValue(Value value) {
  if (value == inner || llvm::is_contained(outer, value) || llvm::is_contained(scalars, value))
    return true;
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type) {
    scalars.push_back(value);
    return value.getDefiningOp<arith::ConstantOp>() || value.getType().isIntOrFloat();
  }
  auto [strides, offset] = type.getStridesAndOffset();
  if (!type.hasStaticShape() || !type.getElementType().isIntOrFloat() ||
      llvm::is_contained(strides, ShapedType::kDynamic))
    return false;
  if (ShapedType::isDynamic(offset))
    type = MemRefType::get(type.getShape(), type.getElementType(),
                           StridedLayoutAttr::get(type.getContext(), 0, strides));
  outer.push_back(value);
  types.push_back(type);
  return true;
}

OwningOpRef<ModuleOp> Isolation::run() {
  for (Operation *op : operations) {
    SetVector<Value> used(op->getOperands().begin(), op->getOperands().end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    for (Value value : used)
      if (!addValue(value))
        return {};
  }
  OwningOpRef<ModuleOp> module = ModuleOp::create(b.getLoc());
  b.setInsertionPointToEnd(module->getBody());
  auto function =
      func::FuncOp::create(b, "pypto_entry_search", FunctionType::get(b.getContext(), types, {}));
  function->setAttr("llvm.emit_c_interface", b.getUnitAttr());
  b.setInsertionPointToStart(function.addEntryBlock());
  IRMapping mapping;
  mapping.map(outer, function.getArguments());
  for (unsigned i = 0; i != types.size(); ++i)
    function.setArgAttr(i, "llvm.noalias", b.getUnitAttr());
  for (Value scalar : scalars) {
    if (auto constant = scalar.getDefiningOp<arith::ConstantOp>())
      b.clone(*constant, mapping);
    else
      mapping.map(scalar, arith::ConstantOp::create(b, b.getOneAttr(scalar.getType())));
  }
  if (inner)
    b.clone(*inner.getDefiningOp(), mapping);
  for (Operation *op : operations)
    b.clone(*op, mapping);
  if (inner)
    memref::DeallocOp::create(b, mapping.lookup(inner));
  func::ReturnOp::create(b);
  // What the function asks for belongs to the product.
  auto parent = product.op->getParentOfType<func::FuncOp>();
  if (parent)
    copySchedule(parent, function);
  return module;
}

namespace {
struct SearchSchedulesPass : pypto::impl::SearchSchedulesBase<SearchSchedulesPass> {
  using SearchSchedulesBase::SearchSchedulesBase;

  void runOnModule() override {
    if (beam == 0)
      return;
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics())
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops)
      if (std::optional<matmul::Contraction> product = matmul::matchContraction(op))
        if (failed(search(*product)))
          return signalPassFailure();
  }

  LogicalResult search(const matmul::Contraction &product) {
    linalg::LinalgOp op = product.op;
    if (failed(matmul::verifySchedule(op)))
      return failure();
    OwningOpRef<ModuleOp> module = Isolation(product, matmul::matchSurroundings(product)).run();
    // The heuristics serve what cannot be run alone.
    if (!module)
      return success();
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os, OpPrintingFlags().printGenericOpForm().enableDebugInfo(false));
    execution::SearchOptions options;
    options.beam = beam;
    options.seconds = seconds;
    options.showsProgress = progress;
    llvm::Expected<std::string> found = execution::searchSchedule(text, options);
    if (!found)
      return op->emitOpError("cannot search a schedule: ") << llvm::toString(found.takeError());
    op->setAttr(kScheduleAttrName, parseAttribute(*found, &getContext()));
    return success();
  }
};
} // namespace
