// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is checked in front of each operation.
#include "BoundsChecks.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

using Numbers = SmallVector<OpFoldResult>;

/// Extents and valid extents of `type`, the `?` among them given by `sizes`.
static std::pair<Numbers, Numbers> getExtents(BoundsChecker &c, pl::TensorType type,
                                              ValueRange sizes) {
  Numbers extents = c.l.materialize(type.getExtents(), sizes);
  Numbers valid = type.getValid().empty() ? Numbers() : c.l.materialize(type.getValid(), sizes);
  return {extents, valid};
}

static Numbers getPhysical(BoundsChecker &c, Value shaped) {
  return getShapeOperand(c.l, shaped).physical;
}

static Numbers getStatic(BoundsChecker &c, tile::TileType type) {
  Numbers extents;
  for (ExtentAttr extent : type.getExtents())
    extents.push_back(c.l.b.getIndexAttr(extent.getConstant()));
  return extents;
}

/// Checks the valid shape of a tile that is made, the `?` in it given by `dynamic`.
static Numbers checkTile(BoundsChecker &c, tile::TileType type, ValueRange dynamic) {
  Numbers valid = c.l.materialize(type.getValidOrExtents(), dynamic);
  c.checkExtents(getStatic(c, type), valid);
  return valid;
}

static Numbers asNumbers(BoundsChecker &c, ValueRange values) {
  Numbers numbers;
  for (Value value : values)
    numbers.push_back(c.l.lookupOne(value));
  return numbers;
}

//===- Programs -----------------------------------------------------------------------===//

static void checkCall(BoundsChecker &c, CallOp op) {
  if (FuncOp callee = c.l.info.getCallee(op))
    c.checkArguments(callee, op.getOperands());
}

static void checkSubmit(BoundsChecker &c, orchestration::SubmitOp op) {
  if (FuncOp callee = c.l.info.getCallee(op))
    c.checkArguments(callee, op.getArguments());
  if (op.getCoreNum())
    c.checkAtLeast(c.l.lookupOne(op.getCoreNum()), c.l.b.getIndexAttr(0), "the number of blocks");
}

static void checkSpmd(BoundsChecker &c, SpmdOp op) {
  c.checkAtLeast(c.l.lookupOne(op.getCount()), c.l.b.getIndexAttr(0), "the number of blocks");
}

void CheckTable::addProgram() {
  add<CallOp>(checkCall);
  add<orchestration::SubmitOp>(checkSubmit);
  add<SpmdOp>(checkSpmd);
  addTotal<FuncOp, ReturnOp, pl::YieldOp, AtOp, ClusterOp, GraphOp, SplitAivOp, VarOp, GetOp, SetOp,
           SymbolOp, CheckOp, orchestration::ScopeOp, orchestration::TaskDummyOp,
           orchestration::TaskInvalidOp, orchestration::TaskIsValidOp, orchestration::BarrierOp>();
}

//===- Tensors in global memory ---------------------------------------------------------===//

template <typename OpTy> static void checkMade(BoundsChecker &c, OpTy op) {
  auto [extents, valid] = getExtents(c, op.getResult().getType(), op.getSizes());
  c.checkExtents(extents, valid);
}

static void checkSlice(BoundsChecker &c, SliceOp op) {
  auto [extents, valid] = getExtents(c, op.getResult().getType(), op.getSizes());
  c.checkExtents(extents, valid);
  Numbers source = getPhysical(c, op.getSource());
  Numbers sizes(source.size(), c.l.b.getIndexAttr(1));
  for (auto [dim, extent] : llvm::zip_equal(op.getKeptDims(), extents))
    sizes[dim] = extent;
  c.checkWindow(c.l.getMixed(op.getOffsets(), op.getStaticOffsets()), sizes, source);
}

static OpFoldResult multiply(BoundsChecker &c, ArrayRef<OpFoldResult> numbers) {
  OpFoldResult product = c.l.b.getIndexAttr(1);
  for (OpFoldResult number : numbers) {
    std::optional<int64_t> left = getConstantIntValue(product), right = getConstantIntValue(number);
    if (left && right)
      product = c.l.b.getIndexAttr(*left * *right);
    else if (left == 1)
      product = number;
    else
      product = arith::MulIOp::create(c.l.b, c.l.asValue(product), c.l.asValue(number)).getResult();
  }
  return product;
}

