// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Streaming.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

/// True if `value` is known to be a multiple of `divisor`.
static bool isMultiple(OpFoldResult value, int64_t divisor) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant % divisor == 0;
  auto known = dyn_cast<Value>(value);
  if (!known)
    return false;
  if (auto argument = dyn_cast<BlockArgument>(known)) {
    auto loop = dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
    std::optional<SmallVector<Value>> variables = loop ? loop.getLoopInductionVars() : std::nullopt;
    auto *found = variables ? llvm::find(*variables, known) : nullptr;
    if (!variables || found == variables->end())
      return false;
    size_t index = found - variables->begin();
    return isMultiple((*loop.getLoopLowerBounds())[index], divisor) &&
           isMultiple((*loop.getLoopSteps())[index], divisor);
  }
  if (auto multiply = known.getDefiningOp<arith::MulIOp>())
    return isMultiple(multiply.getLhs(), divisor) || isMultiple(multiply.getRhs(), divisor);
  if (auto add = known.getDefiningOp<arith::AddIOp>())
    return isMultiple(add.getLhs(), divisor) && isMultiple(add.getRhs(), divisor);
  if (auto apply = known.getDefiningOp<affine::AffineApplyOp>())
    return apply.getAffineMap().getResult(0).isMultipleOf(divisor);
  return false;
}

/// The parameter that `memref` is a part of, if rows of the part begin at multiples of `unit`
/// elements; null if they may not.
static BlockArgument getAlignedBase(Value memref, int64_t unit) {
  while (auto view = memref.getDefiningOp<memref::SubViewOp>()) {
    SmallVector<OpFoldResult> offsets = view.getMixedOffsets();
    auto [strides, offset] = view.getSourceType().getStridesAndOffset();
    for (auto [position, stride] : llvm::zip_equal(offsets, strides))
      if (ShapedType::isDynamic(stride) ||
          (stride % unit != 0 && (unit % stride != 0 || !isMultiple(position, unit / stride))))
        return {};
    memref = view.getSource();
  }
  auto argument = dyn_cast<BlockArgument>(memref);
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!argument || !type || !type.getLayout().isIdentity())
    return {};
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto alignment = function ? function.getArgAttrOfType<IntegerAttr>(
                                  argument.getArgNumber(), LLVM::LLVMDialect::getAlignAttrName())
                            : IntegerAttr();
  bool isAligned =
      alignment && alignment.getInt() * 8 % (unit * type.getElementTypeBitWidth()) == 0;
  return isAligned ? argument : BlockArgument();
}

std::optional<int64_t> pypto::loops::getUncachedBytes(Value memref, int64_t lanes) {
  BlockArgument base = getAlignedBase(memref, lanes);
  auto type = base ? cast<MemRefType>(base.getType()) : MemRefType();
  if (!base || !type.hasStaticShape())
    return std::nullopt;
  auto [strides, offset] = cast<MemRefType>(memref.getType()).getStridesAndOffset();
  if (!llvm::all_of(ArrayRef(strides).drop_back(),
                    [&](int64_t stride) { return stride % lanes == 0; }))
    return std::nullopt;
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}
