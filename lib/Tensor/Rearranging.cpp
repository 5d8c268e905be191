// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Movement that is made of the basic ops.
#include "OpBuilding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/Twine.h"

using namespace pypto::lazy;

//===- Axes -------------------------------------------------------------------------------===//

llvm::Expected<Tensor> Tensor::tryTranspose(int64_t a, int64_t b, Place place) const {
  return attempt("transpose", place, [&] {
    auto axes = llvm::to_vector(llvm::seq<int64_t>(0, getRank()));
    std::swap(axes[getAxis(a, getRank())], axes[getAxis(b, getRank())]);
    return permute(axes);
  });
}

llvm::Expected<Tensor> Tensor::tryMoveAxis(int64_t from, int64_t to, Place place) const {
  return attempt("moveAxis", place, [&] {
    auto axes = llvm::to_vector(llvm::seq<int64_t>(0, getRank()));
    int64_t source = getAxis(from, getRank()), target = getAxis(to, getRank());
    axes.erase(axes.begin() + source);
    axes.insert(axes.begin() + target, source);
    return permute(axes);
  });
}

llvm::Expected<Tensor> Tensor::trySqueeze(int64_t axis, Place place) const {
  return attempt("squeeze", place, [&] {
    int64_t position = getAxis(axis, getRank());
    if (getShape()[position] != Extent(1))
      fail("expects an extent of 1 at axis " + llvm::Twine(axis) + " of " +
           lazy::formatShape(getShape()));
    return Tensor(dropAxes(getNode(), position));
  });
}

llvm::Expected<Tensor> Tensor::tryUnsqueeze(int64_t axis, Place place) const {
  return attempt("unsqueeze", place, [&] {
    Shape shape(getShape());
    shape.insert(shape.begin() + getAxis(axis, getRank() + 1), Extent(1));
    return Tensor(reshapeTo(getNode(), shape));
  });
}

llvm::Expected<Tensor> Tensor::tryFlatten(int64_t first, int64_t last, Place place) const {
  return attempt("flatten", place, [&] {
    // A scalar becomes a vector.
    if (getRank() == 0)
      return reshape({1});
    int64_t begin = getAxis(first, getRank()), end = getAxis(last, getRank());
    if (begin > end)
      fail("expects axes in order, but got " + llvm::Twine(first) + " and " + llvm::Twine(last));
    Shape shape(getShape().take_front(begin));
    if (begin == end) {
      shape.push_back(getShape()[begin]);
    } else {
      int64_t count = 1;
      for (int64_t axis : llvm::seq_inclusive(begin, end))
        count *= getStatic(*this, axis);
      shape.push_back(Extent(count));
    }
    llvm::append_range(shape, getShape().drop_front(end + 1));
    return reshape(shape);
  });
}

llvm::Expected<Tensor> Tensor::tryUnflatten(int64_t axis, ShapeOperand shape, Place place) const {
  return attempt("unflatten", place, [&] {
    int64_t position = getAxis(axis, getRank());
    Shape whole(getShape().take_front(position));
    llvm::append_range(whole, shape.shape);
    llvm::append_range(whole, getShape().drop_front(position + 1));
    return reshape(whole);
  });
}

//===- Pieces -----------------------------------------------------------------------------===//

/// The elements [begin, end) of one axis.
static Tensor cut(const Tensor &tensor, int64_t axis, int64_t begin, int64_t end) {
  llvm::SmallVector<std::pair<int64_t, Extent>> ranges;
  for (const Extent &extent : tensor.getShape())
    ranges.emplace_back(0, extent);
  ranges[axis] = {begin, Extent(end)};
  return tensor.shrink(ranges);
}

llvm::Expected<Tensor> Tensor::trySlice(int64_t axis, int64_t begin, int64_t end, int64_t step,
                                        Place place) const {
  return attempt("slice", place, [&] {
    int64_t position = getAxis(axis, getRank()), extent = getStatic(*this, position);
    if (step == 0)
      fail("expects a step other than 0");
    int64_t low = begin < 0 ? begin + extent : begin, high = end < 0 ? end + extent : end;
    if (low < 0 || high > extent || low > high)
      fail("expects a range inside axis " + llvm::Twine(position) + " of " +
           lazy::formatShape(getShape()) + ", but got [" + llvm::Twine(begin) + ", " +
           llvm::Twine(end) + ")");
    Tensor piece = cut(*this, position, low, high);
    if (step < 0)
      piece = piece.flip(position);
    int64_t stride = step < 0 ? -step : step;
    if (stride == 1 || low == high)
      return piece;
    return piece.unfold(position, 1, stride).squeeze(-1);
  });
}

