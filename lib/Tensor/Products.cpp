// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpBuilding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace pypto::lazy;

/// Whether all positions have numbers of 62 bits: they are in no memory.
static bool isCountable(llvm::ArrayRef<Extent> space) {
  int64_t count = 1;
  for (const Extent &extent : space)
    if (llvm::MulOverflow(count, std::max<int64_t>(extent.max, 1), count) || count >= int64_t(1)
                                                                                          << 62)
      return false;
  return true;
}

/// The sum over the last axis of a product, without that axis; narrow floats as wide ones.
static NodeRef contract(NodeRef a, NodeRef b, llvm::ArrayRef<int64_t> axes) {
  DType wide = getWide(a->dtype);
  NodeRef product = binary(OpKind::Mul, castTo(a, wide), castTo(b, wide));
  return dropAxes(reduce(OpKind::ReduceAdd, product, axes), axes);
}

/// The product of matrices, narrow floats as wide ones.
static llvm::Expected<Tensor> makeProduct(const Tensor &lhs, const Tensor &rhs, Place place) {
  auto fail = [&] {
    return makeError("matmul",
                     "expects shapes (…, m, k) and (…, k, n), but got " +
                         formatShape(lhs.getShape()) + " and " + formatShape(rhs.getShape()),
                     place);
  };
  if (lhs.getRank() == 0 || rhs.getRank() == 0)
    return fail();
  DType dtype = promote(lhs.getDType(), rhs.getDType());
  if (dtype == DType::Bool)
    return makeError("matmul", "expects numbers, but got bool", place);
  NodeRef a = castTo(lhs.getNode(), dtype), b = castTo(rhs.getNode(), dtype);
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
  // What is in memory has to be small enough; of the products all that counts is their number.
  llvm::ArrayRef result = llvm::ArrayRef(space).drop_back();
  if (!isValidShape(result))
    return makeError("matmul", "the shape " + formatShape(result) + " is too large", place);
  if (!isCountable(space))
    return makeError("matmul",
                     "too many products for shapes " + formatShape(lhs.getShape()) + " and " +
                         formatShape(rhs.getShape()),
                     place);
  NodeRef product = contract(broadcastTo(a, space), broadcastTo(b, space), space.size() - 1);
  llvm::SmallVector<int64_t> dropped;
  if (lhs.getRank() == 1)
    dropped.push_back(product->shape.size() - 2);
  if (rhs.getRank() == 1)
    dropped.push_back(product->shape.size() - 1);
  return Tensor(dropAxes(product, dropped));
}

llvm::Expected<Tensor> Tensor::tryMatmul(const Tensor &other, Place place) const {
  llvm::Expected<Tensor> product = makeProduct(*this, other, place);
  if (!product)
    return product.takeError();
  return product->cast(promote(getDType(), other.getDType()));
}

Tensor pypto::lazy::multiplyWide(const Tensor &a, const Tensor &b) {
  return unwrap(makeProduct(a, b, Place::current()));
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
    NodeRef sum = contract(castTo(getNode(), dtype), castTo(other.getNode(), dtype), 0);
    return Tensor(castTo(sum, dtype));
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
  /// One for each axis. Those that dots stand for have letters that nobody writes.
  std::vector<std::string> letters;
  std::string result;
  /// The letters of the result, then those that are summed over.
  std::string space;
  Shape extents;
};
} // namespace

static constexpr llvm::StringLiteral kDots = "...";

/// The letters of `count` axes that dots stand for. They are aligned at the last one.
static std::string getDotLetters(int64_t count) {
  std::string letters;
  for (int64_t i = count; i > 0; --i)
    letters.push_back(static_cast<char>(i));
  return letters;
}

/// `text` with a letter for each axis of a tensor of this rank; the most axes that dots stood for.
static std::string expandDots(llvm::StringRef text, const Tensor &tensor, int64_t &most) {
  auto [front, back] = text.split(kDots);
  int64_t written = front.size() + back.size(), rank = tensor.getRank();
  bool hasDots = text.contains(kDots);
  for (char letter : llvm::concat<const char>(front, back))
    if (!llvm::isAlpha(letter))
      fail("expects letters, but got '" + text + "'");
  if (hasDots ? written > rank : written != rank)
    fail("expects " + llvm::Twine(rank) + " letters for shape " + formatShape(tensor.getShape()) +
         ", but got '" + text + "'");
  if (!hasDots)
    return text.str();
  if (rank - written > 30)
    fail("expects dots for at most 30 axes, but got " + formatShape(tensor.getShape()));
  most = std::max(most, rank - written);
  return front.str() + getDotLetters(rank - written) + back.str();
}

