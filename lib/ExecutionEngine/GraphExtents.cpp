// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extents of tensors that arguments decide.
#include "GraphExtents.h"

#include "../Rangeify/Elements.h"
#include "pypto/ExecutionEngine/Array.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

using Extents = SmallVector<int64_t>;

namespace {
/// Evaluates a copy of a graph, as far as its shapes go.
class ShapeEvaluator {
public:
  ShapeEvaluator(func::FuncOp graph, ArrayRef<HostValue> arguments)
      : graph(graph), arguments(arguments) {}

  FailureOr<SmallVector<Extents>> run();

private:
  /// The value of a number; null if it does not follow from arguments.
  Attribute evaluate(Value scalar);
  std::optional<int64_t> evaluate(OpFoldResult number);
  std::optional<Extents> evaluate(ArrayRef<OpFoldResult> numbers);
  std::optional<Extents> getShape(Value tensor);

  LogicalResult check(Operation *op);
  LogicalResult checkOperands(Operation *op);
  LogicalResult checkSlice(OffsetSizeAndStrideOpInterface op, Value whole);
  LogicalResult checkIndex(Operation *op, Value tensor, ValueRange indices);
  LogicalResult checkReshape(Operation *op, Value from);
  LogicalResult checkLoops(linalg::LinalgOp op);
  LogicalResult checkIndices(linalg::LinalgOp op, ArrayRef<int64_t> loops);
  LogicalResult checkEqual(Operation *op, ValueRange tensors, int64_t except = -1);

  func::FuncOp graph;
  ArrayRef<HostValue> arguments;
  DenseMap<Value, Attribute> scalars;
  DenseMap<Value, std::optional<Extents>> shapes;
};
} // namespace

/// The value of an argument that is an integer.
static Attribute readScalar(Type type, const Array &array) {
  if (!type.isIntOrIndex())
    return {};
  int64_t bits = 0;
  std::memcpy(&bits, array.data(), std::min<int64_t>(array.getNumBytes(), sizeof(bits)));
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (width > 64)
    return {};
  return IntegerAttr::get(type, APInt(width, bits, /*isSigned=*/false, /*implicitTrunc=*/true));
}

Attribute ShapeEvaluator::evaluate(Value scalar) {
  auto [entry, isNew] = scalars.try_emplace(scalar);
  if (!isNew)
    return entry->second;
  Attribute value;
  Operation *op = scalar.getDefiningOp();
  if (auto argument = dyn_cast<BlockArgument>(scalar)) {
    if (argument.getOwner() == &graph.getBody().front())
      value = readScalar(scalar.getType(), *arguments[argument.getArgNumber()].array);
  } else if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<Extents> shape = getShape(dim.getSource());
    std::optional<int64_t> position = evaluate(OpFoldResult(dim.getIndex()));
    if (shape && position && *position >= 0 && *position < int64_t(shape->size()))
      value = IntegerAttr::get(scalar.getType(), (*shape)[*position]);
  } else if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    auto elements = extract.getTensor().getDefiningOp<tensor::FromElementsOp>();
    std::optional<int64_t> position = elements && extract.getIndices().size() == 1
                                          ? evaluate(OpFoldResult(extract.getIndices()[0]))
                                          : std::nullopt;
    if (position && *position >= 0 && *position < int64_t(elements.getElements().size()))
      value = evaluate(elements.getElements()[*position]);
  } else if (op->getNumResults() == 1 && op->getNumRegions() == 0) {
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands())
      operands.push_back(isa<ShapedType>(operand.getType()) ? Attribute() : evaluate(operand));
    SmallVector<OpFoldResult> results;
    if (succeeded(op->fold(operands, results)) && results.size() == 1) {
      value = dyn_cast<Attribute>(results[0]);
      if (auto same = dyn_cast<Value>(results[0]); same && same != scalar)
        value = evaluate(same);
    }
  }
  return scalars[scalar] = value;
}

std::optional<int64_t> ShapeEvaluator::evaluate(OpFoldResult number) {
  Attribute value = dyn_cast<Attribute>(number);
  if (!value)
    value = evaluate(cast<Value>(number));
  auto integer = dyn_cast_if_present<IntegerAttr>(value);
  return integer ? std::optional(integer.getValue().getSExtValue()) : std::nullopt;
}

