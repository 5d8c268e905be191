// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private functions take memrefs of the type that all their callers pass.
#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/Dialect/Orchestration/IR/Windows.h"
#include "pypto/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace pypto;

namespace pypto {
#define GEN_PASS_DEF_SPECIALIZEMEMREFS
#include "pypto/Transforms/Passes.h.inc"
} // namespace pypto

/// What two types agree on; nothing if they differ in more than what is dynamic.
static MemRefType meet(MemRefType lhs, MemRefType rhs) {
  if (!lhs || !rhs || lhs.getRank() != rhs.getRank() ||
      lhs.getElementType() != rhs.getElementType() || lhs.getMemorySpace() != rhs.getMemorySpace())
    return {};
  SmallVector<int64_t> left, right;
  int64_t leftOffset, rightOffset;
  if (failed(lhs.getStridesAndOffset(left, leftOffset)) ||
      failed(rhs.getStridesAndOffset(right, rightOffset)))
    return {};
  auto agree = [](int64_t a, int64_t b) { return a == b ? a : ShapedType::kDynamic; };
  SmallVector<int64_t> shape, strides;
  for (int64_t dim = 0; dim != lhs.getRank(); ++dim) {
    shape.push_back(agree(lhs.getDimSize(dim), rhs.getDimSize(dim)));
    strides.push_back(agree(left[dim], right[dim]));
  }
  auto layout = StridedLayoutAttr::get(lhs.getContext(), agree(leftOffset, rightOffset), strides);
  return MemRefType::get(shape, lhs.getElementType(), layout, lhs.getMemorySpace());
}

/// True if the shape of the two is the same, as some users need it.
static bool isRefinement(MemRefType type, MemRefType of) {
  return type && of && type != of && type.getShape() == of.getShape() && meet(type, of) == of;
}

/// What `memref` is a cast of, as long as that says more.
static Value peelCasts(Value memref) {
  while (auto cast = memref.getDefiningOp<memref::CastOp>()) {
    auto from = dyn_cast<MemRefType>(cast.getSource().getType()),
         to = dyn_cast<MemRefType>(cast.getType());
    if (!from || !to || meet(from, to) != to)
      break;
    memref = cast.getSource();
  }
  return memref;
}

/// Lets users of `source` seen through `cast` see it directly, as far as they can.
static void propagate(memref::CastOp first) {
  SmallVector<memref::CastOp> worklist = {first};
  while (!worklist.empty()) {
    memref::CastOp cast = worklist.pop_back_val();
    for (OpOperand &use : llvm::make_early_inc_range(cast.getResult().getUses())) {
      Operation *user = use.getOwner();
      auto view = dyn_cast<memref::SubViewOp>(user);
      if (view && view.hasUnitStride()) {
        OpBuilder b(view);
        Value better =
            orchestration::createSubView(b, view.getLoc(), cast.getSource(), view.getMixedOffsets(),
                                         view.getMixedSizes(), view.getType().getShape());
        auto back = memref::CastOp::create(b, view.getLoc(), view.getType(), better);
        view.replaceAllUsesWith(back.getResult());
        view.erase();
        worklist.push_back(back);
        continue;
      }
      if (auto again = dyn_cast<memref::CastOp>(user)) {
        if (!memref::CastOp::areCastCompatible(cast.getSource().getType(), again.getType()))
          continue;
        use.set(cast.getSource());
        worklist.push_back(again);
        continue;
      }
      if (isa<bufferization::ToTensorOp, bufferization::MaterializeInDestinationOp,
              linalg::LinalgOp, memref::LoadOp, memref::StoreOp, memref::DimOp, memref::CopyOp>(
              user))
        use.set(cast.getSource());
    }
  }
}

namespace {
struct Specializer {
  explicit Specializer(ModuleOp module) : tables(), users(tables, module) {}

  SymbolTableCollection tables;
  SymbolUserMap users;

  /// Calls of `func`; nothing if it may be used otherwise.
  std::optional<SmallVector<Operation *>> getCalls(func::FuncOp func) {
    SmallVector<Operation *> calls;
    if (!func.isPrivate() || func.isDeclaration())
      return std::nullopt;
    for (Operation *user : users.getUsers(func)) {
      // Both have the arguments as their first operands.
      if (!isa<func::CallOp, orchestration::LaunchOp>(user))
        return std::nullopt;
      calls.push_back(user);
    }
    return calls;
  }

  bool specialize(func::FuncOp func) {
    std::optional<SmallVector<Operation *>> calls = getCalls(func);
    if (!calls || calls->empty())
      return false;
    bool isChanged = false;
    for (BlockArgument argument : func.getArguments()) {
      auto old = dyn_cast<MemRefType>(argument.getType());
      if (!old)
        continue;
      unsigned index = argument.getArgNumber();
      MemRefType type;
      for (auto [number, call] : llvm::enumerate(*calls)) {
        auto passed = dyn_cast<MemRefType>(peelCasts(call->getOperand(index)).getType());
        type = number == 0 ? passed : meet(type, passed);
      }
      if (!isRefinement(type, old))
        continue;
      isChanged = true;
      retype(func, argument, type, *calls);
    }
    return isChanged;
  }

  static void retype(func::FuncOp func, BlockArgument argument, MemRefType type,
                     ArrayRef<Operation *> calls) {
    Type old = argument.getType();
    unsigned index = argument.getArgNumber();
    for (Operation *call : calls) {
      OpBuilder b(call);
      Value passed = peelCasts(call->getOperand(index));
      if (passed.getType() != type)
        passed = memref::CastOp::create(b, call->getLoc(), type, passed);
      call->setOperand(index, passed);
    }
    auto b = OpBuilder::atBlockBegin(&func.getBody().front());
    argument.setType(type);
    auto cast = memref::CastOp::create(b, func.getLoc(), old, argument);
    argument.replaceAllUsesExcept(cast.getResult(), cast);
    SmallVector<Type> inputs(func.getArgumentTypes());
    inputs[index] = type;
    func.setFunctionType(FunctionType::get(func.getContext(), inputs, func.getResultTypes()));
    propagate(cast);
  }
};

struct SpecializeMemRefsPass : pypto::impl::SpecializeMemRefsBase<SpecializeMemRefsPass> {
  void runOnModule() override {
    ModuleOp module = getOperation();
    SmallVector<memref::CastOp> casts;
    module.walk([&](memref::CastOp op) { casts.push_back(op); });
    for (memref::CastOp cast : casts) {
      auto from = dyn_cast<MemRefType>(cast.getSource().getType()),
           to = dyn_cast<MemRefType>(cast.getType());
      if (isRefinement(from, to))
        propagate(cast);
    }
    Specializer specializer(module);
    SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
    // What a caller learns about its parameters its callees learn in the next round.
    constexpr unsigned kMaxDepth = 16;
    for (unsigned round = 0; round != kMaxDepth; ++round) {
      bool isChanged = false;
      for (func::FuncOp func : functions)
        isChanged |= specializer.specialize(func);
      if (!isChanged)
        return;
    }
  }
};
} // namespace
