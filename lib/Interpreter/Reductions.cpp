// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of rows and columns, and rows and columns applied to a whole.
#include "Computation.h"

#include <cmath>

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::interpreter;

/// Extents with a one in dimension `dim`.
static Extents reduce(const View &view, size_t dim) {
  Extents extents{view.shape, view.valid};
  extents.shape[dim] = extents.valid[dim] = 1;
  return extents;
}

/// Calls `fn` with each valid index along `dim`, the others being those of `index`.
template <typename Fn>
static void forEachAlong(const View &view, size_t dim, ArrayRef<int64_t> index, Fn fn) {
  Sizes position(index);
  for (position[dim] = 0; position[dim] != view.valid[dim]; ++position[dim])
    fn(ArrayRef<int64_t>(position));
}

/// In the order of the elements; narrow floats are rounded at the end only.
static LogicalResult runReduction(Machine &machine, Operation *op, Binary kind, unsigned fromEnd) {
  const View &view = machine.getView(op->getOperand(0));
  Reader source(machine, op, 0, view, getElement(op->getOperand(0)));
  size_t dim = view.shape.size() - fromEnd;
  const Format &format = source.getFormat();
  return defineElements(machine, op, reduce(view, dim), [&](ArrayRef<int64_t> index) {
    Number result = getNeutral(kind, format);
    forEachAlong(view, dim, index, [&](ArrayRef<int64_t> position) {
      result = compute(kind, format, result, source(position));
    });
    return result;
  });
}

/// The first extreme, or the first NaN. What is no better than the worst number that there is, is
/// never taken.
static LogicalResult runArgReduction(Machine &machine, Operation *op, bool isMax,
                                     unsigned fromEnd) {
  const View &view = machine.getView(op->getOperand(0));
  Reader source(machine, op, 0, view, getElement(op->getOperand(0)));
  size_t dim = view.shape.size() - fromEnd;
  const Format &format = source.getFormat();
  Format position(getElement(op->getResult(0)));
  return defineElements(machine, op, reduce(view, dim), [&](ArrayRef<int64_t> index) {
    Number best = format.getLimit(/*isGreatest=*/!isMax);
    int64_t where = 0;
    State state = State::Set;
    forEachAlong(view, dim, index, [&](ArrayRef<int64_t> at) {
      Number candidate = source(at);
      state = join(state, candidate.state);
      bool isNaN = format.isFloat() && std::isnan(candidate.real);
      bool isBetter = isNaN ? !std::isnan(best.real)
                            : compare(isMax ? CmpKind::GT : CmpKind::LT, format, candidate, best);
      if (!isBetter)
        return;
      best = candidate;
      where = at[dim];
    });
    Number result = position.makeInteger(where);
    result.state = state;
    return result;
  });
}

//===- Expansions ---------------------------------------------------------------===//

/// Extents of a whole with a vector of one element in a dimension and else of equal extents.
static FailureOr<Extents> expand(Machine &machine, Operation *op, unsigned fromEnd) {
  const View &whole = machine.getView(op->getOperand(0)),
             &vector = machine.getView(op->getOperand(1));
  size_t except = whole.shape.size() - fromEnd;
  Extents extents{whole.shape, whole.valid};
  for (size_t dim = 0; dim != whole.shape.size(); ++dim) {
    int64_t expected = dim == except ? 1 : whole.shape[dim];
    if (vector.shape[dim] != expected)
      return machine.emitError(op, "expects a vector of extent ")
             << expected << " in dimension " << dim << ", but got " << vector.shape[dim];
    if (dim != except || whole.shape[dim] == 1)
      extents.valid[dim] = std::min(extents.valid[dim], vector.valid[dim]);
  }
  return extents;
}

static LogicalResult runExpand(Machine &machine, Operation *op, unsigned fromEnd) {
  FailureOr<Extents> extents = expand(machine, op, fromEnd);
  if (failed(extents))
    return failure();
  Operand vector(machine, op, 1, {});
  Format format(getElement(op->getResult(0)));
  return defineElements(machine, op, *extents, [&](ArrayRef<int64_t> index) {
    return convert(vector(index), vector.getFormat(), format);
  });
}

