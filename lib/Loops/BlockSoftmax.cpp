// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exponentials of rows, and what they weigh, are summed up block by block, with the maximum so far.
#include "pypto/Loops/Conditions.h"
#include "pypto/Loops/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::loops;
using linalg::GenericOp;

namespace pypto {
#define GEN_PASS_DEF_BLOCKSOFTMAX
#include "pypto/Loops/Passes.h.inc"
} // namespace pypto

//===- Operations of a softmax -------------------------------------------------------===//

static bool isSimple(GenericOp op) {
  return op.hasPureTensorSemantics() && op.getNumDpsInits() == 1 &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
           return map.isProjectedPermutation(/*allowZeroInResults=*/true);
         });
}

/// The loop that `op` reduces along, if it is one.
static std::optional<unsigned> getReductionLoop(GenericOp op) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  return loops.size() == 1 ? std::optional<unsigned>(loops[0]) : std::nullopt;
}

/// What the result of `op` begins with, if that is the same number everywhere.
static Attribute getStart(GenericOp op) {
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  Attribute value;
  return fill && matchPattern(fill.value(), m_Constant(&value)) ? value : Attribute();
}

static bool isZero(Attribute value) {
  auto number = dyn_cast_or_null<FloatAttr>(value);
  return number && number.getValue().isZero();
}

/// `index` >= 0 as an operation of a term, or none for all terms.
using Condition = std::optional<IndexSum>;

/// `value` without a selection of zero for terms of which a condition on loops does not hold.
static bool skipSelection(Value &value, Condition &condition, Block *body) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  if (!select)
    return true;
  if (!matchPattern(select.getFalseValue(), m_AnyZeroFloat()))
    return false;
  condition = matchCondition(select.getCondition(), body);
  value = select.getTrueValue();
  return condition.has_value();
}

static bool isSame(const IndexSum &a, const IndexSum &b) {
  return a.constant == b.constant && a.loops.size() == b.loops.size() &&
         a.outer.size() == b.outer.size() &&
         llvm::all_of(a.loops, [&](auto term) { return b.getFactor(term.first) == term.second; }) &&
         llvm::all_of(a.outer, [&](auto term) { return llvm::is_contained(b.outer, term); });
}

/// For each loop of one operation the loop of the other that goes along the same dimension of a
/// tensor.
static DenseMap<unsigned, unsigned> matchLoops(AffineMap from, AffineMap to) {
  DenseMap<unsigned, unsigned> loops;
  for (auto [own, other] : llvm::zip_equal(from.getResults(), to.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(own), otherDim = dyn_cast<AffineDimExpr>(other);
        dim && otherDim)
      loops[dim.getPosition()] = otherDim.getPosition();
  return loops;
}

/// `map` with other loops; none if one of its loops has none.
static std::optional<AffineMap> replaceLoops(AffineMap map, unsigned numLoops,
                                             const DenseMap<unsigned, unsigned> &loops) {
  SmallVector<AffineExpr> exprs;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (dim && !loops.contains(dim.getPosition()))
      return std::nullopt;
    exprs.push_back(dim ? getAffineDimExpr(loops.lookup(dim.getPosition()), map.getContext())
                        : expr);
  }
  return AffineMap::get(numLoops, 0, exprs, map.getContext());
}

namespace {
/// A sum of exponentials, each times something or not.
struct Sum {
  GenericOp op;
  /// From loops of the sum to rows of the maxima.
  AffineMap rows;
  bool isTotal = false;
};

/// The maximum of rows, exponentials of what is below it, sums of these, and what goes along.
class Softmax {
public:
  Softmax(GenericOp maximum, int64_t keys, int64_t leastScores)
      : maximum(maximum), block(maximum->getBlock()), keys(keys), leastScores(leastScores) {}

  bool match();
  void apply(RewriterBase &rewriter);

private:
  bool matchMaximum();
  OpOperand *matchScores();
  bool isSameScore(Value value, Value own);
  bool matchPowers();
  bool matchSum(OpOperand &use);
  bool isRight(const Condition &condition, Sum sum, OpOperand &use);
  bool collectStreamed();
  bool isStreamed(GenericOp op, const DenseMap<Operation *, unsigned> &wanted);
  bool collectBehind();
  SmallVector<unsigned> getKeyDims(GenericOp op, OpOperand &operand);

