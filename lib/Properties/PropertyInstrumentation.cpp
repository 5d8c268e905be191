// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Watches foreign passes between those of the project.
#include "pypto/Properties/PropertyInstrumentation.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace pypto;

namespace {
/// A pass that runs on this thread. Passes nest: a pass may run a pipeline.
struct Frame {
  PropertyInstrumentation *instrumentation;
  bool isOwn;
};
} // namespace

static SmallVectorImpl<Frame> &getFrames() {
  static thread_local SmallVector<Frame, 4> frames;
  return frames;
}

PropertyInstrumentation *PropertyInstrumentation::getCurrent() {
  return getFrames().empty() ? nullptr : getFrames().back().instrumentation;
}

void PropertyInstrumentation::markOwnPass() { getFrames().back().isOwn = true; }

SmallVector<IRProperty> PropertyInstrumentation::getHeld(Operation *op) {
  std::lock_guard<std::mutex> lock(mutex);
  return held.lookup(op);
}

void PropertyInstrumentation::setHeld(Operation *op, ArrayRef<IRProperty> properties) {
  std::lock_guard<std::mutex> lock(mutex);
  held[op].assign(properties.begin(), properties.end());
}

bool PropertyInstrumentation::leavePass() { return !getFrames().pop_back_val().isOwn; }

void PropertyInstrumentation::runBeforePass(Pass *, Operation *) {
  getFrames().push_back({this, false});
}
void PropertyInstrumentation::runAfterPassFailed(Pass *, Operation *) { leavePass(); }

void PropertyInstrumentation::runAfterPass(Pass *pass, Operation *op) {
  bool isForeign = leavePass();
  StringRef name = pass->getArgument().empty() ? pass->getName() : pass->getArgument();
  auto module = dyn_cast<ModuleOp>(op);
  std::string names = name.str();
  {
    // Passes on the functions of a module run at the same time.
    std::lock_guard<std::mutex> lock(mutex);
    if (!module) {
      nestedPasses.insert(name);
      return;
    }
    // The adaptor that runs passes on the operations inside a module has no name that means
    // anything.
    if (!nestedPasses.empty())
      names = llvm::join(nestedPasses, ", ");
    nestedPasses.clear();
  }
  if (isForeign)
    verifyAfterForeignPass(module, names);
}

void PropertyInstrumentation::verifyAfterForeignPass(ModuleOp module, StringRef passName) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = held.find(module);
  if (it == held.end())
    return;
  llvm::erase_if(it->second, [&](IRProperty property) {
    auto emitError = [&](Operation *op) {
      return mlir::emitError(op->getLoc())
             << "property '" << stringifyIRProperty(property) << "' does not hold any more after '"
             << passName << "': ";
    };
    if (succeeded(verifyProperty(property, module, emitError)))
      return false;
    record->violated = true;
    return true;
  });
}

void pypto::addPropertyInstrumentation(PassManager &pm, std::shared_ptr<PropertyRecord> record) {
  pm.addInstrumentation(std::make_unique<PropertyInstrumentation>(std::move(record)));
}
