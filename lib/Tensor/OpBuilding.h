// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the operations of lazy tensors are made of.
#ifndef PYPTO_LIB_TENSOR_OPBUILDING_H
#define PYPTO_LIB_TENSOR_OPBUILDING_H

#include "pypto/Tensor/Tensor.h"

#include <shared_mutex>

namespace pypto::lazy {

/// An error of `op`.
llvm::Error makeError(llvm::StringRef op, const llvm::Twine &reason, Place place);
/// Throws what is wrong with an operation that `attempt` builds.
[[noreturn]] void fail(const llvm::Twine &reason);

/// A handle of its own to the node of `tensor`: to assign to a result does not change the operand,
/// even if both have the same elements.
inline Tensor separate(const Tensor &tensor) { return Tensor(tensor.getNode()); }
inline std::vector<Tensor> separate(std::vector<Tensor> tensors) {
  for (Tensor &tensor : tensors)
    tensor = Tensor(tensor.getNode());
  return tensors;
}

/// What `build` returns, as handles of their own. It may use forms of operations that throw: their
/// errors become errors of `op`, which the user wrote at `place`.
template <typename Build>
auto attempt(llvm::StringRef op, Place place, Build build) -> llvm::Expected<decltype(build())> {
  try {
    return separate(build());
  } catch (const TensorException &exception) {
    return makeError(op, exception.getReason(), place);
  }
}

/// A number in the text of an error.
std::string formatNumber(double value);

/// Throws unless the elements are right.
void expectFloats(const Tensor &tensor);
void expectIntegers(const Tensor &tensor);
void expectBools(const Tensor &tensor);
void expectNumbers(const Tensor &tensor);
/// Throws if there is no such shape.
void expectShape(llvm::ArrayRef<Extent> shape);
/// `axis` counted from the front; throws.
int64_t getAxis(int64_t axis, int64_t rank);
/// An extent that has to be a number to be used so.
int64_t getStatic(const Tensor &tensor, int64_t axis);
/// f16 and bf16 as f32, in which they are computed.
DType getWide(DType dtype);

/// An operation that is made of others: all of them compute in a wide type, and what they give is
/// rounded to `dtype` once. Results that are no floats, such as bools, stay as they are.
template <typename Build>
llvm::Expected<Tensor> computeWide(llvm::StringRef op, DType dtype, Place place, Build build) {
  return attempt(op, place, [&] {
    Tensor result = build(getWide(dtype));
    return isFloat(result.getDType()) ? result.cast(dtype) : result;
  });
}
/// The same of a tensor, which has to have floats; `build` gets it in the wide type.
template <typename Build>
llvm::Expected<Tensor> computeWide(llvm::StringRef op, const Tensor &tensor, Place place,
                                   Build build) {
  return computeWide(op, tensor.getDType(), place, [&](DType wide) {
    expectFloats(tensor);
    return build(tensor.cast(wide));
  });
}

NodeRef makeConstant(double value, DType dtype);
NodeRef makeIntegerConstant(int64_t value, DType dtype);
NodeRef makeIntegerConstant(WholeNumber value, DType dtype);
bool fitsIn(WholeNumber value, DType dtype);
/// Nothing if `value` has a fraction, or more than 64 bits.
std::optional<WholeNumber> findWhole(double value);
/// The greatest number of a type; the least one.
WholeNumber getGreatest(DType integers);
WholeNumber getLeast(DType integers);
double getGreatestFinite(DType floats);
/// The value of a constant, whatever its type; exact for integers up to 2^53.
double getConstantValue(const Node &constant);

/// `axis` counted from the front, or an error.
llvm::Expected<int64_t> normalizeAxis(llvm::StringRef op, int64_t axis, int64_t rank, Place place);
/// `axes`, each once and sorted; all if there are none.
llvm::Expected<llvm::SmallVector<int64_t>>
normalizeAxes(llvm::StringRef op, llvm::ArrayRef<int64_t> axes, int64_t rank, Place place);
/// The shape to which both broadcast, as in NumPy.
llvm::Expected<Shape> broadcastShapes(llvm::StringRef op, llvm::ArrayRef<Extent> a,
                                      llvm::ArrayRef<Extent> b, Place place);

/// The node of which `node` is a reshape, or itself, if it is in memory; else null.
NodeRef findBase(NodeRef node);
/// Held, but not alone, while memory is read; alone while an assignment moves it.
std::shared_mutex &getAssignMutex();

// These expect what they are given to be right.
NodeRef castTo(NodeRef node, DType dtype);
NodeRef broadcastTo(NodeRef node, const Shape &shape);
NodeRef reshapeTo(NodeRef node, const Shape &shape);
NodeRef permuteTo(NodeRef node, llvm::ArrayRef<int64_t> permutation);
NodeRef unary(OpKind op, NodeRef node);
NodeRef binary(OpKind op, NodeRef a, NodeRef b);
/// The axes stay as extents of one.
NodeRef reduce(OpKind op, NodeRef node, llvm::ArrayRef<int64_t> axes);
/// The greatest elements, minus infinity where there are none; the axes stay. Throws.
Tensor maxOrLeast(const Tensor &floats, llvm::ArrayRef<int64_t> axes);
/// The product of matrices, narrow floats as f32. Throws.
Tensor multiplyWide(const Tensor &a, const Tensor &b);
/// Indices as i64, those that are too large as the greatest one.
Tensor getPositions(const Tensor &indices);
NodeRef dropAxes(NodeRef node, llvm::ArrayRef<int64_t> axes);

} // namespace pypto::lazy

#endif
