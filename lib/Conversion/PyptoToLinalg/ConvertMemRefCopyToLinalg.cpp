// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Conversion/PyptoToLinalg/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace pypto;

namespace pypto {
#define GEN_PASS_DEF_CONVERTMEMREFCOPYTOLINALG
#include "pypto/Conversion/PyptoToLinalg/Passes.h.inc"
} // namespace pypto

static bool isDense(Value memref) {
  return cast<MemRefType>(memref.getType()).getLayout().isIdentity();
}

namespace {
struct ConvertMemRefCopyToLinalgPass
    : pypto::impl::ConvertMemRefCopyToLinalgBase<ConvertMemRefCopyToLinalgPass> {
  void runOnModule() override {
    getOperation().walk([](memref::CopyOp copy) {
      if (!isa<MemRefType>(copy.getSource().getType()) ||
          !isa<MemRefType>(copy.getTarget().getType()) ||
          (isDense(copy.getSource()) && isDense(copy.getTarget())))
        return;
      OpBuilder b(copy);
      linalg::CopyOp::create(b, copy.getLoc(), copy.getSource(), copy.getTarget());
      copy.erase();
    });
  }
};
} // namespace
