// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_TENSOR_EXPORT_H
#define PYPTO_LIB_TENSOR_EXPORT_H

#include "pypto/Tensor/Graph.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace pypto::lazy {

/// What a set of roots needs, in an order in which operands come first. Nodes that have been
/// computed count as buffers. Buffers and variables are numbered by first use: graphs that differ
/// only in which buffers they read have equal keys.
struct GraphOrder {
  explicit GraphOrder(llvm::ArrayRef<NodeRef> roots);

  llvm::SmallVector<NodeRef> nodes;
  /// For each node its memory, or null: another thread may compute it meanwhile.
  llvm::SmallVector<BufferRef> buffers;
  llvm::SmallVector<NodeRef> roots;
  /// Nodes that are in memory, and the memory.
  llvm::SmallVector<std::pair<const Node *, BufferRef>> inputs;
  llvm::SmallVector<VariableRef> variables;
  /// Everything that the code depends on.
  std::string key;
};

/// The graph as a module with one function `@main` of tensor ops: buffers, then variables of type
/// `index`, come in; the roots are the results.
mlir::OwningOpRef<mlir::ModuleOp> exportGraph(mlir::MLIRContext *context, const GraphOrder &order);

} // namespace pypto::lazy

#endif
