// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpBuilding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace pypto::lazy;

/// The sum over the last axis of a product, without that axis.
static NodeRef contract(NodeRef a, NodeRef b, llvm::ArrayRef<int64_t> axes) {
  DType dtype = a->dtype;
  DType wide = dtype == DType::F16 || dtype == DType::BF16 ? DType::F32 : dtype;
  NodeRef product = binary(OpKind::Mul, castTo(a, wide), castTo(b, wide));
  return castTo(dropAxes(reduce(OpKind::ReduceAdd, product, axes), axes), dtype);
}

llvm::Expected<Tensor> Tensor::tryMatmul(const Tensor &other, Place place) const {
  auto fail = [&] {
    return makeError("matmul",
                     "expects shapes (…, m, k) and (…, k, n), but got " +
                         lazy::formatShape(getShape()) + " and " +
                         lazy::formatShape(other.getShape()),
                     place);
  };
  if (getRank() == 0 || other.getRank() == 0)
    return fail();
  DType dtype = promote(getDType(), other.getDType());
  if (dtype == DType::Bool)
    return makeError("matmul", "expects numbers, but got bool", place);
  NodeRef a = castTo(getNode(), dtype), b = castTo(other.getNode(), dtype);
  // A vector is a row on the left, a column on the right; its dimension vanishes again.
  Shape left(a->shape), right(b->shape);
  if (left.size() == 1)
    left.insert(left.begin(), Extent(1));
  if (right.size() == 1)
    right.push_back(Extent(1));
  Extent m = left[left.size() - 2], k = left.back(), n = right.back();
  if (k != right[right.size() - 2])
    return fail();
  llvm::Expected<Shape> batch = broadcastShapes("matmul", llvm::ArrayRef(left).drop_back(2),
                                                llvm::ArrayRef(right).drop_back(2), place);
  if (!batch) {
    llvm::consumeError(batch.takeError());
    return fail();
  }
  // (…, m, 1, k) * (…, 1, n, k), summed over k.
  Shape spaced = left;
  spaced.insert(spaced.end() - 1, Extent(1));
  a = reshapeTo(a, spaced);
  auto swapped = llvm::to_vector(llvm::seq<int64_t>(0, right.size()));
  std::swap(swapped[right.size() - 1], swapped[right.size() - 2]);
  b = permuteTo(reshapeTo(b, right), swapped);
  spaced = b->shape;
  spaced.insert(spaced.end() - 2, Extent(1));
  b = reshapeTo(b, spaced);
  Shape space = *batch;
  llvm::append_values(space, m, n, k);
  if (!isValidShape(space))
    return makeError("matmul", "the shape " + lazy::formatShape(space) + " is too large", place);
  NodeRef product = contract(broadcastTo(a, space), broadcastTo(b, space), space.size() - 1);
  llvm::SmallVector<int64_t> dropped;
  if (getRank() == 1)
    dropped.push_back(product->shape.size() - 2);
  if (other.getRank() == 1)
    dropped.push_back(product->shape.size() - 1);
  return Tensor(dropAxes(product, dropped));
}

static void expectVectors(const Tensor &a, const Tensor &b) {
  if (a.getRank() != 1 || b.getRank() != 1)
    fail("expects two vectors, but got " + formatShape(a.getShape()) + " and " +
         formatShape(b.getShape()));
}

llvm::Expected<Tensor> Tensor::tryDot(const Tensor &other, Place place) const {
  return attempt("dot", place, [&] {
    expectVectors(*this, other);
    if (getShape() != other.getShape())
      fail("expects vectors of one length, but got " + lazy::formatShape(getShape()) + " and " +
           lazy::formatShape(other.getShape()));
    DType dtype = promote(getDType(), other.getDType());
    return Tensor(contract(castTo(getNode(), dtype), castTo(other.getNode(), dtype), 0));
  });
}

llvm::Expected<Tensor> Tensor::tryOuter(const Tensor &other, Place place) const {
  return attempt("outer", place, [&] {
    expectVectors(*this, other);
    return unsqueeze(1) * other.unsqueeze(0);
  });
}

//===- Einsum -------------------------------------------------------------------------------===//

/// `node` over all letters in `space`: permuted, repeated along those that it lacks.
static NodeRef spread(NodeRef node, llvm::StringRef letters, llvm::StringRef space,
                      const Shape &extents) {
  llvm::SmallVector<int64_t> order;
  Shape spaced;
  for (char letter : space) {
    size_t position = letters.find(letter);
    spaced.push_back(position == llvm::StringRef::npos ? Extent(1) : node->shape[position]);
    if (position != llvm::StringRef::npos)
      order.push_back(position);
  }
  return broadcastTo(reshapeTo(permuteTo(node, order), spaced), extents);
}