  Value sliceKeys(OpBuilder &b, GenericOp op, OpOperand &operand);
  Value makeInit(OpBuilder &b, GenericOp op);
  GenericOp cloneBlock(OpBuilder &b, GenericOp op, Value init);
  GenericOp growMaxima(OpBuilder &b, Value before, Value own);
  Value makeNaNs(ImplicitLocOpBuilder &b, Value total, Value most, Value size);
  Value updateRows(OpBuilder &b, Sum sum, Value rows, Value tensor, bool isProduct);

  GenericOp maximum, powers;
  SmallVector<Sum> sums;
  Block *block;
  /// Each score that the maximum is of, and the tensor that has one for each key.
  Value score;
  OpOperand *scores = nullptr;
  /// From loops of the maximum to those of the exponentials.
  DenseMap<unsigned, unsigned> loops;
  int64_t keys, leastScores;
  /// Which exponentials count.
  Condition condition;
  /// From loops of the exponentials to rows of the maxima.
  AffineMap rows;
  /// The loop along keys, of all operations that run in blocks.
  DenseMap<Operation *, unsigned> keyLoops;
  SmallVector<GenericOp> streamed;
  SmallVector<Operation *> behind;

  /// In the loop: where the block begins, how many keys it has, what was computed for it.
  Value begin;
  OpFoldResult size;
  IRMapping computed;
};
} // namespace

//===- Matching ---------------------------------------------------------------------===//

bool Softmax::matchMaximum() {
  std::optional<unsigned> loop = getReductionLoop(maximum);
  auto start = dyn_cast_or_null<FloatAttr>(isSimple(maximum) ? getStart(maximum) : Attribute());
  if (!loop || !start || !start.getValue().isInfinity() || !start.getValue().isNegative() ||
      !maximum.getIndexingMapsArray().back().isProjectedPermutation())
    return false;
  BlockArgument accumulator = maximum.getRegionOutputArgs()[0];
  auto combiner =
      maximum.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::MaximumFOp>();
  if (!combiner || !accumulator.hasOneUse() || *accumulator.user_begin() != combiner)
    return false;
  score = combiner.getLhs() == accumulator ? combiner.getRhs() : combiner.getLhs();
  keyLoops[maximum] = *loop;
  return true;
}

/// What both operations read of a tensor of all scores has the loops of one in those of the other.
OpOperand *Softmax::matchScores() {
  for (OpOperand *scores : maximum.getDpsInputOperands())
    for (OpOperand *read : powers.getDpsInputOperands()) {
      AffineMap map = maximum.getMatchingIndexingMap(scores);
      if (read->get() != scores->get() || !map.isPermutation())
        continue;
      loops = matchLoops(map, powers.getMatchingIndexingMap(read));
      if (loops.size() == powers.getNumLoops())
        return scores;
    }
  return nullptr;
}

/// True if the exponentials compute `own` as the maximum computes `value`.
bool Softmax::isSameScore(Value value, Value own) {
  auto argument = dyn_cast<BlockArgument>(value), ownArgument = dyn_cast<BlockArgument>(own);
  bool isInside = argument && argument.getOwner() == maximum.getBody();
  if (isInside != (ownArgument && ownArgument.getOwner() == powers.getBody()))
    return false;
  if (isInside) {
    OpOperand *operand = maximum.getMatchingOpOperand(argument);
    OpOperand *ownOperand = powers.getMatchingOpOperand(ownArgument);
    return operand->get() == ownOperand->get() && !powers.isDpsInit(ownOperand) &&
           replaceLoops(maximum.getMatchingIndexingMap(operand), powers.getNumLoops(), loops) ==
               powers.getMatchingIndexingMap(ownOperand);
  }
  Operation *op = value.getDefiningOp(), *ownOp = own.getDefiningOp();
  if (!op || !ownOp || op->getBlock() != maximum.getBody() || ownOp->getBlock() != powers.getBody())
    return value == own;
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    auto ownIndex = dyn_cast<linalg::IndexOp>(ownOp);
    return ownIndex && loops.lookup(index.getDim()) == ownIndex.getDim();
  }
  return op->getName() == ownOp->getName() && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         op->getAttrDictionary() == ownOp->getAttrDictionary() &&
         op->getNumOperands() == ownOp->getNumOperands() && op->getNumResults() == 1 &&
         llvm::all_of(llvm::zip_equal(op->getOperands(), ownOp->getOperands()),
                      [&](auto pair) { return isSameScore(std::get<0>(pair), std::get<1>(pair)); });
}

