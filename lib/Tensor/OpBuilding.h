// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the operations of lazy tensors are made of.
#ifndef PYPTO_LIB_TENSOR_OPBUILDING_H
#define PYPTO_LIB_TENSOR_OPBUILDING_H

#include "pypto/Tensor/Tensor.h"

namespace pypto::lazy {

/// An error of `op`.
llvm::Error makeError(llvm::StringRef op, const llvm::Twine &reason, Place place);

NodeRef makeConstant(double value, DType dtype);
NodeRef makeIntegerConstant(int64_t value, DType dtype);
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

// These expect what they are given to be right.
NodeRef castTo(NodeRef node, DType dtype);
NodeRef broadcastTo(NodeRef node, const Shape &shape);
NodeRef reshapeTo(NodeRef node, const Shape &shape);
NodeRef permuteTo(NodeRef node, llvm::ArrayRef<int64_t> permutation);
NodeRef unary(OpKind op, NodeRef node);
NodeRef binary(OpKind op, NodeRef a, NodeRef b);
/// The axes stay as extents of one.
NodeRef reduce(OpKind op, NodeRef node, llvm::ArrayRef<int64_t> axes);
NodeRef dropAxes(NodeRef node, llvm::ArrayRef<int64_t> axes);

} // namespace pypto::lazy

#endif
