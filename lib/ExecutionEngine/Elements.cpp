// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/ExecutionEngine/Elements.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <limits>
#include <random>

using namespace mlir;
using namespace pypto::execution;

//===- Dtypes ---------------------------------------------------------------===//

std::optional<DType> pypto::execution::getDType(Type type) {
  if (isa<IndexType>(type))
    return DType{'i', 8};
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    if (width == 1)
      return DType{'b', 1};
    if (width != 4 && width != 8 && width != 16 && width != 32 && width != 64)
      return std::nullopt;
    return DType{integer.isUnsigned() ? 'u' : 'i', std::max(width / 8, 1u)};
  }
  if (type.isF16() || type.isF32() || type.isF64())
    return DType{'f', type.getIntOrFloatBitWidth() / 8};
  if (auto number = dyn_cast<FloatType>(type);
      number && (number.isBF16() || number.getWidth() == 8))
    return DType{'u', number.getWidth() / 8};
  return std::nullopt;
}

/// True if files hold the bits of this float type in an integer dtype.
static bool isRawBits(Type type) { return isa<FloatType>(type) && getDType(type)->kind == 'u'; }

static bool isNibble(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() == 4;
}

llvm::Error pypto::execution::importElements(Type type, Array &array) {
  std::optional<DType> dtype = getDType(type);
  if (!dtype || array.getDType() != *dtype)
    return makeError("expects dtype " + (dtype ? dtype->str() : std::string("of an element")) +
                     (dtype && isRawBits(type) ? " (raw bits)" : "") + ", but got " +
                     array.getDType().str());
  int64_t count = array.getNumElements();
  if (dtype->kind == 'b')
    for (int64_t i = 0; i < count; ++i)
      *array.element(i) = *array.element(i) != 0;
  if (!isNibble(type))
    return llvm::Error::success();
  int low = type.isUnsignedInteger() ? 0 : -8, high = type.isUnsignedInteger() ? 15 : 7;
  for (int64_t i = 0; i < count; ++i) {
    char &element = *array.element(i);
    int value = type.isUnsignedInteger() ? static_cast<unsigned char>(element)
                                         : static_cast<signed char>(element);
    if (value < low || value > high)
      return makeError("expects values from " + std::to_string(low) + " to " +
                       std::to_string(high) + ", but element " + std::to_string(i) + " is " +
                       std::to_string(value));
    element &= 15;
  }
  return llvm::Error::success();
}

void pypto::execution::exportElements(Type type, Array &array) {
  if (!isNibble(type))
    return;
  bool isSigned = !type.isUnsignedInteger();
  for (int64_t i = 0, e = array.getNumElements(); i < e; ++i) {
    char &element = *array.element(i);
    element = isSigned && (element & 8) ? element | ~15 : element & 15;
  }
}

//===- Values ---------------------------------------------------------------===//

static uint64_t readBits(const char *element, unsigned size) {
  switch (size) {
  case 1:
    return static_cast<unsigned char>(*element);
  case 2:
    return llvm::support::endian::read16le(element);
  case 4:
    return llvm::support::endian::read32le(element);
  default:
    return llvm::support::endian::read64le(element);
  }
}

static void writeBits(char *element, unsigned size, uint64_t bits) {
  for (unsigned i = 0; i < size; ++i)
    element[i] = static_cast<char>(bits >> (8 * i));
}

