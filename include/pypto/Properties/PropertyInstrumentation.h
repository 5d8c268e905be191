// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_PROPERTIES_PROPERTYINSTRUMENTATION_H
#define PYPTO_PROPERTIES_PROPERTYINSTRUMENTATION_H

#include "pypto/Properties/Properties.h"

#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include <atomic>
#include <memory>
#include <mutex>

namespace mlir {
class PassManager;
} // namespace mlir

namespace pypto {

/// What an instrumentation found. An instrumentation cannot fail a pipeline by itself, so whoever
/// runs one has to look here afterwards.
struct PropertyRecord {
  std::atomic<bool> violated = false;
};

/// Watches the passes of one pass manager that are not the project's own: after each of them that
/// ran on a module, checks the properties that passes of the project established on this module so
/// far. A violation is reported at once, with the foreign pass named, and recorded; the next pass
/// of the project fails on it.
class PropertyInstrumentation : public mlir::PassInstrumentation {
public:
  explicit PropertyInstrumentation(std::shared_ptr<PropertyRecord> record)
      : record(std::move(record)) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override;

  /// The instrumentation of the pass that runs on this thread; null if it has none.
  static PropertyInstrumentation *getCurrent();

  /// For the passes of the project. Says that the running pass is one of them.
  void markOwnPass();
  /// True if a foreign pass broke a property.
  bool isViolated() const { return record->violated; }
  /// The properties that hold for `op` as far as known.
  llvm::SmallVector<IRProperty> getHeld(mlir::Operation *op);
  void setHeld(mlir::Operation *op, llvm::ArrayRef<IRProperty> properties);

private:
  /// Pops the frame that runBeforePass pushed; true if the pass was foreign.
  bool leavePass();
  void verifyAfterForeignPass(mlir::ModuleOp module, llvm::StringRef passName);

  std::shared_ptr<PropertyRecord> record;
  /// Passes on modules inside a module may run at the same time.
  std::mutex mutex;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<IRProperty>> held;
  /// Foreign passes that ran on operations inside a module since the last check.
  llvm::SetVector<llvm::StringRef> nestedPasses;
};

/// Makes `pm` watch foreign passes; `record` says afterwards whether one of them broke a property.
void addPropertyInstrumentation(mlir::PassManager &pm, std::shared_ptr<PropertyRecord> record);

} // namespace pypto

#endif