/// One operation takes the maxima off the scores that they are of.
bool Softmax::matchPowers() {
  OpResult maxima = maximum->getResult(0);
  if (!maxima.hasOneUse())
    return false;
  OpOperand &use = *maxima.use_begin();
  powers = dyn_cast<GenericOp>(use.getOwner());
  if (!powers || powers->getBlock() != block || powers.isDpsInit(&use) || !isSimple(powers) ||
      powers.getNumReductionLoops() != 0)
    return false;
  scores = matchScores();
  BlockArgument most = powers.getMatchingBlockArgument(&use);
  auto difference =
      most.hasOneUse() ? dyn_cast<arith::SubFOp>(*most.user_begin()) : arith::SubFOp();
  if (!scores || !difference || difference.getRhs() != most ||
      !isSameScore(score, difference.getLhs()))
    return false;
  std::optional<AffineMap> own =
      replaceLoops(maximum.getIndexingMapsArray().back(), powers.getNumLoops(), loops);
  if (own != powers.getMatchingIndexingMap(&use))
    return false;
  rows = *own;
  keyLoops[powers] = loops.lookup(keyLoops[maximum]);
  // Exponentials, times a number or not, of the terms that count.
  Value power = powers.getBody()->getTerminator()->getOperand(0);
  if (!skipSelection(power, condition, powers.getBody()))
    return false;
  if (auto scaled = power.getDefiningOp<arith::MulFOp>()) {
    FloatAttr factor;
    if (!matchPattern(scaled.getRhs(), m_Constant(&factor)) || !factor.getValue().isNormal())
      return false;
    power = scaled.getLhs();
  }
  auto exponential = power.getDefiningOp<math::ExpOp>();
  return exponential && exponential.getOperand() == difference.getResult() &&
         difference->hasOneUse() && exponential->hasOneUse();
}

/// True if a sum leaves out no other terms than those that do not count.
bool Softmax::isRight(const Condition &own, Sum sum, OpOperand &use) {
  if (!own)
    return true;
  DenseMap<unsigned, unsigned> loops =
      matchLoops(sum.op.getMatchingIndexingMap(&use), powers.getIndexingMapsArray().back());
  std::optional<IndexSum> same = own->replaceLoops([&](unsigned loop) -> std::optional<unsigned> {
    auto found = loops.find(loop);
    return found == loops.end() ? std::nullopt : std::optional<unsigned>(found->second);
  });
  return condition && same && isSame(*condition, *same);
}

bool Softmax::matchSum(OpOperand &use) {
  Sum sum{dyn_cast<GenericOp>(use.getOwner()), {}};
  if (!sum.op || sum.op->getBlock() != block || sum.op.isDpsInit(&use) || !isSimple(sum.op) ||
      keyLoops.contains(sum.op) || !isZero(getStart(sum.op)))
    return false;
  AffineMap read = sum.op.getMatchingIndexingMap(&use), out = sum.op.getIndexingMapsArray().back();
  DenseMap<unsigned, unsigned> loops = matchLoops(powers.getIndexingMapsArray().back(), read);
  std::optional<unsigned> loop = getReductionLoop(sum.op);
  std::optional<AffineMap> own = replaceLoops(rows, sum.op.getNumLoops(), loops);
  if (!loop || !own || loops.size() != powers.getNumLoops() ||
      loops.lookup(keyLoops[powers]) != *loop || !out.isProjectedPermutation())
    return false;
  sum.rows = *own;
  if (!replaceLoops(sum.rows, out.getNumResults(),
                    matchLoops(out, AffineMap::getMultiDimIdentityMap(out.getNumResults(),
                                                                      out.getContext()))))
    return false;
  Block *body = sum.op.getBody();
  Value accumulator = sum.op.getRegionOutputArgs()[0];
  auto add = body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add || !accumulator.hasOneUse() ||
      (add.getLhs() != accumulator && add.getRhs() != accumulator))
    return false;
  Value term = add.getLhs() == accumulator ? add.getRhs() : add.getLhs();
  Value power = sum.op.getMatchingBlockArgument(&use);
  Condition selected;
  if (!power.hasOneUse() || !skipSelection(term, selected, body) || !isRight(selected, sum, use))
    return false;
  sum.isTotal = term == power && sum.op.getNumDpsInputs() == 1;
  auto product = term.getDefiningOp<arith::MulFOp>();
  if (!sum.isTotal && (!product || (product.getLhs() != power && product.getRhs() != power)))
    return false;
  keyLoops[sum.op] = *loop;
  sums.push_back(sum);
  return true;
}

