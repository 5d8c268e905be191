// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products: one sum for each element of the result, in the order of the products.
#include "Computation.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::interpreter;

namespace {
/// One product of two matrices, or of batches of them.
class Product {
public:
  Product(Machine &machine, Operation *op, unsigned lhs, unsigned rhs, bool transposeLhs,
          bool transposeRhs);

  /// Extents of the result; also checks those of the operands.
  FailureOr<Extents> getExtents();
  /// What the sum is made in: single or double precision for floats.
  const Format &getSumFormat() const { return sum; }
  /// `start` plus the products for one element of the result.
  Number accumulate(Number start, ArrayRef<int64_t> index) const;

private:
  /// Row-major numbers of the operand, converted to the format of the sum.
  struct Matrix {
    View view;
    /// Position of the row and column dimensions, and the numbers of all elements.
    size_t rows, columns;
    Sizes strides;
    std::vector<Number> numbers;
  };
  Matrix read(unsigned operand, bool transpose);
  int64_t getBase(const Matrix &matrix, ArrayRef<int64_t> index) const;
  static Format getSumFormat(Operation *op, unsigned lhs, unsigned rhs);

  Machine &machine;
  Operation *op;
  Format sum;
  Matrix lhs, rhs;
  int64_t depth = 0;
};
} // namespace

Format Product::getSumFormat(Operation *op, unsigned lhs, unsigned rhs) {
  Type result = getElement(op->getResult(0));
  if (!isa<FloatType>(result))
    return Format(result);
  MLIRContext *context = op->getContext();
  bool isDouble = isa<Float64Type>(getElement(op->getOperand(lhs))) ||
                  isa<Float64Type>(getElement(op->getOperand(rhs)));
  return isDouble ? Format(Float64Type::get(context)) : Format(Float32Type::get(context));
}

Product::Product(Machine &machine, Operation *op, unsigned lhs, unsigned rhs, bool transposeLhs,
                 bool transposeRhs)
    : machine(machine), op(op), sum(getSumFormat(op, lhs, rhs)), lhs(read(lhs, transposeLhs)),
      rhs(read(rhs, transposeRhs)) {
  depth = std::min(this->lhs.view.valid[this->lhs.columns], this->rhs.view.valid[this->rhs.rows]);
}

Product::Matrix Product::read(unsigned operand, bool transpose) {
  Matrix matrix;
  matrix.view = machine.getView(op->getOperand(operand));
  size_t rank = matrix.view.shape.size();
  matrix.rows = transpose ? rank - 1 : rank - 2;
  matrix.columns = transpose ? rank - 2 : rank - 1;
  matrix.strides = getDenseStrides(matrix.view.shape);
  Reader reader(machine, op, operand, matrix.view, getElement(op->getOperand(operand)));
  matrix.numbers.reserve(*execution::countElements(matrix.view.shape));
  forEachIndex(matrix.view.shape, [&](ArrayRef<int64_t> index) {
    matrix.numbers.push_back(convert(reader.peek(index), reader.getFormat(), sum));
  });
  return matrix;
}

FailureOr<Extents> Product::getExtents() {
  if (lhs.view.shape[lhs.columns] != rhs.view.shape[rhs.rows])
    return machine.emitError(op, "expects equal inner extents, but got ")
           << lhs.view.shape[lhs.columns] << " and " << rhs.view.shape[rhs.rows];
  View left{nullptr, 0, {}, {}, {}}, right = left;
  for (auto [batch, matrix] : {std::pair(&left, &lhs), std::pair(&right, &rhs)}) {
    batch->shape.assign(matrix->view.shape.begin(), std::prev(matrix->view.shape.end(), 2));
    batch->valid.assign(matrix->view.valid.begin(), std::prev(matrix->view.valid.end(), 2));
  }
  FailureOr<Extents> extents = broadcast(machine, op, {&left, &right});
  if (failed(extents))
    return failure();
  extents->shape.append({lhs.view.shape[lhs.rows], rhs.view.shape[rhs.columns]});
  extents->valid.append({lhs.view.valid[lhs.rows], rhs.view.valid[rhs.columns]});
  return extents;
}

/// Number of the first element of the matrix in the batch that belongs to `index`.
int64_t Product::getBase(const Matrix &matrix, ArrayRef<int64_t> index) const {
  size_t numBatches = matrix.view.shape.size() - 2;
  ArrayRef<int64_t> batch = index.drop_back(2).take_back(numBatches);
  int64_t base = 0;
  for (size_t dim = 0; dim != numBatches; ++dim)
    base += matrix.view.shape[dim] == 1 ? 0 : batch[dim] * matrix.strides[dim];
  return base;
}

