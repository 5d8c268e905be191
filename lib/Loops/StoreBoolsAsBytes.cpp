// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of one bit in buffers as the bytes that they are in memory.
#include "pypto/Loops/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace pypto;
using linalg::LinalgOp;

namespace pypto {
#define GEN_PASS_DEF_STOREBOOLSASBYTES
#include "pypto/Loops/Passes.h.inc"
} // namespace pypto

static bool hasBools(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  return memref && memref.getElementType().isInteger(1);
}

/// False if there are buffers of bools in an operation that may look at elements in ways of its
/// own.
static bool canReplace(ModuleOp module, SmallVectorImpl<LinalgOp> &ops,
                       SmallVectorImpl<Operation *> &accesses) {
  bool isUsed = false;
  WalkResult result = module.walk([&](Operation *op) {
    bool usesThem = llvm::any_of(op->getOperandTypes(), hasBools) ||
                    llvm::any_of(op->getResultTypes(), hasBools);
    isUsed |= usesThem;
    if (auto linalgOp = dyn_cast<LinalgOp>(op); linalgOp && usesThem)
      ops.push_back(linalgOp);
    else if (isa<memref::LoadOp, memref::StoreOp>(op) && usesThem)
      accesses.push_back(op);
    else if (isa<memref::AtomicRMWOp, memref::GenericAtomicRMWOp>(op) && usesThem)
      return WalkResult::interrupt();
    else if (isa_and_nonnull<vector::VectorDialect>(op->getDialect()) && usesThem)
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return isUsed && !result.wasInterrupted();
}

static Value toBool(OpBuilder &b, Location loc, Value byte) {
  Value zero = arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(0));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, byte, zero);
}

static Value toByte(OpBuilder &b, Location loc, Value value) {
  return arith::ExtUIOp::create(b, loc, b.getI8Type(), value);
}

/// Erases `op`, and what it alone uses.
static void eraseUnused(Operation *op) {
  if (!op || !isOpTriviallyDead(op))
    return;
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  for (Value operand : operands)
    eraseUnused(operand.getDefiningOp());
}

/// `value` as a byte. Bits of a bool and of the result so far, `out`, may be combined as bytes,
/// which is how loops over vectors know a reduction.
static Value getByte(OpBuilder &b, Value value, BlockArgument out) {
  Operation *combiner = value.getDefiningOp();
  if (isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::MaxUIOp, arith::MinUIOp>(
          combiner) &&
      combiner->hasOneUse())
    for (unsigned i = 0; i != 2; ++i) {
      auto old = combiner->getOperand(i).getDefiningOp<arith::CmpIOp>();
      if (!old || old.getLhs() != out || !old->hasOneUse() || !out.hasOneUse())
        continue;
      Value other = toByte(b, value.getLoc(), combiner->getOperand(1 - i));
      Operation *bytes = b.create(value.getLoc(), combiner->getName().getIdentifier(), {out, other},
                                  {b.getI8Type()});
      return bytes->getResult(0);
    }
  return toByte(b, value.getLoc(), value);
}

/// The body works on bools, its operands are bytes.
static void convertBody(LinalgOp op) {
  Block *body = op.getBlock();
  OpBuilder b(op.getContext());
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (!argument.getType().isInteger(1) || !isa<MemRefType>(operand.get().getType()))
      continue;
    b.setInsertionPointToStart(body);
    argument.setType(b.getI8Type());
    if (argument.use_empty())
      continue;
    Value value = toBool(b, op.getLoc(), argument);
    argument.replaceAllUsesExcept(value, value.getDefiningOp());
  }
  Operation *yield = body->getTerminator();
  b.setInsertionPoint(yield);
  for (OpOperand &value : yield->getOpOperands()) {
    Value bit = value.get();
    if (!bit.getType().isInteger(1))
      continue;
    value.set(getByte(b, bit, op.getRegionOutputArgs()[value.getOperandNumber()]));
    eraseUnused(bit.getDefiningOp());
  }
}

namespace {
struct StoreBoolsAsBytesPass : pypto::impl::StoreBoolsAsBytesBase<StoreBoolsAsBytesPass> {
  void runOnModule() override {
    ModuleOp module = getOperation();
    SmallVector<LinalgOp> ops;
    SmallVector<Operation *> accesses;
    if (!canReplace(module, ops, accesses))
      return;
    IRRewriter rewriter(&getContext());
    for (LinalgOp &op : ops)
      if (!isa<linalg::GenericOp>(op)) {
        rewriter.setInsertionPoint(op);
        op = *linalg::generalizeNamedOp(rewriter, op);
      }
    Type byte = rewriter.getI8Type();
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](MemRefType type) -> std::optional<Type> {
      if (!type.getElementType().isInteger(1))
        return std::nullopt;
      return MemRefType::Builder(type).setElementType(byte);
    });
    replacer.addReplacement([&](UnrankedMemRefType type) -> std::optional<Type> {
      if (!type.getElementType().isInteger(1))
        return std::nullopt;
      return UnrankedMemRefType::get(byte, type.getMemorySpace());
    });
    replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
    for (LinalgOp op : ops)
      convertBody(op);
    for (Operation *op : accesses)
      convertAccess(rewriter, op);
    module.walk([&](memref::GlobalOp global) {
      auto values = dyn_cast_or_null<DenseIntElementsAttr>(global.getInitialValueAttr());
      if (values && values.getElementType().isInteger(1))
        global.setInitialValueAttr(
            values.mapValues(byte, [](const APInt &value) { return value.zext(8); }));
    });
  }

  static void convertAccess(OpBuilder &b, Operation *op) {
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      b.setInsertionPoint(store);
      store.getValueMutable().set(toByte(b, store.getLoc(), store.getValue()));
      return;
    }
    Value loaded = op->getResult(0);
    loaded.setType(b.getI8Type());
    b.setInsertionPointAfter(op);
    Value value = toBool(b, op->getLoc(), loaded);
    loaded.replaceAllUsesExcept(value, value.getDefiningOp());
  }
};
} // namespace
