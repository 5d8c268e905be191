// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How checks are emitted: `pl.check` on conditions that constants may decide.
#include "BoundsChecks.h"

#include "pypto/Dialect/PL/Transforms/Passes.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

//===- Locations --------------------------------------------------------------------===//

std::string lowering::describeLocation(Location loc) {
  if (auto file = dyn_cast<FileLineColLoc>(loc))
    return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
            Twine(file.getColumn()))
        .str();
  if (auto name = dyn_cast<NameLoc>(loc))
    return describeLocation(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    std::string callee = describeLocation(call.getCallee()),
                caller = describeLocation(call.getCaller());
    if (callee.empty() || caller.empty())
      return callee + caller;
    return callee + " (called at " + caller + ")";
  }
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (std::string text = describeLocation(part); !text.empty())
        return text;
  return {};
}

//===- Conditions -------------------------------------------------------------------===//

BoundsChecker::BoundsChecker(Lowering &l, Operation *op)
    : l(l), op(op), location(describeLocation(op->getLoc())) {}

static std::optional<bool> getConstantBool(OpFoldResult condition) {
  if (auto attr = dyn_cast<Attribute>(condition))
    return cast<BoolAttr>(attr).getValue();
  return std::nullopt;
}

OpFoldResult BoundsChecker::compare(arith::CmpIPredicate predicate, OpFoldResult lhs,
                                    OpFoldResult rhs) {
  std::optional<int64_t> left = getConstantIntValue(lhs), right = getConstantIntValue(rhs);
  if (left && right)
    return l.b.getBoolAttr(
        arith::applyCmpPredicate(predicate, APInt(64, *left, true), APInt(64, *right, true)));
  if (lhs == rhs)
    return l.b.getBoolAttr(predicate == arith::CmpIPredicate::eq ||
                           predicate == arith::CmpIPredicate::sle ||
                           predicate == arith::CmpIPredicate::sge);
  return arith::CmpIOp::create(l.b, predicate, l.asValue(lhs), l.asValue(rhs)).getResult();
}

OpFoldResult BoundsChecker::either(OpFoldResult lhs, OpFoldResult rhs) {
  if (std::optional<bool> left = getConstantBool(lhs))
    return *left ? lhs : rhs;
  if (std::optional<bool> right = getConstantBool(rhs))
    return *right ? rhs : lhs;
  return arith::OrIOp::create(l.b, cast<Value>(lhs), cast<Value>(rhs)).getResult();
}

OpFoldResult BoundsChecker::both(OpFoldResult lhs, OpFoldResult rhs) {
  if (std::optional<bool> left = getConstantBool(lhs))
    return *left ? rhs : lhs;
  if (std::optional<bool> right = getConstantBool(rhs))
    return *right ? lhs : rhs;
  return arith::AndIOp::create(l.b, cast<Value>(lhs), cast<Value>(rhs)).getResult();
}

/// As the user wrote it.
static StringRef getOperationName(Operation *op) {
  auto outlined = op->getAttrOfType<StringAttr>(kOutlinedAttrName);
  return outlined ? outlined.getValue() : op->getName().getStringRef();
}

void BoundsChecker::emit(CheckKind kind, OpFoldResult condition, OpFoldResult actual,
                         OpFoldResult limit, std::optional<int64_t> dim, const Twine &subject) {
  std::optional<bool> known = getConstantBool(condition);
  if (known == true)
    return;
  ImplicitLocOpBuilder &b = l.b;
  Value holds = known ? arith::ConstantOp::create(b, b.getBoolAttr(*known)).getResult()
                      : cast<Value>(condition);
  CheckOp::create(b, kind, holds, l.asValue(actual), l.asValue(limit),
                  dim ? b.getI64IntegerAttr(*dim) : IntegerAttr(),
                  dim ? StringAttr() : b.getStringAttr(subject),
                  b.getStringAttr(getOperationName(op)), b.getStringAttr(location));
}

//===- One number -------------------------------------------------------------------===//

void BoundsChecker::checkIndex(OpFoldResult index, OpFoldResult extent, int64_t dim) {
  OpFoldResult holds = both(compare(arith::CmpIPredicate::sge, index, l.b.getIndexAttr(0)),
                            compare(arith::CmpIPredicate::slt, index, extent));
  emit(CheckKind::Index, holds, index, extent, dim, {});
}

void BoundsChecker::checkRange(OpFoldResult actual, OpFoldResult limit, const Twine &subject) {
  OpFoldResult holds = both(compare(arith::CmpIPredicate::sge, actual, l.b.getIndexAttr(0)),
                            compare(arith::CmpIPredicate::sle, actual, limit));
  emit(CheckKind::Range, holds, actual, limit, {}, subject);
}