/// Without an arrow: what dots stand for, then the letters that occur once, in alphabetical order.
static std::string getImplicitResult(llvm::StringRef inputs, int64_t numDots) {
  std::string result;
  for (char letter : inputs)
    if (llvm::isAlpha(letter) && inputs.count(letter) == 1)
      result.push_back(letter);
  llvm::sort(result);
  return getDotLetters(numDots) + result;
}

static std::string expandResult(llvm::StringRef text, int64_t numDots) {
  auto [front, back] = text.split(kDots);
  if (numDots > 0 && !text.contains(kDots))
    fail("expects dots in the result, but got '" + text + "'");
  return front.str() + getDotLetters(text.contains(kDots) ? numDots : 0) + back.str();
}

/// Notes the extents of a tensor; those of one are repeated.
static void addExtents(Contraction &c, llvm::StringRef letters, llvm::ArrayRef<Extent> shape) {
  for (auto [letter, extent] : llvm::zip_equal(letters, shape)) {
    size_t position = c.space.find(letter);
    if (position == std::string::npos) {
      position = c.space.size();
      c.space.push_back(letter);
      c.extents.push_back(Extent(-1));
    }
    Extent &known = c.extents[position];
    if (known == Extent(-1) || known == Extent(1))
      known = extent;
    else if (known != extent && extent != Extent(1))
      fail("expects one extent for '" +
           (llvm::isAlpha(letter) ? llvm::Twine(letter) : llvm::Twine(kDots)) + "', but got " +
           formatShape(known) + " and " + formatShape(extent));
  }
}

static Contraction parseFormula(llvm::StringRef formula, llvm::ArrayRef<Tensor> tensors) {
  auto [inputs, result] = formula.split("->");
  llvm::SmallVector<llvm::StringRef> parts;
  inputs.split(parts, ',');
  if (tensors.empty() || parts.size() != tensors.size())
    fail("expects letters for each of " + llvm::Twine(tensors.size()) + " tensors");
  Contraction c;
  int64_t numDots = 0;
  for (auto [text, tensor] : llvm::zip_equal(parts, tensors))
    c.letters.push_back(expandDots(text, tensor, numDots));
  c.result =
      formula.contains("->") ? expandResult(result, numDots) : getImplicitResult(inputs, numDots);
  c.space = c.result;
  c.extents.assign(c.space.size(), Extent(-1));
  for (auto [letters, tensor] : llvm::zip_equal(c.letters, tensors)) {
    c.tensors.push_back(takeDiagonals(tensor, letters));
    addExtents(c, letters, c.tensors.back().getShape());
  }
  for (auto [letter, extent] : llvm::zip_equal(c.space, c.extents))
    if (extent == Extent(-1) || llvm::StringRef(c.result).count(letter) > 1)
      fail("expects each letter of the result once, and in a tensor; got '" + result + "'");
  expectShape(llvm::ArrayRef(c.extents).take_front(c.result.size()));
  if (!isCountable(c.extents))
    fail("too many products");
  return c;
}

static Tensor contractTensors(const Contraction &c) {
  DType dtype = c.tensors[0].getDType();
  for (const Tensor &tensor : c.tensors)
    dtype = promote(dtype, tensor.getDType());
  if (dtype == DType::Bool)
    fail("expects numbers, but got bool");
  // One factor is moved only, two are rounded once.
  bool isOne = c.space.size() == c.result.size() && c.tensors.size() <= 2;
  DType wide = isOne ? dtype : getWide(dtype);
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
  std::string text;
  llvm::copy_if(formula, std::back_inserter(text), [](char letter) { return letter != ' '; });
  try {
    return separate(contractTensors(parseFormula(text, tensors)));
  } catch (const TensorException &exception) {
    return makeError("einsum", exception.getReason() + " in '" + formula + "'", place);
  }
}