static void checkReshape(BoundsChecker &c, ReshapeOp op) {
  auto [extents, valid] = getExtents(c, op.getResult().getType(), op.getSizes());
  c.checkExtents(extents, valid);
  c.checkEqual(multiply(c, extents), multiply(c, getPhysical(c, op.getSource())),
               "the number of elements");
}

template <typename OpTy> static void checkSetValidShape(BoundsChecker &c, OpTy op) {
  Numbers valid = c.l.getMixed(op.getValid(), op.getStaticValid());
  c.checkExtents(getPhysical(c, op.getSource()), valid);
  auto type = cast<ExtentTypeInterface>(op.getResult().getType());
  // Claims about a tensor are checked where its type changes.
  if (isa<tile::TileType>(op.getResult().getType()))
    for (auto [dim, size, extent] : llvm::enumerate(valid, getValidOrExtents(type)))
      if (!extent.isDynamic())
        c.checkEqual(size, c.l.materialize(extent), "the valid extent of dimension " + Twine(dim));
}

/// The valid shape that the result's type gives a destination.
static void checkResultValid(BoundsChecker &c, pl::TensorType type, ArrayRef<OpFoldResult> whole) {
  for (auto [dim, extent, size] : llvm::enumerate(type.getValidOrExtents(), whole))
    if (!type.getValid().empty() && !extent.isDynamic())
      c.checkRange(c.l.materialize(extent), size, "the valid extent of dimension " + Twine(dim));
}

static void checkAssemble(BoundsChecker &c, AssembleOp op) {
  Numbers whole = getPhysical(c, op.getDestination());
  c.checkWindow(c.l.getMixed(op.getOffsets(), op.getStaticOffsets()),
                getShapeOperand(c.l, op.getSource()).valid, whole);
  checkResultValid(c, op.getResult().getType(), whole);
}

static void checkRead(BoundsChecker &c, ReadOp op) {
  c.checkIndices(asNumbers(c, op.getIndices()), getPhysical(c, op.getSource()));
}

static void checkWrite(BoundsChecker &c, WriteScalarOp op) {
  c.checkIndices(asNumbers(c, op.getIndices()), getPhysical(c, op.getDestination()));
}

template <typename OpTy> static void checkArrayElement(BoundsChecker &c, OpTy op) {
  c.checkIndex(c.l.lookupOne(op.getIndex()),
               c.l.b.getIndexAttr(cast<pl::ArrayType>(op.getArray().getType()).getSize()), 0);
}

template <typename OpTy> static void checkSignal(BoundsChecker &c, OpTy op) {
  c.checkIndices(c.l.getMixed(op.getIndices(), op.getStaticIndices()),
                 getPhysical(c, op.getSignal()));
}

void CheckTable::addStorage() {
  add<pl::CreateOp>(checkMade<pl::CreateOp>);
  add<pl::FullOp>(checkMade<pl::FullOp>);
  add<pl::ArangeOp>(checkMade<pl::ArangeOp>);
  add<SliceOp>(checkSlice);
  add<ReshapeOp>(checkReshape);
  add<pl::SetValidShapeOp>(checkSetValidShape<pl::SetValidShapeOp>);
  add<AssembleOp>(checkAssemble);
  add<ReadOp>(checkRead);
  add<WriteScalarOp>(checkWrite);
  add<ArrayGetOp>(checkArrayElement<ArrayGetOp>);
  add<ArrayUpdateOp>(checkArrayElement<ArrayUpdateOp>);
  add<tile::WaitOp>(checkSignal<tile::WaitOp>);
  add<tile::DeferWaitOp>(checkSignal<tile::DeferWaitOp>);
  add<tile::NotifyOp>(checkSignal<tile::NotifyOp>);
  // What `pl.cast_shape` claims is checked where the type of a handle changes.
  addTotal<CastShapeOp, DimOp, ArrayCreateOp>();
}