std::optional<Extents> ShapeEvaluator::evaluate(ArrayRef<OpFoldResult> numbers) {
  Extents values;
  for (OpFoldResult number : numbers) {
    std::optional<int64_t> value = evaluate(number);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

std::optional<Extents> ShapeEvaluator::getShape(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type)
    return std::nullopt;
  if (type.hasStaticShape())
    return Extents(type.getShape());
  auto [entry, isNew] = shapes.try_emplace(tensor);
  if (!isNew)
    return entry->second;
  std::optional<Extents> shape;
  auto argument = dyn_cast<BlockArgument>(tensor);
  if (argument && argument.getOwner() == &graph.getBody().front()) {
    shape = Extents(arguments[argument.getArgNumber()].array->getShape());
  } else if (!argument) {
    // What is known of operands is not looked for again.
    Operation *op = tensor.getDefiningOp();
    Value same;
    if (auto loops = dyn_cast<linalg::LinalgOp>(op))
      same = loops.getDpsInits()[cast<OpResult>(tensor).getResultNumber()];
    else if (op->hasTrait<OpTrait::Elementwise>())
      same = *llvm::find_if(op->getOperands(),
                            [](Value operand) { return isa<RankedTensorType>(operand.getType()); });
    OpBuilder b(tensor.getContext());
    b.setInsertionPointAfterValue(tensor);
    shape = same ? getShape(same) : evaluate(rangeify::getSizes(b, tensor.getLoc(), tensor));
  }
  return shapes[tensor] = shape;
}

//===- What has to fit --------------------------------------------------------------===//

LogicalResult ShapeEvaluator::checkSlice(OffsetSizeAndStrideOpInterface op, Value whole) {
  std::optional<Extents> shape = getShape(whole), offsets = evaluate(op.getMixedOffsets()),
                         sizes = evaluate(op.getMixedSizes()),
                         strides = evaluate(op.getMixedStrides());
  if (!shape || !offsets || !sizes || !strides)
    return success();
  bool isInside = true;
  for (auto [extent, offset, size, stride] : llvm::zip_equal(*shape, *offsets, *sizes, *strides)) {
    int64_t last = 0;
    isInside &= size >= 0 && offset >= 0 && offset <= extent;
    if (size > 0 && isInside)
      isInside = !llvm::MulOverflow(size - 1, stride, last) &&
                 !llvm::AddOverflow(last, offset, last) && last >= 0 && last < extent;
  }
  if (isInside)
    return success();
  return op->emitError() << "expects a slice inside of " << formatShape(*shape)
                         << ", but got offsets " << formatShape(*offsets) << ", sizes "
                         << formatShape(*sizes) << " and strides " << formatShape(*strides);
}

LogicalResult ShapeEvaluator::checkIndex(Operation *op, Value tensor, ValueRange indices) {
  std::optional<Extents> shape = getShape(tensor), index = evaluate(getAsOpFoldResult(indices));
  if (!shape || !index)
    return success();
  for (auto [extent, position] : llvm::zip_equal(*shape, *index))
    if (position < 0 || position >= extent)
      return op->emitError() << "expects an index inside of " << formatShape(*shape) << ", but got "
                             << formatShape(*index);
  return success();
}

LogicalResult ShapeEvaluator::checkReshape(Operation *op, Value from) {
  std::optional<Extents> source = getShape(from), target = getShape(op->getResult(0));
  // A cast says more about the shape, or less.
  if (auto conversion = dyn_cast<tensor::CastOp>(op)) {
    if (!source || succeeded(verifyCompatibleShape(*source, conversion.getType().getShape())))
      return success();
    return op->emitError() << "expects a tensor of type " << conversion.getType()
                           << ", but got one of " << formatShape(*source);
  }
  if (!source || !target || countElements(*source) == countElements(*target))
    return success();
  return op->emitError() << "expects a shape with the elements of " << formatShape(*source)
                         << ", but got " << formatShape(*target);
}

namespace {
/// The least and the greatest value of an index.
struct Bounds {
  int64_t least, greatest;
};
} // namespace

/// What has no room is far outside of every tensor.
static int64_t addSaturated(int64_t a, int64_t b) {
  int64_t sum;
  return !llvm::AddOverflow(a, b, sum) ? sum : a < 0 ? INT64_MIN : INT64_MAX;
}
static int64_t multiplySaturated(int64_t a, int64_t b) {
  int64_t product;
  return !llvm::MulOverflow(a, b, product) ? product : (a < 0) != (b < 0) ? INT64_MIN : INT64_MAX;
}

/// Adds `factor` times an expression to the factors of loops, behind which a constant is. False if
/// it is not linear.
static bool addTerms(AffineExpr expr, int64_t factor, MutableArrayRef<int64_t> factors) {
  auto add = [&](int64_t &sum, int64_t term) {
    sum = addSaturated(sum, multiplySaturated(factor, term));
    return true;
  };
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return add(factors[dim.getPosition()], 1);
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return add(factors.back(), constant.getValue());
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  AffineExpr lhs = binary.getLHS(), rhs = binary.getRHS();
  if (expr.getKind() == AffineExprKind::Add)
    return addTerms(lhs, factor, factors) && addTerms(rhs, factor, factors);
  // A constant is on the right.
  auto scale = dyn_cast<AffineConstantExpr>(rhs);
  return expr.getKind() == AffineExprKind::Mul && scale &&
         addTerms(lhs, multiplySaturated(factor, scale.getValue()), factors);
}

/// The values of an expression that is linear in loops of at least one turn. Nothing for others.
static std::optional<Bounds> getRange(AffineExpr expr, ArrayRef<int64_t> loops) {
  Extents factors(loops.size() + 1);
  if (!addTerms(expr, 1, factors))
    return std::nullopt;
  Bounds range{factors.back(), factors.back()};
  for (auto [loop, factor] : llvm::zip_first(loops, factors)) {
    int64_t &bound = factor < 0 ? range.least : range.greatest;
    bound = addSaturated(bound, multiplySaturated(loop - 1, factor));
  }
  return range;
}

LogicalResult ShapeEvaluator::checkIndices(linalg::LinalgOp op, ArrayRef<int64_t> loops) {
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<Extents> shape = getShape(operand.get());
    if (!shape)
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      std::optional<Bounds> range = getRange(expr, loops);
      if (range && (range->least < 0 || range->greatest >= (*shape)[position]))
        return op.emitError() << "expects indices of operand " << operand.getOperandNumber()
                              << " inside of " << formatShape(*shape) << ", but got "
                              << range->least << " to " << range->greatest << " in dimension "
                              << position;
    }
  }
  return success();
}