SmallVector<unsigned> Softmax::getKeyDims(GenericOp op, OpOperand &operand) {
  SmallVector<unsigned> dims;
  AffineExpr key = getAffineDimExpr(keyLoops.lookup(op), op.getContext());
  for (auto [dim, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
    if (expr == key)
      dims.push_back(dim);
  return dims;
}

/// True if `op` makes, of each block of keys on its own, what others need for that block only.
bool Softmax::isStreamed(GenericOp op, const DenseMap<Operation *, unsigned> &wanted) {
  auto found = wanted.find(op);
  if (found == wanted.end() || !isSimple(op))
    return false;
  for (OpOperand &use : op->getUses()) {
    auto user = dyn_cast<GenericOp>(use.getOwner());
    if (!user || !keyLoops.contains(user) || user.isDpsInit(&use) ||
        getKeyDims(user, use) != SmallVector<unsigned>{found->second})
      return false;
  }
  auto loop = dyn_cast<AffineDimExpr>(op.getIndexingMapsArray().back().getResult(found->second));
  if (!loop || op.getIteratorTypesArray()[loop.getPosition()] != utils::IteratorType::parallel ||
      (op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) && !getStart(op)))
    return false;
  keyLoops[op] = loop.getPosition();
  return true;
}

/// From the last operation to the first: what only blocks of keys need is made block by block.
bool Softmax::collectStreamed() {
  DenseMap<Operation *, unsigned> wanted;
  bool hasProduct = false;
  for (Operation &op : llvm::reverse(*block)) {
    auto generic = dyn_cast<GenericOp>(op);
    if (!generic)
      continue;
    bool isMember = keyLoops.contains(generic);
    if (!isMember && !isStreamed(generic, wanted))
      continue;
    if (!isMember) {
      streamed.push_back(generic);
      hasProduct |= generic.getNumReductionLoops() != 0;
    }
    for (OpOperand *input : generic.getDpsInputOperands())
      if (SmallVector<unsigned> dims = getKeyDims(generic, *input);
          dims.size() == 1 && input->get().getDefiningOp())
        wanted[input->get().getDefiningOp()] = dims[0];
  }
  std::reverse(streamed.begin(), streamed.end());
  return hasProduct && llvm::is_contained(streamed, scores->get().getDefiningOp());
}

/// What needs a sum, in front of the last one, comes behind the loop.
bool Softmax::collectBehind() {
  DenseSet<Operation *> dependent;
  for (const Sum &sum : sums)
    dependent.insert(sum.op);
  Operation *last = sums.back().op;
  for (Operation *op = sums.front().op; op != last->getNextNode(); op = op->getNextNode()) {
    bool needs = false;
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        needs |= dependent.contains(operand.getDefiningOp());
    });
    if (!needs)
      continue;
    if (keyLoops.contains(op) || !isMemoryEffectFree(op))
      return false;
    dependent.insert(op);
    behind.push_back(op);
  }
  return true;
}

bool Softmax::match() {
  if (!matchMaximum() || !matchPowers())
    return false;
  int64_t extent =
      cast<RankedTensorType>(scores->get().getType()).getDimSize(getKeyDims(maximum, *scores)[0]);
  // Few rows have long blocks.
  int64_t numRows = 1;
  for (auto [loop, count] : llvm::enumerate(maximum.getStaticLoopRanges()))
    if (loop != keyLoops.lookup(maximum) && !ShapedType::isDynamic(count))
      numRows *= std::max<int64_t>(count, 1);
  keys = std::max(keys, leastScores / numRows);
  if (!ShapedType::isDynamic(extent) && extent <= 2 * keys)
    return false;
  for (OpOperand &use : powers->getUses())
    if (!matchSum(use))
      return false;
  llvm::sort(sums, [](const Sum &a, const Sum &b) { return a.op->isBeforeInBlock(b.op); });
  return llvm::any_of(sums, [](const Sum &sum) { return sum.isTotal; }) && sums.size() > 1 &&
         collectStreamed() && collectBehind();
}

//===- The loop over blocks of keys -----------------------------------------------------===//

