// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "VectorBody.h"
#include "pypto/Loops/Conditions.h"
#include "pypto/Loops/Passes.h"
#include "pypto/Loops/VectorPlan.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pypto::loops;
using linalg::LinalgOp;

//===- What has a form on vectors -------------------------------------------------===//

AccessKind pypto::loops::getAccessKind(Value operand, AffineMap map, unsigned loop) {
  auto type = dyn_cast<MemRefType>(operand.getType());
  if (!map.isFunctionOfDim(loop))
    return !type || type.isStrided() ? AccessKind::Uniform : AccessKind::Other;
  bool isTensor = isa<RankedTensorType>(operand.getType());
  if (!isTensor && (!type || !type.isStrided() || type.getStridesAndOffset().first.back() != 1))
    return AccessKind::Other;
  for (AffineExpr expr : map.getResults().drop_back())
    if (expr.isFunctionOfDim(loop))
      return AccessKind::Other;
  // One step along the loop is one element further.
  AffineExpr dim = getAffineDimExpr(loop, map.getContext());
  AffineExpr rest = simplifyAffineExpr(map.getResults().back() - dim, map.getNumDims(), 0);
  return rest.isFunctionOfDim(loop) ? AccessKind::Other : AccessKind::Contiguous;
}

/// Types whose vectors stand in memory as their elements do, and have instructions.
static bool isVectorElement(Type type) {
  return type.isF32() || type.isF64() || type.isInteger(8) || type.isInteger(16) ||
         type.isInteger(32) || type.isInteger(64);
}

static bool isValueElement(Type type) {
  return isVectorElement(type) || type.isIndex() || type.isInteger(1);
}

VectorType VectorBody::getVector(Type element) const { return VectorType::get(lanes, element); }

/// True if `value` is the number of the iteration of `loop`.
static bool isLoopIndex(Value value, unsigned loop) {
  while (auto cast = value.getDefiningOp<arith::IndexCastOp>()) {
    if (!cast.getOut().getType().isIndex() && !cast.getOut().getType().isInteger(64))
      return false;
    value = cast.getIn();
  }
  auto index = value.getDefiningOp<linalg::IndexOp>();
  return index && index.getDim() == loop;
}

/// Values of the body that are not the same for all iterations of the loop.
void VectorBody::collectVarying() {
  for (OpOperand &operand : op->getOpOperands())
    if (op.getMatchingIndexingMap(&operand).isFunctionOfDim(loop))
      varying.insert(op.getMatchingBlockArgument(&operand));
  for (BlockArgument argument : op.getRegionOutputArgs())
    varying.insert(argument);
  for (Operation &nested : op.getBlock()->without_terminator()) {
    auto index = dyn_cast<linalg::IndexOp>(nested);
    if ((index && index.getDim() == loop) ||
        llvm::any_of(nested.getOperands(), [&](Value value) { return varying.contains(value); }))
      varying.insert_range(nested.getResults());
  }
}

bool VectorBody::isSupported(Operation &nested) const {
  if (nested.getNumRegions() != 0 || nested.getNumResults() != 1 ||
      !llvm::all_of(nested.getResultTypes(), isValueElement))
    return false;
  if (isa<linalg::IndexOp>(nested) || nested.hasTrait<OpTrait::ConstantLike>())
    return true;
  if (auto load = dyn_cast<memref::LoadOp>(nested)) {
    if (!load.getMemRefType().isStrided())
      return false;
    ValueRange indices = load.getIndices();
    if (llvm::all_of(indices, [&](Value index) { return isUniform(index); }))
      return true;
    return isLoopIndex(indices.back(), loop) && isVectorElement(load.getType()) &&
           load.getMemRefType().getStridesAndOffset().first.back() == 1 &&
           llvm::all_of(indices.drop_back(), [&](Value index) { return isUniform(index); });
  }
  // Lanes that are not there must not divide by what they do not have.
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
          arith::CeilDivUIOp, arith::FloorDivSIOp>(nested)) {
    APInt divisor;
    return matchPattern(nested.getOperand(1), m_ConstantInt(&divisor)) && !divisor.isZero() &&
           !divisor.isAllOnes();
  }
  return OpTrait::hasElementwiseMappableTraits(&nested);
}

