// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MatmulEmitter.h"
#include "pypto/Loops/Conditions.h"
#include "pypto/Properties/PassOptions.h"
#include "pypto/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace pypto;

namespace pypto {
#define GEN_PASS_DEF_LOWERMATMUL
#include "pypto/Transforms/Passes.h.inc"
} // namespace pypto

/// Gives the product an output whose rows are contiguous, if it has none.
static void makeRows(matmul::Contraction &product, matmul::Surroundings &around) {
  Value out = product.out.memref;
  auto type = cast<MemRefType>(out.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  for (auto [expr, stride] : llvm::zip_equal(product.out.map.getResults(), strides))
    if (auto dim = dyn_cast<AffineDimExpr>(expr);
        dim && dim.getPosition() == product.n && stride == 1)
      return;
  linalg::LinalgOp op = product.op;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  SmallVector<Value> extents;
  for (int64_t dim = 0; dim != type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      extents.push_back(memref::DimOp::create(b, out, dim));
  auto dense = MemRefType::get(type.getShape(), type.getElementType());
  Value rows = memref::AllocOp::create(b, dense, extents, b.getI64IntegerAttr(64));
  if (!around.fill)
    linalg::CopyOp::create(b, out, rows);
  op.getDpsInitOperand(0)->set(rows);
  product.out.memref = rows;
  b.setInsertionPointAfter(op);
  linalg::CopyOp::create(b, rows, out);
  memref::DeallocOp::create(b, rows);
}

namespace {
struct LowerMatmulPass : pypto::impl::LowerMatmulBase<LowerMatmulPass> {
  using LowerMatmulBase::LowerMatmulBase;

  LogicalResult initialize(MLIRContext *context) override {
    return pypto::OptionChecker(context, *this).vectorBits("vector-bits", vectorBits);
  }

  void runOnModule() override {
    getOperation().walk([](linalg::GenericOp op) { loops::expandIndices(op); });
    SmallVector<linalg::LinalgOp> ops;
    // Only these: what surrounds one is erased with it.
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics() && matmul::matchContraction(op))
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops) {
      std::optional<matmul::Contraction> product = matmul::matchContraction(op);
      if (!product)
        continue;
      if (failed(verifySchedule(op)))
        return signalPassFailure();
      matmul::Surroundings around = matmul::matchSurroundings(*product);
      makeRows(*product, around);
      matmul::emitContraction(*product, around,
                              matmul::makeSchedule(*product, {vectorBits, bf16Dot, amx}));
    }
  }
};
} // namespace