/// The part of an operand that the block reads.
Value Softmax::sliceKeys(OpBuilder &b, GenericOp op, OpOperand &operand) {
  Value value = operand.get();
  if (Value known = computed.lookupOrNull(value))
    return known;
  SmallVector<unsigned> dims = getKeyDims(op, operand);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || dims.empty())
    return value;
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)),
      strides(type.getRank(), b.getIndexAttr(1)),
      sizes = tensor::getMixedSizes(b, op.getLoc(), value);
  for (unsigned dim : dims) {
    offsets[dim] = begin;
    sizes[dim] = size;
  }
  return tensor::ExtractSliceOp::create(b, op.getLoc(), value, offsets, sizes, strides);
}

/// Memory for a block, as large as the largest one.
Value Softmax::makeInit(OpBuilder &b, GenericOp op) {
  OpOperand &operand = *op.getDpsInitOperand(0);
  auto type = cast<RankedTensorType>(operand.get().getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, op.getLoc(), operand.get()),
                            most = sizes;
  for (unsigned dim : getKeyDims(op, operand)) {
    sizes[dim] = size;
    most[dim] = b.getIndexAttr(keys);
  }
  Value init = tensor::EmptyOp::create(b, op.getLoc(), most, type.getElementType());
  if (sizes != most) {
    SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)),
        strides(type.getRank(), b.getIndexAttr(1));
    init = tensor::ExtractSliceOp::create(b, op.getLoc(), init, offsets, sizes, strides);
  }
  if (auto fill = operand.get().getDefiningOp<linalg::FillOp>())
    init = linalg::FillOp::create(b, fill.getLoc(), fill.value(), init).getResult(0);
  return init;
}

GenericOp Softmax::cloneBlock(OpBuilder &b, GenericOp op, Value init) {
  SmallVector<Value> operands;
  for (OpOperand *input : op.getDpsInputOperands())
    operands.push_back(sliceKeys(b, op, *input));
  operands.push_back(init);
  auto own = cast<GenericOp>(mlir::clone(b, op, {init.getType()}, operands));
  SmallVector<OpFoldResult> offsets(op.getNumLoops(), b.getIndexAttr(0));
  offsets[keyLoops.lookup(op)] = begin;
  linalg::offsetIndices(b, own, offsets);
  computed.map(op->getResult(0), own->getResult(0));
  return own;
}

static SmallVector<utils::IteratorType> getParallel(int64_t rank) {
  return SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel);
}

/// The maxima up to here with those of the block, and by what sums up to here are multiplied where
/// one has grown.
GenericOp Softmax::growMaxima(OpBuilder &b, Value before, Value own) {
  auto type = cast<RankedTensorType>(before.getType());
  Location loc = maximum.getLoc();
  Value factors =
      tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, before), type.getElementType());
  SmallVector<AffineMap> maps(3, b.getMultiDimIdentityMap(type.getRank()));
  return GenericOp::create(b, loc, TypeRange{type, type}, ValueRange{own},
                           ValueRange{before, factors}, maps, getParallel(type.getRank()),
                           [](OpBuilder &nested, Location loc, ValueRange args) {
                             Value most = arith::MaximumFOp::create(nested, loc, args[1], args[0]);
                             Value less = arith::SubFOp::create(nested, loc, args[1], most);
                             Value factor = math::ExpOp::create(nested, loc, less);
                             linalg::YieldOp::create(nested, loc, ValueRange{most, factor});
                           });
}

/// `tensor` of a sum, in place times a number for each row, or plus one.
Value Softmax::updateRows(OpBuilder &b, Sum sum, Value rows, Value tensor, bool isProduct) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Location loc = tensor.getLoc();
  AffineMap out = sum.op.getIndexingMapsArray().back(),
            own = b.getMultiDimIdentityMap(type.getRank());
  // In loops along the result.
  AffineMap read = *replaceLoops(sum.rows, type.getRank(), matchLoops(out, own));
  SmallVector<Value> inputs = {rows};
  SmallVector<AffineMap> maps = {read, own};
  Value init = tensor;
  if (!isProduct) {
    inputs.push_back(tensor);
    maps.push_back(own);
    init = tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, tensor),
                                   type.getElementType());
  }
  return GenericOp::create(
             b, loc, TypeRange{type}, inputs, ValueRange{init}, maps, getParallel(type.getRank()),
             [&](OpBuilder &nested, Location loc, ValueRange args) {
               Value value = isProduct
                                 ? Value(arith::MulFOp::create(nested, loc, args[1], args[0]))
                                 : Value(arith::AddFOp::create(nested, loc, args[1], args[0]));
               linalg::YieldOp::create(nested, loc, value);
             })
      .getResult(0);
}

