// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors that are made of nothing, or of files.
#include "OpBuilding.h"
#include "pypto/ExecutionEngine/Array.h"
#include "pypto/ExecutionEngine/Files.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstring>
#include <numbers>

using namespace pypto;
using namespace pypto::lazy;

//===- Memory -----------------------------------------------------------------------------===//

static BufferRef allocate(llvm::ArrayRef<int64_t> extents, DType dtype) {
  Shape shape = makeShape(extents);
  expectShape(shape);
  BufferRef buffer = Buffer::create(countElements(shape) * getSize(dtype));
  if (!buffer)
    fail("not enough memory for shape " + formatShape(shape));
  return buffer;
}

static Tensor makeTensor(llvm::ArrayRef<int64_t> extents, DType dtype, BufferRef buffer) {
  return Tensor(makeNode(OpKind::Buffer, dtype, makeShape(extents), {}, {}, std::move(buffer)));
}

llvm::Expected<Tensor> Tensor::tryFromBytes(DType dtype, Axes shape, const void *data,
                                            size_t numBytes, Place place) {
  return attempt("fromSlice", place, [&] {
    expectShape(makeShape(shape));
    size_t size = lazy::getSize(dtype), expected = countElements(makeShape(shape)) * size;
    if (numBytes != expected)
      fail("expects " + llvm::Twine(expected / size) + " elements for shape " +
           lazy::formatShape(makeShape(shape)) + ", but got " + llvm::Twine(numBytes / size) +
           (numBytes % size ? " and " + std::to_string(numBytes % size) + " bytes" : ""));
    BufferRef buffer = allocate(shape, dtype);
    if (numBytes)
      std::memcpy(buffer->data(), data, numBytes);
    return makeTensor(shape, dtype, std::move(buffer));
  });
}

llvm::Expected<Tensor> Tensor::tryEmpty(Axes shape, DType dtype, Place place) {
  return attempt("empty", place, [&] {
    BufferRef buffer = allocate(shape, dtype);
    std::memset(buffer->data(), 0, buffer->getNumBytes());
    return makeTensor(shape, dtype, std::move(buffer));
  });
}

llvm::Expected<Tensor> Tensor::tryFromBuffer(DType dtype, Axes shape, BufferRef buffer,
                                             Place place) {
  return attempt("fromBuffer", place, [&] {
    expectShape(makeShape(shape));
    int64_t expected = countElements(makeShape(shape)) * lazy::getSize(dtype);
    if (!buffer || buffer->getNumBytes() != expected)
      fail("expects a buffer of " + llvm::Twine(expected) + " bytes for shape " +
           lazy::formatShape(makeShape(shape)) + ", but got " +
           (buffer ? "one of " + std::to_string(buffer->getNumBytes()) : "none"));
    return makeTensor(shape, dtype, std::move(buffer));
  });
}

llvm::Error Tensor::tryWriteBytes(DType dtype, const void *data, size_t numBytes, Place place) {
  NodeRef node = getNode();
  if (node->op != OpKind::Buffer)
    return makeError("write", "expects a tensor in memory", place);
  size_t size = lazy::getSize(node->dtype), expected = countElements(node->shape) * size;
  if (dtype != node->dtype || numBytes != expected)
    return makeError(
        "write",
        "expects " + llvm::Twine(expected / size) + " elements of " + stringifyDType(node->dtype) +
            " for shape " + lazy::formatShape(node->shape) + ", but got " +
            llvm::Twine(numBytes / lazy::getSize(dtype)) + " of " + stringifyDType(dtype),
        place);
  if (numBytes)
    std::memcpy(node->getRealized()->data(), data, numBytes);
  return llvm::Error::success();
}

//===- Files ------------------------------------------------------------------------------===//

