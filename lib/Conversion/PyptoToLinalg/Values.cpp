// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The map from values to what stands for them; sizes; retyping.
#include "BoundsChecks.h"

#include "mlir/Dialect/Affine/Utils.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

InFlightDiagnostic lowering::emitUnsupported(Operation *op, const Twine &supported) {
  return op->emitOpError("is not supported on the CPU here: expects ") << supported;
}

//===- Values ---------------------------------------------------------------===//

ValueRange Lowering::lookup(Value value) const {
  auto it = values.find(value);
  assert(it != values.end() && "an operand is lowered before its users");
  return it->second;
}

Value Lowering::lookupOne(Value value) const {
  ValueRange lowered = lookup(value);
  assert(lowered.size() == 1 && "expects a value that stands for one");
  return lowered.front();
}

SmallVector<Value> Lowering::lookupAll(ValueRange list) const {
  SmallVector<Value> result;
  for (Value value : list)
    llvm::append_range(result, lookup(value));
  return result;
}

void Lowering::map(Value value, ValueRange lowered) {
  assert(llvm::equal(*convertType(value.getType()), lowered.getTypes()) &&
         "expects the converted types");
  values[value].assign(lowered.begin(), lowered.end());
}

//===- Handles --------------------------------------------------------------===//

Handle Lowering::getHandle(pl::TensorType type, ValueRange lowered) {
  Handle handle{type, lowered.front(), {}};
  if (carriesValid(type)) {
    for (auto [extent, value] : llvm::zip_equal(type.getValid(), lowered.drop_front()))
      handle.valid.push_back(
          extent.isConstant() ? OpFoldResult(b.getIndexAttr(extent.getConstant())) : value);
    return handle;
  }
  SmallVector<OpFoldResult> sizes;
  if (type.getValid().empty())
    sizes = getSizes(handle.memref);
  else
    for (ExtentAttr extent : type.getValid())
      sizes.push_back(b.getIndexAttr(extent.getConstant()));
  handle.valid = std::move(sizes);
  return handle;
}

Handle Lowering::getHandle(Value tensor) {
  return getHandle(cast<pl::TensorType>(tensor.getType()), lookup(tensor));
}

SmallVector<Value> Lowering::flatten(const Handle &handle) {
  SmallVector<Value> flat{handle.memref};
  if (carriesValid(handle.type))
    for (OpFoldResult size : handle.valid)
      flat.push_back(asValue(size));
  return flat;
}

Handle Lowering::retype(Handle handle, pl::TensorType type, Claims claims) {
  if (hasChecks() && claims != Claims::None)
    BoundsChecker(*this, current).checkClaims(handle, type, claims);
  handle.memref = castMemRef(handle.memref, getHandleType(type));
  handle.type = type;
  for (auto [size, extent] : llvm::zip_equal(handle.valid, type.getValidOrExtents()))
    if (extent.isConstant())
      size = b.getIndexAttr(extent.getConstant());
  return handle;
}

Handle Lowering::retypeWritten(const Handle &destination, pl::TensorType type) {
  Handle result = retype(destination, type, Claims::Extents);
  for (auto [size, extent] : llvm::zip_equal(result.valid, type.getValidOrExtents()))
    if (!extent.isDynamic())
      size = materialize(extent);
  return result;
}

/// What is known of the sizes of `from`, with what the type of `to` says.
static SmallVector<OpFoldResult> refineSizes(Lowering &l, Value from, Value to) {
  SmallVector<OpFoldResult> sizes = l.getSizes(from);
  for (auto [size, extent] : llvm::zip_equal(sizes, cast<ShapedType>(to.getType()).getShape()))
    if (!ShapedType::isDynamic(extent))
      size = l.b.getIndexAttr(extent);
  return sizes;
}

Value Lowering::castTensor(Value value, Type type) {
  if (value.getType() == type)
    return value;
  Value cast = tensor::CastOp::create(b, type, value);
  noteSizes(cast, refineSizes(*this, value, cast));
  return cast;
}

Value Lowering::castMemRef(Value value, Type type) {
  if (value.getType() == type)
    return value;
  Value cast = memref::CastOp::create(b, type, value);
  noteSizes(cast, refineSizes(*this, value, cast));
  return cast;
}

//===- Sizes ------------------------------------------------------------------===//

OpFoldResult Lowering::materialize(ExtentAttr extent) {
  assert(!extent.isDynamic() && "`?` comes with an operand");
  if (extent.isConstant())
    return b.getIndexAttr(extent.getConstant());
  SmallVector<Value> names;
  for (StringAttr name : extent.getSymbols()) {
    Value value = symbols.lookup(name);
    assert(value && "the verifier of pl.func requires declared symbols");
    names.push_back(value);
  }
  return extent.isSymbol() ? names.front()
                           : affine::expandAffineExpr(b, b.getLoc(), extent.getExpr(), {}, names);
}

SmallVector<OpFoldResult> Lowering::materialize(ArrayRef<ExtentAttr> extents, ValueRange &sizes) {
  SmallVector<OpFoldResult> result;
  for (ExtentAttr extent : extents) {
    if (!extent.isDynamic()) {
      result.push_back(materialize(extent));
      continue;
    }
    result.push_back(lookupOne(sizes.front()));
    sizes = sizes.drop_front();
  }
  return result;
}

Value Lowering::asValue(OpFoldResult number) {
  auto value = dyn_cast<Value>(number);
  if (value)
    return value;
  Value &constant = constants[*getConstantIntValue(number)];
  if (!constant) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&functions.back().getBody().front());
    constant = arith::ConstantIndexOp::create(b, *getConstantIntValue(number));
  }
  return constant;
}

SmallVector<OpFoldResult> Lowering::getMixed(ValueRange dynamic, ArrayRef<int64_t> fixed) {
  SmallVector<OpFoldResult> result;
  for (int64_t number : fixed) {
    if (!ShapedType::isDynamic(number)) {
      result.push_back(b.getIndexAttr(number));
      continue;
    }
    result.push_back(lookupOne(dynamic.front()));
    dynamic = dynamic.drop_front();
  }
  return result;
}

SmallVector<OpFoldResult> Lowering::getSizes(Value shaped) {
  if (auto it = knownSizes.find(shaped); it != knownSizes.end())
    return it->second;
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, extent] : llvm::enumerate(cast<ShapedType>(shaped.getType()).getShape())) {
    if (!ShapedType::isDynamic(extent)) {
      sizes.push_back(b.getIndexAttr(extent));
      continue;
    }
    Value index = asValue(b.getIndexAttr(dim));
    Value size = isa<MemRefType>(shaped.getType())
                     ? memref::DimOp::create(b, shaped, index).getResult()
                     : tensor::DimOp::create(b, shaped, index).getResult();
    sizes.push_back(size);
  }
  return sizes;
}
