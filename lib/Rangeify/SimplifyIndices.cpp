// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopIndices.h"
#include "NestRebuilding.h"
#include "pypto/Rangeify/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace pypto::rangeify;

namespace pypto::rangeify {
#define GEN_PASS_DEF_SIMPLIFYINDICES
#include "pypto/Rangeify/Passes.h.inc"
} // namespace pypto::rangeify

//===- Views ----------------------------------------------------------------------===//

namespace {
/// A shape, and an index in it.
struct View {
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> index;
};
} // namespace

/// The terms of a sum without constant, largest factor first; nothing if it is not of that form.
static std::optional<SmallVector<std::pair<int64_t, AffineExpr>>> getTerms(AffineExpr linear) {
  SmallVector<std::pair<int64_t, AffineExpr>> terms;
  SmallVector<AffineExpr> open{linear};
  while (!open.empty()) {
    AffineExpr expr = open.pop_back_val();
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (binary && expr.getKind() == AffineExprKind::Add) {
      llvm::append_values(open, binary.getLHS(), binary.getRHS());
      continue;
    }
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      if (constant.getValue() != 0)
        return std::nullopt;
      continue;
    }
    auto factor = binary && expr.getKind() == AffineExprKind::Mul
                      ? dyn_cast<AffineConstantExpr>(binary.getRHS())
                      : nullptr;
    terms.push_back(factor ? std::pair(factor.getValue(), binary.getLHS())
                           : std::pair(int64_t(1), expr));
  }
  llvm::sort(terms, [](auto &a, auto &b) { return a.first > b.first; });
  return terms;
}

/// A shape of `count` elements in which the element with this row-major number has its terms as
/// indices; one dimension if there is none.
static View getViewFor(AffineExpr linear, int64_t count, const IndexSimplifier &simplifier) {
  View flat{{count}, {linear}}, view;
  auto terms = getTerms(linear);
  if (!terms)
    return flat;
  int64_t outer = count;
  for (auto [factor, term] : *terms) {
    if (factor <= 0 || outer % factor != 0)
      return flat;
    int64_t extent = outer / factor;
    Bounds bounds = simplifier.getBounds(term);
    if (!bounds.isAtLeast(0) || !bounds.isAtMost(extent - 1))
      return flat;
    view.shape.push_back(extent);
    view.index.push_back(term);
    outer = factor;
  }
  if (outer != 1) {
    view.shape.push_back(outer);
    view.index.push_back(getAffineConstantExpr(0, linear.getContext()));
  }
  return view;
}

/// `tensor`, which is dense in memory, in another shape.
static Value createView(OpBuilder &b, Location loc, Value tensor, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getShape() == shape)
    return tensor;
  SmallVector<ReassociationIndices> groups(1);
  if (type.getRank() != 1) {
    llvm::append_range(groups[0], llvm::seq<int64_t>(0, type.getRank()));
    if (type.getRank() == 0)
      groups.clear();
    auto flat = RankedTensorType::get({type.getNumElements()}, type.getElementType());
    tensor = type.getRank() == 0
                 ? tensor::ExpandShapeOp::create(b, loc, flat, tensor, groups).getResult()
                 : tensor::CollapseShapeOp::create(b, loc, flat, tensor, groups).getResult();
  }
  if (shape.size() == 1)
    return tensor;
  groups.assign(shape.empty() ? 0 : 1, {});
  auto result = RankedTensorType::get(shape, type.getElementType());
  if (shape.empty())
    return tensor::CollapseShapeOp::create(b, loc, result, tensor, groups);
  llvm::append_range(groups[0], llvm::seq<int64_t>(0, shape.size()));
  return tensor::ExpandShapeOp::create(b, loc, result, tensor, groups);
}

//===- Reads ------------------------------------------------------------------------===//

static AffineExpr linearize(ArrayRef<AffineExpr> index, ArrayRef<int64_t> shape) {
  AffineExpr linear = index.empty() ? nullptr : index[0];
  for (size_t i = 1; i < index.size(); ++i)
    linear = linear * shape[i] + index[i];
  return linear;
}

static int64_t countDivisions(ArrayRef<AffineExpr> index) {
  int64_t count = 0;
  for (AffineExpr expr : index)
    count += pypto::rangeify::countDivisions(expr);
  return count;
}

/// Loops and constants only.
static bool isPlain(ArrayRef<AffineExpr> index) {
  return llvm::all_of(index,
                      [](AffineExpr expr) { return isa<AffineDimExpr, AffineConstantExpr>(expr); });
}