static std::optional<DType> findDType(execution::DType type) {
  static constexpr std::pair<execution::DType, DType> known[] = {
      {{'b', 1}, DType::Bool}, {{'i', 1}, DType::I8},  {{'u', 1}, DType::U8},
      {{'i', 2}, DType::I16},  {{'u', 2}, DType::U16}, {{'i', 4}, DType::I32},
      {{'u', 4}, DType::U32},  {{'i', 8}, DType::I64}, {{'u', 8}, DType::U64},
      {{'f', 2}, DType::F16},  {{'f', 4}, DType::F32}, {{'f', 8}, DType::F64}};
  for (auto [from, to] : known)
    if (from == type)
      return to;
  return std::nullopt;
}

llvm::Expected<Tensor> Tensor::tryFromNpy(llvm::StringRef path, Place place) {
  llvm::Expected<execution::Array> array = execution::readNpy(path);
  if (!array)
    return makeError("fromNpy", llvm::toString(array.takeError()), place);
  std::optional<DType> dtype = findDType(array->getDType());
  if (!dtype)
    return makeError("fromNpy", path + ": no tensor has elements of " + array->getDType().str(),
                     place);
  return tryFromBytes(*dtype, array->getShape(), array->data(), array->getNumBytes(), place);
}

llvm::Error Tensor::trySaveNpy(llvm::StringRef path) const {
  if (llvm::Error error = tryRealize())
    return error;
  auto [buffer, extents] = getElements();
  // bf16 has no name there: its bits are written.
  DType dtype = getDType();
  char kind = dtype == DType::Bool                              ? 'b'
              : lazy::isUnsigned(dtype) || dtype == DType::BF16 ? 'u'
              : isFloat(dtype)                                  ? 'f'
                                                                : 'i';
  llvm::Expected<execution::Array> array =
      execution::Array::create({kind, lazy::getSize(dtype)}, extents);
  if (!array)
    return array.takeError();
  if (array->getNumBytes())
    std::memcpy(array->data(), buffer->data(), array->getNumBytes());
  return execution::writeFile(path,
                              [&](llvm::raw_ostream &os) { execution::writeNpy(os, *array); });
}

void Tensor::saveNpy(llvm::StringRef path) const {
  if (llvm::Error error = trySaveNpy(path))
    throwError(std::move(error));
}

//===- Values -----------------------------------------------------------------------------===//

llvm::Expected<Tensor> Tensor::tryFull(ShapeOperand shape, const Operand &value, DType dtype,
                                       Place place) {
  return attempt("full", place, [&] {
    expectShape(shape.shape);
    return Tensor(value.getNodeOf(dtype)).expand(shape);
  });
}

llvm::Expected<Tensor> Tensor::tryZeros(ShapeOperand shape, DType dtype, Place place) {
  return attempt("zeros", place, [&] { return full(std::move(shape), 0, dtype); });
}
llvm::Expected<Tensor> Tensor::tryOnes(ShapeOperand shape, DType dtype, Place place) {
  return attempt("ones", place, [&] { return full(std::move(shape), 1, dtype); });
}

llvm::Expected<Tensor> Tensor::tryIota(ShapeOperand shape, int64_t axis, DType dtype, Place place) {
  return attempt("iota", place, [&] {
    expectShape(shape.shape);
    int64_t position = getAxis(axis, static_cast<int64_t>(shape.shape.size()));
    Shape line(shape.shape.size(), Extent(1));
    line[position] = shape.shape[position];
    NodeRef numbers = makeNode(OpKind::Iota, DType::I64, line, {}, position);
    return Tensor(broadcastTo(castTo(numbers, dtype), shape.shape));
  });
}

llvm::Expected<Tensor> Tensor::tryArange(int64_t count, DType dtype, Place place) {
  return attempt("arange", place, [&] { return iota({count}, 0, dtype); });
}