bool VectorBody::isSupported() const {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    AccessKind kind = getAccessKind(operand.get(), map, loop);
    Type element = getElementTypeOrSelf(operand.get().getType());
    // Bools will be bytes.
    if (isa<RankedTensorType>(operand.get().getType()) && element.isInteger(1))
      element = IntegerType::get(element.getContext(), 8);
    if (kind == AccessKind::Other || map.getNumSymbols() != 0 || !isValueElement(element) ||
        (kind == AccessKind::Contiguous && !isVectorElement(element)))
      return false;
    if (op.isDpsInit(&operand) && kind == AccessKind::Uniform &&
        !isCombined(operand.getOperandNumber() - op.getNumDpsInputs()))
      return false;
  }
  for (Operation &nested : op.getBlock()->without_terminator())
    if (!isSupported(nested))
      return false;
  return true;
}

unsigned pypto::loops::countOps(LinalgOp op) {
  unsigned count = 0;
  for (Operation &nested : op.getBlock()->without_terminator())
    count += isa<math::MathDialect>(nested.getDialect()) ? 20
             : nested.hasTrait<OpTrait::ConstantLike>()  ? 0
                                                         : 1;
  return count;
}

unsigned VectorBody::getNumOps() const { return countOps(op); }

unsigned VectorBody::getNumVectors(size_t numRows) const {
  size_t numOps = getNumOps() * numRows;
  return numOps <= 6 ? 4 : numOps <= 12 ? 2 : 1;
}

bool VectorBody::collectCombiners() {
  combined.assign(op.getNumDpsInits(), false);
  for (unsigned i = 0, e = op.getNumDpsInits(); i != e; ++i) {
    if (combined[i] || op.getMatchingIndexingMap(op.getDpsInitOperand(i)).isFunctionOfDim(loop))
      continue;
    std::optional<Combiner> combiner = matchCombiner(op, i);
    if (!combiner)
      combiner = matchScan(op, i);
    if (!combiner)
      return false;
    for (unsigned result : combiner->results) {
      if (combined[result] ||
          op.getMatchingIndexingMap(op.getDpsInitOperand(result)).isFunctionOfDim(loop))
        return false;
      combined[result] = true;
    }
    combiners.push_back(*combiner);
  }
  return combiners.size() <= 1 ||
         llvm::none_of(combiners, [](const Combiner &combiner) { return combiner.isScan; });
}

//===- Choice -------------------------------------------------------------------------===//

/// As many lanes as elements of the narrowest type of at least 32 bits fit into a vector.
static int64_t getNumLanes(LinalgOp op, int64_t vectorBits) {
  unsigned bits = 64;
  for (Value operand : op->getOperands()) {
    Type element = getElementTypeOrSelf(operand.getType());
    if (element.isIntOrFloat())
      bits = std::min(bits, std::max(element.getIntOrFloatBitWidth(), 32u));
  }
  return vectorBits / bits;
}

std::optional<VectorBody> pypto::loops::matchVectorBody(LinalgOp op, int64_t vectorBits) {
  int64_t lanes = getNumLanes(op, vectorBits);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (unsigned candidate = op.getNumLoops(); candidate-- != 0;) {
    if (extents[candidate] == 1)
      continue;
    VectorBody body(op, candidate, lanes);
    if (body.collectCombiners() && body.isSupported())
      return body;
  }
  return std::nullopt;
}

std::optional<VectorBody> pypto::loops::chooseVectorBody(LinalgOp op, int64_t vectorBits) {
  std::optional<VectorBody> body = matchVectorBody(op, vectorBits);
  return body && body->fillsVectors() ? body : std::nullopt;
}

std::optional<VectorPlan> pypto::loops::getVectorPlan(LinalgOp op, int64_t vectorBits) {
  std::optional<VectorBody> body = chooseVectorBody(op, vectorBits);
  if (!body)
    return std::nullopt;
  ArrayRef<Combiner> combiners = body->getCombiners();
  auto isOther = [](const Combiner &combiner) { return combiner.isScan || combiner.isSelection(); };
  return VectorPlan{body->getLoop(), body->getLanes(), body->getNumVectors(),
                    static_cast<unsigned>(combiners.size()), llvm::any_of(combiners, isOther)};
}

