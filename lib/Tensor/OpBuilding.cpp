// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpBuilding.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstring>

using namespace pypto::lazy;

llvm::Error pypto::lazy::makeError(llvm::StringRef op, const llvm::Twine &reason, Place place) {
  return llvm::make_error<TensorError>(op.str(), reason.str(), place);
}

void pypto::lazy::fail(const llvm::Twine &reason) { throw TensorException(reason.str()); }

std::string pypto::lazy::formatNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return text;
}

static void expect(bool holds, llvm::StringRef what, const Tensor &tensor) {
  if (!holds)
    fail("expects " + what + ", but got " + stringifyDType(tensor.getDType()));
}
void pypto::lazy::expectFloats(const Tensor &tensor) {
  expect(isFloat(tensor.getDType()), "floats", tensor);
}
void pypto::lazy::expectIntegers(const Tensor &tensor) {
  expect(!isFloat(tensor.getDType()) && tensor.getDType() != DType::Bool, "integers", tensor);
}
void pypto::lazy::expectBools(const Tensor &tensor) {
  expect(tensor.getDType() == DType::Bool, "bools", tensor);
}
void pypto::lazy::expectNumbers(const Tensor &tensor) {
  expect(tensor.getDType() != DType::Bool, "numbers", tensor);
}

void pypto::lazy::expectShape(llvm::ArrayRef<Extent> shape) {
  for (const Extent &extent : shape)
    if (extent.max < 0)
      fail("expects extents of at least 0, but got " + formatShape(shape));
  if (!isValidShape(shape))
    fail("the shape " + formatShape(shape) + " is too large");
}

int64_t pypto::lazy::getAxis(int64_t axis, int64_t rank) {
  return unwrap(normalizeAxis("", axis, rank, Place::current()));
}

int64_t pypto::lazy::getStatic(const Tensor &tensor, int64_t axis) {
  if (!tensor.getShape()[axis].isStatic())
    fail("expects an extent that is a number at axis " + llvm::Twine(axis) + ", but got " +
         formatShape(tensor.getShape()));
  return tensor.getShape()[axis].max;
}

DType pypto::lazy::getWide(DType dtype) {
  return dtype == DType::F16 || dtype == DType::BF16 ? DType::F32 : dtype;
}

//===- Constants ----------------------------------------------------------------------===//

// Floats are kept as the bits of a double, integers as themselves.
NodeRef pypto::lazy::makeConstant(double value, DType dtype) {
  int64_t bits;
  if (isFloat(dtype))
    std::memcpy(&bits, &value, sizeof(bits));
  else
    bits = dtype == DType::Bool ? value != 0 : static_cast<int64_t>(value);
  return makeNode(OpKind::Constant, dtype, {}, {}, bits);
}

NodeRef pypto::lazy::makeIntegerConstant(WholeNumber value, DType dtype) {
  if (isFloat(dtype))
    return makeConstant(value.getDouble(), dtype);
  int64_t bits = static_cast<int64_t>(value.bits);
  return makeNode(OpKind::Constant, dtype, {}, {},
                  dtype == DType::Bool ? int64_t(bits != 0) : bits);
}

NodeRef pypto::lazy::makeIntegerConstant(int64_t value, DType dtype) {
  return makeIntegerConstant(WholeNumber(value), dtype);
}

WholeNumber pypto::lazy::getGreatest(DType integers) {
  unsigned bits = integers == DType::Bool ? 1 : getSize(integers) * 8 - !isUnsigned(integers);
  return WholeNumber(llvm::maskTrailingOnes<uint64_t>(bits));
}

WholeNumber pypto::lazy::getLeast(DType integers) {
  if (isUnsigned(integers))
    return WholeNumber(0);
  return WholeNumber(llvm::minIntN(getSize(integers) * 8));
}

bool pypto::lazy::fitsIn(WholeNumber value, DType dtype) {
  if (!value.isNegative)
    return value.bits <= getGreatest(dtype).bits;
  return !isUnsigned(dtype) && value.bits >= getLeast(dtype).bits;
}

std::optional<WholeNumber> pypto::lazy::findWhole(double value) {
  if (value != std::trunc(value) || !(value >= -0x1p63 && value < 0x1p64))
    return std::nullopt;
  return value < 0 ? WholeNumber(static_cast<int64_t>(value))
                   : WholeNumber(static_cast<uint64_t>(value));
}

static const llvm::fltSemantics &getSemantics(DType floats) {
  return floats == DType::F16    ? llvm::APFloat::IEEEhalf()
         : floats == DType::BF16 ? llvm::APFloat::BFloat()
         : floats == DType::F32  ? llvm::APFloat::IEEEsingle()
                                 : llvm::APFloat::IEEEdouble();
}

