// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers, scatters, sorting: result types and verification.
#include "pypto/Dialect/PL/IR/PLOps.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

static bool isIndexElement(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return isa<IndexType>(type) || (integer && integer.getWidth() > 1);
}

/// Constant extents of `part` are at most those of `whole`, but for that of `dim`.
static bool mayFit(ArrayRef<ExtentAttr> part, ArrayRef<ExtentAttr> whole, int64_t dim) {
  if (part.size() != whole.size())
    return false;
  for (auto [index, small, large] : llvm::enumerate(part, whole))
    if (static_cast<int64_t>(index) != dim && small.isConstant() && large.isConstant() &&
        small.getConstant() > large.getConstant())
      return false;
  return true;
}

LogicalResult pl::inferGather(OptionalLoc loc, Type source, Type indices, int64_t dim,
                              InferredTypes &types) {
  FailureOr<ExtentTypeInterface> from = expectShaped(loc, source), at = expectShaped(loc, indices);
  if (failed(from) || failed(at))
    return failure();
  int64_t rank = from->getExtents().size();
  if (dim < 0 || dim >= rank)
    return emitOptionalError(loc, "C2: expects a dimension less than ", rank, ", but got ", dim);
  if (!mayFit(at->getExtents(), from->getExtents(), dim))
    return emitOptionalError(loc, "C1: expects indices whose extents are at most those of ", source,
                             " but for dimension ", dim, ", but got ", indices);
  if (!isIndexElement(at->getElementType()))
    return emitOptionalError(loc, "C3: expects integer or index elements, but got ", indices);
  return appendLike(loc, *from, at->getExtents(), at->getValid(), from->getElementType(), types);
}

LogicalResult pl::verifyScatter(Operation *op, Type source, Type indices, Type destination,
                                int64_t dim) {
  auto from = cast<ExtentTypeInterface>(source), at = cast<ExtentTypeInterface>(indices),
       to = cast<ExtentTypeInterface>(destination);
  if (!mayBeEqual(from.getExtents(), at.getExtents()))
    return op->emitOpError() << "C1: expects a source and indices of equal extents, but got "
                             << source << " and " << indices;
  int64_t rank = to.getExtents().size();
  if (dim < 0 || dim >= rank)
    return op->emitOpError() << "C4: expects a dimension less than " << rank << ", but got " << dim;
  if (!mayFit(from.getExtents(), to.getExtents(), dim))
    return op->emitOpError() << "C2: expects a source whose extents are at most those of "
                             << destination << " but for dimension " << dim << ", but got "
                             << source;
  if (from.getElementType() != to.getElementType())
    return op->emitOpError() << "C3: expects element type " << to.getElementType() << ", but got "
                             << from.getElementType();
  if (!isIndexElement(at.getElementType()))
    return op->emitOpError() << "C5: expects integer or index elements, but got " << indices;
  return success();
}

LogicalResult ScatterOp::verify() {
  return verifyScatter(*this, getSource().getType(), getIndices().getType(),
                       getDestination().getType(), getDim());
}

/// Product of the extents if all are constant.
static std::optional<int64_t> getNumElements(ArrayRef<ExtentAttr> extents) {
  int64_t count = 1;
  for (ExtentAttr extent : extents)
    if (!extent.isConstant() || llvm::MulOverflow(count, extent.getConstant(), count))
      return std::nullopt;
  return count;
}

LogicalResult pl::verifyReshape(Operation *op, Type source, Type result) {
  auto from = cast<ExtentTypeInterface>(source), to = cast<ExtentTypeInterface>(result);
  if (from.getElementType() != to.getElementType())
    return op->emitOpError() << "C1: expects element type " << from.getElementType() << ", but got "
                             << to.getElementType();
  std::optional<int64_t> before = getNumElements(from.getExtents()),
                         after = getNumElements(to.getExtents());
  if (before && after && *before != *after)
    return op->emitOpError() << "C2: expects " << *before << " elements, but got " << *after;
  return success();
}

