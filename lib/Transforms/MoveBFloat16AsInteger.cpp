// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of bf16 as their bits, in the LLVM dialect.
#include "pypto/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace pypto;

namespace pypto {
#define GEN_PASS_DEF_MOVEBFLOAT16ASINTEGER
#include "pypto/Transforms/Passes.h.inc"
} // namespace pypto

static bool hasBFloat16(Type type) {
  return type.walk([](BFloat16Type) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// True if `op` does the same with other elements of the width.
static bool movesOnly(Operation *op) {
  return isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::BitcastOp, LLVM::SelectOp, LLVM::ConstantOp,
             LLVM::GEPOp, LLVM::AllocaOp, LLVM::BrOp, LLVM::CondBrOp, LLVM::SwitchOp, LLVM::CallOp,
             LLVM::ReturnOp, LLVM::InsertValueOp, LLVM::ExtractValueOp, LLVM::InsertElementOp,
             LLVM::ExtractElementOp, LLVM::ShuffleVectorOp, LLVM::UndefOp, LLVM::PoisonOp,
             LLVM::ZeroOp, LLVM::FreezeOp, LLVM::MaskedLoadOp, LLVM::MaskedStoreOp,
             LLVM::masked_gather, LLVM::masked_scatter, LLVM::LLVMFuncOp, LLVM::GlobalOp,
             LLVM::AddressOfOp>(op);
}

/// True for an instruction of the machine on bf16: it gets its operands as such again.
static bool isInstruction(Operation *op) {
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  return call && call.getIntrin().starts_with("llvm.x86.avx512bf16.dpbf16ps.");
}

/// False if some other operation computes with bf16, or there is none of it.
static bool canReplace(ModuleOp module) {
  bool isUsed = false;
  WalkResult result = module.walk([&](Operation *op) {
    bool usesIt = llvm::any_of(op->getOperandTypes(), hasBFloat16) ||
                  llvm::any_of(op->getResultTypes(), hasBFloat16);
    isUsed |= usesIt;
    return usesIt && !movesOnly(op) && !isInstruction(op) ? WalkResult::interrupt()
                                                          : WalkResult::advance();
  });
  return isUsed && !result.wasInterrupted();
}

namespace {
struct MoveBFloat16AsIntegerPass
    : pypto::impl::MoveBFloat16AsIntegerBase<MoveBFloat16AsIntegerPass> {
  void runOnModule() override {
    ModuleOp module = getOperation();
    if (!canReplace(module))
      return;
    Type i16 = IntegerType::get(&getContext(), 16);
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](BFloat16Type) -> std::optional<Type> { return i16; });
    replacer.addReplacement([&](FloatAttr attr) -> std::optional<std::pair<Attribute, WalkResult>> {
      if (!attr.getType().isBF16())
        return std::nullopt;
      return std::pair<Attribute, WalkResult>(
          IntegerAttr::get(i16, attr.getValue().bitcastToAPInt()), WalkResult::skip());
    });
    replacer.addReplacement(
        [&](DenseElementsAttr attr) -> std::optional<std::pair<Attribute, WalkResult>> {
          if (!attr.getElementType().isBF16())
            return std::nullopt;
          auto bits = cast<DenseFPElementsAttr>(attr).mapValues(
              i16, [](const APFloat &value) { return value.bitcastToAPInt(); });
          return std::pair<Attribute, WalkResult>(bits, WalkResult::skip());
        });
    replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
    Type bf16 = BFloat16Type::get(&getContext());
    module.walk([&](Operation *op) {
      if (!isInstruction(op))
        return;
      OpBuilder b(op);
      for (OpOperand &operand : op->getOpOperands())
        if (auto type = cast<VectorType>(operand.get().getType()); type.getElementType() == i16)
          operand.set(LLVM::BitcastOp::create(b, op->getLoc(), type.clone(bf16), operand.get()));
    });
    // What was a cast between a number and its bits is none any more.
    module.walk([](LLVM::BitcastOp op) {
      if (op.getArg().getType() != op.getType())
        return;
      op.replaceAllUsesWith(op.getArg());
      op.erase();
    });
  }
};
} // namespace