static double toDouble(const llvm::fltSemantics &semantics, uint64_t bits) {
  llvm::APFloat value(semantics, llvm::APInt(llvm::APFloat::getSizeInBits(semantics), bits));
  // The conversion does not keep a NaN of a format without a significand.
  if (value.isNaN())
    return std::numeric_limits<double>::quiet_NaN();
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

/// An integer with the sign of its type.
static int64_t readInteger(Type type, const char *element) {
  unsigned size = getDType(type)->size;
  uint64_t bits = readBits(element, size);
  if (type.isUnsignedInteger() || type.isInteger(1))
    return bits;
  return llvm::SignExtend64(bits, isNibble(type) ? 4 : size * 8);
}

double pypto::execution::getElementAsDouble(Type type, const char *element) {
  unsigned size = getDType(type)->size;
  if (type.isF32())
    return llvm::bit_cast<float>(static_cast<uint32_t>(readBits(element, size)));
  if (type.isF64())
    return llvm::bit_cast<double>(readBits(element, size));
  if (auto number = dyn_cast<FloatType>(type))
    return toDouble(number.getFloatSemantics(), readBits(element, size));
  int64_t value = readInteger(type, element);
  return type.isUnsignedInteger() ? static_cast<double>(static_cast<uint64_t>(value)) : value;
}

std::string pypto::execution::formatElement(Type type, const char *element) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (isa<FloatType>(type))
    os << llvm::format(type.isF64() ? "%.17g" : "%.9g", getElementAsDouble(type, element));
  else if (type.isUnsignedInteger())
    os << static_cast<uint64_t>(readInteger(type, element));
  else
    os << readInteger(type, element);
  return text;
}

static void writeDouble(FloatType type, char *element, double value) {
  llvm::APFloat converted(value);
  bool losesInfo;
  converted.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  writeBits(element, getDType(type)->size, converted.bitcastToAPInt().getZExtValue());
}

