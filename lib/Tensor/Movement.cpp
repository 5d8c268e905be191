// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpBuilding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace pypto::lazy;

/// True if both have the same number of elements, whatever the variables are: they stand in the
/// same order, with as many elements in front of each of them.
static bool haveSameElements(llvm::ArrayRef<Extent> a, llvm::ArrayRef<Extent> b) {
  auto getSegments = [](llvm::ArrayRef<Extent> shape) {
    llvm::SmallVector<std::pair<int64_t, Extent>> segments{{1, Extent(1)}};
    for (const Extent &extent : shape) {
      if (extent.isStatic())
        segments.back().first *= extent.max;
      else
        segments.push_back({1, extent});
    }
    return segments;
  };
  return getSegments(a) == getSegments(b);
}

llvm::Expected<Tensor> Tensor::tryReshape(ShapeOperand operand, Place place) const {
  Shape shape = std::move(operand.shape);
  int64_t known = 1, *open = nullptr;
  for (Extent &extent : shape) {
    bool isOpen = extent.max == -1;
    if (extent.max < -1 || (isOpen && open))
      return makeError("reshape",
                       "expects extents of at least 0, one of which may be -1, but got " +
                           lazy::formatShape(shape),
                       place);
    if (isOpen)
      open = &extent.max;
    else if (llvm::MulOverflow(known, extent.max, known))
      return makeError("reshape", "the shape " + lazy::formatShape(shape) + " is too large", place);
  }
  auto fail = [&] {
    return makeError("reshape",
                     "expects a shape with the elements of " + lazy::formatShape(getShape()) +
                         ", but got " + lazy::formatShape(shape),
                     place);
  };
  if (open) {
    int64_t count = countElements(getShape());
    if (known == 0 || count % known != 0)
      return fail();
    *open = count / known;
  }
  if (!haveSameElements(getShape(), shape))
    return fail();
  return Tensor(reshapeTo(getNode(), shape));
}

llvm::Expected<Tensor> Tensor::tryPermute(Axes permutation, Place place) const {
  if (static_cast<int64_t>(permutation.size()) != getRank())
    return makeError("permute",
                     "expects " + llvm::Twine(getRank()) + " axes for shape " +
                         lazy::formatShape(getShape()) + ", but got " +
                         llvm::Twine(permutation.size()),
                     place);
  llvm::SmallVector<int64_t> axes;
  for (int64_t axis : permutation) {
    llvm::Expected<int64_t> normalized = normalizeAxis("permute", axis, getRank(), place);
    if (!normalized)
      return normalized.takeError();
    if (llvm::is_contained(axes, *normalized))
      return makeError("permute", "expects each axis once, but got " + llvm::Twine(axis) + " again",
                       place);
    axes.push_back(*normalized);
  }
  return Tensor(permuteTo(getNode(), axes));
}

llvm::Expected<Tensor> Tensor::tryExpand(ShapeOperand operand, Place place) const {
  Shape shape = std::move(operand.shape);
  llvm::ArrayRef<Extent> from = getShape();
  bool isRight = shape.size() >= from.size();
  for (size_t i = 1; isRight && i <= from.size(); ++i)
    isRight =
        from[from.size() - i] == Extent(1) || from[from.size() - i] == shape[shape.size() - i];
  if (isRight && !isValidShape(shape))
    return makeError("expand", "the shape " + lazy::formatShape(shape) + " is too large", place);
  if (!isRight)
    return makeError("expand",
                     "expects a shape to which " + lazy::formatShape(from) +
                         " broadcasts, but got " + lazy::formatShape(shape),
                     place);
  return Tensor(broadcastTo(getNode(), shape));
}

llvm::Expected<Tensor> Tensor::tryPad(llvm::ArrayRef<std::pair<int64_t, int64_t>> padding,
                                      const Operand &value, Place place) const {
  Shape shape(getShape());
  if (padding.size() != shape.size())
    return makeError("pad",
                     "expects padding for each dimension of " + lazy::formatShape(shape) +
                         ", but got " + llvm::Twine(padding.size()),
                     place);
  llvm::SmallVector<int64_t> amounts;
  for (auto [extent, amount] : llvm::zip_equal(shape, padding)) {
    auto [low, high] = amount;
    if (low < 0 || high < 0)
      return makeError("pad",
                       "expects padding of at least 0, but got " + llvm::Twine(low) + " and " +
                           llvm::Twine(high) + " for " + lazy::formatShape(getShape()),
                       place);
    int64_t padded;
    if (llvm::AddOverflow(extent.max, low, padded) || llvm::AddOverflow(padded, high, padded))
      return makeError("pad",
                       "padding of " + llvm::Twine(low) + " and " + llvm::Twine(high) + " for " +
                           lazy::formatShape(getShape()) + " is too large",
                       place);
    extent = extent + (low + high);
    amounts.push_back(low);
  }
  for (auto [low, high] : padding)
    amounts.push_back(high);
  if (llvm::all_of(amounts, [](int64_t amount) { return amount == 0; }))
    return separate(*this);
  if (!isValidShape(shape))
    return makeError("pad", "the shape " + lazy::formatShape(shape) + " is too large", place);
  return attempt("pad", place, [&] {
    NodeRef filler = value.getNodeOf(getDType());
    if (!filler->shape.empty())
      lazy::fail("expects a scalar to pad with, but got " + lazy::formatShape(filler->shape));
    return Tensor(makeNode(OpKind::Pad, getDType(), shape, {getNode(), filler}, amounts));
  });
}

