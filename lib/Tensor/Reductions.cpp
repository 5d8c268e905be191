// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpBuilding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace pypto::lazy;

static llvm::Expected<Tensor> makeReduction(const Tensor &tensor, llvm::StringRef name, OpKind op,
                                            llvm::ArrayRef<int64_t> axes, bool keepDims,
                                            bool needsElements, Place place) {
  auto normalized = normalizeAxes(name, axes, tensor.getRank(), place);
  if (!normalized)
    return normalized.takeError();
  for (int64_t axis : *normalized)
    if (needsElements && tensor.getShape()[axis].max == 0)
      return makeError(name,
                       "expects elements along axis " + llvm::Twine(axis) + ", but got " +
                           formatShape(tensor.getShape()),
                       place);
  NodeRef node = tensor.getNode();
  DType dtype = node->dtype;
  // Counting bools is counting. Narrow floats are summed in a wide one, and compared in it: that is
  // the same, and faster.
  if (dtype == DType::Bool && (op == OpKind::ReduceAdd || op == OpKind::ReduceMul))
    node = castTo(node, dtype = DType::I64);
  else if (dtype == DType::F16 || dtype == DType::BF16)
    node = castTo(node, DType::F32);
  node = castTo(reduce(op, node, *normalized), dtype);
  return Tensor(keepDims ? node : dropAxes(node, *normalized));
}

#define REDUCTION(TRY, NAME, OP, NEEDS_ELEMENTS)                                                   \
  llvm::Expected<Tensor> Tensor::try##TRY(Axes axes, bool keepDims, Place place) const {           \
    return makeReduction(*this, NAME, OP, axes, keepDims, NEEDS_ELEMENTS, place);                  \
  }
REDUCTION(Sum, "sum", OpKind::ReduceAdd, false)
REDUCTION(Prod, "prod", OpKind::ReduceMul, false)
REDUCTION(Max, "max", OpKind::ReduceMax, true)
REDUCTION(Min, "min", OpKind::ReduceMin, true)
#undef REDUCTION

llvm::Expected<Tensor> Tensor::tryAll(Axes axes, bool keepDims, Place place) const {
  if (getDType() != DType::Bool)
    return makeError("all", "expects bools, but got " + stringifyDType(getDType()), place);
  return makeReduction(*this, "all", OpKind::ReduceMin, axes, keepDims, false, place);
}

llvm::Expected<Tensor> Tensor::tryAny(Axes axes, bool keepDims, Place place) const {
  if (getDType() != DType::Bool)
    return makeError("any", "expects bools, but got " + stringifyDType(getDType()), place);
  return makeReduction(*this, "any", OpKind::ReduceMax, axes, keepDims, false, place);
}

Tensor pypto::lazy::maxOrLeast(const Tensor &floats, llvm::ArrayRef<int64_t> axes) {
  return unwrap(makeReduction(floats, "max", OpKind::ReduceMax, axes, /*keepDims=*/true,
                              /*needsElements=*/false, Place::current()));
}

/// How many elements a reduction over `axes` takes, as a scalar of `dtype`.
static Tensor countReduced(const Tensor &tensor, llvm::ArrayRef<int64_t> axes, DType dtype) {
  int64_t count = 1;
  Shape variables;
  for (int64_t axis : unwrap(normalizeAxes("", axes, tensor.getRank(), Place::current()))) {
    const Extent &extent = tensor.getShape()[axis];
    if (extent.isStatic())
      count *= extent.max;
    else
      variables.push_back(extent);
  }
  Tensor result(makeConstant(static_cast<double>(count), dtype));
  // A variable is counted by a sum of ones.
  if (!variables.empty())
    return result * Tensor::ones(variables, dtype).sum();
  return result;
}

/// A statistic, which is a float: of integers and bools f32.
template <typename Build>
static llvm::Expected<Tensor> makeStatistic(llvm::StringRef name, const Tensor &tensor, Place place,
                                            Build build) {
  DType dtype = isFloat(tensor.getDType()) ? tensor.getDType() : DType::F32;
  return computeWide(name, dtype, place, [&](DType wide) { return build(tensor.cast(wide)); });
}

llvm::Expected<Tensor> Tensor::tryMean(Axes axes, bool keepDims, Place place) const {
  return makeStatistic("mean", *this, place, [&](const Tensor &x) {
    return x.sum(axes, keepDims) / countReduced(x, axes, x.getDType());
  });
}