void BoundsChecker::checkEqual(OpFoldResult actual, OpFoldResult expected, const Twine &subject) {
  emit(CheckKind::Equal, compare(arith::CmpIPredicate::eq, actual, expected), actual, expected, {},
       subject);
}

void BoundsChecker::checkAtLeast(OpFoldResult actual, OpFoldResult limit, const Twine &subject,
                                 OpFoldResult excuse) {
  OpFoldResult holds = compare(arith::CmpIPredicate::sge, actual, limit);
  if (excuse)
    holds = either(holds, compare(arith::CmpIPredicate::eq, excuse, l.b.getIndexAttr(0)));
  emit(CheckKind::AtLeast, holds, actual, limit, {}, subject);
}

void BoundsChecker::checkMultipleOf(OpFoldResult actual, int64_t limit, const Twine &subject) {
  OpFoldResult rest;
  if (std::optional<int64_t> constant = getConstantIntValue(actual))
    rest = l.b.getIndexAttr(*constant % limit);
  else
    rest = arith::RemSIOp::create(l.b, l.asValue(actual), l.asValue(l.b.getIndexAttr(limit)))
               .getResult();
  emit(CheckKind::MultipleOf, compare(arith::CmpIPredicate::eq, rest, l.b.getIndexAttr(0)), actual,
       l.b.getIndexAttr(limit), {}, subject);
}

void BoundsChecker::checkBroadcast(OpFoldResult actual, OpFoldResult other, const Twine &subject) {
  OpFoldResult one = l.b.getIndexAttr(1);
  OpFoldResult holds = either(compare(arith::CmpIPredicate::eq, actual, other),
                              either(compare(arith::CmpIPredicate::eq, actual, one),
                                     compare(arith::CmpIPredicate::eq, other, one)));
  emit(CheckKind::OneOr, holds, actual, other, {}, subject);
}

//===- Lists ------------------------------------------------------------------------===//

void BoundsChecker::checkWindow(Numbers offsets, Numbers sizes, Numbers extents) {
  ImplicitLocOpBuilder &b = l.b;
  size_t missing = extents.size() - sizes.size();
  for (auto [dim, offset, extent] : llvm::enumerate(offsets, extents)) {
    OpFoldResult size = dim < missing ? OpFoldResult(b.getIndexAttr(1)) : sizes[dim - missing];
    if (getConstantIntValue(size) == 1) {
      checkIndex(offset, extent, dim);
      continue;
    }
    if (getConstantIntValue(offset) == 0 && size == extent)
      continue;
    // The end, as a distance that cannot overflow.
    std::optional<int64_t> fixedSize = getConstantIntValue(size),
                           fixedExtent = getConstantIntValue(extent);
    OpFoldResult room =
        fixedSize && fixedExtent
            ? OpFoldResult(b.getIndexAttr(*fixedExtent - *fixedSize))
            : arith::SubIOp::create(b, l.asValue(extent), l.asValue(size)).getResult();
    OpFoldResult isPositive = compare(arith::CmpIPredicate::sge, offset, b.getIndexAttr(0));
    OpFoldResult holds = both(isPositive, compare(arith::CmpIPredicate::sle, offset, room));
    if (getConstantBool(holds) == true)
      continue;
    // The last index of the window, unless the first one is negative.
    OpFoldResult reach =
        fixedSize
            ? OpFoldResult(b.getIndexAttr(*fixedSize - 1))
            : arith::SubIOp::create(b, l.asValue(size), l.asValue(b.getIndexAttr(1))).getResult();
    Value last = arith::AddIOp::create(b, l.asValue(offset), l.asValue(reach));
    OpFoldResult index = last;
    if (std::optional<bool> known = getConstantBool(isPositive))
      index = *known ? index : offset;
    else
      index =
          arith::SelectOp::create(b, cast<Value>(isPositive), last, l.asValue(offset)).getResult();
    emit(CheckKind::Index, holds, index, extent, dim, {});
  }
}

void BoundsChecker::checkIndices(Numbers indices, Numbers extents) {
  for (auto [dim, index, extent] : llvm::enumerate(indices, extents))
    checkIndex(index, extent, dim);
}

void BoundsChecker::checkExtents(Numbers extents, Numbers valid) {
  for (auto [dim, extent] : llvm::enumerate(extents))
    checkAtLeast(extent, l.b.getIndexAttr(0), "dimension " + Twine(dim));
  for (auto [dim, size] : llvm::enumerate(valid))
    if (size != extents[dim])
      checkRange(size, extents[dim], "the valid extent of dimension " + Twine(dim));
}