LogicalResult ShapeEvaluator::checkLoops(linalg::LinalgOp op) {
  SmallVector<std::optional<int64_t>> loops(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<Extents> shape = getShape(operand.get());
    if (!shape)
      continue;
    for (auto [expr, extent] :
         llvm::zip_equal(op.getMatchingIndexingMap(&operand).getResults(), *shape)) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        continue;
      std::optional<int64_t> &loop = loops[dim.getPosition()];
      if (loop && *loop != extent)
        return op.emitError() << "expects extents that agree in dimension " << dim.getPosition()
                              << ", but got " << *loop << " and " << extent;
      loop = extent;
    }
  }
  // Loops over nothing access nothing, so that all have to be known.
  Extents extents;
  for (std::optional<int64_t> loop : loops) {
    if (!loop || *loop == 0)
      return success();
    extents.push_back(*loop);
  }
  return checkIndices(op, extents);
}

LogicalResult ShapeEvaluator::checkEqual(Operation *op, ValueRange tensors, int64_t except) {
  std::optional<Extents> first;
  for (Value tensor : tensors) {
    std::optional<Extents> shape = getShape(tensor);
    if (!shape)
      continue;
    Extents whole = *shape;
    if (except >= 0)
      (*shape)[except] = 0;
    if (first && *shape != *first)
      return op->emitError() << "expects operands of one shape, but got " << formatShape(*first)
                             << " and " << formatShape(whole);
    first = shape;
  }
  return success();
}