llvm::Expected<Tensor> Tensor::tryShrink(llvm::ArrayRef<std::pair<int64_t, Extent>> ranges,
                                         Place place) const {
  Shape shape(getShape());
  if (ranges.size() != shape.size())
    return makeError("shrink",
                     "expects a range for each dimension of " + lazy::formatShape(shape) +
                         ", but got " + llvm::Twine(ranges.size()),
                     place);
  llvm::SmallVector<int64_t> begins;
  for (auto [extent, range] : llvm::zip_equal(shape, ranges)) {
    const auto &[begin, end] = range;
    // Whatever the variable is.
    bool isInside = extent.isStatic() || end.isStatic()
                        ? end.max <= extent.getMin()
                        : end.variable == extent.variable && end.scale == extent.scale &&
                              end.offset <= extent.offset;
    bool isRight = begin >= 0 && begin <= end.getMin() && isInside;
    if (!isRight)
      return makeError("shrink",
                       "expects ranges inside " + lazy::formatShape(getShape()) + ", but got [" +
                           llvm::Twine(begin) + ", " + llvm::Twine(end.max) + ")",
                       place);
    extent = end + -begin;
    begins.push_back(begin);
  }
  if (llvm::ArrayRef(shape) == getShape())
    return separate(*this);
  return Tensor(makeNode(OpKind::Shrink, getDType(), shape, getNode(), begins));
}

llvm::Expected<Tensor> Tensor::tryFlip(Axes axes, Place place) const {
  if (axes.empty())
    return separate(*this);
  auto normalized = normalizeAxes("flip", axes, getRank(), place);
  if (!normalized)
    return normalized.takeError();
  return Tensor(makeNode(OpKind::Flip, getDType(), getNode()->shape, getNode(), *normalized));
}

llvm::Expected<Tensor> Tensor::tryUnfold(int64_t axis, int64_t size, int64_t step, int64_t dilation,
                                         Place place) const {
  llvm::Expected<int64_t> position = normalizeAxis("unfold", axis, getRank(), place);
  if (!position)
    return position.takeError();
  Shape shape(getShape());
  Extent &extent = shape[*position];
  if (size < 1 || step < 1 || dilation < 1)
    return makeError("unfold",
                     "expects a size, step and dilation of at least 1, but got " +
                         llvm::Twine(size) + ", " + llvm::Twine(step) + " and " +
                         llvm::Twine(dilation),
                     place);
  int64_t span;
  if (!extent.isStatic() || llvm::MulOverflow(size - 1, dilation, span) || span >= extent.max)
    return makeError("unfold",
                     "expects a window inside axis " + llvm::Twine(*position) + " of " +
                         lazy::formatShape(getShape()) + ", but got one of " + llvm::Twine(size) +
                         " elements that are " + llvm::Twine(dilation) + " apart",
                     place);
  extent = Extent((extent.max - span - 1) / step + 1);
  shape.push_back(Extent(size));
  return Tensor(
      makeNode(OpKind::Unfold, getDType(), shape, getNode(), {*position, step, dilation}));
}

llvm::Expected<Tensor> Tensor::tryConcat(llvm::ArrayRef<Tensor> tensors, int64_t axis,
                                         Place place) {
  if (tensors.empty())
    return makeError("concat", "expects at least one tensor", place);
  Shape shape(tensors[0].getShape());
  llvm::Expected<int64_t> position = normalizeAxis("concat", axis, shape.size(), place);
  if (!position)
    return position.takeError();
  DType dtype = tensors[0].getDType();
  for (const Tensor &tensor : tensors.drop_front()) {
    dtype = promote(dtype, tensor.getDType());
    Shape other(tensor.getShape());
    bool isRight = other.size() == shape.size();
    for (size_t i = 0; isRight && i < shape.size(); ++i)
      isRight = int64_t(i) == *position || other[i] == shape[i];
    if (!isRight)
      return makeError("concat",
                       "expects shapes that are equal but for axis " + llvm::Twine(*position) +
                           ", but got " + formatShapes(tensors[0].getShape(), other),
                       place);
    std::optional<Extent> sum = shape[*position].add(other[*position]);
    if (!sum)
      return makeError("concat",
                       "expects at most one variable along axis " + llvm::Twine(*position) +
                           ", but got " + formatShapes(tensors[0].getShape(), other),
                       place);
    shape[*position] = *sum;
  }
  llvm::SmallVector<NodeRef> nodes;
  for (const Tensor &tensor : tensors)
    nodes.push_back(castTo(tensor.getNode(), dtype));
  if (nodes.size() == 1)
    return Tensor(nodes[0]);
  return Tensor(makeNode(OpKind::Concat, dtype, shape, nodes, *position));
}