/// The least number, so that the difference to it is never that of two infinities.
static FloatAttr getLeast(Builder &b, FloatType type) {
  return b.getFloatAttr(type, APFloat::getLargest(type.getFloatSemantics(), /*Negative=*/true));
}

/// NaN for each row of which terms count, but no score is above minus infinity; else zero. Such a
/// row has a total of zero, as others whose terms are too small have, and the maximum that it
/// began with.
Value Softmax::makeNaNs(ImplicitLocOpBuilder &b, Value total, Value most, Value size) {
  auto type = cast<RankedTensorType>(maximum->getResult(0).getType());
  auto element = cast<FloatType>(type.getElementType());
  Location loc = b.getLoc();
  Sum sum = *llvm::find_if(sums, [](const Sum &each) { return each.isTotal; });
  // The total in loops along the rows.
  DenseMap<unsigned, unsigned> loops =
      matchLoops(sum.rows, b.getMultiDimIdentityMap(type.getRank()));
  AffineMap read = *replaceLoops(sum.op.getIndexingMapsArray().back(), type.getRank(), loops);
  Value least = getValueOrCreateConstantIndexOp(
      b, loc, condition ? condition->emitOuter(b) : OpFoldResult(b.getIndexAttr(0)));
  if (condition)
    if (int64_t factor = condition->getFactor(keyLoops[powers]); factor > 0) {
      Value last = arith::SubIOp::create(b, size, arith::ConstantIndexOp::create(b, 1));
      least = arith::AddIOp::create(
          b, least, arith::MulIOp::create(b, last, arith::ConstantIndexOp::create(b, factor)));
    }
  Value zeroIndex = arith::ConstantIndexOp::create(b, 0);
  Value hasKeys = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, size, zeroIndex);
  Value nan = arith::ConstantOp::create(
      b, b.getFloatAttr(element, APFloat::getNaN(element.getFloatSemantics())));
  Value zero = arith::ConstantOp::create(b, b.getFloatAttr(element, 0));
  Value start = arith::ConstantOp::create(b, getLeast(b, element));
  Value init =
      tensor::EmptyOp::create(b, tensor::getMixedSizes(b, loc, maximum->getResult(0)), element);
  auto buildBody = [&](OpBuilder &nested, Location loc, ValueRange args) {
    Value sees = hasKeys, last = least;
    if (condition) {
      for (auto [loop, factor] : condition->loops) {
        if (loop == keyLoops[powers])
          continue;
        AffineExpr expr = getAffineDimExpr(loop, nested.getContext());
        unsigned row =
            std::distance(rows.getResults().begin(), llvm::find(rows.getResults(), expr));
        Value index = linalg::IndexOp::create(nested, loc, row);
        Value scale = arith::ConstantIndexOp::create(nested, loc, factor);
        last = arith::AddIOp::create(nested, loc, last,
                                     arith::MulIOp::create(nested, loc, index, scale));
      }
      Value holds = arith::CmpIOp::create(nested, loc, arith::CmpIPredicate::sge, last, zeroIndex);
      sees = arith::AndIOp::create(nested, loc, sees, holds);
    }
    Value isNothing = arith::CmpFOp::create(nested, loc, arith::CmpFPredicate::OEQ, args[0], zero);
    Value isLeast = arith::CmpFOp::create(nested, loc, arith::CmpFPredicate::OEQ, args[1], start);
    Value isNaN = arith::AndIOp::create(nested, loc, sees,
                                        arith::AndIOp::create(nested, loc, isNothing, isLeast));
    linalg::YieldOp::create(nested, loc,
                            arith::SelectOp::create(nested, loc, isNaN, nan, zero).getResult());
  };
  AffineMap whole = b.getMultiDimIdentityMap(type.getRank());
  return GenericOp::create(b, TypeRange{type}, ValueRange{total, most}, ValueRange{init},
                           {read, whole, whole}, getParallel(type.getRank()), buildBody)
      .getResult(0);
}

