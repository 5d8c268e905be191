// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Rangeify/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace pypto::rangeify;

namespace pypto::rangeify {
#define GEN_PASS_DEF_WINDOWOUTPUTS
#include "pypto/Rangeify/Passes.h.inc"
} // namespace pypto::rangeify

namespace {
/// Where one dimension of an output is written: at `offset + stride * loop`, or at `offset` only.
struct Position {
  std::optional<unsigned> loop;
  int64_t offset = 0, stride = 1;
};

/// The part of an output that an op writes, with the map into that part.
struct Window {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  AffineMap map;
  RankedTensorType type;
  bool isEmpty = false;
};
} // namespace

static std::optional<Position> matchPosition(AffineExpr expr) {
  Position position;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && binary.getKind() == AffineExprKind::Add)
    if (auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS())) {
      position.offset = constant.getValue();
      expr = binary.getLHS();
      binary = dyn_cast<AffineBinaryOpExpr>(expr);
    }
  if (binary && binary.getKind() == AffineExprKind::Mul)
    if (auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS())) {
      position.stride = constant.getValue();
      expr = binary.getLHS();
    }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    position.loop = dim.getPosition();
    return position;
  }
  auto constant = dyn_cast<AffineConstantExpr>(expr);
  if (!constant)
    return std::nullopt;
  position.offset += constant.getValue() * position.stride;
  position.stride = 1;
  return position;
}

/// The positions of all dimensions, each of a loop of its own; none if the map has other forms.
static std::optional<SmallVector<Position>> matchPositions(AffineMap map) {
  SmallVector<Position> positions;
  llvm::SmallBitVector seen(map.getNumDims());
  for (AffineExpr expr : map.getResults()) {
    std::optional<Position> position = matchPosition(expr);
    if (!position || (position->loop && seen.test(*position->loop)))
      return std::nullopt;
    if (position->loop)
      seen.set(*position->loop);
    positions.push_back(*position);
  }
  return positions;
}

/// True if every element of a tensor of this shape is at some of the positions.
static bool coversAll(ArrayRef<Position> positions, ArrayRef<int64_t> shape,
                      ArrayRef<int64_t> extents) {
  return llvm::all_of(llvm::zip_equal(positions, shape), [&](auto pair) {
    auto [position, size] = pair;
    if (!position.loop)
      return size == 1;
    bool isPlain = position.stride == 1 && position.offset == 0;
    bool isFlipped = position.stride == -1 && !ShapedType::isDynamic(size) &&
                     position.offset == size - 1 && extents[*position.loop] == size;
    return isPlain || isFlipped;
  });
}

static Window getWindow(OpBuilder &b, ArrayRef<Position> positions, ArrayRef<Range> loops,
                        RankedTensorType type) {
  Window window;
  SmallVector<AffineExpr> results;
  SmallVector<int64_t> shape;
  for (const Position &position : positions) {
    window.offsets.push_back(b.getIndexAttr(position.offset));
    window.strides.push_back(b.getIndexAttr(position.stride));
    window.sizes.push_back(position.loop ? loops[*position.loop].size
                                         : OpFoldResult(b.getIndexAttr(1)));
    if (!position.loop)
      continue;
    results.push_back(b.getAffineDimExpr(*position.loop));
    std::optional<int64_t> size = getConstantIntValue(window.sizes.back());
    shape.push_back(size ? *size : ShapedType::kDynamic);
    window.isEmpty |= size == 0;
  }
  window.map = AffineMap::get(loops.size(), 0, results, b.getContext());
  window.type = RankedTensorType::get(shape, type.getElementType());
  return window;
}

static LogicalResult check(linalg::GenericOp op, OpOperand &init,
                           const std::optional<SmallVector<Position>> &positions) {
  AffineMap map = op.getMatchingIndexingMap(&init);
  if (!positions)
    return op.emitError() << "expects outputs that are indexed by loops, each at most once, with a "
                             "stride and an offset, but got "
                          << AffineMapAttr::get(map);
  for (const Position &position : *positions)
    if (position.stride < 1 &&
        !coversAll(*positions, cast<RankedTensorType>(init.get().getType()).getShape(),
                   op.getStaticLoopRanges()))
      return op.emitError()
             << "expects an output that is written as a whole or in the order of its "
                "loops, but got "
             << AffineMapAttr::get(map);
  return success();
}

/// Replaces outputs that are written in part by the parts, which then go into the whole.
static LogicalResult rewrite(linalg::GenericOp op) {
  OpBuilder b(op);
  SmallVector<std::optional<Window>> windows;
  bool isNeeded = false;
  SmallVector<Range> loops;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    auto type = cast<RankedTensorType>(init.get().getType());
    windows.emplace_back();
    if (map.isProjectedPermutation())
      continue;
    std::optional<SmallVector<Position>> positions = matchPositions(map);
    if (failed(check(op, init, positions)))
      return failure();
    if (coversAll(*positions, type.getShape(), op.getStaticLoopRanges()))
      continue;
    if (loops.empty())
      loops = cast<linalg::LinalgOp>(*op).createLoopRanges(b, op.getLoc());
    windows.back() = getWindow(b, *positions, loops, type);
    isNeeded = true;
  }
  if (!isNeeded)
    return success();
  SmallVector<Value> inits;
  SmallVector<Type> types;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [index, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    if (const std::optional<Window> &window = windows[index]) {
      Value part =
          window->isEmpty
              ? tensor::EmptyOp::create(b, op.getLoc(), window->type, ValueRange()).getResult()
              : tensor::ExtractSliceOp::create(b, op.getLoc(), window->type, init.get(),
                                               window->offsets, window->sizes, window->strides)
                    .getResult();
      inits.push_back(part);
      maps[op.getNumDpsInputs() + index] = window->map;
    } else {
      inits.push_back(init.get());
    }
    types.push_back(inits.back().getType());
  }
  auto parts = linalg::GenericOp::create(b, op.getLoc(), types, op.getInputs(), inits, maps,
                                         op.getIteratorTypesArray(), nullptr,
                                         llvm::to_vector(op->getDiscardableAttrs()));
  parts.getRegion().takeBody(op.getRegion());
  for (auto [index, result] : llvm::enumerate(op.getResults())) {
    Value whole = parts.getResult(index);
    const std::optional<Window> &window = windows[index];
    if (window && window->isEmpty)
      whole = op.getDpsInits()[index];
    else if (window)
      whole = tensor::InsertSliceOp::create(b, op.getLoc(), whole, op.getDpsInits()[index],
                                            window->offsets, window->sizes, window->strides);
    result.replaceAllUsesWith(whole);
  }
  op.erase();
  return success();
}

namespace {
struct WindowOutputsPass : pypto::rangeify::impl::WindowOutputsBase<WindowOutputsPass> {
  void runOnModule() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.hasPureTensorSemantics())
        ops.push_back(op);
    });
    for (linalg::GenericOp op : ops)
      if (failed(rewrite(op)))
        return signalPassFailure();
  }
};
} // namespace