void BoundsChecker::checkEqualExtents(Numbers actual, Numbers expected, StringRef suffix,
                                      std::optional<int64_t> except) {
  for (auto [dim, size, wanted] : llvm::enumerate(actual, expected))
    if (except != static_cast<int64_t>(dim))
      checkEqual(size, wanted, "dimension " + Twine(dim) + suffix);
}

void BoundsChecker::checkBroadcast(ArrayRef<Operand> operands) {
  // Sizes of a name are one number wherever it stands, also where it was read twice.
  auto isSame = [](ExtentAttr lhs, ExtentAttr rhs) { return lhs == rhs && !lhs.isDynamic(); };
  OpFoldResult one = l.b.getIndexAttr(1);
  for (auto [index, operand] : llvm::enumerate(operands))
    for (const Operand &other : operands.take_front(index))
      for (unsigned fromRight = 1, e = std::min(operand.getRank(), other.getRank()); fromRight <= e;
           ++fromRight) {
        unsigned dim = operand.getRank() - fromRight, otherDim = other.getRank() - fromRight;
        std::string subject = ("dimension " + Twine(dim) + " of operand " + Twine(index)).str();
        OpFoldResult size = operand.physical[dim], otherSize = other.physical[otherDim];
        if (isSame(operand.extents[dim], other.extents[otherDim]))
          continue;
        checkBroadcast(size, otherSize, subject);
        // What is repeated has one element, and that has to be valid if the other has any.
        auto checkValid = [&](const Operand &repeated, unsigned at, const Operand &whole,
                              unsigned wholeAt, unsigned number) {
          if (repeated.valid[at] == repeated.physical[at])
            return;
          OpFoldResult isRepeated = compare(arith::CmpIPredicate::eq, repeated.physical[at], one);
          if (getConstantBool(isRepeated) == false)
            return;
          OpFoldResult holds = either(
              compare(arith::CmpIPredicate::sge, repeated.valid[at], one),
              either(compare(arith::CmpIPredicate::eq, whole.valid[wholeAt], l.b.getIndexAttr(0)),
                     compare(arith::CmpIPredicate::ne, repeated.physical[at], one)));
          emit(CheckKind::AtLeast, holds, repeated.valid[at], one, {},
               "the valid extent of dimension " + Twine(at) + " of operand " + Twine(number));
        };
        checkValid(operand, dim, other, otherDim, index);
        checkValid(other, otherDim, operand, dim, &other - operands.begin());
      }
}

void BoundsChecker::checkNested(Numbers lhs, Numbers rhs) {
  OpFoldResult isLeftGreater = l.b.getBoolAttr(false);
  for (auto [left, right] : llvm::zip_equal(lhs, rhs))
    isLeftGreater = either(isLeftGreater, compare(arith::CmpIPredicate::sgt, left, right));
  OpFoldResult isNotGreater;
  if (std::optional<bool> known = getConstantBool(isLeftGreater))
    isNotGreater = l.b.getBoolAttr(!*known);
  else
    isNotGreater = arith::XOrIOp::create(l.b, cast<Value>(isLeftGreater),
                                         arith::ConstantOp::create(l.b, l.b.getBoolAttr(true)))
                       .getResult();
  for (auto [dim, left, right] : llvm::enumerate(lhs, rhs))
    emit(CheckKind::Range, either(isNotGreater, compare(arith::CmpIPredicate::sle, right, left)),
         right, left, {}, "the valid extent of dimension " + Twine(dim) + " of operand 1");
}

/// An element of an index tensor as `index`.
static Value toIndex(ImplicitLocOpBuilder &b, Value stored, Type element) {
  Value index = loadElement(b, stored, element);
  if (element.isUnsignedInteger())
    return arith::IndexCastUIOp::create(b, b.getIndexType(), index);
  return arith::IndexCastOp::create(b, b.getIndexType(), index);
}

void BoundsChecker::checkElements(Value indices, OpFoldResult extent, int64_t dim, Numbers sizes) {
  ImplicitLocOpBuilder &b = l.b;
  Operand operand = getShapeOperand(l, indices);
  Value lowered = l.lookup(indices).front();
  ArrayRef<OpFoldResult> bounds = sizes.empty() ? Numbers(operand.valid) : sizes;
  SmallVector<Value> lower(bounds.size(), l.asValue(b.getIndexAttr(0))), upper,
      step(bounds.size(), l.asValue(b.getIndexAttr(1)));
  for (OpFoldResult size : bounds)
    upper.push_back(l.asValue(size));
  Value limit = l.asValue(extent);
  scf::buildLoopNest(b, b.getLoc(), lower, upper, step,
                     [&](OpBuilder &nested, Location, ValueRange at) {
                       OpBuilder::InsertionGuard guard(b);
                       b.setInsertionPoint(nested.getInsertionBlock(), nested.getInsertionPoint());
                       Value stored = isa<MemRefType>(lowered.getType())
                                          ? memref::LoadOp::create(b, lowered, at).getResult()
                                          : tensor::ExtractOp::create(b, lowered, at).getResult();
                       checkIndex(toIndex(b, stored, operand.element), limit, dim);
                     });
}