llvm::Expected<Array> pypto::execution::parseScalar(Type type, llvm::StringRef literal) {
  std::optional<DType> dtype = getDType(type);
  if (!dtype)
    return makeError("a scalar of this type cannot be given");
  llvm::Expected<Array> array = Array::create(*dtype, {});
  if (!array)
    return array;
  if (auto number = dyn_cast<FloatType>(type)) {
    // By way of a type that has infinities and NaNs, which some of the small ones lack.
    llvm::APFloat value(llvm::APFloat::IEEEquad());
    auto status = value.convertFromString(literal, llvm::APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return makeError("expects a number, but got '" + literal + "'");
    }
    bool losesInfo;
    value.convert(number.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    writeBits(array->data(), dtype->size, value.bitcastToAPInt().getZExtValue());
    return array;
  }
  unsigned width = isa<IndexType>(type) ? 64 : type.getIntOrFloatBitWidth();
  if (width == 1 && (literal == "true" || literal == "false")) {
    *array->data() = literal == "true";
    return array;
  }
  llvm::StringRef digits = literal;
  bool isNegative = digits.consume_front("-");
  uint64_t magnitude;
  if (digits.getAsInteger(0, magnitude))
    return makeError("expects an integer, but got '" + literal + "'");
  // Signless: both the signed and the unsigned numbers of this width can be written.
  uint64_t limit = isNegative ? uint64_t(1) << (width - 1) : llvm::maxUIntN(width);
  if (magnitude > limit)
    return makeError("expects an integer of " + std::to_string(width) + " bits, but got " +
                     literal);
  writeBits(array->data(), dtype->size,
            (isNegative ? -magnitude : magnitude) & llvm::maxUIntN(width));
  return array;
}

void pypto::execution::fillRandom(Type type, Array &array, uint64_t seed) {
  std::mt19937_64 engine(seed);
  unsigned size = array.getDType().size;
  for (int64_t i = 0, e = array.getNumElements(); i < e; ++i) {
    uint64_t bits = engine();
    // The distributions of <random> differ between libraries.
    if (auto number = dyn_cast<FloatType>(type))
      writeDouble(number, array.element(i), (bits >> 11) * 0x1p-52 - 1.0);
    else if (isa<IndexType>(type))
      writeBits(array.element(i), size, bits & 3);
    else if (type.isInteger(1))
      writeBits(array.element(i), size, bits & 1);
    else
      writeBits(array.element(i), size, type.isUnsignedInteger() ? bits & 15 : (bits & 15) - 8);
  }
  // Signs were extended; compiled code has the upper bits of nibbles clear.
  if (isNibble(type))
    for (int64_t i = 0, e = array.getNumElements(); i < e; ++i)
      *array.element(i) &= 15;
}

std::string pypto::execution::summarize(Type type, const Array &array) {
  constexpr int64_t numShown = 6;
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::StringRef bytes(array.data(), array.getNumBytes());
  if (array.getShape().empty()) {
    os << array.getDType().str() << ' ' << formatElement(type, array.data());
    return text;
  }
  os << array.getDType().str() << ' ' << formatShape(array.getShape());
  os << ", checksum " << llvm::format_hex_no_prefix(llvm::xxh3_64bits(bytes), 16) << ", values";
  int64_t count = array.getNumElements();
  for (int64_t i = 0; i < std::min(count, numShown); ++i)
    os << ' ' << formatElement(type, array.element(i));
  if (count > numShown)
    os << " ...";
  return text;
}

//===- Comparison -------------------------------------------------------------===//

/// The type whose elements `expected` holds: `type`, or another float type when that is what the
/// file has.
static Type getExpectedType(Type type, DType dtype) {
  if (dtype == *getDType(type))
    return type;
  if (!isa<FloatType>(type) || dtype.kind != 'f')
    return Type();
  MLIRContext *context = type.getContext();
  switch (dtype.size) {
  case 2:
    return Float16Type::get(context);
  case 4:
    return Float32Type::get(context);
  case 8:
    return Float64Type::get(context);
  default:
    return Type();
  }
}

/// A negative tolerance means that the values are known to differ.
static void compareFloat(double actual, double expected, Tolerance tolerance, int64_t index,
                         Comparison &result) {
  bool isExact = tolerance.absolute < 0;
  if (!isExact && (actual == expected || (std::isnan(actual) && std::isnan(expected))))
    return;
  double error = std::abs(actual - expected);
  // An infinity or a NaN on one side only.
  if (!std::isfinite(error))
    error = std::numeric_limits<double>::infinity();
  result.maxAbsoluteError = std::max(result.maxAbsoluteError, error);
  double relative = expected == 0 || std::isinf(error) ? error : error / std::abs(expected);
  result.maxRelativeError = std::max(result.maxRelativeError, relative);
  if (error <= tolerance.absolute + tolerance.relative * std::abs(expected) && std::isfinite(error))
    return;
  if (result.numDifferent++ == 0)
    result.firstDifferent = index;
}

llvm::Expected<Comparison> pypto::execution::compare(Type type, const Array &actual,
                                                     const Array &expected, Tolerance tolerance,
                                                     llvm::function_ref<bool(int64_t)> isDefined) {
  if (actual.getShape() != expected.getShape())
    return makeError("expects shape " + formatShape(actual.getShape()) + ", but got " +
                     formatShape(expected.getShape()));
  Type expectedType = getExpectedType(type, expected.getDType());
  if (!expectedType)
    return makeError("expects dtype " + getDType(type)->str() + ", but got " +
                     expected.getDType().str());
  Comparison result;
  for (int64_t i = 0, e = actual.getNumElements(); i < e; ++i) {
    if (!isDefined(i))
      continue;
    const char *left = actual.element(i), *right = expected.element(i);
    if (isa<FloatType>(type))
      compareFloat(getElementAsDouble(type, left), getElementAsDouble(expectedType, right),
                   tolerance, i, result);
    else if (readInteger(type, left) != readInteger(type, right))
      compareFloat(getElementAsDouble(type, left), getElementAsDouble(type, right),
                   Tolerance{-1, -1}, i, result);
  }
  if (result.firstDifferent >= 0) {
    result.firstActual = formatElement(type, actual.element(result.firstDifferent));
    result.firstExpected = formatElement(expectedType, expected.element(result.firstDifferent));
  }
  return result;
}