//===- Tiles --------------------------------------------------------------------------===//

static void checkLoad(BoundsChecker &c, tile::LoadOp op) {
  Numbers valid = checkTile(c, op.getResult().getType(), op.getValid());
  c.checkWindow(c.l.getMixed(op.getOffsets(), op.getStaticOffsets()), valid,
                getPhysical(c, op.getSource()));
}

static void checkStore(BoundsChecker &c, tile::StoreOp op) {
  Numbers whole = getPhysical(c, op.getDestination());
  c.checkWindow(c.l.getMixed(op.getOffsets(), op.getStaticOffsets()),
                getShapeOperand(c.l, op.getSource()).valid, whole);
  checkResultValid(c, op.getResult().getType(), whole);
}

template <typename OpTy> static void checkTileMade(BoundsChecker &c, OpTy op) {
  checkTile(c, op.getResult().getType(), op.getValid());
}

static void checkCastValid(BoundsChecker &c, tile::CastValidOp op) {
  Operand source = getShapeOperand(c.l, op.getSource());
  for (auto [dim, size, extent] :
       llvm::enumerate(source.valid, getValidOrExtents(op.getResult().getType())))
    if (!extent.isDynamic())
      c.checkEqual(size, c.l.materialize(extent), "the valid extent of dimension " + Twine(dim));
}

template <typename OpTy> static void checkTileWindow(BoundsChecker &c, OpTy op) {
  checkTile(c, op.getResult().getType(), op.getValid());
  c.checkWindow(c.l.getMixed(op.getOffsets(), op.getStaticOffsets()),
                getStatic(c, op.getResult().getType()), getPhysical(c, op.getSource()));
}

static void checkTileAssemble(BoundsChecker &c, tile::AssembleOp op) {
  c.checkWindow(c.l.getMixed(op.getOffsets(), op.getStaticOffsets()),
                getShapeOperand(c.l, op.getSource()).valid, getPhysical(c, op.getTarget()));
}

static void checkTileRead(BoundsChecker &c, tile::ReadOp op) {
  c.checkIndices(c.l.getMixed(op.getIndices(), op.getStaticIndices()),
                 getPhysical(c, op.getSource()));
}

static void checkTileWrite(BoundsChecker &c, tile::WriteOp op) {
  c.checkIndices(c.l.getMixed(op.getIndices(), op.getStaticIndices()),
                 getPhysical(c, op.getTarget()));
}

void CheckTable::addTiles() {
  add<tile::LoadOp>(checkLoad);
  add<tile::StoreOp>(checkStore);
  add<tile::CreateOp>(checkTileMade<tile::CreateOp>);
  add<tile::FullOp>(checkTileMade<tile::FullOp>);
  add<tile::ArangeOp>(checkTileMade<tile::ArangeOp>);
  add<tile::ReshapeOp>(checkTileMade<tile::ReshapeOp>);
  add<tile::CastValidOp>(checkCastValid);
  add<tile::SetValidShapeOp>(checkSetValidShape<tile::SetValidShapeOp>);
  add<tile::SliceOp>(checkTileWindow<tile::SliceOp>);
  add<tile::ExtractOp>(checkTileWindow<tile::ExtractOp>);
  add<tile::AssembleOp>(checkTileAssemble);
  add<tile::ReadOp>(checkTileRead);
  add<tile::WriteOp>(checkTileWrite);
  addTotal<tile::MoveOp, tile::GetBlockIdxOp, tile::GetBlockNumOp, tile::GetSubblockIdxOp,
           tile::BarAllOp, tile::BarVOp, tile::BarMOp, tile::FenceOp, tile::SyncSrcOp,
           tile::SyncDstOp, tile::SetFftsOp>();
  // The lowering rejects these.
  addTotal<tile::TPushToAivOp, tile::TPushToAicOp, tile::TPopFromAicOp, tile::TPopFromAivOp,
           tile::TFreeToAicOp, tile::TFreeToAivOp, tile::AicInitializePipeOp,
           tile::AivInitializePipeOp, tile::ReserveBufferOp, tile::ImportPeerBufferOp>();
}

