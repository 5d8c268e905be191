// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Storage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace pypto;

Value transforms::getStorage(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op)) {
      memref = metadata.getSource();
      continue;
    }
    auto view = dyn_cast<ViewLikeOpInterface>(op);
    if (!view)
      break;
    memref = view.getViewSource();
  }
  return memref;
}

static bool isAllocation(Value storage) {
  return isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(storage.getDefiningOp());
}

/// The function that `storage` is a parameter of.
static func::FuncOp getFunction(Value storage) {
  auto argument = dyn_cast<BlockArgument>(storage);
  return argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
}

static bool isNoAlias(func::FuncOp func, Value parameter) {
  unsigned index = cast<BlockArgument>(parameter).getArgNumber();
  return static_cast<bool>(func.getArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName()));
}

/// True if all operations that the memory of an allocation reaches are known to keep no name of it.
static bool isLocal(Value allocation) {
  SmallVector<Value> worklist = {allocation};
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (isa<ViewLikeOpInterface>(user)) {
        llvm::append_range(worklist, user->getResults());
        continue;
      }
      bool isKnown = isa<MemoryEffectOpInterface>(user) && user->getNumRegions() == 0;
      if (!isKnown && !user->hasTrait<OpTrait::IsTerminator>() &&
          !isa<bufferization::ToTensorOp>(user) &&
          !isa_and_nonnull<memref::MemRefDialect>(user->getDialect()) &&
          user->getDialect()->getNamespace() != "linalg")
        return false;
      if (user->hasTrait<OpTrait::IsTerminator>())
        return false;
      for (Value result : user->getResults())
        if (isa<BaseMemRefType>(result.getType()))
          return false;
    }
  return true;
}

/// True if constant offsets and sizes keep two windows of one memref apart.
static bool areApart(memref::SubViewOp lhs, memref::SubViewOp rhs) {
  if (!lhs || !rhs || lhs.getSource() != rhs.getSource() || !lhs.hasUnitStride() ||
      !rhs.hasUnitStride())
    return false;
  for (auto [leftOffset, leftSize, rightOffset, rightSize] :
       llvm::zip_equal(lhs.getMixedOffsets(), lhs.getMixedSizes(), rhs.getMixedOffsets(),
                       rhs.getMixedSizes())) {
    std::optional<int64_t> left = getConstantIntValue(leftOffset),
                           right = getConstantIntValue(rightOffset),
                           leftCount = getConstantIntValue(leftSize),
                           rightCount = getConstantIntValue(rightSize);
    if (left && right && leftCount && rightCount &&
        (*left + *leftCount <= *right || *right + *rightCount <= *left))
      return true;
  }
  return false;
}

bool transforms::mayAlias(Value lhs, Value rhs) {
  Value left = getStorage(lhs), right = getStorage(rhs);
  if (left == right)
    return !areApart(lhs.getDefiningOp<memref::SubViewOp>(),
                     rhs.getDefiningOp<memref::SubViewOp>());
  if (isAllocation(right))
    std::swap(left, right);
  func::FuncOp function = getFunction(right);
  if (isAllocation(left))
    return !isAllocation(right) && !function && !isLocal(left);
  return !function || getFunction(left) != function ||
         (!isNoAlias(function, left) && !isNoAlias(function, right));
}

static bool mayTouch(Operation *op, Value memref, bool writesOnly) {
  if (isa<memref::AllocOp, memref::AllocaOp>(op))
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  bool isRecursive = op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  if (!effects && !isRecursive) {
    // Lowered functions reach memory through what they are given only.
    if (isa<func::CallOp>(op))
      return llvm::any_of(op->getOperands(), [&](Value operand) {
        return isa<BaseMemRefType>(operand.getType()) && transforms::mayAlias(operand, memref);
      });
    Value storage = transforms::getStorage(memref);
    return !isMemoryEffectFree(op) && !(isAllocation(storage) && isLocal(storage));
  }
  if (effects) {
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    for (const MemoryEffects::EffectInstance &instance : instances) {
      bool isWrite = isa<MemoryEffects::Write, MemoryEffects::Free>(instance.getEffect());
      if (!isWrite && (writesOnly || !isa<MemoryEffects::Read>(instance.getEffect())))
        continue;
      Value value = instance.getValue();
      // Other resources are no memory that a memref names.
      if (!value && instance.getResource() != SideEffects::DefaultResource::get())
        continue;
      if (!value || (isa<BaseMemRefType>(value.getType()) && transforms::mayAlias(value, memref)))
        return true;
    }
  }
  if (!isRecursive)
    return false;
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps())
      if (mayTouch(&nested, memref, writesOnly))
        return true;
  return false;
}

bool transforms::mayWrite(Operation *op, Value memref) {
  return mayTouch(op, memref, /*writesOnly=*/true);
}

bool transforms::mayAccess(Operation *op, Value memref) {
  return mayTouch(op, memref, /*writesOnly=*/false);
}

/// `memref` without the casts that change its type only.
static Value peelCasts(Value memref) {
  while (auto cast = memref.getDefiningOp<memref::CastOp>())
    memref = cast.getSource();
  return memref;
}

bool transforms::isSameWindow(Value lhs, Value rhs) {
  lhs = peelCasts(lhs);
  rhs = peelCasts(rhs);
  if (lhs == rhs)
    return true;
  auto left = lhs.getDefiningOp<memref::SubViewOp>(),
       right = rhs.getDefiningOp<memref::SubViewOp>();
  return left && right && left.getType().getRank() == right.getType().getRank() &&
         isSameWindow(left.getSource(), right.getSource()) &&
         isEqualConstantIntOrValueArray(left.getMixedOffsets(), right.getMixedOffsets()) &&
         isEqualConstantIntOrValueArray(left.getMixedSizes(), right.getMixedSizes()) &&
         isEqualConstantIntOrValueArray(left.getMixedStrides(), right.getMixedStrides());
}

/// Appends the operations that make `value` and stand after `anchor` in `block`, operands first.
/// False if one of them does more than that.
static bool collectView(Value value, Block *block, Operation *anchor, SetVector<Operation *> &ops) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != block || ops.contains(op) ||
      (anchor && (op == anchor || op->isBeforeInBlock(anchor))))
    return true;
  bool isMovable =
      op->getNumRegions() == 0 && (isa<memref::AllocOp, memref::DimOp>(op) || isPure(op));
  if (!isMovable || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  for (Value operand : op->getOperands())
    if (!collectView(operand, block, anchor, ops))
      return false;
  ops.insert(op);
  return true;
}

FailureOr<Operation *> transforms::moveViewAfter(Value view, Block *block, Operation *anchor) {
  SetVector<Operation *> ops;
  if (!collectView(view, block, anchor, ops))
    return failure();
  for (Operation *op : ops) {
    if (anchor)
      op->moveAfter(anchor);
    else
      op->moveBefore(block, block->begin());
    anchor = op;
  }
  return anchor;
}