//===- Claims of types ----------------------------------------------------------------===//

void BoundsChecker::checkClaims(const Handle &handle, pl::TensorType type, Claims claims) {
  // The names in the type of a call's result are not the callee's.
  bool sameNames = !isa<CallOp, orchestration::SubmitOp>(op);
  auto isKnown = [&](ExtentAttr from, ExtentAttr to) {
    return to.isDynamic() || (from == to && (from.isConstant() || sameNames));
  };
  SmallVector<OpFoldResult> sizes = l.getSizes(handle.memref);
  for (auto [dim, size, from, to] :
       llvm::enumerate(sizes, handle.type.getExtents(), type.getExtents()))
    if (!isKnown(from, to))
      checkEqual(size, l.materialize(to), "dimension " + Twine(dim));
  if (claims != Claims::All)
    return;
  if (type.getValid().empty()) {
    for (auto [dim, valid, size] : llvm::enumerate(handle.valid, sizes))
      if (!handle.type.getValid().empty())
        checkEqual(valid, size, "the valid extent of dimension " + Twine(dim));
    return;
  }
  for (auto [dim, valid, from, to] :
       llvm::enumerate(handle.valid, handle.type.getValidOrExtents(), type.getValid()))
    if (!isKnown(from, to))
      checkEqual(valid, l.materialize(to), "the valid extent of dimension " + Twine(dim));
}

static SmallVector<OpFoldResult> getStrides(Lowering &l, const Handle &handle) {
  SmallVector<OpFoldResult> strides;
  if (!handle.type.getStrides().empty())
    for (Value stride : memref::ExtractStridedMetadataOp::create(l.b, handle.memref).getStrides())
      strides.push_back(stride);
  return strides;
}

void BoundsChecker::checkHandles(FuncOp callee, ArrayRef<std::optional<Handle>> handles) {
  // As the callee does: the first place where a name stands alone binds it.
  llvm::DenseMap<StringAttr, Value> bindings;
  auto forEach = [&](function_ref<void(ExtentAttr, OpFoldResult, const Twine &)> fn) {
    for (auto [index, handle] : llvm::enumerate(handles)) {
      if (!handle)
        continue;
      auto type = cast<pl::TensorType>(callee.getArgumentTypes()[index]);
      Handle seen = *handle;
      seen.type = type;
      SmallVector<OpFoldResult> sizes = l.getSizes(handle->memref), strides = getStrides(l, seen);
      auto visit = [&, index = index](ArrayRef<ExtentAttr> extents, ArrayRef<OpFoldResult> numbers,
                                      StringRef what) {
        for (auto [dim, extent, number] : llvm::enumerate(extents, numbers))
          fn(extent, number, what + "dimension " + Twine(dim) + " of argument " + Twine(index));
      };
      visit(type.getExtents(), sizes, "");
      if (!type.getValid().empty() || handle->valid != sizes)
        visit(type.getValidOrExtents(), handle->valid, "the valid extent of ");
      visit(type.getStrides(), strides, "the stride of ");
    }
  };
  forEach([&](ExtentAttr extent, OpFoldResult number, const Twine &) {
    if (extent.isSymbol())
      bindings.try_emplace(extent.getSymbolName(), l.asValue(number));
  });
  l.withSymbols(bindings, [&] {
    forEach([&](ExtentAttr extent, OpFoldResult number, const Twine &subject) {
      if (!extent.isDynamic())
        checkEqual(number, l.materialize(extent), subject);
    });
  });
}

void BoundsChecker::checkArguments(FuncOp callee, ValueRange operands) {
  SmallVector<std::optional<Handle>> handles;
  for (Value operand : operands)
    handles.push_back(isa<pl::TensorType>(operand.getType())
                          ? std::optional<Handle>(l.getHandle(operand))
                          : std::nullopt);
  checkHandles(callee, handles);
}

void BoundsChecker::checkEntry(FuncOp callee, ValueRange lowered) {
  SmallVector<std::optional<Handle>> handles;
  for (Type type : callee.getArgumentTypes()) {
    size_t count = convertType(type)->size();
    auto tensor = dyn_cast<pl::TensorType>(type);
    if (tensor)
      l.noteSizes(lowered.front(), l.getSizes(lowered.front()));
    handles.push_back(tensor ? std::optional<Handle>(l.getHandle(tensor, lowered.take_front(count)))
                             : std::nullopt);
    lowered = lowered.drop_front(count);
  }
  checkHandles(callee, handles);
}