double pypto::lazy::getGreatestFinite(DType floats) {
  return llvm::APFloat::getLargest(getSemantics(floats)).convertToDouble();
}

/// Not so for finite numbers that would be rounded to an infinity.
static bool fitsInFloats(double value, DType dtype) {
  llvm::APFloat rounded(value);
  bool isLossy;
  return !(rounded.convert(getSemantics(dtype), llvm::APFloat::rmNearestTiesToEven, &isLossy) &
           llvm::APFloat::opOverflow);
}

double pypto::lazy::getConstantValue(const Node &constant) {
  int64_t bits = constant.attributes[0];
  if (!isFloat(constant.dtype))
    return static_cast<double>(bits);
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

Operand::Operand(const Tensor &tensor, Place place) : value(tensor.getNode()), place(place) {}

std::optional<DType> Operand::getDType() const {
  const auto *node = std::get_if<NodeRef>(&value);
  return node ? std::optional((*node)->dtype) : std::nullopt;
}

std::optional<double> Operand::getNumber() const {
  if (const auto *number = std::get_if<double>(&value))
    return *number;
  if (const auto *whole = std::get_if<WholeNumber>(&value))
    return whole->getDouble();
  if (const auto *flag = std::get_if<bool>(&value))
    return *flag;
  return std::nullopt;
}

std::string Operand::format() const {
  const auto *whole = std::get_if<WholeNumber>(&value);
  if (!whole)
    return formatNumber(getNumber().value_or(0));
  return whole->isNegative ? std::to_string(static_cast<int64_t>(whole->bits))
                           : std::to_string(whole->bits);
}

/// A number as an integer of `dtype`: rounded towards zero, as a cast does; nothing if there is
/// none.
static std::optional<WholeNumber> toInteger(const Operand &operand, DType dtype) {
  std::optional<WholeNumber> whole = operand.getWhole();
  if (double number = *operand.getNumber(); !whole)
    whole = findWhole(dtype == DType::Bool ? number : std::trunc(number));
  return whole && fitsIn(*whole, dtype) ? whole : std::nullopt;
}

bool Operand::fits(DType dtype) const {
  if (std::holds_alternative<NodeRef>(value) || std::holds_alternative<bool>(value))
    return true;
  return isFloat(dtype) ? fitsInFloats(*getNumber(), dtype) : toInteger(*this, dtype).has_value();
}

/// The first type, from `dtype` on, whose floats hold `value`.
static NodeRef makeFittingFloat(double value, DType dtype) {
  while (!fitsInFloats(value, dtype))
    dtype = getSize(dtype) < 4 ? DType::F32 : DType::F64;
  return makeConstant(value, dtype);
}

/// As wide as need be, and of signed integers only next to them or below zero.
static NodeRef makeFittingInteger(WholeNumber value, DType dtype) {
  static constexpr DType isSigned[] = {DType::I8, DType::I16, DType::I32, DType::I64};
  static constexpr DType isNot[] = {DType::U8, DType::U16, DType::U32, DType::U64};
  if (!fitsIn(value, dtype))
    for (DType wider : isUnsigned(dtype) && !value.isNegative ? isNot : isSigned)
      if (fitsIn(value, dtype = wider))
        break;
  return makeIntegerConstant(value, fitsIn(value, dtype) ? dtype : DType::U64);
}

NodeRef Operand::getNode(std::optional<DType> other) const {
  if (const auto *node = std::get_if<NodeRef>(&value))
    return *node;
  if (const auto *flag = std::get_if<bool>(&value))
    return makeIntegerConstant(*flag, other.value_or(DType::Bool));
  std::optional<WholeNumber> whole = getWhole();
  if (!whole || (other && isFloat(*other)))
    return makeFittingFloat(*getNumber(), other && isFloat(*other) ? *other : DType::F32);
  // A whole number next to bools is an integer.
  return makeFittingInteger(*whole, other && *other != DType::Bool ? *other : DType::I64);
}

NodeRef Operand::getNodeOf(DType dtype) const {
  if (const auto *node = std::get_if<NodeRef>(&value))
    return castTo(*node, dtype);
  if (!fits(dtype))
    fail("expects a number that " + stringifyDType(dtype) + " holds, but got " + format());
  if (isFloat(dtype))
    return makeConstant(*getNumber(), dtype);
  return makeIntegerConstant(*toInteger(*this, dtype), dtype);
}

//===- Axes and shapes ------------------------------------------------------------------===//

llvm::Expected<int64_t> pypto::lazy::normalizeAxis(llvm::StringRef op, int64_t axis, int64_t rank,
                                                   Place place) {
  if (axis >= -rank && axis < rank)
    return axis < 0 ? axis + rank : axis;
  return makeError(op,
                   "expects an axis of a tensor of rank " + llvm::Twine(rank) + ", but got " +
                       llvm::Twine(axis),
                   place);
}

llvm::Expected<llvm::SmallVector<int64_t>> pypto::lazy::normalizeAxes(llvm::StringRef op,
                                                                      llvm::ArrayRef<int64_t> axes,
                                                                      int64_t rank, Place place) {
  llvm::SmallVector<int64_t> result;
  if (axes.empty())
    llvm::append_range(result, llvm::seq<int64_t>(0, rank));
  for (int64_t axis : axes) {
    llvm::Expected<int64_t> normalized = normalizeAxis(op, axis, rank, place);
    if (!normalized)
      return normalized.takeError();
    if (llvm::is_contained(result, *normalized))
      return makeError(op, "expects each axis once, but got " + llvm::Twine(axis) + " again",
                       place);
    result.push_back(*normalized);
  }
  llvm::sort(result);
  return result;
}

llvm::Expected<Shape> pypto::lazy::broadcastShapes(llvm::StringRef op, llvm::ArrayRef<Extent> a,
                                                   llvm::ArrayRef<Extent> b, Place place) {
  Shape result(std::max(a.size(), b.size()), Extent(1));
  for (size_t i = 1; i <= result.size(); ++i) {
    Extent one(1), x = i <= a.size() ? a[a.size() - i] : one,
                   y = i <= b.size() ? b[b.size() - i] : one;
    if (x != y && x != one && y != one)
      return makeError(op, "expects shapes that broadcast, but got " + formatShapes(a, b), place);
    result[result.size() - i] = x == one ? y : x;
  }
  if (!isValidShape(result))
    return makeError(op, "the shape " + formatShape(result) + " is too large", place);
  return result;
}

//===- Nodes ------------------------------------------------------------------------------===//

NodeRef pypto::lazy::castTo(NodeRef node, DType dtype) {
  if (node->dtype == dtype)
    return node;
  return makeNode(OpKind::Cast, dtype, node->shape, node);
}

NodeRef pypto::lazy::reshapeTo(NodeRef node, const Shape &shape) {
  if (llvm::ArrayRef(node->shape) == llvm::ArrayRef(shape))
    return node;
  // The shape in between does not matter.
  if (node->op == OpKind::Reshape)
    return reshapeTo(node->operands[0], shape);
  return makeNode(OpKind::Reshape, node->dtype, shape, node);
}

NodeRef pypto::lazy::broadcastTo(NodeRef node, const Shape &shape) {
  Shape aligned(shape.size() - node->shape.size(), Extent(1));
  llvm::append_range(aligned, node->shape);
  node = reshapeTo(node, aligned);
  if (llvm::ArrayRef(node->shape) == llvm::ArrayRef(shape))
    return node;
  return makeNode(OpKind::Expand, node->dtype, shape, node);
}

NodeRef pypto::lazy::permuteTo(NodeRef node, llvm::ArrayRef<int64_t> permutation) {
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
    return node;
  if (node->op == OpKind::Permute) {
    llvm::SmallVector<int64_t> both;
    for (int64_t axis : permutation)
      both.push_back(node->attributes[axis]);
    return permuteTo(node->operands[0], both);
  }
  Shape shape;
  for (int64_t axis : permutation)
    shape.push_back(node->shape[axis]);
  return makeNode(OpKind::Permute, node->dtype, shape, node, permutation);
}

NodeRef pypto::lazy::unary(OpKind op, NodeRef node) {
  DType dtype = node->dtype;
  Shape shape = node->shape;
  return makeNode(op, dtype, shape, std::move(node));
}

NodeRef pypto::lazy::binary(OpKind op, NodeRef a, NodeRef b) {
  bool isComparison = op >= OpKind::Less && op <= OpKind::NotEqual;
  DType dtype = isComparison ? DType::Bool : a->dtype;
  return makeNode(op, dtype, a->shape, {a, b});
}

NodeRef pypto::lazy::reduce(OpKind op, NodeRef node, llvm::ArrayRef<int64_t> axes) {
  if (axes.empty())
    return node;
  Shape shape = node->shape;
  for (int64_t axis : axes)
    shape[axis] = Extent(1);
  return makeNode(op, node->dtype, shape, node, axes);
}

NodeRef pypto::lazy::dropAxes(NodeRef node, llvm::ArrayRef<int64_t> axes) {
  Shape shape;
  for (auto [axis, extent] : llvm::enumerate(node->shape))
    if (!llvm::is_contained(axes, static_cast<int64_t>(axis)))
      shape.push_back(extent);
  return reshapeTo(node, shape);
}