//===- Emission ---------------------------------------------------------------------===//

namespace {
/// Values of one step: those that all lanes share stay scalars.
class Emitter {
public:
  Emitter(ImplicitLocOpBuilder &b, const VectorBody &body, Value mask, ValueRange indices,
          unsigned loop, const IRMapping &uniform)
      : b(b), body(body), mask(mask), indices(indices), loop(loop), values(uniform) {}

  Value get(Value value) const { return values.lookupOrDefault(value); }
  Value getVector(Value value) const {
    Value known = get(value);
    if (isa<VectorType>(known.getType()))
      return known;
    return vector::BroadcastOp::create(b, body.getVector(known.getType()), known);
  }
  void set(Value value, Value emitted) { values.map(value, emitted); }
  bool has(Value value) const { return values.contains(value); }
  const IRMapping &getValues() const { return values; }

  SmallVector<Value> getAddress(AffineMap map) const {
    SmallVector<Value> address;
    for (unsigned i = 0, e = map.getNumResults(); i != e; ++i)
      address.push_back(getValueOrCreateConstantIndexOp(
          b, b.getLoc(),
          affine::makeComposedFoldedAffineApply(b, b.getLoc(), map.getSubMap({i}),
                                                getAsOpFoldResult(indices))));
    return address;
  }
  Value load(Value memref, ValueRange address) const {
    VectorType type = body.getVector(getElementTypeOrSelf(memref.getType()));
    if (!mask)
      return vector::LoadOp::create(b, type, memref, address);
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
    return vector::MaskedLoadOp::create(b, type, memref, address, mask, zero);
  }
  void store(Value value, Value memref, ValueRange address, bool nonTemporal) const {
    if (mask) {
      vector::MaskedStoreOp::create(b, memref, address, mask, value);
      return;
    }
    auto type = cast<VectorType>(value.getType());
    auto store = vector::StoreOp::create(b, value, memref, address, nonTemporal);
    if (nonTemporal)
      store.setAlignment(type.getNumElements() * type.getElementTypeBitWidth() / 8);
  }
  void emit(Operation &nested);

private:
  ImplicitLocOpBuilder &b;
  const VectorBody &body;
  Value mask;
  ValueRange indices;
  unsigned loop;
  IRMapping values;
};
} // namespace

/// 0, 1, …
static Value getLaneNumbers(ImplicitLocOpBuilder &b, VectorType type) {
  SmallVector<Attribute> numbers;
  for (int64_t lane = 0; lane != type.getNumElements(); ++lane)
    numbers.push_back(b.getIntegerAttr(type.getElementType(), lane));
  return arith::ConstantOp::create(b, DenseElementsAttr::get(type, numbers));
}

