// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OutlineWindows.h"

#include "pypto/Dialect/PL/Transforms/Passes.h"
#include "pypto/Dialect/Tile/IR/TileOps.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

namespace {
/// A load or store of a whole tile at the top of the body, which runs whatever else does.
struct Access {
  Operation *op;
  OperandRange offsets;
  ArrayRef<int64_t> fixed;
  tile::TileType type;

  bool isSameWindow(const Access &other) const {
    return llvm::equal(offsets, other.offsets) && fixed == other.fixed &&
           type.getExtents() == other.type.getExtents();
  }
};
} // namespace

static std::optional<Access> getAccess(OpOperand &use) {
  if (auto load = dyn_cast<tile::LoadOp>(use.getOwner()))
    return Access{load, load.getOffsets(), load.getStaticOffsets(), load.getResult().getType()};
  auto store = dyn_cast<tile::StoreOp>(use.getOwner());
  if (!store || &use != &store.getDestinationMutable() || !store.getResult().use_empty())
    return std::nullopt;
  return Access{store, store.getOffsets(), store.getStaticOffsets(), store.getSource().getType()};
}

/// The accesses of `tensor` in the body, if all are to one window whose place is known outside.
static SmallVector<Access> findAccesses(Operation *scope, Value tensor) {
  Block &body = scope->getRegion(0).front();
  SmallVector<Access> accesses;
  for (OpOperand &use : tensor.getUses()) {
    if (!scope->isProperAncestor(use.getOwner()))
      continue;
    std::optional<Access> access = getAccess(use);
    if (!access || access->op->getBlock() != &body ||
        llvm::any_of(access->type.getExtents(), [](ExtentAttr e) { return !e.isConstant(); }) ||
        (!access->type.getValid().empty() &&
         access->type.getValid() != access->type.getExtents()) ||
        llvm::any_of(
            access->offsets,
            [&](Value v) { return scope->isAncestor(v.getParentBlock()->getParentOp()); }) ||
        (!accesses.empty() && !access->isSameWindow(accesses.front())))
      return {};
    accesses.push_back(*access);
  }
  return accesses;
}

static Value createWindow(OpBuilder &b, const Access &access, Value tensor) {
  auto whole = cast<pl::TensorType>(tensor.getType());
  SmallVector<ExtentAttr> extents(whole.getRank() - access.type.getExtents().size(),
                                  ExtentAttr::get(b.getContext(), 1));
  llvm::append_range(extents, access.type.getExtents());
  auto type = pl::TensorType::get(b.getContext(), extents, whole.getElementType());
  auto window =
      SliceOp::create(b, access.op->getLoc(), type, tensor, access.offsets,
                      b.getDenseI64ArrayAttr(access.fixed), ValueRange(), DenseI64ArrayAttr());
  window->setAttr(kOutlinedAttrName, b.getStringAttr(access.op->getName().getStringRef()));
  return window;
}

/// Makes `op` access all of `window`.
static void setWindow(Operation *op, Value window) {
  SmallVector<int64_t> zeros(cast<pl::TensorType>(window.getType()).getRank(), 0);
  auto set = [&](auto access) {
    access.getOffsetsMutable().clear();
    access.setStaticOffsets(zeros);
  };
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    load.getSourceMutable().assign(window);
    return set(load);
  }
  auto store = cast<tile::StoreOp>(op);
  store.getDestinationMutable().assign(window);
  store.getResult().setType(cast<pl::TensorType>(window.getType()));
  set(store);
}

void pl::narrowToWindows(Operation *scope, llvm::function_ref<void(Value, Value)> note) {
  llvm::SetVector<Value> captures;
  getUsedValuesDefinedAbove(scope->getRegion(0), captures);
  OpBuilder b(scope);
  for (Value tensor : captures) {
    auto type = dyn_cast<pl::TensorType>(tensor.getType());
    if (!type || !type.getValid().empty() || !type.getStrides().empty())
      continue;
    SmallVector<Access> accesses = findAccesses(scope, tensor);
    if (accesses.empty() || accesses.front().type.getExtents() == type.getExtents())
      continue;
    Value window = createWindow(b, accesses.front(), tensor);
    note(window, tensor);
    for (const Access &access : accesses)
      setWindow(access.op, window);
  }
}