//===- Computations ---------------------------------------------------------------------===//

/// All operands that have a shape broadcast.
static void checkElementwise(BoundsChecker &c, Operation *op) {
  SmallVector<Operand> operands;
  for (Value operand : op->getOperands())
    if (isa<ExtentTypeInterface>(operand.getType()))
      operands.push_back(getShapeOperand(c.l, operand));
  c.checkBroadcast(operands);
}

/// The vector has the extents of the target, but one element along the dimension that it is
/// repeated in.
template <unsigned FromEnd> static void checkExpand(BoundsChecker &c, Operation *op) {
  Operand target = getShapeOperand(c.l, op->getOperand(0)),
          vector = getShapeOperand(c.l, op->getOperand(1));
  unsigned dim = target.getRank() - FromEnd;
  c.checkEqualExtents(vector.physical, target.physical, " of operand 1", dim);
  if (vector.valid[dim] != vector.physical[dim])
    c.checkAtLeast(vector.valid[dim], c.l.b.getIndexAttr(1),
                   "the valid extent of dimension " + Twine(dim) + " of operand 1",
                   target.valid[dim]);
}

static Operand getBatch(const Operand &operand) {
  Operand batch = operand;
  for (auto *list : {&batch.physical, &batch.valid})
    list->resize(list->size() - 2);
  batch.extents.resize(batch.extents.size() - 2);
  return batch;
}

namespace {
struct ProductOperands {
  Operand lhs, rhs;
  unsigned m, n;
  SmallVector<Operand, 2> batches;
};
} // namespace

static ProductOperands checkProduct(BoundsChecker &c, Value lhsValue, Value rhsValue,
                                    bool transposeLhs, bool transposeRhs) {
  Operand lhs = getShapeOperand(c.l, lhsValue), rhs = getShapeOperand(c.l, rhsValue);
  unsigned left = lhs.getRank(), right = rhs.getRank();
  unsigned leftK = left - (transposeLhs ? 2 : 1), rightK = right - (transposeRhs ? 1 : 2);
  c.checkEqual(rhs.physical[rightK], lhs.physical[leftK],
               "dimension " + Twine(rightK) + " of the second factor");
  SmallVector<Operand, 2> batches{getBatch(lhs), getBatch(rhs)};
  c.checkBroadcast(batches);
  return {lhs, rhs, left - (transposeLhs ? 1 : 2), right - (transposeRhs ? 2 : 1), batches};
}

static void checkMatmul(BoundsChecker &c, pl::MatmulOp op) {
  checkProduct(c, op.getLhs(), op.getRhs(), op.getATrans(), op.getBTrans());
}

static void checkMatmulAcc(BoundsChecker &c, pl::MatmulAccOp op) {
  ProductOperands product =
      checkProduct(c, op.getLhs(), op.getRhs(), op.getATrans(), op.getBTrans());
  Numbers extents = broadcast(c.l, product.batches).physical;
  extents.append({product.lhs.physical[product.m], product.rhs.physical[product.n]});
  c.checkEqualExtents(getPhysical(c, op.getAcc()), extents, " of the accumulator");
}

static void checkTileProduct(BoundsChecker &c, Operation *op) {
  bool isAcc = isa<tile::MatmulAccOp>(op);
  ProductOperands product =
      checkProduct(c, op->getOperand(isAcc ? 1 : 0), op->getOperand(isAcc ? 2 : 1), false, false);
  auto biased = dyn_cast<tile::MatmulBiasOp>(op);
  if (!biased)
    return;
  Operand bias = getShapeOperand(c.l, biased.getBias());
  unsigned row = bias.getRank() - 2;
  c.checkAtLeast(bias.valid[row], c.l.b.getIndexAttr(1),
                 "the valid extent of dimension " + Twine(row) + " of the bias",
                 product.lhs.valid[product.m]);
}