LogicalResult ShapeEvaluator::checkOperands(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<tensor::ExtractSliceOp>(
          [&](auto slice) { return checkSlice(slice, slice.getSource()); })
      .Case<tensor::InsertSliceOp>([&](auto slice) { return checkSlice(slice, slice.getDest()); })
      .Case<tensor::ExtractOp>(
          [&](auto extract) { return checkIndex(op, extract.getTensor(), extract.getIndices()); })
      .Case<tensor::InsertOp>(
          [&](auto insert) { return checkIndex(op, insert.getDest(), insert.getIndices()); })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          [&](auto reshape) { return checkReshape(op, reshape.getSrc()); })
      .Case<tensor::ReshapeOp, tensor::CastOp>(
          [&](auto reshape) { return checkReshape(op, reshape.getSource()); })
      .Case<tensor::ConcatOp>(
          [&](auto concat) { return checkEqual(op, concat.getInputs(), concat.getDim()); })
      .Case<linalg::LinalgOp>([&](auto loops) { return checkLoops(loops); })
      .Default([&](Operation *) {
        return op->hasTrait<OpTrait::Elementwise>() ? checkEqual(op, op->getOperands()) : success();
      });
}

LogicalResult ShapeEvaluator::check(Operation *op) {
  if (failed(checkOperands(op)))
    return failure();
  // Chains of numbers from their beginning on.
  for (Value result : op->getResults())
    if (result.getType().isIntOrIndex())
      evaluate(result);
  for (Value result : op->getResults()) {
    std::optional<Extents> shape = getShape(result);
    if (!shape)
      continue;
    std::optional<int64_t> count = countElements(*shape);
    if (!count)
      return op->emitError() << "expects extents of at least 0 that can be counted, but got "
                             << formatShape(*shape);
    if (*count >= int64_t(1) << 48)
      return op->emitError() << "expects fewer elements than " << formatShape(*shape) << " has";
  }
  return success();
}

FailureOr<SmallVector<Extents>> ShapeEvaluator::run() {
  Block &body = graph.getBody().front();
  SmallVector<Operation *> ops;
  for (Operation &op : body)
    ops.push_back(&op);
  for (Operation *op : ops)
    if (failed(check(op)))
      return failure();
  SmallVector<Extents> results;
  for (Value result : body.getTerminator()->getOperands()) {
    std::optional<Extents> shape = getShape(result);
    if (!shape)
      return emitError(result.getLoc())
             << "expects the extents of results to follow from the arguments, but got "
             << result.getType() << " of what is not known before it has run";
    results.push_back(std::move(*shape));
  }
  return results;
}

/// True if types do not say all about the shapes of a graph.
static bool isOpen(func::FuncOp graph) {
  return graph
      .walk([](Operation *op) {
        auto isOpenType = [](Type type) {
          auto tensor = dyn_cast<RankedTensorType>(type);
          return tensor && !tensor.hasStaticShape();
        };
        auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
        bool isOpen = llvm::any_of(op->getResultTypes(), isOpenType) ||
                      llvm::any_of(op->getOperandTypes(), isOpenType) ||
                      isa<tensor::ExtractOp, tensor::InsertOp>(op) ||
                      (slice && ShapedType::isDynamicShape(slice.getStaticOffsets()));
        return isOpen ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

FailureOr<SmallVector<Extents>>
pypto::execution::computeResultShapes(func::FuncOp graph, ArrayRef<HostValue> arguments) {
  SmallVector<Extents> shapes;
  if (!graph.getBody().hasOneBlock() || !isOpen(graph)) {
    for (Type type : graph.getResultTypes())
      shapes.emplace_back(cast<RankedTensorType>(type).getShape());
    return shapes;
  }
  // What the numbers are made of.
  graph.getContext()
      ->loadDialect<affine::AffineDialect, arith::ArithDialect, tensor::TensorDialect>();
  OwningOpRef<func::FuncOp> copy(graph.clone());
  return ShapeEvaluator(*copy, arguments).run();
}
