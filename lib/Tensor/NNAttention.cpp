// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpBuilding.h"
#include "pypto/Tensor/NN.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace pypto;
using namespace pypto::lazy;
using nn::MaybeTensor;

llvm::Expected<Tensor> nn::tryLinear(const Tensor &x, const Tensor &weight, const MaybeTensor &bias,
                                     Place place) {
  return attempt("linear", place, [&] {
    if (x.getRank() < 1 || weight.getRank() != 2 || x.getShape().back() != weight.getShape()[1])
      fail("expects shapes (…, in) and (out, in), but got " + formatShape(x.getShape()) + " and " +
           formatShape(weight.getShape()));
    if (bias && (bias->getRank() != 1 || bias->getShape()[0] != weight.getShape()[0]))
      fail("expects a bias for each row of a weight " + formatShape(weight.getShape()) +
           ", but got " + formatShape(bias->getShape()));
    DType product = promote(x.getDType(), weight.getDType());
    Tensor result = multiplyWide(x, weight.transpose());
    if (bias)
      return (result + *bias).cast(promote(product, bias->getDType()));
    return result.cast(product);
  });
}

llvm::Expected<Tensor> nn::tryEmbedding(const Tensor &indices, const Tensor &table, Place place) {
  return attempt("embedding", place, [&] {
    if (table.getRank() != 2)
      fail("expects a table (count, size), but got " + formatShape(table.getShape()));
    return table.take(indices);
  });
}

/// How many heads of queries each head of keys or values serves.
static int64_t getGroup(const Tensor &tensor, const Tensor &query) {
  if (query.getRank() < 3 || tensor.getRank() < 3)
    return 1;
  Extent heads = tensor.getShape()[tensor.getRank() - 3];
  Extent wanted = query.getShape()[query.getRank() - 3];
  if (heads == wanted || heads == Extent(1) || !heads.isStatic() || !wanted.isStatic())
    return 1;
  if (heads.max == 0 || wanted.max % heads.max != 0)
    fail("expects heads of which each serves several, but got " + formatShape(query.getShape()) +
         " and " + formatShape(tensor.getShape()));
  return wanted.max / heads.max;
}

/// (…, heads, n, size) as (…, heads / group, group, n, size).
static Tensor splitHeads(const Tensor &tensor, int64_t group) {
  Shape shape(tensor.getShape());
  size_t axis = shape.size() - 3;
  shape[axis] = shape[axis].max / group;
  shape.insert(shape.begin() + axis + 1, Extent(group));
  return tensor.reshape(shape);
}

/// Heads of keys or values as often as those of queries want them.
static Tensor repeatHeads(const Tensor &tensor, const Tensor &query) {
  int64_t group = getGroup(tensor, query);
  return group == 1 ? tensor : tensor.repeatInterleave(group, tensor.getRank() - 3);
}

/// Scores as a mask of the user has them.
static Tensor maskScores(const Tensor &scores, const MaybeTensor &mask) {
  if (!mask)
    return scores;
  if (mask->getDType() != DType::Bool)
    expectFloats(*mask);
  Tensor seen = mask->expand(Shape(scores.getShape()));
  return mask->getDType() == DType::Bool ? seen.where(scores, -HUGE_VAL)
                                         : scores + seen.cast(scores.getDType());
}

/// Which keys a query sees: those up to its own position. The last query sees everything.
static Tensor getCausalMask(const Shape &shape) {
  Extent queries = shape[shape.size() - 2], keys = shape.back();
  int64_t offset = queries.isStatic() && keys.isStatic() ? keys.max - queries.max : 0;
  return Tensor::iota(shape, -1).lessEqual(Tensor::iota(shape, -2) + offset);
}

/// weights @ values, in which pairs that are not seen have no part: it does not matter what they
/// are.
static Tensor multiplySeen(const Tensor &weights, const Tensor &values, const MaybeTensor &seen) {
  if (!seen)
    return weights.matmul(values);
  Tensor products = weights.unsqueeze(-2) * values.transpose().unsqueeze(-3);
  return seen->unsqueeze(-2).expand(Shape(products.getShape())).where(products, 0).sum({-1});
}

/// The average of values, weighed by the exponentials of scores.
static Tensor weigh(Tensor scores, const Tensor &values, bool isCausal) {
  MaybeTensor seen;
  if (isCausal) {
    seen = getCausalMask(Shape(scores.getShape()));
    scores = seen->where(scores, -HUGE_VAL);
  }
  // At most one in all, so that no sum of values overflows: a power of two rounds nothing.
  int64_t keys = std::max<int64_t>(scores.getShape().back().max, 1);
  double share = std::ldexp(1.0, -static_cast<int>(llvm::Log2_64_Ceil(keys)));
  Tensor powers = (scores - scores.max({-1}, true)).exp() * share;
  if (seen)
    powers = seen->where(powers, 0);
  // One division a row, behind the product.
  return (1.0 / powers.sum({-1}, true)) * multiplySeen(powers, values, seen);
}