LogicalResult pl::verifyScatterUpdate(Operation *op, Type source, Type indices, Type destination) {
  auto from = cast<ExtentTypeInterface>(source), at = cast<ExtentTypeInterface>(indices),
       to = cast<ExtentTypeInterface>(destination);
  if (from.getExtents().size() != 2 || to.getExtents().size() != 2 ||
      !mayBeEqual(from.getExtents().back(), to.getExtents().back()))
    return op->emitOpError() << "C1: expects a source and a destination of rank two with equal "
                                "second extents, but got "
                             << source << " and " << destination;
  if (from.getElementType() != to.getElementType())
    return op->emitOpError() << "C2: expects element type " << to.getElementType() << ", but got "
                             << from.getElementType();
  std::optional<int64_t> count = getNumElements(at.getExtents());
  ExtentAttr rows = from.getExtents().front();
  if (count && rows.isConstant() && rows.getConstant() != *count)
    return op->emitOpError() << "C3: expects one index per row of the source ("
                             << rows.getConstant() << "), but got " << *count;
  if (!isIndexElement(at.getElementType()))
    return op->emitOpError() << "C4: expects integer or index elements, but got " << indices;
  return success();
}

LogicalResult ScatterUpdateOp::verify() {
  return verifyScatterUpdate(*this, getSource().getType(), getIndices().getType(),
                             getDestination().getType());
}

LogicalResult pl::verifyArange(Operation *op, Type start, Type result) {
  auto shaped = cast<ExtentTypeInterface>(result);
  if (shaped.getElementType().isInteger(1) || getScalarType(shaped.getElementType()) != start)
    return op->emitOpError() << "C2: expects a start of the element type, which is not i1, but got "
                             << start << " for " << result;
  ArrayRef<ExtentAttr> extents = shaped.getExtents();
  auto isOne = [](ExtentAttr e) { return e.isConstant() && e.getConstant() == 1; };
  if (extents.empty() || !llvm::all_of(extents.drop_back(), isOne))
    return op->emitOpError() << "C3: expects extents of one before the last, but got " << result;
  return success();
}

LogicalResult ArangeOp::verify() {
  if (failed(verifyDynamicSizes(*this, "C1", getResult().getType(), getSizes().size())))
    return failure();
  return verifyArange(*this, getStart().getType(), getResult().getType());
}

//===- Sorting ------------------------------------------------------------------===//

/// C1 to C3 of the sorting operations; the types are the values' and the indices'.
static LogicalResult inferSorted(OptionalLoc loc, Type values, Type indices, int64_t multiple,
                                 InferredTypes &types) {
  FailureOr<ExtentTypeInterface> shaped = expectShaped(loc, values);
  if (failed(shaped))
    return failure();
  ArrayRef<ExtentAttr> extents = shaped->getExtents();
  bool isWhole = !extents.empty() &&
                 (shaped->getValid().empty() || shaped->getValid().back() == extents.back());
  if (!isWhole || (extents.back().isConstant() && extents.back().getConstant() % multiple != 0))
    return emitOptionalError(loc, "C1: expects a last extent that is a multiple of ", multiple,
                             " and valid as a whole, but got ", values);
  if (shaped->getElementType().isInteger(1))
    return emitOptionalError(loc, "C3: expects values other than i1, but got ", values);
  Type indexType =
      shaped->cloneWith(extents, shaped->getValid(), IntegerType::get(values.getContext(), 32));
  if (indices) {
    FailureOr<ExtentTypeInterface> given = expectShaped(loc, indices);
    if (failed(given))
      return failure();
    if (!mayBeEqual(given->getExtents(), extents))
      return emitOptionalError(loc, "C2: expects indices with the extents of ", values,
                               ", but got ", indices);
    if (!given->getElementType().isInteger(32))
      return emitOptionalError(loc, "C3: expects 32-bit integer indices, but got ", indices);
    indexType = shaped->cloneWith(extents, shaped->getValid(), given->getElementType());
  }
  types.push_back(shaped->cloneWith(extents, shaped->getValid(), shaped->getElementType()));
  types.push_back(indexType);
  return success();
}

LogicalResult pl::inferSort32(OptionalLoc loc, Type values, Type indices, InferredTypes &types) {
  return inferSorted(loc, values, indices, 32, types);
}

LogicalResult pl::inferMergeSort(OptionalLoc loc, Type values, Type indices, int64_t run,
                                 InferredTypes &types) {
  if (run <= 0)
    return emitOptionalError(loc, "C1: expects a positive length of a run, but got ", run);
  return inferSorted(loc, values, indices, run, types);
}