template <typename OpTy> static void checkConcat(BoundsChecker &c, OpTy op) {
  Operand lhs = getShapeOperand(c.l, op.getLhs()), rhs = getShapeOperand(c.l, op.getRhs());
  c.checkEqualExtents(rhs.physical, lhs.physical, " of operand 1", op.getConcatAxis());
}

/// The valid shape of one operand lies inside that of the other.
static void checkPart(BoundsChecker &c, Operation *op) {
  Operand lhs = getShapeOperand(c.l, op->getOperand(0)),
          rhs = getShapeOperand(c.l, op->getOperand(1));
  c.checkEqualExtents(rhs.physical, lhs.physical, " of operand 1");
  c.checkNested(lhs.valid, rhs.valid);
}

void CheckTable::addCompute() {
#define PYPTO_LEVEL(Level)                                                                         \
  addAll<Level::AddOp, Level::SubOp, Level::MulOp, Level::DivOp, Level::FmodOp, Level::MaximumOp,  \
         Level::MinimumOp, Level::AndOp, Level::OrOp, Level::XorOp, Level::ShlOp, Level::ShrOp,    \
         Level::CmpOp, Level::SelOp>(checkElementwise);                                            \
  addTotal<Level::ExpOp, Level::LogOp, Level::SqrtOp, Level::RsqrtOp, Level::RecipOp,              \
           Level::SinOp, Level::CosOp, Level::NegOp, Level::AbsOp, Level::ReluOp, Level::NotOp,    \
           Level::CastOp, Level::TransposeOp, Level::FillpadOp>();                                 \
  addTotal<Level::RowSumOp, Level::RowProdOp, Level::RowMaxOp, Level::RowMinOp,                    \
           Level::RowArgmaxOp, Level::RowArgminOp, Level::ColSumOp, Level::ColProdOp,              \
           Level::ColMaxOp, Level::ColMinOp, Level::ColArgmaxOp, Level::ColArgminOp>();            \
  addAll<Level::RowExpandOp, Level::RowExpandAddOp, Level::RowExpandSubOp, Level::RowExpandMulOp,  \
         Level::RowExpandDivOp, Level::RowExpandMaxOp, Level::RowExpandMinOp,                      \
         Level::RowExpandExpdifOp>(checkExpand<1>);                                                \
  addAll<Level::ColExpandOp, Level::ColExpandAddOp, Level::ColExpandSubOp, Level::ColExpandMulOp,  \
         Level::ColExpandDivOp, Level::ColExpandMaxOp, Level::ColExpandMinOp,                      \
         Level::ColExpandExpdifOp>(checkExpand<2>);                                                \
  addAll<Level::PartAddOp, Level::PartMulOp, Level::PartMaxOp, Level::PartMinOp>(checkPart);       \
  add<Level::ConcatOp>(checkConcat<Level::ConcatOp>);
  PYPTO_LEVEL(pl)
  PYPTO_LEVEL(tile)
#undef PYPTO_LEVEL
  add<pl::MatmulOp>(checkMatmul);
  add<pl::MatmulAccOp>(checkMatmulAcc);
  addAll<tile::MatmulOp, tile::MatmulAccOp, tile::MatmulBiasOp>(checkTileProduct);
}

//===- Elements by index ------------------------------------------------------------------===//

template <typename OpTy> static void checkGather(BoundsChecker &c, OpTy op) {
  Operand source = getShapeOperand(c.l, op.getSource()),
          indices = getShapeOperand(c.l, op.getIndices());
  int64_t along = op.getDim();
  for (auto [dim, size, limit] : llvm::enumerate(indices.physical, source.physical))
    if (static_cast<int64_t>(dim) != along)
      c.checkRange(size, limit, "dimension " + Twine(dim) + " of the indices");
  c.checkElements(op.getIndices(), source.physical[along], along);
}