llvm::Expected<Tensor> Tensor::trySelect(int64_t axis, int64_t index, Place place) const {
  return attempt("select", place, [&] {
    int64_t position = getAxis(axis, getRank());
    const Extent &extent = getShape()[position];
    // Whatever the variable is.
    if (index < -extent.getMin() || index >= extent.getMin())
      fail("expects an index inside axis " + llvm::Twine(position) + " of " +
           lazy::formatShape(getShape()) + ", but got " + llvm::Twine(index));
    if (index < 0 && !extent.isStatic())
      return take(full({}, index, DType::I64), position);
    int64_t at = index < 0 ? index + extent.max : index;
    return cut(*this, position, at, at + 1).squeeze(position);
  });
}

llvm::Expected<std::vector<Tensor>> Tensor::trySplit(Axes sizes, int64_t axis, Place place) const {
  return attempt("split", place, [&] {
    int64_t position = getAxis(axis, getRank()), extent = getStatic(*this, position), begin = 0;
    std::vector<Tensor> pieces;
    for (int64_t size : sizes) {
      if (size < 0 || size > extent - begin)
        fail("expects sizes of which the sum is the extent of axis " + llvm::Twine(position) +
             " of " + lazy::formatShape(getShape()));
      pieces.push_back(cut(*this, position, begin, begin + size));
      begin += size;
    }
    if (begin != extent)
      fail("expects sizes of which the sum is the extent of axis " + llvm::Twine(position) +
           " of " + lazy::formatShape(getShape()) + ", but got a sum of " + llvm::Twine(begin));
    return pieces;
  });
}

llvm::Expected<std::vector<Tensor>> Tensor::tryChunk(int64_t count, int64_t axis,
                                                     Place place) const {
  return attempt("chunk", place, [&] {
    int64_t position = getAxis(axis, getRank()), extent = getStatic(*this, position);
    if (count < 1)
      fail("expects a count of at least 1, but got " + llvm::Twine(count));
    int64_t size = std::max<int64_t>(1, (extent + count - 1) / count);
    std::vector<Tensor> pieces;
    for (int64_t begin = 0; begin < extent || begin == 0; begin += size)
      pieces.push_back(cut(*this, position, begin, std::min(begin + size, extent)));
    return pieces;
  });
}

llvm::Expected<std::vector<Tensor>> Tensor::tryUnbind(int64_t axis, Place place) const {
  return attempt("unbind", place, [&] {
    int64_t position = getAxis(axis, getRank());
    std::vector<Tensor> pieces;
    for (int64_t index : llvm::seq<int64_t>(0, getStatic(*this, position)))
      pieces.push_back(select(position, index));
    return pieces;
  });
}

llvm::Expected<Tensor> Tensor::tryStack(llvm::ArrayRef<Tensor> tensors, int64_t axis, Place place) {
  return attempt("stack", place, [&] {
    llvm::SmallVector<Tensor> parts;
    for (const Tensor &tensor : tensors) {
      if (tensor.getShape() != tensors[0].getShape())
        fail("expects equal shapes, but got " + lazy::formatShape(tensors[0].getShape()) + " and " +
             lazy::formatShape(tensor.getShape()));
      parts.push_back(tensor.unsqueeze(axis));
    }
    return concat(parts, axis);
  });
}

//===- Repetition -------------------------------------------------------------------------===//

llvm::Expected<Tensor> Tensor::tryRoll(int64_t shift, int64_t axis, Place place) const {
  return attempt("roll", place, [&] {
    int64_t position = getAxis(axis, getRank());
    if (const Extent &extent = getShape()[position]; !extent.isStatic()) {
      Tensor at = iota({extent}, 0), count = at + at.flip(0) + 1;
      return take((at - shift).floorMod(count), position);
    }
    int64_t extent = getStatic(*this, position);
    int64_t first = extent == 0 ? 0 : ((shift % extent) + extent) % extent;
    if (first == 0)
      return *this;
    return concat(
        {cut(*this, position, extent - first, extent), cut(*this, position, 0, extent - first)},
        position);
  });
}

llvm::Expected<Tensor> Tensor::tryRepeat(Axes counts, Place place) const {
  return attempt("repeat", place, [&] {
    int64_t added = static_cast<int64_t>(counts.size()) - getRank();
    if (added < 0)
      fail("expects a count for each dimension of " + lazy::formatShape(getShape()) + ", but got " +
           llvm::Twine(counts.size()));
    // (n) -> (1, n) -> (count, n) -> (count * n)
    Shape spaced, repeated, merged;
    for (auto [axis, count] : llvm::enumerate(counts)) {
      Extent extent = int64_t(axis) < added ? Extent(1) : getShape()[axis - added];
      if (count < 0 || (count != 1 && !extent.isStatic()))
        fail("expects counts of at least 0, and of fixed extents only, but got " +
             llvm::Twine(count) + " for " + lazy::formatShape(getShape()));
      llvm::append_values(spaced, Extent(1), extent);
      llvm::append_values(repeated, Extent(count), extent);
      merged.push_back(count == 1 ? extent : Extent(count * extent.max));
      expectShape(repeated);
    }
    return reshape(spaced).expand(repeated).reshape(merged);
  });
}