void Emitter::emit(Operation &nested) {
  if (auto index = dyn_cast<linalg::IndexOp>(nested)) {
    Value first = indices[index.getDim()];
    if (index.getDim() == loop) {
      VectorType type = body.getVector(b.getIndexType());
      first = arith::AddIOp::create(b, vector::BroadcastOp::create(b, type, first),
                                    vector::StepOp::create(b, type));
    }
    return set(index, first);
  }
  // Numbers of lanes in the type that they are used in.
  if (auto cast = dyn_cast<arith::IndexCastOp>(nested);
      cast && !cast.getType().isIndex() && isLoopIndex(cast.getIn(), loop)) {
    VectorType type = body.getVector(cast.getType());
    Value first = arith::IndexCastOp::create(b, cast.getType(), indices[loop]);
    return set(cast, arith::AddIOp::create(b, vector::BroadcastOp::create(b, type, first),
                                           getLaneNumbers(b, type)));
  }
  // Which lanes are on one side of a line, without numbers for all of them.
  if (isa<arith::CmpIOp>(nested))
    if (std::optional<IndexSum> sum = matchCondition(nested.getResult(0), nested.getBlock()))
      if (Value mask = emitConditionMask(b, *sum, loop, getAsOpFoldResult(indices),
                                         body.getExtent(), body.getLanes()))
        return set(nested.getResult(0), mask);
  if (auto load = dyn_cast<memref::LoadOp>(nested)) {
    SmallVector<Value> address;
    for (Value index : load.getIndices())
      address.push_back(get(index));
    bool isVector = !address.empty() && isa<VectorType>(address.back().getType());
    if (isVector)
      address.back() = indices[loop];
    return set(load, isVector ? this->load(load.getMemRef(), address)
                              : Value(memref::LoadOp::create(b, load.getMemRef(), address)));
  }
  bool isVector = llvm::any_of(
      nested.getOperands(), [&](Value operand) { return isa<VectorType>(get(operand).getType()); });
  SmallVector<Value> operands;
  for (Value operand : nested.getOperands())
    operands.push_back(isVector ? getVector(operand) : get(operand));
  Type type = nested.getResult(0).getType();
  Operation *copy = mlir::clone(b, &nested, isVector ? Type(body.getVector(type)) : type, operands);
  // Whoever expands it can scale the result by one instruction.
  if (isa<math::ExpOp>(copy) && copy->getResult(0).getType() == VectorType::get(16, b.getF32Type()))
    copy->setAttr(pypto::kHasScaleAttribute, b.getUnitAttr());
  set(nested.getResult(0), copy->getResult(0));
}

IRMapping VectorBody::emitUniform(ImplicitLocOpBuilder &b, ValueRange indices) const {
  Emitter emitter(b, *this, /*mask=*/{}, indices, loop, {});
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (argument.use_empty() || op.isDpsInit(&operand) || map.isFunctionOfDim(loop))
      continue;
    Value element = operand.get();
    if (isa<MemRefType>(element.getType()))
      element = memref::LoadOp::create(b, element, emitter.getAddress(map));
    emitter.set(argument, element);
  }
  for (Operation &nested : op.getBlock()->without_terminator())
    if (!isa<memref::LoadOp>(nested) && isUniform(nested.getResult(0)) &&
        llvm::all_of(nested.getOperands(), [&](Value operand) {
          return operand.getParentBlock() != op.getBlock() || emitter.has(operand);
        }))
      emitter.emit(nested);
  return emitter.getValues();
}

/// The operations of `block` that `value` needs, in their order.
static void collectNeeded(Value value, Block *block, SetVector<Operation *> &needed,
                          SetVector<BlockArgument> &arguments) {
  if (value.getParentBlock() != block)
    return;
  Operation *op = value.getDefiningOp();
  if (!op) {
    arguments.insert(cast<BlockArgument>(value));
    return;
  }
  if (needed.contains(op))
    return;
  for (Value operand : op->getOperands())
    collectNeeded(operand, block, needed, arguments);
  needed.insert(op);
}

Value VectorBody::emitValue(ImplicitLocOpBuilder &b, Value value, ValueRange indices, Value mask,
                            const IRMapping &uniform) const {
  Emitter emitter(b, *this, mask, indices, loop, uniform);
  SetVector<Operation *> needed;
  SetVector<BlockArgument> arguments;
  collectNeeded(value, op.getBlock(), needed, arguments);
  for (BlockArgument argument : arguments) {
    OpOperand *operand = op.getMatchingOpOperand(argument);
    if (!emitter.has(argument))
      emitter.set(argument, emitter.load(operand->get(),
                                         emitter.getAddress(op.getMatchingIndexingMap(operand))));
  }
  for (Operation *nested : needed)
    if (!emitter.has(nested->getResult(0)))
      emitter.emit(*nested);
  return emitter.getVector(value);
}

void VectorBody::emitPrefetch(ImplicitLocOpBuilder &b, ValueRange indices) const {
  Emitter emitter(b, *this, /*mask=*/{}, indices, loop, {});
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (map.isFunctionOfDim(loop) && !op.getMatchingBlockArgument(operand).use_empty())
      memref::PrefetchOp::create(b, operand->get(), emitter.getAddress(map), /*isWrite=*/false,
                                 /*localityHint=*/3, /*isDataCache=*/true);
  }
}