void Softmax::apply(RewriterBase &rewriter) {
  ImplicitLocOpBuilder b(maximum.getLoc(), rewriter);
  b.setInsertionPoint(sums.back().op);
  // Scores are not there any more: what gives them their extent is.
  OpFoldResult whole;
  for (GenericOp op : llvm::reverse(streamed))
    if (op->getResult(0) == scores->get())
      whole =
          tensor::getMixedSize(b, b.getLoc(), op.getDpsInits()[0], getKeyDims(maximum, *scores)[0]);
  auto type = cast<RankedTensorType>(maximum->getResult(0).getType());
  auto element = cast<FloatType>(type.getElementType());
  Value least = arith::ConstantOp::create(b, getLeast(b, element));
  Value empty = tensor::EmptyOp::create(
      b, tensor::getMixedSizes(b, b.getLoc(), maximum.getDpsInits()[0]), element);
  SmallVector<Value> inits = {linalg::FillOp::create(b, least, empty).getResult(0)};
  for (Sum &sum : sums)
    inits.push_back(sum.op.getDpsInits()[0]);
  Value upper = getValueOrCreateConstantIndexOp(b, b.getLoc(), whole);
  auto loop = scf::ForOp::create(
      b, arith::ConstantIndexOp::create(b, 0), upper, arith::ConstantIndexOp::create(b, keys),
      inits, [&](OpBuilder &nested, Location loc, Value index, ValueRange carried) {
        begin = index;
        AffineExpr place = nested.getAffineDimExpr(0), end = nested.getAffineSymbolExpr(0);
        std::optional<int64_t> known = getConstantIntValue(whole);
        size = known && *known % keys == 0
                   ? OpFoldResult(nested.getIndexAttr(keys))
                   : affine::makeComposedFoldedAffineMin(
                         nested, loc,
                         AffineMap::get(1, 1, {nested.getAffineConstantExpr(keys), end - place},
                                        nested.getContext()),
                         {OpFoldResult(index), whole});
        for (GenericOp op : streamed)
          cloneBlock(nested, op, makeInit(nested, op));
        GenericOp own = cloneBlock(nested, maximum, makeInit(nested, maximum));
        GenericOp grown = growMaxima(nested, carried[0], own.getResult(0));
        SmallVector<Value> results = {grown.getResult(0)};
        computed.map(maximum->getResult(0), results[0]);
        cloneBlock(nested, powers, makeInit(nested, powers));
        for (auto [sum, before] : llvm::zip_equal(sums, carried.drop_front())) {
          Value scaled = updateRows(nested, sum, grown.getResult(1), before, /*isProduct=*/true);
          results.push_back(cloneBlock(nested, sum.op, scaled).getResult(0));
        }
        scf::YieldOp::create(nested, loc, results);
      });
  b.setInsertionPointAfter(loop);
  SmallVector<Value> results(loop.getResults().drop_front());
  for (auto [sum, result] : llvm::zip_equal(sums, results))
    if (sum.isTotal) {
      Value nans = makeNaNs(b, result, loop.getResult(0), upper);
      for (auto [other, value] : llvm::zip_equal(sums, results))
        value = updateRows(b, other, nans, value, /*isProduct=*/false);
      break;
    }
  Operation *last = results.back().getDefiningOp();
  for (Operation *op : llvm::reverse(behind))
    op->moveAfter(last);
  for (auto [sum, result] : llvm::zip_equal(sums, results))
    rewriter.replaceOp(sum.op, result);
  rewriter.eraseOp(powers);
  rewriter.eraseOp(maximum);
  for (GenericOp op : llvm::reverse(streamed))
    rewriter.eraseOp(op);
}

namespace {
struct BlockSoftmaxPass : pypto::impl::BlockSoftmaxBase<BlockSoftmaxPass> {
  using BlockSoftmaxBase::BlockSoftmaxBase;

  void runOnModule() override {

    IRRewriter rewriter(&getContext());
    for (;;) {
      std::optional<Softmax> found;
      getOperation().walk([&](GenericOp op) {
        auto loop = op->getParentOfType<scf::ForOp>();
        if (!loop || !loop->hasAttr(kRowsAttribute))
          return WalkResult::advance();
        Softmax softmax(op, keys, leastScores);
        if (!softmax.match())
          return WalkResult::advance();
        found = std::move(softmax);
        return WalkResult::interrupt();
      });
      if (!found)
        return;
      // What it leaves begins with what a loop carries, and so is not found again.
      found->apply(rewriter);
    }
  }
};
} // namespace
