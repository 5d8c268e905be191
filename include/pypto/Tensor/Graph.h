// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph behind lazy tensors: nodes without duplicates.
#ifndef PYPTO_TENSOR_GRAPH_H
#define PYPTO_TENSOR_GRAPH_H

#include "pypto/Tensor/Types.h"

namespace pypto::lazy {

enum class OpKind : uint8_t {
  // Leaves. A buffer's identity and version are part of it; a constant has rank 0; iota counts
  // along
  // an axis.
  Buffer,
  Constant,
  Iota,
  // One operand.
  Neg,
  Abs,
  Sqrt,
  Rsqrt,
  Cbrt,
  Exp,
  Exp2,
  Log,
  Log2,
  Log10,
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Sinh,
  Cosh,
  Tanh,
  Asinh,
  Acosh,
  Atanh,
  Erf,
  Erfc,
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
  Atan2,
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
  // is the value); first elements; the axes; axis, step and dilation; the axis.
  Reshape,
  Permute,
  Expand,
  Pad,
  Shrink,
  Flip,
  Unfold,
  Concat,
  // Reductions over the axes in the attributes, which stay as extents of one.
  ReduceAdd,
  ReduceMul,
  ReduceMax,
  ReduceMin,
  // Where the extreme is along the axis in the attributes: the first NaN, or the first of the best.
  ArgMax,
  ArgMin,
  // Scans along the axis in the attributes.
  ScanAdd,
  ScanMul,
  ScanMax,
  ScanMin,
  /// Elements of the first operand at the indices in the second along an axis. The indices take the
  /// place of the axis, or they have the rank of the operand.
  Take,
  Gather,
  /// The first operand, with the elements of the third at the indices in the second along an axis.
  /// Attributes: the axis, the ScatterMode.
  Scatter,
  /// Where the elements of each row, which is the last axis, come from when they are in order; the
  /// attribute is 1 if the greatest comes first.
  ArgSort,
  /// Its operand, but in memory.
  Contiguous,
};

llvm::StringRef stringifyOp(OpKind op);
bool isMovement(OpKind op);
bool isReduction(OpKind op);
bool isScan(OpKind op);

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
  /// True if it depends on variables. Such a node is never in memory, for it has other elements at
  /// other values: who computes it keeps them.
  bool hasVariables = false;

  ~Node();

  /// Where the value is once it has been computed; everyone who holds the node sees it. Of a buffer
  /// that has been assigned to since: where the elements are that it had.
  BufferRef getRealized() const {
    std::lock_guard lock(mutex);
    BufferRef found = realized;
    return found || op != OpKind::Buffer ? found : buffer;
  }
  void setRealized(BufferRef value) const {
    std::lock_guard lock(mutex);
    realized.swap(value);
  }

private:
  mutable std::mutex mutex;
  mutable BufferRef realized;
};

/// A reference that threads read and replace. std::atomic of libstdc++ 12 does not order a load in
/// front of the store that follows it.
template <typename T> class SharedRef {
public:
  using Ref = std::shared_ptr<const T>;

  SharedRef() = default;
  explicit SharedRef(Ref ref) : ref(std::move(ref)) {}

  Ref load() const {
    std::lock_guard lock(mutex);
    return ref;
  }
  void store(Ref other) {
    std::lock_guard lock(mutex);
    ref.swap(other);
  }
  /// Stores `other` if `expected` is there.
  void replace(const Ref &expected, Ref other) {
    std::lock_guard lock(mutex);
    if (ref == expected)
      ref.swap(other);
  }

private:
  mutable std::mutex mutex;
  Ref ref;
};

/// The node with these contents, new if there is none.
NodeRef makeNode(OpKind op, DType dtype, Shape shape, llvm::ArrayRef<NodeRef> operands = {},
                 llvm::ArrayRef<int64_t> attributes = {}, BufferRef buffer = nullptr);

/// Number of nodes that are alive.
size_t getNumLiveNodes();

} // namespace pypto::lazy

#endif
