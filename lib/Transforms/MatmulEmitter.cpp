// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index arithmetic and flat views of buffers.
#include "MatmulEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::matmul;

Value IndexBuilder::value(Index index) {
  return getValueOrCreateConstantIndexOp(*this, getLoc(), index);
}

Index IndexBuilder::add(Index a, Index b) {
  auto x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return constant(*x + *y);
  if (x == 0)
    return b;
  if (y == 0)
    return a;
  return arith::AddIOp::create(*this, value(a), value(b)).getResult();
}

Index IndexBuilder::sub(Index a, Index b) {
  auto x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return constant(*x - *y);
  if (y == 0)
    return a;
  return arith::SubIOp::create(*this, value(a), value(b)).getResult();
}

Index IndexBuilder::mul(Index a, Index b) {
  auto x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return constant(*x * *y);
  if (x == 0 || y == 0)
    return constant(0);
  if (x == 1)
    return b;
  if (y == 1)
    return a;
  return arith::MulIOp::create(*this, value(a), value(b)).getResult();
}

Index IndexBuilder::min(Index a, Index b) {
  auto x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return constant(std::min(*x, *y));
  return a == b ? a : Index(arith::MinSIOp::create(*this, value(a), value(b)).getResult());
}

Index IndexBuilder::max(Index a, Index b) {
  auto x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return constant(std::max(*x, *y));
  return a == b ? a : Index(arith::MaxSIOp::create(*this, value(a), value(b)).getResult());
}

Index IndexBuilder::floorDiv(Index a, Index divisor) {
  auto x = getConstantIntValue(a), y = getConstantIntValue(divisor);
  if (y == 1)
    return a;
  if (x && y)
    return constant(*x / *y);
  return arith::DivUIOp::create(*this, value(a), value(divisor)).getResult();
}

Index IndexBuilder::ceilDiv(Index a, int64_t divisor) {
  return floorDiv(add(a, constant(divisor - 1)), divisor);
}

Value IndexBuilder::lessThan(Index a, Index b) {
  auto x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return arith::ConstantIntOp::create(*this, *x < *y, 1);
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::slt, value(a), value(b));
}

Value IndexBuilder::equal(Index a, Index b) {
  auto x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return arith::ConstantIntOp::create(*this, *x == *y, 1);
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::eq, value(a), value(b));
}

void IndexBuilder::forEach(Index lower, Index upper, int64_t step,
                           llvm::function_ref<void(Index)> body) {
  auto first = getConstantIntValue(lower), last = getConstantIntValue(upper);
  if (first && last && *first >= *last)
    return;
  if (first && last && *first + step >= *last)
    return body(lower);
  Value bounds[] = {value(lower), value(upper), value(constant(step))};
  auto loop = scf::ForOp::create(*this, bounds[0], bounds[1], bounds[2]);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void IndexBuilder::onlyIf(Value condition, llvm::function_ref<void()> body) {
  if (auto known = getConstantIntValue(condition)) {
    if (*known)
      body();
    return;
  }
  auto branch = scf::IfOp::create(*this, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  body();
}

FlatView matmul::flatten(IndexBuilder &b, const Factor &factor, unsigned numLoops) {
  auto type = cast<MemRefType>(factor.memref.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(b, factor.memref);
  auto [knownStrides, knownOffset] = type.getStridesAndOffset();
  auto get = [&](int64_t known, Value value) -> Index {
    return ShapedType::isDynamic(known) ? Index(value) : b.constant(known);
  };
  FlatView view;
  view.offset = get(knownOffset, metadata.getOffset());
  view.strides.assign(numLoops, b.constant(0));
  for (auto [expr, known, value] :
       llvm::zip_equal(factor.map.getResults(), knownStrides, metadata.getStrides())) {
    Index stride = get(known, value);
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      view.offset = b.add(view.offset, b.mul(b.constant(constant.getValue()), stride));
      continue;
    }
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    view.strides[loop] = b.add(view.strides[loop], stride);
  }
  // The extent is not looked at: accesses know where they end.
  auto flatType = MemRefType::get({ShapedType::kDynamic}, type.getElementType(),
                                  MemRefLayoutAttrInterface(), type.getMemorySpace());
  Index extent = b.value(b.constant(std::numeric_limits<int64_t>::max()));
  view.flat =
      memref::ReinterpretCastOp::create(b, flatType, metadata.getBaseBuffer(), b.constant(0),
                                        ArrayRef<Index>{extent}, ArrayRef<Index>{b.constant(1)});
  return view;
}

Value matmul::applyCasts(IndexBuilder &b, ArrayRef<Operation *> casts, Value value) {
  for (Operation *cast : casts) {
    Type type = cast->getResult(0).getType();
    if (auto vector = dyn_cast<VectorType>(value.getType()))
      type = vector.clone(type);
    value = b.create(b.getLoc(), cast->getName().getIdentifier(), value, type, cast->getAttrs())
                ->getResult(0);
  }
  return value;
}
