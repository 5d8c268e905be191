// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Conversion/OrchestrationToRuntime/Passes.h"
#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/Runtime/TaskABI.h"

#include "RuntimeCalls.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::conversion;
using namespace pypto::orchestration;

namespace pypto {
#define GEN_PASS_DEF_CONVERTORCHESTRATIONTORUNTIME
#include "pypto/Conversion/OrchestrationToRuntime/Passes.h.inc"
} // namespace pypto

static_assert(static_cast<int32_t>(AccessMode::Read) == PyptoRead &&
              static_cast<int32_t>(AccessMode::Write) == PyptoWrite &&
              static_cast<int32_t>(AccessMode::Update) == PyptoReadWrite &&
              static_cast<int32_t>(AccessMode::Accumulate) == PyptoAccumulate);

//===- Tasks ------------------------------------------------------------------------===//

/// As the program calls the function.
static StringRef getProgramName(StringRef lowered) {
  lowered.consume_front("pl.");
  return lowered;
}

static void convert(RuntimeCalls &calls, LaunchOp op) {
  ImplicitLocOpBuilder &b = calls.b;
  FunctionOpInterface callee = calls.lookup(op.getCalleeAttr().getAttr());
  SmallVector<Type> types(op.getArguments().getTypes());
  bool takesBlock = callee.getNumArguments() != types.size();
  Value body = calls.getBody(callee, types, takesBlock);
  // The payload.
  SmallVector<Value> fields = calls.flatten(op.getArguments());
  auto layout = LLVM::LLVMStructType::getLiteral(b.getContext(), calls.flattenTypes(types));
  Value payload = calls.allocate(layout, 1);
  for (auto [index, field] : llvm::enumerate(fields)) {
    Value slot = LLVM::GEPOp::create(b, calls.pointer(), layout, payload,
                                     ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
    LLVM::StoreOp::create(b, field, slot);
  }
  Value end =
      LLVM::GEPOp::create(b, calls.pointer(), layout, calls.null(), ArrayRef<LLVM::GEPArg>{1});
  Value bytes = LLVM::PtrToIntOp::create(b, b.getI64Type(), end);
  SmallVector<Value> memrefs = llvm::filter_to_vector(
      op.getArguments(), [](Value value) { return isa<MemRefType>(value.getType()); });
  Value numBlocks = op.getBlocks() ? calls.toLLVM(op.getBlocks()) : calls.constant(1);
  Value site = calls.getSite(getProgramName(op.getCallee()), op.getLoc());
  Value id = calls.call("pyptoTaskSubmit", b.getI64Type(),
                        {site, body, payload, bytes, calls.storeAccesses(memrefs, op.getModes()),
                         calls.constant(memrefs.size()), calls.storeArray(op.getAfter()),
                         calls.constant(op.getAfter().size()), numBlocks,
                         calls.constant(op.getInOrder() ? PyptoBlocksInOrder : 0, 32)});
  op.getTask().replaceAllUsesWith(id);
}

static void convert(RuntimeCalls &calls, LaunchDummyOp op) {
  Value id = calls.call("pyptoTaskDummy", calls.b.getI64Type(),
                        {calls.getSite("task_dummy", op.getLoc()), calls.storeArray(op.getAfter()),
                         calls.constant(op.getAfter().size())});
  op.getTask().replaceAllUsesWith(id);
}

static void convert(RuntimeCalls &calls, AwaitOp op) {
  calls.call("pyptoTaskBarrier", {},
             {calls.storeArray(op.getTasks()), calls.constant(op.getTasks().size())});
}

static void convert(RuntimeCalls &calls, SyncOp op) {
  calls.call("pyptoTaskSync", {},
             {calls.storeAccesses(op.getMemrefs(), op.getModes()),
              calls.constant(op.getMemrefs().size())});
}

static void convert(RuntimeCalls &calls, ScopeBeginOp op) {
  calls.call("pyptoScopeBegin", {}, calls.constant(op.getManual(), 32));
}

static void convert(RuntimeCalls &calls, ScopeEndOp) { calls.call("pyptoScopeEnd", {}, {}); }

static void convert(RuntimeCalls &calls, memref::DeallocOp op) {
  MemRefDescriptor descriptor(calls.toLLVM(op.getMemref()));
  calls.call("pyptoTaskFree", {}, descriptor.allocatedPtr(calls.b, calls.b.getLoc()));
}

//===- Signals ----------------------------------------------------------------------===//

template <typename OpTy> static Value getElementPointer(RuntimeCalls &calls, OpTy op) {
  SmallVector<Value> indices;
  for (Value index : op.getIndices())
    indices.push_back(calls.toLLVM(index));
  Value signal = op.getSignal();
  return LLVM::getStridedElementPtr(calls.b, calls.b.getLoc(), calls.converter,
                                    cast<MemRefType>(signal.getType()), calls.toLLVM(signal),
                                    indices);
}

/// Natural alignment of an element that is accessed atomically.
static unsigned getBytes(Type element) { return element.getIntOrFloatBitWidth() / 8; }

static void convert(RuntimeCalls &calls, GiveSignalOp op) {
  Value address = getElementPointer(calls, op), value = op.getValue();
  if (!op.getAdd()) {
    LLVM::StoreOp::create(calls.b, value, address, getBytes(value.getType()),
                          /*isVolatile=*/false, /*isNonTemporal=*/false,
                          /*isInvariantGroup=*/false, LLVM::AtomicOrdering::release);
  } else {
    bool isFloat = isa<FloatType>(value.getType());
    LLVM::AtomicRMWOp::create(calls.b, isFloat ? LLVM::AtomicBinOp::fadd : LLVM::AtomicBinOp::add,
                              address, value, LLVM::AtomicOrdering::release);
  }
  calls.call("pyptoSignalNotify", {}, {});
}

static Value compare(OpBuilder &b, Location loc, AwaitSignalOp op, Value element) {
  // In the order of pl::CmpKind: eq, ne, lt, le, gt, ge.
  using LLVM::FCmpPredicate;
  using LLVM::ICmpPredicate;
  static constexpr FCmpPredicate floats[] = {FCmpPredicate::oeq, FCmpPredicate::une,
                                             FCmpPredicate::olt, FCmpPredicate::ole,
                                             FCmpPredicate::ogt, FCmpPredicate::oge};
  static constexpr ICmpPredicate integers[] = {
      ICmpPredicate::eq,  ICmpPredicate::ne,  ICmpPredicate::slt, ICmpPredicate::sle,
      ICmpPredicate::sgt, ICmpPredicate::sge, ICmpPredicate::ult, ICmpPredicate::ule,
      ICmpPredicate::ugt, ICmpPredicate::uge};
  unsigned kind = static_cast<unsigned>(op.getKind());
  if (isa<FloatType>(element.getType()))
    return LLVM::FCmpOp::create(b, loc, floats[kind], element, op.getExpected());
  if (op.getIsUnsigned() && kind >= static_cast<unsigned>(pl::CmpKind::LT))
    kind += 4;
  return LLVM::ICmpOp::create(b, loc, integers[kind], element, op.getExpected());
}

static void convert(RuntimeCalls &calls, AwaitSignalOp op) {
  ImplicitLocOpBuilder &b = calls.b;
  auto function = op->getParentOfType<FunctionOpInterface>();
  Value address = getElementPointer(calls, op);
  Value site = calls.getSite(getProgramName(function.getName()), op.getLoc());
  Block *before = op->getBlock(), *after = before->splitBlock(op);
  Block *look = b.createBlock(after), *pause = b.createBlock(after);
  b.setInsertionPointToEnd(before);
  LLVM::BrOp::create(b, ValueRange(), look);
  b.setInsertionPointToEnd(look);
  Type type = op.getExpected().getType();
  Value element = LLVM::LoadOp::create(
      b, type, address, getBytes(type), /*isVolatile=*/false, /*isNonTemporal=*/false,
      /*isInvariant=*/false, /*isInvariantGroup=*/false, LLVM::AtomicOrdering::acquire);
  LLVM::CondBrOp::create(b, compare(b, b.getLoc(), op, element), after, pause);
  b.setInsertionPointToEnd(pause);
  calls.call("pyptoSignalPause", {}, site);
  LLVM::BrOp::create(b, ValueRange(), look);
}

//===- Pass --------------------------------------------------------------------------===//

/// True if this pass makes a call of `op`.
static bool isConverted(Operation *op) {
  if (isa<LaunchOp, LaunchDummyOp, AwaitOp, SyncOp, ScopeBeginOp, ScopeEndOp, AwaitSignalOp,
          GiveSignalOp>(op))
    return true;
  auto function = isa<memref::DeallocOp>(op) ? op->getParentOfType<func::FuncOp>() : func::FuncOp();
  return function && function->hasAttr(kHostAttrName);
}

namespace {
struct ConvertOrchestrationToRuntimePass
    : pypto::impl::ConvertOrchestrationToRuntimeBase<ConvertOrchestrationToRuntimePass> {
  void runOnModule() override {
    SmallVector<Operation *> worklist;
    getOperation().walk([&](Operation *op) {
      if (isConverted(op))
        worklist.push_back(op);
    });
    RuntimeCalls calls(getOperation());
    for (Operation *op : worklist) {
      calls.b.setInsertionPoint(op);
      calls.b.setLoc(op->getLoc());
      llvm::TypeSwitch<Operation *>(op)
          .Case<LaunchOp, LaunchDummyOp, AwaitOp, SyncOp, ScopeBeginOp, ScopeEndOp, AwaitSignalOp,
                GiveSignalOp, memref::DeallocOp>([&](auto typed) { convert(calls, typed); });
      op->erase();
    }
    for (auto function : getOperation().getOps<func::FuncOp>())
      function->removeAttr(kHostAttrName);
  }
};
} // namespace