llvm::Expected<Tensor> Tensor::tryRepeatInterleave(int64_t count, int64_t axis, Place place) const {
  return attempt("repeatInterleave", place, [&] {
    int64_t position = getAxis(axis, getRank()), extent = getStatic(*this, position);
    if (count < 0)
      fail("expects a count of at least 0, but got " + llvm::Twine(count));
    Shape repeated(getShape()), merged(getShape());
    repeated.insert(repeated.begin() + position + 1, Extent(count));
    expectShape(repeated);
    merged[position] = Extent(extent * count);
    return unsqueeze(position + 1).expand(repeated).reshape(merged);
  });
}

//===- Padding with elements ----------------------------------------------------------------===//

/// Where each position of the padded axis, counted from the first element, comes from.
static Tensor foldPositions(Tensor position, int64_t extent, PadMode mode) {
  switch (mode) {
  case PadMode::Replicate:
    return position.clamp(0, extent - 1);
  case PadMode::Circular:
    return position.floorMod(extent);
  default:
    break;
  }
  // One mirror on each side: 2 1 | 0 1 2 3 | 2 1
  Tensor fromFront = position.abs();
  return (extent - 1) - (fromFront - (extent - 1)).abs();
}

llvm::Expected<Tensor> Tensor::tryPadWith(llvm::ArrayRef<std::pair<int64_t, int64_t>> padding,
                                          PadMode mode, Place place) const {
  return attempt("padWith", place, [&] {
    if (mode == PadMode::Constant || padding.size() != getShape().size())
      return pad(padding);
    Tensor result = *this;
    for (auto [axis, amount] : llvm::enumerate(padding)) {
      auto [low, high] = amount;
      if (low == 0 && high == 0)
        continue;
      int64_t extent = getStatic(*this, axis);
      int64_t most = mode == PadMode::Reflect    ? extent - 1
                     : mode == PadMode::Circular ? extent
                     : extent == 0               ? 0
                                                 : int64_t(1) << 40;
      if (low < 0 || high < 0 || low > most || high > most)
        fail("expects padding from 0 to " + llvm::Twine(most) + " at axis " + llvm::Twine(axis) +
             " of " + lazy::formatShape(getShape()) + ", but got " + llvm::Twine(low) + " and " +
             llvm::Twine(high));
      Tensor position = arange(low + extent + high) - low;
      result = result.take(foldPositions(position, extent, mode), axis);
    }
    return result;
  });
}

//===- Diagonals --------------------------------------------------------------------------===//

/// Where a diagonal begins. No tensor goes as far as the last of them.
static std::pair<int64_t, int64_t> getFirst(int64_t offset) {
  constexpr int64_t farthest = int64_t(1) << 50;
  offset = std::clamp(offset, -farthest, farthest);
  return {std::max<int64_t>(-offset, 0), std::max<int64_t>(offset, 0)};
}

llvm::Expected<Tensor> Tensor::tryDiagonal(int64_t offset, Place place) const {
  return attempt("diagonal", place, [&] {
    if (getRank() < 2)
      fail("expects at least two dimensions, but got " + lazy::formatShape(getShape()));
    int64_t rank = getRank(), rows = getStatic(*this, rank - 2),
            columns = getStatic(*this, rank - 1);
    auto [row, column] = getFirst(offset);
    int64_t count = std::max<int64_t>(0, std::min(rows - row, columns - column));
    if (count == 0)
      return cut(*this, rank - 2, 0, 0).flatten(-2, -1);
    // Its elements are one row and one column apart.
    Tensor line = flatten(-2, -1);
    int64_t first = row * columns + column;
    line = cut(line, rank - 2, first, first + (count - 1) * (columns + 1) + 1);
    return line.unfold(rank - 2, 1, columns + 1).squeeze(-1);
  });
}

llvm::Expected<Tensor> Tensor::tryDiag(int64_t offset, Place place) const {
  return attempt("diag", place, [&] {
    if (getRank() < 1)
      fail("expects at least one dimension, but got " + lazy::formatShape(getShape()));
    auto [row, column] = getFirst(offset);
    int64_t size = getStatic(*this, getRank() - 1) + row + column;
    Shape shape(getShape());
    shape.back() = Extent(size);
    shape.push_back(Extent(size));
    expectShape(shape);
    llvm::SmallVector<std::pair<int64_t, int64_t>> padding(getRank());
    padding.back() = {column, row};
    Tensor isDiagonal = (iota(shape, -2) + offset).equal(iota(shape, -1));
    // Each element spreads over its column.
    return isDiagonal.where(pad(padding).unsqueeze(-2), 0);
  });
}

llvm::Expected<Tensor> Tensor::tryTrace(int64_t offset, Place place) const {
  return attempt("trace", place, [&] { return diagonal(offset).sum(-1); });
}

llvm::Expected<Tensor> Tensor::tryContiguous(Place) const {
  return Tensor(makeNode(OpKind::Contiguous, getDType(), getNode()->shape, getNode()));
}