llvm::Expected<Tensor> Tensor::tryVariance(Axes axes, bool keepDims, int64_t correction,
                                           Place place) const {
  return makeStatistic("variance", *this, place, [&](const Tensor &x) {
    Tensor squares = (x - x.mean(axes, /*keepDims=*/true)).square();
    if (correction == 0)
      return squares.mean(axes, keepDims);
    Tensor count = countReduced(x, axes, x.getDType());
    return squares.sum(axes, keepDims) / (count - static_cast<double>(correction)).maximum(0);
  });
}

llvm::Expected<Tensor> Tensor::tryStddev(Axes axes, bool keepDims, int64_t correction,
                                         Place place) const {
  return makeStatistic("stddev", *this, place, [&](const Tensor &x) {
    return x.variance(axes, keepDims, correction).sqrt();
  });
}

llvm::Expected<Tensor> Tensor::tryLogSumExp(Axes axes, bool keepDims, Place place) const {
  return computeWide("logSumExp", *this, place, [&](const Tensor &x) {
    Tensor greatest = maxOrLeast(x, axes);
    // An infinity is the result: nothing is left of it in a difference.
    Tensor shift = greatest.isInf().where(0.0, greatest);
    Tensor result = (x - shift).exp().sum(axes, /*keepDims=*/true).log() + shift;
    if (keepDims)
      return result;
    return Tensor(dropAxes(result.getNode(), unwrap(normalizeAxes("", axes, getRank(), place))));
  });
}

llvm::Expected<Tensor> Tensor::tryNorm(Axes axes, bool keepDims, Place place) const {
  return makeStatistic("norm", *this, place,
                       [&](const Tensor &x) { return x.square().sum(axes, keepDims).sqrt(); });
}

llvm::Expected<Tensor> Tensor::tryCountNonZero(Axes axes, bool keepDims, Place place) const {
  return attempt("countNonZero", place, [&] {
    Tensor isCounted = getDType() == DType::Bool ? *this : notEqual(0);
    return isCounted.sum(axes, keepDims);
  });
}

static llvm::Expected<Tensor> makeArg(const Tensor &tensor, llvm::StringRef name, OpKind op,
                                      int64_t axis, bool keepDims, Place place) {
  return attempt(name, place, [&] {
    int64_t position = getAxis(axis, tensor.getRank());
    Shape shape(tensor.getShape());
    if (shape[position].max == 0)
      fail("expects elements along axis " + llvm::Twine(position) + ", but got " +
           formatShape(tensor.getShape()));
    shape[position] = Extent(1);
    NodeRef node = makeNode(op, DType::I64, shape, tensor.getNode(), position);
    return Tensor(keepDims ? node : dropAxes(node, position));
  });
}

llvm::Expected<Tensor> Tensor::tryArgMax(int64_t axis, bool keepDims, Place place) const {
  return makeArg(*this, "argMax", OpKind::ArgMax, axis, keepDims, place);
}
llvm::Expected<Tensor> Tensor::tryArgMin(int64_t axis, bool keepDims, Place place) const {
  return makeArg(*this, "argMin", OpKind::ArgMin, axis, keepDims, place);
}

//===- Scans --------------------------------------------------------------------------------===//

static Tensor makeScan(const Tensor &tensor, OpKind op, int64_t axis) {
  int64_t position = getAxis(axis, tensor.getRank());
  bool isCount = op == OpKind::ScanAdd || op == OpKind::ScanMul;
  DType dtype = tensor.getDType(), wide = dtype;
  if (isCount)
    wide = dtype == DType::Bool ? DType::I64 : getWide(dtype);
  NodeRef node = castTo(tensor.getNode(), wide);
  node = makeNode(op, wide, node->shape, node, position);
  return Tensor(dtype == DType::Bool ? node : castTo(node, dtype));
}

#define SCAN(TRY, NAME, OP)                                                                        \
  llvm::Expected<Tensor> Tensor::try##TRY(int64_t axis, Place place) const {                       \
    return attempt(NAME, place, [&] { return makeScan(*this, OP, axis); });                        \
  }
SCAN(CumSum, "cumSum", OpKind::ScanAdd)
SCAN(CumProd, "cumProd", OpKind::ScanMul)
SCAN(CumMax, "cumMax", OpKind::ScanMax)
SCAN(CumMin, "cumMin", OpKind::ScanMin)
#undef SCAN
