// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says to LLVM which parameters do not alias: before the conversion of functions as an attribute of
// the function, which survives it, and after it as attributes of the pointers.
#include "pypto/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace pypto;

namespace pypto {
#define GEN_PASS_DEF_MARKNOALIASPOINTERS
#include "pypto/Transforms/Passes.h.inc"
} // namespace pypto

static constexpr llvm::StringLiteral kMark = "pypto.noalias_pointers";

static void note(func::FuncOp func) {
  StringRef noAlias = LLVM::LLVMDialect::getNoAliasAttrName();
  bool hasMemRef = false;
  for (BlockArgument argument : func.getArguments()) {
    if (!isa<BaseMemRefType>(argument.getType()))
      continue;
    hasMemRef = true;
    if (!func.getArgAttr(argument.getArgNumber(), noAlias))
      return;
  }
  if (hasMemRef)
    func->setAttr(kMark, UnitAttr::get(func.getContext()));
}

static void mark(LLVM::LLVMFuncOp func) {
  if (!func->removeAttr(kMark))
    return;
  // A memref is the pointer that was allocated and the pointer to its elements; nothing is read or
  // written through the first.
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes()))
    if (isa<LLVM::LLVMPointerType>(type))
      func.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(),
                      UnitAttr::get(func.getContext()));
}

namespace {
struct MarkNoAliasPointersPass : pypto::impl::MarkNoAliasPointersBase<MarkNoAliasPointersPass> {
  void runOnModule() override {
    for (Operation &op : getOperation().getOps()) {
      if (auto func = dyn_cast<func::FuncOp>(op); func && !func.isDeclaration())
        note(func);
      else if (auto lowered = dyn_cast<LLVM::LLVMFuncOp>(op))
        mark(lowered);
    }
  }
};
} // namespace
