// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which stores of a graph are one kernel.
#ifndef PYPTO_LIB_RANGEIFY_KERNELGROUPING_H
#define PYPTO_LIB_RANGEIFY_KERNELGROUPING_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"
#include <memory>

namespace pypto::rangeify {

/// For each loop of a store the loop of the root that it goes along with; -1 for none.
using Alignment = llvm::SmallVector<int>;

/// One kernel that grows from its last store.
struct KernelGroup {
  /// The last store; null if no other may join.
  mlir::linalg::LinalgOp root;
  /// Loops of the root that every store of the group goes along with.
  llvm::SmallBitVector shared;
  llvm::DenseMap<mlir::Operation *, Alignment> members;
  /// For each member the output that needs it; null if several do.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> homes;
  /// All stores, and those that are written to memory: the last one first.
  llvm::SmallVector<mlir::Operation *> stores, outputs;
};

/// Decides from the last store to the first: a store joins the kernel of its users, or that of a
/// sibling.
class KernelGrouping {
public:
  explicit KernelGrouping(mlir::Block &body) : body(body) {}
  /// The stores that each kernel writes, in program order; kernels behind those that they need.
  llvm::SmallVector<llvm::SmallVector<mlir::Operation *>> run();

private:
  using GroupRef = std::shared_ptr<KernelGroup>;

  void collectUses();
  GroupRef findGroup(mlir::Operation *store);
  std::optional<Alignment> align(mlir::linalg::LinalgOp store, KernelGroup &group);
  bool isComplete(mlir::linalg::LinalgOp store, const Alignment &alignment,
                  const llvm::SmallBitVector &shared);
  bool isReadOften(mlir::Value value);
  bool isWorthwhile(mlir::linalg::LinalgOp store, const Alignment &alignment,
                    const llvm::SmallBitVector &shared);
  llvm::SmallBitVector getShared(const KernelGroup &group, const Alignment &alignment);
  bool tearsApart(mlir::linalg::LinalgOp store, const Alignment &alignment, KernelGroup group);
  bool joinUsers(mlir::linalg::LinalgOp store);
  void add(mlir::Operation *store, GroupRef group, const Alignment &alignment);
  void open(mlir::Operation *store);

  // Kernels with several outputs: KernelSiblings.cpp.
  bool joinSiblings(mlir::linalg::GenericOp store);
  llvm::SmallVector<GroupRef> findNeighbours(mlir::linalg::GenericOp store);
  bool canJoin(mlir::linalg::GenericOp store, KernelGroup &group);
  bool joinReaders(mlir::linalg::GenericOp store, GroupRef group);
  bool joinSibling(mlir::linalg::GenericOp store, GroupRef group);
  bool reaches(mlir::linalg::GenericOp store, KernelGroup &group);
  bool readsStores(mlir::Operation *store);
  mlir::Operation *findHome(mlir::Operation *store, KernelGroup &group);
  bool keepsSums(mlir::linalg::LinalgOp store, KernelGroup &group);

  mlir::Block &body;
  llvm::SmallVector<mlir::Operation *> stores;
  /// The stores that read a value, reshaped or not, and what they read it as.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<std::pair<mlir::Operation *, mlir::OpOperand *>>>
      uses;
  llvm::DenseSet<mlir::Value> returned;
  llvm::DenseMap<mlir::Operation *, GroupRef> groups;
  /// The stores with a group that read a value: those that were decided on last.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Operation *>> readers;
};

/// Puts kernels, each the stores that it writes, behind those that they need. Those that may be in
/// either order stay as they are.
void sortKernels(llvm::SmallVector<llvm::SmallVector<mlir::Operation *>> &kernels);

} // namespace pypto::rangeify

#endif