Number Product::accumulate(Number start, ArrayRef<int64_t> index) const {
  int64_t row = index.end()[-2], column = index.back();
  int64_t left = getBase(lhs, index) + row * lhs.strides[lhs.rows],
          right = getBase(rhs, index) + column * rhs.strides[rhs.columns];
  for (int64_t k = 0; k != depth; ++k) {
    const Number &a = lhs.numbers[left + k * lhs.strides[lhs.columns]],
                 &b = rhs.numbers[right + k * rhs.strides[rhs.rows]];
    start = compute(Binary::Add, sum, start, compute(Binary::Mul, sum, a, b));
  }
  if (start.state == State::Unset) {
    machine.noteUndefined(op, "an element of a matrix, for the element", index);
    start.state = State::Tainted;
  }
  return start;
}

//===- Operations ---------------------------------------------------------------===//

static LogicalResult runProduct(Machine &machine, Operation *op, bool transposeLhs,
                                bool transposeRhs) {
  Product product(machine, op, 0, 1, transposeLhs, transposeRhs);
  FailureOr<Extents> extents = product.getExtents();
  if (failed(extents))
    return failure();
  Format format(getElement(op->getResult(0)));
  return defineElements(machine, op, *extents, [&](ArrayRef<int64_t> index) {
    Number result = product.accumulate(product.getSumFormat().getZero(), index);
    return convert(result, product.getSumFormat(), format);
  });
}

static LogicalResult runMatmul(Machine &machine, pl::MatmulOp op) {
  return runProduct(machine, op, op.getATrans(), op.getBTrans());
}

static LogicalResult runTileMatmul(Machine &machine, tile::MatmulOp op) {
  return runProduct(machine, op, false, false);
}

static LogicalResult runTileMatmulBias(Machine &machine, tile::MatmulBiasOp op) {
  Product product(machine, op, 0, 1, false, false);
  FailureOr<Extents> extents = product.getExtents();
  if (failed(extents))
    return failure();
  Reader bias(machine, op, 2, machine.getView(op.getBias()), getElement(op.getBias()));
  extents->valid.back() = std::min(extents->valid.back(), bias.getView().valid.back());
  Format format(getElement(op.getResult()));
  return defineElements(machine, op, *extents, [&](ArrayRef<int64_t> index) {
    Number start = convert(bias({0, index.back()}), bias.getFormat(), product.getSumFormat());
    return convert(product.accumulate(start, index), product.getSumFormat(), format);
  });
}

/// The new elements of the accumulator `acc`: where the product is valid.
static FailureOr<View> accumulate(Machine &machine, Operation *op, const View &acc,
                                  Product &product, bool startsAtZero) {
  FailureOr<Extents> extents = product.getExtents();
  if (failed(extents))
    return failure();
  if (extents->shape != acc.shape)
    return machine.emitError(op, "expects an accumulator of shape ")
           << execution::formatShape(extents->shape) << ", but got "
           << execution::formatShape(acc.shape);
  for (auto [valid, own] : llvm::zip_equal(extents->valid, acc.valid))
    valid = std::min(valid, own);
  Type element = getElement(op->getResult(0));
  Reader old(machine, op, 0, acc, element);
  return computeElements(machine, op, element, *extents, [&](ArrayRef<int64_t> index) {
    Number start = startsAtZero ? product.getSumFormat().getZero()
                                : convert(old(index), old.getFormat(), product.getSumFormat());
    return convert(product.accumulate(start, index), product.getSumFormat(), old.getFormat());
  });
}

static bool startsAtZero(Machine &machine, Operation *op, Value init) {
  return init && machine.getIndex(op, init) != 0;
}

static LogicalResult runMatmulAcc(Machine &machine, pl::MatmulAccOp op) {
  Product product(machine, op, 1, 2, op.getATrans(), op.getBTrans());
  const View &acc = machine.getView(op.getAcc());
  FailureOr<View> result =
      accumulate(machine, op, acc, product, startsAtZero(machine, op, op.getInit()));
  if (failed(result))
    return failure();
  machine.copy(*result, acc, result->valid, Format(getElement(op.getAcc())).getSize());
  return machine.define(op.getResult(), acc);
}

/// Where the product is not valid the accumulator stays, or is the zero that it counts as.
static LogicalResult runTileMatmulAcc(Machine &machine, tile::MatmulAccOp op) {
  Product product(machine, op, 1, 2, false, false);
  const View &acc = machine.getView(op.getAcc());
  bool isZero = startsAtZero(machine, op, op.getInit());
  FailureOr<View> result = accumulate(machine, op, acc, product, isZero);
  if (failed(result))
    return failure();
  Format format(getElement(op.getAcc()));
  forEachIndex(acc.valid, [&](ArrayRef<int64_t> index) {
    if (result->isValid(index))
      return;
    if (isZero)
      store(*result, index, format, format.getZero());
    else
      moveElement(acc, index, *result, index, format.getSize());
  });
  result->valid = acc.valid;
  return machine.define(op.getResult(), std::move(*result));
}

void interpreter::addMatmul(Table &table) {
  table.add<pl::MatmulOp>(runMatmul);
  table.add<pl::MatmulAccOp>(runMatmulAcc);
  table.add<tile::MatmulOp>(runTileMatmul);
  table.add<tile::MatmulBiasOp>(runTileMatmulBias);
  table.add<tile::MatmulAccOp>(runTileMatmulAcc);
}
