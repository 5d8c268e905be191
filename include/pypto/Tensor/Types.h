// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types, extents, buffers and errors of lazy tensors.
#ifndef PYPTO_TENSOR_TYPES_H
#define PYPTO_TENSOR_TYPES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <stdexcept>
#include <string>

namespace pypto::lazy {

enum class DType : uint8_t { Bool, I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64 };

llvm::StringRef stringifyDType(DType dtype);
/// Bytes of an element in memory; a bool is one byte that is 0 or 1.
unsigned getSize(DType dtype);
bool isFloat(DType dtype);
bool isUnsigned(DType dtype);
/// The type of `a op b`: bool < integers < floats, then the wider one. Types of the same width that
/// do not contain each other give the next wider one.
DType promote(DType a, DType b);

template <typename T> struct DTypeOf;
template <> struct DTypeOf<bool> : std::integral_constant<DType, DType::Bool> {};
template <> struct DTypeOf<int8_t> : std::integral_constant<DType, DType::I8> {};
template <> struct DTypeOf<uint8_t> : std::integral_constant<DType, DType::U8> {};
template <> struct DTypeOf<int16_t> : std::integral_constant<DType, DType::I16> {};
template <> struct DTypeOf<uint16_t> : std::integral_constant<DType, DType::U16> {};
template <> struct DTypeOf<int32_t> : std::integral_constant<DType, DType::I32> {};
template <> struct DTypeOf<uint32_t> : std::integral_constant<DType, DType::U32> {};
template <> struct DTypeOf<int64_t> : std::integral_constant<DType, DType::I64> {};
template <> struct DTypeOf<uint64_t> : std::integral_constant<DType, DType::U64> {};
template <> struct DTypeOf<float> : std::integral_constant<DType, DType::F32> {};
template <> struct DTypeOf<double> : std::integral_constant<DType, DType::F64> {};

/// A number that is chosen when a plan is executed, within bounds that are known before.
struct Variable {
  std::string name;
  int64_t min, max;
};
using VariableRef = std::shared_ptr<const Variable>;
/// Variables with the same name and bounds are one object while they live. Throws if max < min or
/// min < 0. Others of that name may not be in the same graph.
VariableRef makeVariable(llvm::StringRef name, int64_t min, int64_t max);

/// An extent: a number, or a variable, some times and with a number added. Memory is made for its
/// largest value.
struct Extent {
  int64_t max = 0;
  VariableRef variable;
  /// Of a variable: `scale * variable + offset`.
  int64_t scale = 1, offset = 0;

  Extent(int64_t value) : max(value) {}
  Extent(VariableRef variable) : max(variable->max), variable(std::move(variable)) {}
  bool isStatic() const { return !variable; }
  int64_t getMin() const { return variable ? getAt(variable->min) : max; }
  /// The extent if the variable has this value.
  int64_t getAt(int64_t value) const { return variable ? scale * value + offset : max; }
  Extent operator+(int64_t number) const;
  /// The sum, if it is an extent: of numbers, or with no more than one variable.
  std::optional<Extent> add(const Extent &other) const;
  bool operator==(const Extent &) const = default;
};
using Shape = llvm::SmallVector<Extent, 4>;
Shape makeShape(llvm::ArrayRef<int64_t> extents);
/// E.g. "(3, N)".
std::string formatShape(llvm::ArrayRef<Extent> shape);
/// Two shapes that do not fit: "(3, N) and (4, N)". Says so if they have different variables of one
/// name.
std::string formatShapes(llvm::ArrayRef<Extent> a, llvm::ArrayRef<Extent> b);
/// "variable 'N' has the bounds 1 to 8 and 1 to 9"; empty if that is not the case.
std::string describeClash(llvm::ArrayRef<VariableRef> variables);
/// Number of elements if every variable has its largest value.
int64_t countElements(llvm::ArrayRef<Extent> shape);
/// False if an extent is negative, or if there are more elements than can be counted in 48 bits.
bool isValidShape(llvm::ArrayRef<Extent> shape);

/// Memory on a device, 64-byte aligned, owned.
class Buffer {
public:
  /// Memory for `bytes` bytes, with any contents; null if there is not enough.
  static std::shared_ptr<Buffer> create(int64_t bytes);
  ~Buffer();
  Buffer(const Buffer &) = delete;

  char *data() { return memory; }
  const char *data() const { return memory; }
  int64_t getNumBytes() const { return numBytes; }
  /// The one device that there is.
  llvm::StringRef getDevice() const { return "cpu"; }

  template <typename T> llvm::MutableArrayRef<T> as() {
    return {reinterpret_cast<T *>(memory), static_cast<size_t>(numBytes) / sizeof(T)};
  }

  /// Each has the memory of the other. What points to it goes along: not to be done while either is
  /// read.
  void exchange(Buffer &other) {
    std::swap(memory, other.memory);
    std::swap(numBytes, other.numBytes);
  }

private:
  Buffer(char *memory, int64_t numBytes) : memory(memory), numBytes(numBytes) {}
  char *memory;
  int64_t numBytes;
};
using BufferRef = std::shared_ptr<Buffer>;

/// Where the user wrote an operation.
using Place = std::source_location;

/// What is wrong with an operation, and where the user wrote it.
class TensorError : public llvm::ErrorInfo<TensorError> {
public:
  static char ID;
  TensorError(std::string op, std::string reason, Place place)
      : op(std::move(op)), reason(std::move(reason)), place(place) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;
  llvm::StringRef getOp() const { return op; }
  /// Says what was expected, and the shapes that came instead.
  llvm::StringRef getReason() const { return reason; }
  Place getPlace() const { return place; }

private:
  std::string op, reason;
  Place place;
};

/// Thrown by the forms of operations that do not return errors. What is said about an operation has
/// the same parts as a TensorError.
class TensorException : public std::runtime_error {
public:
  explicit TensorException(const std::string &text) : std::runtime_error(text), reason(text) {}
  explicit TensorException(const TensorError &error);

  /// Empty if it is not about an operation.
  llvm::StringRef getOp() const { return op; }
  llvm::StringRef getReason() const { return reason; }
  std::optional<Place> getPlace() const { return place; }

private:
  std::string op, reason;
  std::optional<Place> place;
};

/// Throws `error` as a TensorException.
[[noreturn]] void throwError(llvm::Error error);
template <typename T> T unwrap(llvm::Expected<T> value) {
  if (!value)
    throwError(value.takeError());
  return std::move(*value);
}

} // namespace pypto::lazy

#endif