/// Takes diagonals until each letter is there once.
static Tensor takeDiagonals(Tensor tensor, std::string &letters) {
  for (size_t i = 0; i < letters.size(); ++i) {
    size_t other = letters.find(letters[i], i + 1);
    if (other == std::string::npos)
      continue;
    if (tensor.getShape()[i] != tensor.getShape()[other])
      fail("expects one extent for '" + llvm::Twine(letters[i]) + "', but got " +
           formatShape(tensor.getShape()));
    char letter = letters[i];
    // The axis in front moves last when the one behind it is there.
    tensor = tensor.moveAxis(other, -1).moveAxis(i, -2).diagonal();
    letters.erase(other, 1);
    letters.erase(i, 1);
    letters.push_back(letter);
    --i;
  }
  return tensor;
}

namespace {
/// A formula and its tensors, checked.
struct Contraction {
  std::vector<Tensor> tensors;
  std::vector<std::string> letters;
  std::string result;
  /// The letters of the result, then those that are summed over.
  std::string space;
  Shape extents;
};
} // namespace

/// Without an arrow: the letters that occur once, in alphabetical order.
static std::string getImplicitResult(llvm::StringRef inputs) {
  std::string result;
  for (char letter : inputs)
    if (llvm::isAlpha(letter) && inputs.count(letter) == 1)
      result.push_back(letter);
  llvm::sort(result);
  return result;
}

static Contraction parseFormula(llvm::StringRef formula, llvm::ArrayRef<Tensor> tensors) {
  auto [inputs, result] = formula.split("->");
  llvm::SmallVector<llvm::StringRef> parts;
  inputs.split(parts, ',');
  if (tensors.empty() || parts.size() != tensors.size())
    fail("expects letters for each of " + llvm::Twine(tensors.size()) + " tensors");
  Contraction c;
  c.result = formula.contains("->") ? result.str() : getImplicitResult(inputs);
  c.space = c.result;
  c.extents.assign(c.space.size(), Extent(-1));
  for (auto [letters, tensor] : llvm::zip_equal(parts, tensors)) {
    if (static_cast<int64_t>(letters.size()) != tensor.getRank())
      fail("expects " + llvm::Twine(tensor.getRank()) + " letters for shape " +
           formatShape(tensor.getShape()) + ", but got '" + letters + "'");
    if (!llvm::all_of(letters, llvm::isAlpha))
      fail("expects letters, but got '" + letters + "'");
    c.letters.push_back(letters.str());
    c.tensors.push_back(takeDiagonals(tensor, c.letters.back()));
    for (auto [letter, extent] : llvm::zip_equal(c.letters.back(), c.tensors.back().getShape())) {
      size_t position = c.space.find(letter);
      if (position == std::string::npos) {
        position = c.space.size();
        c.space.push_back(letter);
        c.extents.push_back(Extent(-1));
      }
      Extent &known = c.extents[position];
      if (known != Extent(-1) && known != extent)
        fail("expects one extent for '" + llvm::Twine(letter) + "', but got " + formatShape(known) +
             " and " + formatShape(extent));
      known = extent;
    }
  }
  for (auto [letter, extent] : llvm::zip_equal(c.space, c.extents))
    if (extent == Extent(-1) || llvm::StringRef(c.result).count(letter) > 1)
      fail("expects each letter of the result once, and in a tensor; got '" + c.result + "'");
  expectShape(c.extents);
  return c;
}

static Tensor contractTensors(const Contraction &c) {
  DType dtype = c.tensors[0].getDType();
  for (const Tensor &tensor : c.tensors)
    dtype = promote(dtype, tensor.getDType());
  if (dtype == DType::Bool)
    fail("expects numbers, but got bool");
  DType wide = c.space.size() > c.result.size() ? getWide(dtype) : dtype;
  NodeRef product;
  for (auto [letters, tensor] : llvm::zip_equal(c.letters, c.tensors)) {
    NodeRef factor =
        spread(castTo(castTo(tensor.getNode(), dtype), wide), letters, c.space, c.extents);
    product = product ? binary(OpKind::Mul, product, factor) : factor;
  }
  auto axes = llvm::to_vector(llvm::seq<int64_t>(c.result.size(), c.space.size()));
  return Tensor(castTo(dropAxes(reduce(OpKind::ReduceAdd, product, axes), axes), dtype));
}

llvm::Expected<Tensor> Tensor::tryEinsum(llvm::StringRef formula, llvm::ArrayRef<Tensor> tensors,
                                         Place place) {
  try {
    return contractTensors(parseFormula(formula, tensors));
  } catch (const TensorException &exception) {
    return makeError("einsum", exception.getReason() + " in '" + formula + "'", place);
  }
}