Value VectorBody::emitIndexValue(ImplicitLocOpBuilder &b, Value value, ValueRange indices) const {
  SetVector<Operation *> needed;
  SetVector<BlockArgument> arguments;
  collectNeeded(value, op.getBlock(), needed, arguments);
  IRMapping values;
  for (Operation *nested : needed) {
    if (auto index = dyn_cast<linalg::IndexOp>(nested))
      values.map(index.getResult(), indices[index.getDim()]);
    else
      b.clone(*nested, values);
  }
  return values.lookupOrDefault(value);
}

void VectorBody::emit(ImplicitLocOpBuilder &b, ValueRange indices, Value mask,
                      MutableArrayRef<Value> results, const IRMapping &uniform) const {
  Emitter emitter(b, *this, mask, indices, loop, uniform);
  for (OpOperand *operand : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(operand);
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (!argument.use_empty() && map.isFunctionOfDim(loop))
      emitter.set(argument, emitter.load(operand->get(), emitter.getAddress(map)));
  }
  for (auto [argument, value] : llvm::zip_equal(op.getRegionOutputArgs(), results))
    if (value)
      emitter.set(argument, value);
  auto getTerm = [&](const Combiner &combiner) -> Value {
    Value term = emitter.getVector(combiner.term);
    if (!mask)
      return term;
    auto neutral =
        DenseElementsAttr::get(cast<VectorType>(term.getType()), Attribute(combiner.neutral));
    return arith::SelectOp::create(b, mask, term, arith::ConstantOp::create(b, neutral));
  };
  for (Operation &nested : op.getBlock()->without_terminator()) {
    const Combiner *combiner =
        llvm::find_if(combiners, [&](const Combiner &other) { return other.op == &nested; });
    if (combiner == combiners.end()) {
      if (!emitter.has(nested.getResult(0)))
        emitter.emit(nested);
    } else if (combiner->isScan) {
      Value &result = results[combiner->results[0]];
      auto [each, all] = emitScan(b, *combiner, result, getTerm(*combiner));
      emitter.set(nested.getResult(0), each);
      result = all;
    }
  }
  Operation *yield = op.getBlock()->getTerminator();
  for (auto [index, value] : llvm::enumerate(yield->getOperands()))
    if (!isCombined(index))
      results[index] = emitter.getVector(value);
  for (const Combiner &combiner : combiners) {
    if (combiner.isScan)
      continue;
    if (combiner.isSelection()) {
      for (unsigned result : combiner.results) {
        Value next = emitter.getVector(yield->getOperand(result));
        results[result] =
            mask ? Value(arith::SelectOp::create(b, mask, next, results[result])) : next;
      }
      continue;
    }
    Value &result = results[combiner.results[0]];
    result = combine(b, combiner, result, getTerm(combiner))[0];
  }
}

void VectorBody::loadResults(ImplicitLocOpBuilder &b, ValueRange indices, Value mask,
                             MutableArrayRef<Value> results) const {
  Emitter emitter(b, *this, mask, indices, loop, {});
  for (unsigned i = 0, e = op.getNumDpsInits(); i != e; ++i) {
    OpOperand *init = op.getDpsInitOperand(i);
    if (!isCombined(i) && !op.getMatchingBlockArgument(init).use_empty())
      results[i] = emitter.load(init->get(), emitter.getAddress(op.getMatchingIndexingMap(init)));
  }
}

void VectorBody::storeResults(ImplicitLocOpBuilder &b, ValueRange indices, Value mask,
                              ArrayRef<Value> results, ArrayRef<bool> nonTemporal,
                              llvm::function_ref<bool(unsigned)> isStored) const {
  Emitter emitter(b, *this, mask, indices, loop, {});
  for (unsigned i = 0, e = op.getNumDpsInits(); i != e; ++i) {
    OpOperand *init = op.getDpsInitOperand(i);
    if (!isCombined(i) && isStored(i))
      emitter.store(results[i], init->get(), emitter.getAddress(op.getMatchingIndexingMap(init)),
                    nonTemporal[i]);
  }
}