template <typename OpTy> static void checkScatter(BoundsChecker &c, OpTy op, Value destination) {
  Operand source = getShapeOperand(c.l, op.getSource()),
          indices = getShapeOperand(c.l, op.getIndices());
  Numbers target = getPhysical(c, destination), sizes;
  int64_t along = op.getDim();
  c.checkEqualExtents(indices.physical, source.physical, " of the indices");
  for (auto [dim, size, limit] : llvm::enumerate(indices.physical, target))
    if (static_cast<int64_t>(dim) != along)
      c.checkRange(size, limit, "dimension " + Twine(dim) + " of the indices");
  for (auto [left, right] : llvm::zip_equal(source.valid, indices.valid))
    sizes.push_back(minimum(c.l, left, right));
  c.checkElements(op.getIndices(), target[along], along, sizes);
}

template <typename OpTy>
static void checkScatterUpdate(BoundsChecker &c, OpTy op, Value destination) {
  Operand source = getShapeOperand(c.l, op.getSource()),
          indices = getShapeOperand(c.l, op.getIndices());
  Numbers target = getPhysical(c, destination);
  c.checkEqual(source.physical[1], target[1], "dimension 1 of the source");
  c.checkEqual(multiply(c, indices.physical), source.physical[0], "the number of indices");
  c.checkElements(op.getIndices(), target[0], 0);
}

static void checkRows(BoundsChecker &c, Value valuesOperand, Value indicesOperand, int64_t run) {
  Operand values = getShapeOperand(c.l, valuesOperand);
  unsigned last = values.getRank() - 1;
  c.checkMultipleOf(values.physical[last], run, "dimension " + Twine(last));
  if (!indicesOperand)
    return;
  Operand indices = getShapeOperand(c.l, indicesOperand);
  c.checkEqualExtents(indices.physical, values.physical, " of the indices");
  for (auto [dim, size, needed] : llvm::enumerate(indices.valid, values.valid))
    if (size != indices.physical[dim] || needed != values.physical[dim])
      c.checkAtLeast(size, needed,
                     "the valid extent of dimension " + Twine(dim) + " of the indices");
}

template <typename OpTy> static void checkSort32(BoundsChecker &c, OpTy op) {
  static constexpr int64_t kRun = 32;
  checkRows(c, op.getValues(), op.getIndices(), kRun);
}

template <typename OpTy> static void checkMergeSort(BoundsChecker &c, OpTy op) {
  checkRows(c, op.getValues(), op.getIndices(), op.getRun());
}

void CheckTable::addIndexing() {
  add<pl::GatherOp>(checkGather<pl::GatherOp>);
  add<tile::GatherOp>(checkGather<tile::GatherOp>);
  add<pl::ScatterOp>(
      +[](BoundsChecker &c, pl::ScatterOp op) { checkScatter(c, op, op.getDestination()); });
  add<tile::ScatterOp>(
      +[](BoundsChecker &c, tile::ScatterOp op) { checkScatter(c, op, op.getTarget()); });
  add<pl::ScatterUpdateOp>(+[](BoundsChecker &c, pl::ScatterUpdateOp op) {
    checkScatterUpdate(c, op, op.getDestination());
  });
  add<tile::ScatterUpdateOp>(+[](BoundsChecker &c, tile::ScatterUpdateOp op) {
    checkScatterUpdate(c, op, op.getTarget());
  });
  add<pl::Sort32Op>(checkSort32<pl::Sort32Op>);
  add<tile::Sort32Op>(checkSort32<tile::Sort32Op>);
  add<pl::MrgsortOp>(checkMergeSort<pl::MrgsortOp>);
  add<tile::MrgsortOp>(checkMergeSort<tile::MrgsortOp>);
}

//===- The table ------------------------------------------------------------------------===//

CheckTable::CheckTable() {
  addProgram();
  addStorage();
  addTiles();
  addCompute();
  addIndexing();
}

LogicalResult CheckTable::emitChecks(Lowering &l, Operation *op) const {
  if (!isa_and_nonnull<PLDialect, tile::TileDialect, orchestration::OrchestrationDialect>(
          op->getDialect()))
    return success();
  auto it = table.find(op->getName().getStringRef());
  if (it == table.end())
    return op->emitOpError("is not supported with 'check-bounds': nothing is known of what it "
                           "accesses");
  if (it->second) {
    BoundsChecker checker(l, op);
    it->second(checker, op);
  }
  return success();
}
