// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_TENSOR_EXPORTER_H
#define PYPTO_LIB_TENSOR_EXPORTER_H

#include "../Conversion/PyptoToLinalg/ScalarOps.h"
#include "Export.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <map>

namespace pypto::lazy {

/// The element type that says whether an integer has a sign.
mlir::Type getElementType(mlir::MLIRContext *context, DType dtype);
/// The type of an element in memory.
mlir::Type getStoredType(mlir::MLIRContext *context, DType dtype);
mlir::RankedTensorType getTensorType(mlir::MLIRContext *context, const Node &node);
/// The op that joins two elements in a reduction, a scan, or by itself.
lowering::BinaryKind getBinaryKind(OpKind op);

/// Makes ops of nodes.
class Exporter {
public:
  Exporter(mlir::ImplicitLocOpBuilder &b, const GraphOrder &order) : b(b), order(order) {}

  void build();

private:
  mlir::Value emit(const Node &node);
  mlir::Value emitConstant(const Node &node);
  mlir::Value emitIota(const Node &node);
  mlir::Value emitUnary(const Node &node, mlir::Value operand);
  mlir::Value emitBinary(const Node &node, mlir::Value lhs, mlir::Value rhs);
  mlir::Value emitCompare(const Node &node, mlir::Value lhs, mlir::Value rhs);
  mlir::Value emitCast(const Node &node, mlir::Value operand);
  mlir::Value emitReshape(const Node &node, mlir::Value operand);
  mlir::Value emitExpand(const Node &node, mlir::Value operand);
  mlir::Value emitPad(const Node &node, mlir::Value operand);
  mlir::Value emitShrink(const Node &node, mlir::Value operand);
  mlir::Value emitFlip(const Node &node, mlir::Value operand);
  mlir::Value emitReduce(const Node &node, mlir::Value operand);
  mlir::Value emitArgReduce(const Node &node, mlir::Value operand);
  mlir::Value emitUnfold(const Node &node, mlir::Value operand);
  mlir::Value emitScan(const Node &node, mlir::Value operand);
  mlir::Value emitTake(const Node &node, mlir::Value operand, mlir::Value indices);
  mlir::Value emitGather(const Node &node, mlir::Value operand, mlir::Value indices);
  mlir::Value emitScatter(const Node &node, mlir::Value operand, mlir::Value indices,
                          mlir::Value updates);
  mlir::Value emitArgSort(const Node &node, mlir::Value operand);
  /// `body` at each position of a tensor of this shape, in row-major order; it changes `init`.
  mlir::Value
  emitLoops(llvm::ArrayRef<Extent> shape, mlir::Value init,
            llvm::function_ref<mlir::Value(mlir::ValueRange position, mlir::Value carried)> body);
  /// The element of `operand` at an index that counts from the end if it is negative; zero if there
  /// is none.
  mlir::Value readAt(mlir::Value operand, mlir::Value index, mlir::Value size,
                     llvm::SmallVector<mlir::Value> position, unsigned axis, DType dtype);

  /// An elementwise op; `body` works on elements as they are stored.
  mlir::Value emitGeneric(const Node &node, mlir::ValueRange operands,
                          llvm::function_ref<mlir::Value(mlir::ValueRange)> body);
  mlir::Value createEmpty(const Node &node) {
    return createEmpty(node.shape, getStored(node.dtype));
  }
  mlir::Value createEmpty(llvm::ArrayRef<Extent> shape, mlir::Type type);
  mlir::Value createFill(const Node &node, mlir::Value scalar);
  llvm::SmallVector<mlir::OpFoldResult> getSizes(llvm::ArrayRef<Extent> shape);
  mlir::Value reshape(mlir::Value tensor, llvm::ArrayRef<Extent> from, llvm::ArrayRef<Extent> to);
  mlir::Value getSize(llvm::ArrayRef<Extent> shape, unsigned axis);
  /// Of an extent with a variable.
  mlir::Value getSize(const Extent &extent);
  mlir::Type getElement(DType dtype) { return getElementType(b.getContext(), dtype); }
  mlir::Type getStored(DType dtype) { return getStoredType(b.getContext(), dtype); }
  mlir::RankedTensorType getType(const Node &node) { return getTensorType(b.getContext(), node); }

  mlir::ImplicitLocOpBuilder &b;
  const GraphOrder &order;
  llvm::DenseMap<const Node *, mlir::Value> values;
  llvm::DenseMap<const Variable *, mlir::Value> variables;
  /// What is made of a variable by a factor and a summand.
  std::map<std::pair<const Variable *, std::pair<int64_t, int64_t>>, mlir::Value> sums;
};

} // namespace pypto::lazy

#endif