llvm::Expected<Tensor> Tensor::tryRange(const Operand &first, const Operand &end,
                                        const Operand &step, std::optional<DType> dtype,
                                        Place place) {
  return attempt("range", place, [&] {
    std::optional<double> low = first.getNumber(), high = end.getNumber(), by = step.getNumber();
    if (!low || !high || !by)
      fail("expects numbers, but got a tensor");
    if (*by == 0 || !std::isfinite(*low) || !std::isfinite(*high) || !std::isfinite(*by))
      fail("expects finite numbers and a step other than 0");
    double count = std::max(0.0, std::ceil((*high - *low) / *by));
    if (count >= 1e14)
      fail("expects fewer than 1e14 steps, but got " + formatNumber(count));
    bool isWhole = first.isWhole() && end.isWhole() && step.isWhole();
    DType element = dtype.value_or(isWhole ? DType::I64 : DType::F32);
    // Counted in a type in which each step is exact.
    DType computed = isWhole ? DType::I64 : DType::F64;
    Tensor numbers = arange(static_cast<int64_t>(count), computed);
    return (numbers * step + first).cast(element);
  });
}

llvm::Expected<Tensor> Tensor::tryLinspace(double first, double last, int64_t count, Place place) {
  return attempt("linspace", place, [&] {
    Tensor part = arange(count, DType::F32) / static_cast<double>(std::max<int64_t>(count - 1, 1));
    return (1.0 - part) * first + part * last;
  });
}

llvm::Expected<Tensor> Tensor::tryEye(int64_t size, DType dtype, Place place) {
  return attempt("eye", place, [&] { return arange(size).oneHot(size, dtype); });
}

//===- Random numbers ---------------------------------------------------------------------===//

static Tensor makeBits(uint64_t bits) {
  return Tensor(makeIntegerConstant(static_cast<int64_t>(bits), DType::U64));
}

/// 64 random bits for each position: its number, mixed as in SplitMix64.
static Tensor makeRandomBits(const Shape &shape, uint64_t seed) {
  expectShape(shape);
  Tensor position = makeBits(0);
  uint64_t stride = 1;
  for (size_t axis = shape.size(); axis-- > 0;) {
    position = position + Tensor::iota(shape, axis, DType::U64) * makeBits(stride);
    stride *= shape[axis].max;
  }
  // Numbers of one seed are far from those of the next.
  Tensor bits =
      (position + makeBits(seed * 0xd1342543de82ef95u + 1)) * makeBits(0x9e3779b97f4a7c15u);
  auto mix = [](const Tensor &x, int shift) { return x.bitwiseXor(x.shiftRight(shift)); };
  bits = mix(bits, 30) * makeBits(0xbf58476d1ce4e5b9u);
  bits = mix(bits, 27) * makeBits(0x94d049bb133111ebu);
  return mix(bits, 31);
}

static void expectFloatType(DType dtype) {
  if (!isFloat(dtype))
    fail("expects a type of floats, but got " + stringifyDType(dtype));
}

llvm::Expected<Tensor> Tensor::tryUniform(ShapeOperand shape, uint64_t seed, DType dtype,
                                          Place place) {
  return attempt("uniform", place, [&] {
    expectFloatType(dtype);
    // As many bits as the type keeps: nothing is rounded up to 1.
    int count = dtype == DType::F64 ? 53 : dtype == DType::F32 ? 24 : dtype == DType::F16 ? 11 : 8;
    DType wide = dtype == DType::F64 ? DType::F64 : DType::F32;
    Tensor bits = makeRandomBits(shape.shape, seed).shiftRight(64 - count).cast(DType::I64);
    return (bits.cast(wide) * std::ldexp(1.0, -count)).cast(dtype);
  });
}

// By Box and Muller, of two numbers that are in different bits.
llvm::Expected<Tensor> Tensor::tryNormal(ShapeOperand shape, uint64_t seed, DType dtype,
                                         Place place) {
  return attempt("normal", place, [&] {
    expectFloatType(dtype);
    DType wide = dtype == DType::F64 ? DType::F64 : DType::F32;
    Tensor bits = makeRandomBits(shape.shape, seed);
    auto toFloat = [&](const Tensor &part) { return part.cast(DType::I64).cast(wide); };
    Tensor radius = (toFloat(bits.shiftRight(40)) + 1.0) * std::ldexp(1.0, -24);
    Tensor angle =
        toFloat(bits.bitwiseAnd(makeBits(0xffffff))) * (std::ldexp(1.0, -23) * std::numbers::pi);
    return ((radius.log() * -2.0).sqrt() * angle.cos()).cast(dtype);
  });
}
