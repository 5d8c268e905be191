// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpBuilding.h"

#include <cmath>
#include <limits>
#include <numbers>

using namespace pypto::lazy;

//===- Helpers --------------------------------------------------------------------------===//

static llvm::Expected<Tensor> makeUnary(const Tensor &tensor, llvm::StringRef name, OpKind op,
                                        bool needsFloat, Place place) {
  DType dtype = tensor.getDType();
  if (needsFloat && !isFloat(dtype))
    return makeError(name, "expects floats, but got " + stringifyDType(dtype), place);
  if (dtype == DType::Bool)
    return makeError(name, "expects numbers, but got bool", place);
  return Tensor(unary(op, tensor.getNode()));
}

/// Both operands with one type and shape.
static llvm::Expected<std::pair<NodeRef, NodeRef>> unite(llvm::StringRef name, const Operand &a,
                                                         const Operand &b, Place place) {
  NodeRef x = a.getNode(b.getDType()), y = b.getNode(a.getDType());
  DType dtype = promote(x->dtype, y->dtype);
  llvm::Expected<Shape> shape = broadcastShapes(name, x->shape, y->shape, place);
  if (!shape)
    return shape.takeError();
  return std::pair(broadcastTo(castTo(x, dtype), *shape), broadcastTo(castTo(y, dtype), *shape));
}

namespace {
/// What elements an operation takes.
enum class Domain { Any, Numbers, Integers };
} // namespace

static llvm::Expected<Tensor> makeBinary(llvm::StringRef name, OpKind op, Domain domain,
                                         const Operand &a, const Operand &b) {
  Place place = b.getPlace();
  auto united = unite(name, a, b, place);
  if (!united)
    return united.takeError();
  DType dtype = united->first->dtype;
  if (domain == Domain::Numbers && dtype == DType::Bool)
    return makeError(name, "expects numbers, but got bool", place);
  if (domain == Domain::Integers && isFloat(dtype))
    return makeError(name, "expects integers, but got " + stringifyDType(dtype), place);
  return Tensor(binary(op, united->first, united->second));
}

//===- One operand --------------------------------------------------------------------------===//

#define UNARY(TRY, NAME, OP, NEEDS_FLOAT)                                                          \
  llvm::Expected<Tensor> Tensor::try##TRY(Place place) const {                                     \
    return makeUnary(*this, NAME, OP, NEEDS_FLOAT, place);                                         \
  }
UNARY(Neg, "neg", OpKind::Neg, false)
UNARY(Abs, "abs", OpKind::Abs, false)
UNARY(Sqrt, "sqrt", OpKind::Sqrt, true)
UNARY(Rsqrt, "rsqrt", OpKind::Rsqrt, true)
UNARY(Exp, "exp", OpKind::Exp, true)
UNARY(Exp2, "exp2", OpKind::Exp2, true)
UNARY(Log, "log", OpKind::Log, true)
UNARY(Log2, "log2", OpKind::Log2, true)
UNARY(Sin, "sin", OpKind::Sin, true)
UNARY(Cos, "cos", OpKind::Cos, true)
UNARY(Tan, "tan", OpKind::Tan, true)
UNARY(Tanh, "tanh", OpKind::Tanh, true)
UNARY(Erf, "erf", OpKind::Erf, true)
UNARY(Floor, "floor", OpKind::Floor, true)
UNARY(Ceil, "ceil", OpKind::Ceil, true)
UNARY(Round, "round", OpKind::Round, true)
UNARY(Trunc, "trunc", OpKind::Trunc, true)
#undef UNARY

// A composed operation: checks its operand once, then is an expression of the others.
#define COMPOSED(TRY, NAME, EXPRESSION)                                                            \
  llvm::Expected<Tensor> Tensor::try##TRY(Place place) const {                                     \
    if (!isFloat(getDType()))                                                                      \
      return makeError(NAME, "expects floats, but got " + stringifyDType(getDType()), place);      \
    const Tensor &x = *this;                                                                       \
    return EXPRESSION;                                                                             \
  }