/// Attention of heads that all have keys and values of their own, or share those of dimension 1.
static Tensor attend(const Tensor &query, const Tensor &key, const Tensor &value,
                     const MaybeTensor &mask, double scale, bool isCausal) {
  DType dtype = promote(promote(query.getDType(), key.getDType()), value.getDType());
  DType wide = getWide(dtype);
  Tensor scores = query.cast(wide).matmul(key.cast(wide).transpose()) * scale;
  return weigh(maskScores(scores, mask), value.cast(wide), isCausal).cast(dtype);
}

/// Attention of heads of which `group` share keys and values: these are a dimension of their own,
/// or, of one query each, the rows of a product.
static Tensor attendGroups(const Tensor &query, const Tensor &key, const Tensor &value,
                           MaybeTensor mask, double scale, bool isCausal, int64_t group) {
  Tensor split = splitHeads(query, group);
  int64_t numHeads = query.getShape()[query.getRank() - 3].max;
  if (!mask && split.getShape()[split.getRank() - 2] == Extent(1)) {
    Tensor result = attend(split.squeeze(-2), key, value, mask, scale, isCausal);
    Shape shape(result.getShape());
    shape[shape.size() - 3] = numHeads;
    shape[shape.size() - 2] = 1;
    return result.reshape(shape);
  }
  if (mask && mask->getRank() >= 3)
    mask = mask->getShape()[mask->getRank() - 3] == Extent(numHeads) ? splitHeads(*mask, group)
                                                                     : mask->unsqueeze(-4);
  Tensor result = attend(split, key.unsqueeze(-3), value.unsqueeze(-3), mask, scale, isCausal);
  Shape shape(result.getShape());
  shape.erase(shape.end() - 4);
  shape[shape.size() - 3] = numHeads;
  return result.reshape(shape);
}

llvm::Expected<Tensor> nn::tryAttention(const Tensor &query, const Tensor &key, const Tensor &value,
                                        const AttentionOptions &options, Place place) {
  return attempt("attention", place, [&] {
    auto isRight = [](const Tensor &tensor) { return tensor.getRank() >= 2; };
    if (!isRight(query) || !isRight(key) || !isRight(value) ||
        query.getShape().back() != key.getShape().back() || !query.getShape().back().isStatic() ||
        key.getShape()[key.getRank() - 2] != value.getShape()[value.getRank() - 2])
      fail("expects shapes (…, n, size), (…, m, size) and (…, m, out), but got " +
           formatShape(query.getShape()) + ", " + formatShape(key.getShape()) + " and " +
           formatShape(value.getShape()));
    for (const Tensor *tensor : {&query, &key, &value})
      expectFloats(*tensor);
    double size = static_cast<double>(query.getShape().back().max);
    double scale = options.scale.value_or(size > 0 ? 1 / std::sqrt(size) : 1);
    // The last query sees everything.
    bool isCausal = options.isCausal && query.getShape()[query.getRank() - 2] != Extent(1);
    int64_t group = getGroup(key, query);
    if (group > 1 && group == getGroup(value, query))
      return attendGroups(query, key, value, options.mask, scale, isCausal, group);
    return attend(query, repeatHeads(key, query), repeatHeads(value, query), options.mask, scale,
                  isCausal);
  });
}

llvm::Expected<Tensor> nn::tryRotary(const Tensor &x, int64_t offset, double base, Place place) {
  return attempt("rotary", place, [&] {
    expectFloats(x);
    if (x.getRank() < 2 || getStatic(x, x.getRank() - 1) % 2 != 0)
      fail("expects shape (…, n, size) with an even size, but got " + formatShape(x.getShape()));
    if (!(base > 0))
      fail("expects a base greater than 0, but got " + formatNumber(base));
    int64_t size = x.getShape().back().max, half = size / 2;
    DType wide = getWide(x.getDType());
    Tensor first = x.slice(-1, 0, half).cast(wide), second = x.slice(-1, half, size).cast(wide);
    Shape line{x.getShape()[x.getRank() - 2], Extent(half)};
    Tensor rate = (Tensor::iota(line, 1, wide) * (-2 * std::log(base) / size)).exp();
    Tensor angle = (Tensor::iota(line, 0, wide) + static_cast<double>(offset)) * rate;
    Tensor cosine = angle.cos(), sine = angle.sin();
    return Tensor::concat({first * cosine - second * sine, second * cosine + first * sine}, -1)
        .cast(x.getDType());
  });
}