/// Simplifies the index of one read. It goes to a view of what is in memory if that needs fewer
/// divisions, or no arithmetic at all.
static void simplifyRead(tensor::ExtractOp read, linalg::GenericOp nest) {
  LoopIndices loops(nest);
  SmallVector<AffineExpr> index;
  for (Value position : read.getIndices())
    index.push_back(loops.getExpr(position));
  IndexSimplifier simplifier = loops.getSimplifier(read);
  SmallVector<AffineExpr> simplified;
  for (AffineExpr expr : index)
    simplified.push_back(simplifier.simplify(expr));
  Value tensor = read.getTensor();
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.hasStaticShape() && type.getRank() > 0 && type.getNumElements() > 0 &&
      !isPlain(simplified)) {
    AffineExpr linear = simplifier.simplify(linearize(simplified, type.getShape()));
    View view = getViewFor(linear, type.getNumElements(), simplifier);
    int64_t divisions = countDivisions(simplified), fewer = countDivisions(view.index);
    if ((fewer < divisions || (fewer == divisions && isPlain(view.index))) &&
        nest->isProperAncestor(read)) {
      OpBuilder b(nest);
      tensor = createView(b, read.getLoc(), skipReshapes(tensor), view.shape);
      simplified = view.index;
    }
  }
  if (simplified == index && tensor == read.getTensor())
    return;
  OpBuilder b(read);
  SmallVector<Value> positions;
  for (AffineExpr expr : simplified)
    positions.push_back(loops.build(b, read.getLoc(), expr));
  read.getTensorMutable().assign(tensor);
  read.getIndicesMutable().assign(positions);
}

//===- Conditions ---------------------------------------------------------------------===//

/// What the bounds of the loops say about a comparison.
static std::optional<bool> decide(arith::CmpIOp compare, linalg::GenericOp nest) {
  LoopIndices loops(nest);
  AffineExpr difference = loops.getExpr(compare.getLhs()) - loops.getExpr(compare.getRhs());
  IndexSimplifier simplifier = loops.getSimplifier(compare);
  Bounds bounds = simplifier.getBounds(simplifier.simplify(difference));
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::sge:
    return bounds.isAtLeast(0)   ? std::optional(true)
           : bounds.isAtMost(-1) ? std::optional(false)
                                 : std::nullopt;
  case arith::CmpIPredicate::slt:
    return bounds.isAtMost(-1)   ? std::optional(true)
           : bounds.isAtLeast(0) ? std::optional(false)
                                 : std::nullopt;
  case arith::CmpIPredicate::eq:
    if (bounds.isConstant() && *bounds.low == 0)
      return true;
    return bounds.isAtLeast(1) || bounds.isAtMost(-1) ? std::optional(false) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// Simplifies both sides of a comparison of indices, or replaces it by what is known.
static void simplifyCompare(arith::CmpIOp compare, linalg::GenericOp nest) {
  OpBuilder b(compare);
  if (std::optional<bool> known = decide(compare, nest)) {
    Value constant = arith::ConstantOp::create(b, compare.getLoc(), b.getBoolAttr(*known));
    compare.replaceAllUsesWith(constant);
    compare.erase();
    return;
  }
  LoopIndices loops(nest);
  for (OpOperand &side : compare->getOpOperands()) {
    AffineExpr expr = loops.getExpr(side.get());
    AffineExpr simplified = loops.getSimplifier(compare).simplify(expr);
    if (simplified != expr)
      side.set(loops.build(b, compare.getLoc(), simplified));
  }
}

namespace {
struct SimplifyIndicesPass : pypto::rangeify::impl::SimplifyIndicesBase<SimplifyIndicesPass> {
  void runOnModule() override {
    RewritePatternSet patterns(&getContext());
    scf::IfOp::getCanonicalizationPatterns(patterns, &getContext());
    affine::AffineApplyOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    FrozenRewritePatternSet frozen(std::move(patterns));
    for (auto graph : getOperation().getOps<func::FuncOp>()) {
      graph.walk([](linalg::GenericOp nest) { simplify(nest); });
      // Folds decided conditions, and erases arithmetic that nobody needs any more.
      if (failed(applyPatternsGreedily(graph, frozen))) {
        graph.emitError("index arithmetic does not come to a fixed point");
        return signalPassFailure();
      }
    }
  }

  static void simplify(linalg::GenericOp nest) {
    SmallVector<Operation *> work;
    // Outer conditions first: the bounds that they give are needed inside.
    nest.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto compare = dyn_cast<arith::CmpIOp>(op);
      if (isa<tensor::ExtractOp>(op) || (compare && compare.getLhs().getType().isIndex()))
        work.push_back(op);
    });
    for (Operation *op : work) {
      if (auto read = dyn_cast<tensor::ExtractOp>(op))
        simplifyRead(read, nest);
      else
        simplifyCompare(cast<arith::CmpIOp>(op), nest);
    }
  }
};
} // namespace