using CombineFn = Number (*)(const Format &, const Number &, const Number &);

static LogicalResult runExpandBinary(Machine &machine, Operation *op, unsigned fromEnd,
                                     CombineFn combine) {
  FailureOr<Extents> extents = expand(machine, op, fromEnd);
  if (failed(extents))
    return failure();
  Operand source(machine, op, 0, {}), vector(machine, op, 1, {});
  Format format(getElement(op->getResult(0)));
  return defineElements(machine, op, *extents, [&](ArrayRef<int64_t> index) {
    return combine(format, convert(source(index), source.getFormat(), format),
                   convert(vector(index), vector.getFormat(), format));
  });
}

template <Binary kind>
static Number combine(const Format &format, const Number &lhs, const Number &rhs) {
  return compute(kind, format, lhs, rhs);
}
static Number expOfDifference(const Format &format, const Number &lhs, const Number &rhs) {
  return compute(Unary::Exp, format, compute(Binary::Sub, format, lhs, rhs));
}

template <typename OpTy> static void addReduction(Table &table, Binary kind, unsigned fromEnd) {
  table.add(OpTy::getOperationName(), [=](Machine &machine, Operation *op) {
    return runReduction(machine, op, kind, fromEnd);
  });
}
template <typename OpTy> static void addArgReduction(Table &table, bool isMax, unsigned fromEnd) {
  table.add(OpTy::getOperationName(), [=](Machine &machine, Operation *op) {
    return runArgReduction(machine, op, isMax, fromEnd);
  });
}
template <typename OpTy> static void addExpand(Table &table, unsigned fromEnd) {
  table.add(OpTy::getOperationName(),
            [=](Machine &machine, Operation *op) { return runExpand(machine, op, fromEnd); });
}
template <typename OpTy>
static void addExpandBinary(Table &table, unsigned fromEnd, CombineFn combine) {
  table.add(OpTy::getOperationName(), [=](Machine &machine, Operation *op) {
    return runExpandBinary(machine, op, fromEnd, combine);
  });
}

void interpreter::addReductions(Table &table) {
#define PYPTO_AXIS(Level, Axis, FromEnd)                                                           \
  addReduction<Level::Axis##SumOp>(table, Binary::Add, FromEnd);                                   \
  addReduction<Level::Axis##ProdOp>(table, Binary::Mul, FromEnd);                                  \
  addReduction<Level::Axis##MaxOp>(table, Binary::Maximum, FromEnd);                               \
  addReduction<Level::Axis##MinOp>(table, Binary::Minimum, FromEnd);                               \
  addArgReduction<Level::Axis##ArgmaxOp>(table, /*isMax=*/true, FromEnd);                          \
  addArgReduction<Level::Axis##ArgminOp>(table, /*isMax=*/false, FromEnd);                         \
  addExpand<Level::Axis##ExpandOp>(table, FromEnd);                                                \
  addExpandBinary<Level::Axis##ExpandAddOp>(table, FromEnd, combine<Binary::Add>);                 \
  addExpandBinary<Level::Axis##ExpandSubOp>(table, FromEnd, combine<Binary::Sub>);                 \
  addExpandBinary<Level::Axis##ExpandMulOp>(table, FromEnd, combine<Binary::Mul>);                 \
  addExpandBinary<Level::Axis##ExpandDivOp>(table, FromEnd, combine<Binary::Div>);                 \
  addExpandBinary<Level::Axis##ExpandMaxOp>(table, FromEnd, combine<Binary::Maximum>);             \
  addExpandBinary<Level::Axis##ExpandMinOp>(table, FromEnd, combine<Binary::Minimum>);             \
  addExpandBinary<Level::Axis##ExpandExpdifOp>(table, FromEnd, expOfDifference);
  PYPTO_AXIS(pl, Row, 1)
  PYPTO_AXIS(pl, Col, 2)
  PYPTO_AXIS(tile, Row, 1)
  PYPTO_AXIS(tile, Col, 2)
#undef PYPTO_AXIS
}