COMPOSED(Reciprocal, "reciprocal", 1.0 / x)
COMPOSED(Relu6, "relu6", x.maximum(0.0).minimum(6.0))
COMPOSED(Sigmoid, "sigmoid", 1.0 / (1.0 + (-x).exp()))
COMPOSED(Silu, "silu", x *x.sigmoid())
COMPOSED(Gelu, "gelu", x * 0.5 * (1.0 + (x * std::numbers::sqrt2 * 0.5).erf()))
COMPOSED(GeluTanh, "geluTanh",
         x * 0.5 * (1.0 + (0.7978845608028654 * (x + 0.044715 * (x * x * x))).tanh()))
COMPOSED(QuickGelu, "quickGelu", x *(x * 1.702).sigmoid())
// log(1 + e^x) without overflow.
COMPOSED(Softplus, "softplus", x.maximum(0.0) + ((-x.abs()).exp() + 1.0).log())
COMPOSED(Softsign, "softsign", x / (1.0 + x.abs()))
COMPOSED(Mish, "mish", x *x.softplus().tanh())
COMPOSED(HardSigmoid, "hardSigmoid", (x * (1.0 / 6.0) + 0.5).maximum(0.0).minimum(1.0))
COMPOSED(HardSwish, "hardSwish", x *(x + 3.0).relu6() * (1.0 / 6.0))
COMPOSED(IsNaN, "isNaN", x.notEqual(x))
COMPOSED(IsInf, "isInf", x.abs().equal(std::numeric_limits<double>::infinity()))
#undef COMPOSED

llvm::Expected<Tensor> Tensor::trySquare(Place) const { return tryMul(*this); }

llvm::Expected<Tensor> Tensor::tryRelu(Place place) const {
  if (getDType() == DType::Bool)
    return makeError("relu", "expects numbers, but got bool", place);
  return tryMaximum(Operand(0, place));
}

llvm::Expected<Tensor> Tensor::trySign(Place place) const {
  if (getDType() == DType::Bool)
    return makeError("sign", "expects numbers, but got bool", place);
  // A NaN stays.
  Tensor signs = less(0).where(Tensor(makeIntegerConstant(-1, getDType())),
                               equal(0).where(*this, Tensor(makeIntegerConstant(1, getDType()))));
  return isFloat(getDType()) ? notEqual(*this).where(*this, signs) : signs;
}

llvm::Expected<Tensor> Tensor::tryLogicalNot(Place place) const {
  if (getDType() != DType::Bool)
    return makeError("logicalNot", "expects bools, but got " + stringifyDType(getDType()), place);
  return Tensor(unary(OpKind::Not, getNode()));
}

llvm::Expected<Tensor> Tensor::tryBitwiseNot(Place place) const {
  if (isFloat(getDType()))
    return makeError("bitwiseNot", "expects integers, but got " + stringifyDType(getDType()),
                     place);
  return Tensor(unary(OpKind::Not, getNode()));
}

llvm::Expected<Tensor> Tensor::tryCast(DType dtype, Place) const {
  return Tensor(castTo(getNode(), dtype));
}

llvm::Expected<Tensor> Tensor::tryBitcast(DType dtype, Place place) const {
  bool isSame = lazy::getSize(dtype) == lazy::getSize(getDType());
  if (!isSame || dtype == DType::Bool || getDType() == DType::Bool)
    return makeError("bitcast",
                     "expects element types of one size, but got " + stringifyDType(getDType()) +
                         " and " + stringifyDType(dtype),
                     place);
  if (dtype == getDType())
    return *this;
  return Tensor(makeNode(OpKind::Bitcast, dtype, getNode()->shape, getNode()));
}

Tensor Tensor::leakyRelu(double slope, Place) const {
  return less(0.0).where(*this * slope, *this);
}

Tensor Tensor::elu(double alpha, Place) const {
  return less(0.0).where((exp() - 1.0) * alpha, *this);
}

