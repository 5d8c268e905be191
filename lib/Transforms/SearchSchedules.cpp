// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MatmulSchedule.h"
#include "pypto/ExecutionEngine/ScheduleSearch.h"
#include "pypto/Loops/Conditions.h"
#include "pypto/Pipelines/Pipelines.h"
#include "pypto/Transforms/Passes.h"
#include "pypto/Transforms/Schedule.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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

//===- What is measured -----------------------------------------------------===//

namespace {
/// Operations that are measured together, and those of them whose schedules are searched.
struct Unit {
  SmallVector<Operation *> operations, searched;
  /// A buffer that nothing else sees; null if there is none.
  Value inner;
};

/// A module with one unit.
class Isolation {
public:
  explicit Isolation(const Unit &unit)
      : unit(unit), b(UnknownLoc::get(unit.operations.front()->getContext()),
                      unit.operations.front()->getContext()) {}

  /// Null where an extent or a stride is known to the run only.
  OwningOpRef<ModuleOp> run();

private:
  bool addValue(Value value);
  void addParameter(func::FuncOp function, unsigned index, IRMapping &mapping);

  const Unit &unit;
  ImplicitLocOpBuilder b;
  SmallVector<Value> outer;
  SmallVector<Type> types;
  SmallVector<Value> scalars;
};
} // namespace

/// Sorts a value that the operations use. Buffers become parameters.
bool Isolation::addValue(Value value) {
  if (value == unit.inner || llvm::is_contained(outer, value) || llvm::is_contained(scalars, value))
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

/// A parameter in place of a buffer, as aligned as that one.
void Isolation::addParameter(func::FuncOp function, unsigned index, IRMapping &mapping) {
  Value value = outer[index], parameter = function.getArgument(index);
  function.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
  auto argument = dyn_cast<BlockArgument>(value);
  if (auto owner =
          argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp())
    if (Attribute alignment =
            owner.getArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getAlignAttrName()))
      function.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(), alignment);
  if (parameter.getType() != value.getType())
    parameter = memref::CastOp::create(b, value.getType(), parameter);
  mapping.map(value, parameter);
}

OwningOpRef<ModuleOp> Isolation::run() {
  for (Operation *op : unit.operations) {
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
  for (unsigned i = 0; i != types.size(); ++i)
    addParameter(function, i, mapping);
  for (Value scalar : scalars) {
    if (auto constant = scalar.getDefiningOp<arith::ConstantOp>())
      b.clone(*constant, mapping);
    else
      mapping.map(scalar, arith::ConstantOp::create(b, b.getOneAttr(scalar.getType())));
  }
  if (unit.inner)
    b.clone(*unit.inner.getDefiningOp(), mapping);
  for (Operation *op : unit.searched)
    op->setAttr(execution::kSearchedAttrName, b.getUnitAttr());
  for (Operation *op : unit.operations)
    b.clone(*op, mapping);
  for (Operation *op : unit.searched)
    op->removeAttr(execution::kSearchedAttrName);
  if (unit.inner)
    memref::DeallocOp::create(b, mapping.lookup(unit.inner));
  func::ReturnOp::create(b);
  // What the function asks for belongs to the operations.
  if (auto parent = unit.searched.front()->getParentOfType<func::FuncOp>())
    copySchedule(parent, function);
  return module;
}

//===- Units ----------------------------------------------------------------===//

namespace {
/// The units of a module. Those that are products come first: loops around them follow their
/// schedules.
class UnitCollector {
public:
  explicit UnitCollector(ModuleOp module) : module(module) {}

  SmallVector<Unit> run() {
    module.walk([](linalg::GenericOp op) { loops::expandIndices(op); });
    module.walk([&](linalg::LinalgOp op) {
      if (std::optional<matmul::Contraction> product =
              op.hasPureBufferSemantics() ? matmul::matchContraction(op) : std::nullopt)
        addProduct(*product);
    });
    for (auto function : module.getOps<func::FuncOp>())
      for (Block &block : function.getBody())
        for (Operation &op : block)
          addLoop(&op);
    return std::move(units);
  }

private:
  void addProduct(const matmul::Contraction &product);
  void addLoop(Operation *root);

  ModuleOp module;
  SmallVector<Unit> units;
  /// What is part of a product.
  DenseSet<Operation *> taken;
};
} // namespace

void UnitCollector::addProduct(const matmul::Contraction &product) {
  matmul::Surroundings around = matmul::matchSurroundings(product);
  Unit unit;
  if (around.fill)
    unit.operations.push_back(around.fill);
  unit.operations.push_back(product.op);
  if (around.epilogue)
    unit.operations.push_back(around.epilogue);
  if (around.isPrivate)
    unit.inner = product.out.memref;
  unit.searched.push_back(product.op);
  taken.insert_range(unit.operations);
  units.push_back(std::move(unit));
}

/// True if `value` depends on what is in a buffer.
static bool isData(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return isa<linalg::LinalgOp>(cast<BlockArgument>(value).getOwner()->getParentOp());
  return isa<memref::LoadOp>(op) || llvm::any_of(op->getOperands(), [](Value operand) {
           return !isa<ShapedType>(operand.getType()) && isData(operand);
         });
}

/// True if what is read or written, or how much, depends on what is in a buffer: numbers that a
/// search makes up may be out of range. True, too, if a part of the module is needed.
static bool cannotRunAlone(Operation *root) {
  auto result = root->walk([](Operation *op) {
    if (isa<SymbolUserOpInterface>(op))
      return WalkResult::interrupt();
    bool hasPlaces = isa<memref::LoadOp, memref::StoreOp, memref::SubViewOp, scf::ForOp>(op);
    return hasPlaces && llvm::any_of(op->getOperands(),
                                     [](Value operand) {
                                       return operand.getType().isIndex() && isData(operand);
                                     })
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Operations that become a loop, and loops over rows with all that is in them.
void UnitCollector::addLoop(Operation *root) {
  std::optional<ScheduleKind> kind = getScheduleKind(root);
  if (!kind || *kind == ScheduleKind::Product || taken.contains(root) || cannotRunAlone(root))
    return;
  Unit unit;
  unit.operations.push_back(root);
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    std::optional<ScheduleKind> own = getScheduleKind(op);
    if (own && *own != ScheduleKind::Product && !taken.contains(op) &&
        (!linalgOp || linalgOp.hasPureBufferSemantics()) &&
        !getSchedule(op, getHostProductTarget()).empty())
      unit.searched.push_back(op);
  });
  if (!unit.searched.empty())
    units.push_back(std::move(unit));
}

namespace {
struct SearchSchedulesPass : pypto::impl::SearchSchedulesBase<SearchSchedulesPass> {
  using SearchSchedulesBase::SearchSchedulesBase;

  void runOnModule() override {
    if (beam == 0)
      return;
    auto result = getOperation().walk([](Operation *op) { return WalkResult(verifySchedule(op)); });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (const Unit &unit : UnitCollector(getOperation()).run())
      if (failed(search(unit)))
        return signalPassFailure();
  }

  LogicalResult search(const Unit &unit) {
    OwningOpRef<ModuleOp> module = Isolation(unit).run();
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
    llvm::Expected<std::string> found = execution::searchSchedules(text, options);
    Operation *first = unit.searched.front();
    if (!found)
      return first->emitOpError("cannot search a schedule: ") << llvm::toString(found.takeError());
    auto schedules = cast<ArrayAttr>(parseAttribute(*found, &getContext()));
    for (auto [op, schedule] : llvm::zip_equal(unit.searched, schedules))
      op->setAttr(kScheduleAttrName, schedule);
    return success();
  }
};
} // namespace
