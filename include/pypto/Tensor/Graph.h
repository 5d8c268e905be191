// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph behind lazy tensors: nodes without duplicates.
#ifndef PYPTO_TENSOR_GRAPH_H
#define PYPTO_TENSOR_GRAPH_H

#include "pypto/Tensor/Types.h"

#include <atomic>

namespace pypto::lazy {

enum class OpKind : uint8_t {
  // Leaves. A buffer's identity is part of it; a constant has rank 0; iota counts along an axis.
  Buffer,
  Constant,
  Iota,
  // One operand.
  Neg,
  Abs,
  Sqrt,
  Rsqrt,
  Exp,
  Exp2,
  Log,
  Log2,
  Sin,
  Cos,
  Tan,
  Tanh,
  Erf,
  Floor,
  Ceil,
  Round,
  Trunc,
  Not,
  Cast,
  Bitcast,
  // Two operands of one shape and type.
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Pow,
  Max,
  Min,
  And,
  Or,
  Xor,
  Shl,
  Shr,
  Less,
  LessEqual,
  Equal,
  NotEqual,
  Where,
  // Movement. Attributes: none; the permutation; none; low pads then high ones (the second operand
  // is the value); first elements; the axes.
  Reshape,
  Permute,
  Expand,
  Pad,
  Shrink,
  Flip,
  Concat,
  // Reductions over the axes in the attributes, which stay as extents of one.
  ReduceAdd,
  ReduceMul,
  ReduceMax,
  ReduceMin,
  /// Elements of the first operand at the indices in the second along an axis.
  Take,
  /// Its operand, but in memory.
  Contiguous,
};

llvm::StringRef stringifyOp(OpKind op);
bool isMovement(OpKind op);
bool isReduction(OpKind op);

struct Node;
using NodeRef = std::shared_ptr<const Node>;

/// One node. Equal nodes that live at the same time are one object.
struct Node {
  OpKind op;
  DType dtype;
  Shape shape;
  llvm::SmallVector<int64_t, 4> attributes;
  llvm::SmallVector<NodeRef, 2> operands;
  /// Of `Buffer`.
  BufferRef buffer;
  /// Of its contents: equal in every process, except that a buffer counts by its address.
  uint64_t hash = 0;

  ~Node();

  /// Where the value is once it has been computed; everyone who holds the node sees it.
  BufferRef getRealized() const { return op == OpKind::Buffer ? buffer : realized.load(); }
  void setRealized(BufferRef value) const { realized.store(std::move(value)); }

private:
  mutable std::atomic<BufferRef> realized;
};

/// The node with these contents, new if there is none.
NodeRef makeNode(OpKind op, DType dtype, Shape shape, llvm::ArrayRef<NodeRef> operands = {},
                 llvm::ArrayRef<int64_t> attributes = {}, BufferRef buffer = nullptr);

/// Number of nodes that are alive.
size_t getNumLiveNodes();

} // namespace pypto::lazy

#endif
