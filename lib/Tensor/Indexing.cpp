// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations with indices and positions.
#include "OpBuilding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <limits>

using namespace pypto::lazy;

//===- Elements at indices ------------------------------------------------------------------===//

static void expectIndices(const Tensor &indices) {
  if (isFloat(indices.getDType()) || indices.getDType() == DType::Bool)
    fail("expects integers as indices, but got " + stringifyDType(indices.getDType()));
}

Tensor pypto::lazy::getPositions(const Tensor &indices) {
  // No index counts from the end because it is large.
  bool isLarge = indices.getDType() == DType::U64;
  Tensor bounded = isLarge ? indices.minimum(std::numeric_limits<int64_t>::max()) : indices;
  return bounded.cast(DType::I64);
}

llvm::Expected<Tensor> Tensor::tryTake(const Tensor &indices, int64_t axis, Place place) const {
  return attempt("take", place, [&] {
    int64_t position = getAxis(axis, getRank());
    expectIndices(indices);
    Shape shape(getShape().take_front(position));
    llvm::append_range(shape, indices.getShape());
    llvm::append_range(shape, getShape().drop_front(position + 1));
    expectShape(shape);
    return Tensor(makeNode(OpKind::Take, getDType(), shape,
                           {getNode(), getPositions(indices).getNode()}, position));
  });
}

/// Indices have the rank of the tensor, and fit into it but for the axis.
static void expectPositions(const Tensor &tensor, const Tensor &indices, int64_t axis) {
  expectIndices(indices);
  llvm::ArrayRef<Extent> whole = tensor.getShape(), part = indices.getShape();
  bool isRight = whole.size() == part.size();
  for (size_t i = 0; isRight && i < whole.size(); ++i)
    isRight = int64_t(i) == axis || part[i] == whole[i] ||
              (part[i].isStatic() && whole[i].isStatic() && part[i].max <= whole[i].max);
  if (!isRight)
    fail("expects indices of a shape that fits in " + formatShape(whole) + " but for axis " +
         llvm::Twine(axis) + ", but got " + formatShape(part));
}

llvm::Expected<Tensor> Tensor::tryGather(const Tensor &indices, int64_t axis, Place place) const {
  return attempt("gather", place, [&] {
    int64_t position = getAxis(axis, getRank());
    expectPositions(*this, indices, position);
    return Tensor(makeNode(OpKind::Gather, getDType(), indices.getNode()->shape,
                           {getNode(), getPositions(indices).getNode()}, position));
  });
}

llvm::Expected<Tensor> Tensor::tryScatter(const Tensor &indices, const Operand &values,
                                          int64_t axis, ScatterMode mode, Place place) const {
  return attempt("scatter", place, [&] {
    int64_t position = getAxis(axis, getRank());
    expectPositions(*this, indices, position);
    bool isSum = mode == ScatterMode::Add || mode == ScatterMode::Mul;
    if (isSum)
      expectNumbers(*this);
    // Sums and products of narrow floats are rounded once.
    DType dtype = isSum ? getWide(getDType()) : getDType();
    Tensor updates = Tensor(values.getNodeOf(getDType())).cast(dtype);
    updates = updates.expand(indices.getNode()->shape);
    Tensor result(
        makeNode(OpKind::Scatter, dtype, getNode()->shape,
                 {castTo(getNode(), dtype), getPositions(indices).getNode(), updates.getNode()},
                 {position, static_cast<int64_t>(mode)}));
    return result.cast(getDType());
  });
}

llvm::Expected<Tensor> Tensor::tryOneHot(int64_t count, DType dtype, Place place) const {
  return attempt("oneHot", place, [&] {
    expectIntegers(*this);
    Shape shape(getShape());
    shape.push_back(Extent(count));
    expectShape(shape);
    return iota(shape, -1).equal(unsqueeze(-1)).cast(dtype);
  });
}

//===- Triangles ----------------------------------------------------------------------------===//

static Tensor maskTriangle(const Tensor &tensor, int64_t diagonal, bool isLower) {
  if (tensor.getRank() < 2)
    fail("expects at least two dimensions, but got " + formatShape(tensor.getShape()));
  Shape shape(tensor.getShape());
  // Farther away than any element is far enough.
  constexpr int64_t farthest = int64_t(1) << 50;
  diagonal = std::clamp(diagonal, -farthest, farthest);
  Tensor limit = Tensor::iota(shape, -2) + diagonal, column = Tensor::iota(shape, -1);
  return (isLower ? column.lessEqual(limit) : column.greaterEqual(limit)).where(tensor, false);
}

llvm::Expected<Tensor> Tensor::tryTril(int64_t diagonal, Place place) const {
  return attempt("tril", place, [&] { return maskTriangle(*this, diagonal, true); });
}
llvm::Expected<Tensor> Tensor::tryTriu(int64_t diagonal, Place place) const {
  return attempt("triu", place, [&] { return maskTriangle(*this, diagonal, false); });
}

//===- Order --------------------------------------------------------------------------------===//

/// Where the elements of rows, which are the last axis, come from when they are in order.
static Tensor makeArgSort(const Tensor &rows, bool descending) {
  return Tensor(
      makeNode(OpKind::ArgSort, DType::I64, rows.getNode()->shape, rows.getNode(), descending));
}

llvm::Expected<Tensor> Tensor::tryArgSort(int64_t axis, bool descending, Place place) const {
  return attempt("argSort", place, [&] {
    int64_t position = getAxis(axis, getRank());
    return makeArgSort(moveAxis(position, -1), descending).moveAxis(-1, position);
  });
}

llvm::Expected<Tensor> Tensor::trySort(int64_t axis, bool descending, Place place) const {
  return attempt("sort", place, [&] {
    int64_t position = getAxis(axis, getRank());
    Tensor rows = moveAxis(position, -1);
    return rows.gather(makeArgSort(rows, descending), -1).moveAxis(-1, position);
  });
}

llvm::Expected<std::vector<Tensor>> Tensor::tryTopK(int64_t count, int64_t axis, bool greatest,
                                                    Place place) const {
  return attempt("topK", place, [&] {
    int64_t position = getAxis(axis, getRank()), extent = getStatic(*this, position);
    if (count < 0 || count > extent)
      fail("expects a count from 0 to the extent of axis " + llvm::Twine(position) + " of " +
           lazy::formatShape(getShape()) + ", but got " + llvm::Twine(count));
    Tensor rows = moveAxis(position, -1);
    Tensor chosen = makeArgSort(rows, greatest).slice(-1, 0, count);
    return std::vector<Tensor>{rows.gather(chosen, -1).moveAxis(-1, position),
                               chosen.moveAxis(-1, position)};
  });
}