//===- Two operands -------------------------------------------------------------------------===//

#define BINARY(TRY, NAME, OP, DOMAIN)                                                              \
  llvm::Expected<Tensor> Tensor::try##TRY(const Operand &other) const {                            \
    return makeBinary(NAME, OP, DOMAIN, *this, other);                                             \
  }
BINARY(Add, "add", OpKind::Add, Domain::Numbers)
BINARY(Sub, "sub", OpKind::Sub, Domain::Numbers)
BINARY(Mul, "mul", OpKind::Mul, Domain::Numbers)
BINARY(Div, "div", OpKind::Div, Domain::Numbers)
BINARY(Rem, "rem", OpKind::Rem, Domain::Numbers)
BINARY(Maximum, "maximum", OpKind::Max, Domain::Any)
BINARY(Minimum, "minimum", OpKind::Min, Domain::Any)
BINARY(BitwiseAnd, "bitwiseAnd", OpKind::And, Domain::Integers)
BINARY(BitwiseOr, "bitwiseOr", OpKind::Or, Domain::Integers)
BINARY(BitwiseXor, "bitwiseXor", OpKind::Xor, Domain::Integers)
BINARY(ShiftLeft, "shiftLeft", OpKind::Shl, Domain::Integers)
BINARY(ShiftRight, "shiftRight", OpKind::Shr, Domain::Integers)
BINARY(Less, "less", OpKind::Less, Domain::Any)
BINARY(LessEqual, "lessEqual", OpKind::LessEqual, Domain::Any)
BINARY(Equal, "equal", OpKind::Equal, Domain::Any)
BINARY(NotEqual, "notEqual", OpKind::NotEqual, Domain::Any)
#undef BINARY

llvm::Expected<Tensor> Tensor::tryGreater(const Operand &other) const {
  auto united = unite("greater", *this, other, other.getPlace());
  if (!united)
    return united.takeError();
  return Tensor(binary(OpKind::Less, united->second, united->first));
}

llvm::Expected<Tensor> Tensor::tryGreaterEqual(const Operand &other) const {
  auto united = unite("greaterEqual", *this, other, other.getPlace());
  if (!united)
    return united.takeError();
  return Tensor(binary(OpKind::LessEqual, united->second, united->first));
}

llvm::Expected<Tensor> Tensor::tryPow(const Operand &other) const {
  if (!isFloat(getDType()))
    return makeError("pow", "expects floats, but got " + stringifyDType(getDType()),
                     other.getPlace());
  return makeBinary("pow", OpKind::Pow, Domain::Numbers, *this, other);
}

llvm::Expected<Tensor> Tensor::tryWhere(const Operand &then, const Operand &otherwise) const {
  Place place = then.getPlace();
  if (getDType() != DType::Bool)
    return makeError("where", "expects bools to choose by, but got " + stringifyDType(getDType()),
                     place);
  auto united = unite("where", then, otherwise, place);
  if (!united)
    return united.takeError();
  llvm::Expected<Shape> shape = broadcastShapes("where", getShape(), united->first->shape, place);
  if (!shape)
    return shape.takeError();
  return Tensor(makeNode(OpKind::Where, united->first->dtype, *shape,
                         {broadcastTo(getNode(), *shape), broadcastTo(united->first, *shape),
                          broadcastTo(united->second, *shape)}));
}

namespace pypto::lazy {
#define OPERATOR(SYMBOL, NAME, OP)                                                                 \
  Tensor operator SYMBOL(const Operand &a, const Operand &b) {                                     \
    return unwrap(makeBinary(NAME, OP, Domain::Numbers, a, b));                                    \
  }
OPERATOR(+, "add", OpKind::Add)
OPERATOR(-, "sub", OpKind::Sub)
OPERATOR(*, "mul", OpKind::Mul)
OPERATOR(/, "div", OpKind::Div)
OPERATOR(%, "rem", OpKind::Rem)
#undef OPERATOR
} // namespace pypto::lazy
