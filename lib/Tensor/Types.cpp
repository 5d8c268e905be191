// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Tensor/Types.h"
#include "Memory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <map>
#include <mutex>
#include <tuple>

using namespace pypto::lazy;

//===- Element types ----------------------------------------------------------------===//

namespace {
struct DTypeInfo {
  const char *name;
  unsigned size;
  bool isFloat, isUnsigned;
};
} // namespace

static const DTypeInfo &getInfo(DType dtype) {
  static constexpr DTypeInfo infos[] = {
      {"bool", 1, false, true}, {"i8", 1, false, false},  {"u8", 1, false, true},
      {"i16", 2, false, false}, {"u16", 2, false, true},  {"i32", 4, false, false},
      {"u32", 4, false, true},  {"i64", 8, false, false}, {"u64", 8, false, true},
      {"f16", 2, true, false},  {"bf16", 2, true, false}, {"f32", 4, true, false},
      {"f64", 8, true, false}};
  return infos[static_cast<unsigned>(dtype)];
}

llvm::StringRef pypto::lazy::stringifyDType(DType dtype) { return getInfo(dtype).name; }
unsigned pypto::lazy::getSize(DType dtype) { return getInfo(dtype).size; }
bool pypto::lazy::isFloat(DType dtype) { return getInfo(dtype).isFloat; }
bool pypto::lazy::isUnsigned(DType dtype) { return getInfo(dtype).isUnsigned; }

DType pypto::lazy::promote(DType a, DType b) {
  if (a == b)
    return a;
  if (a == DType::Bool)
    return b;
  if (b == DType::Bool)
    return a;
  if (isFloat(a) != isFloat(b))
    return isFloat(a) ? a : b;
  if (isFloat(a))
    return getSize(a) == getSize(b) ? DType::F32 : getSize(a) > getSize(b) ? a : b;
  if (isUnsigned(a) == isUnsigned(b))
    return getSize(a) > getSize(b) ? a : b;
  DType isSigned = isUnsigned(a) ? b : a, other = isUnsigned(a) ? a : b;
  if (getSize(isSigned) > getSize(other))
    return isSigned;
  switch (getSize(other)) {
  case 1:
    return DType::I16;
  case 2:
    return DType::I32;
  default:
    return DType::I64;
  }
}

//===- Extents ------------------------------------------------------------------------===//

VariableRef pypto::lazy::makeVariable(llvm::StringRef name, int64_t min, int64_t max) {
  if (min < 0 || max < min)
    throw TensorException(("variable '" + name + "' expects bounds 0 <= min <= max, but got " +
                           llvm::Twine(min) + " and " + llvm::Twine(max))
                              .str());
  using Key = std::tuple<std::string, int64_t, int64_t>;
  // Never destroyed: variables may be made at any time.
  static auto *mutex = new std::mutex();
  static auto *known = new std::map<Key, std::weak_ptr<const Variable>>();
  std::lock_guard lock(*mutex);
  std::weak_ptr<const Variable> &entry = (*known)[Key{name.str(), min, max}];
  VariableRef variable = entry.lock();
  if (variable)
    return variable;
  variable = std::make_shared<const Variable>(Variable{name.str(), min, max});
  entry = variable;
  std::erase_if(*known, [](const auto &one) { return one.second.expired(); });
  return variable;
}

std::string pypto::lazy::describeClash(llvm::ArrayRef<VariableRef> variables) {
  for (auto [index, one] : llvm::enumerate(variables))
    for (const VariableRef &other : variables.take_front(index))
      if (one != other && one->name == other->name)
        return ("variable '" + one->name + "' has the bounds " + llvm::Twine(other->min) + " to " +
                llvm::Twine(other->max) + " and " + llvm::Twine(one->min) + " to " +
                llvm::Twine(one->max))
            .str();
  return "";
}

std::string pypto::lazy::formatShapes(llvm::ArrayRef<Extent> a, llvm::ArrayRef<Extent> b) {
  llvm::SmallVector<VariableRef> variables;
  for (llvm::ArrayRef<Extent> shape : {a, b})
    for (const Extent &extent : shape)
      if (!extent.isStatic())
        variables.push_back(extent.variable);
  std::string clash = describeClash(variables);
  return formatShape(a) + " and " + formatShape(b) + (clash.empty() ? "" : ", where " + clash);
}

Extent Extent::operator+(int64_t number) const {
  Extent sum = *this;
  sum.max += number;
  if (variable)
    sum.offset += number;
  return sum;
}

std::optional<Extent> Extent::add(const Extent &other) const {
  if (other.isStatic())
    return *this + other.max;
  if (isStatic())
    return other + max;
  if (variable != other.variable)
    return std::nullopt;
  Extent sum = *this;
  sum.max += other.max;
  sum.scale += other.scale;
  sum.offset += other.offset;
  return sum;
}

/// E.g. "2 * N + 1".
static std::string formatExtent(const Extent &extent) {
  if (extent.isStatic())
    return std::to_string(extent.max);
  std::string text = extent.scale == 1 ? "" : std::to_string(extent.scale) + " * ";
  text += extent.variable->name;
  if (extent.offset != 0)
    text += (extent.offset < 0 ? " - " : " + ") + std::to_string(std::abs(extent.offset));
  return text;
}

Shape pypto::lazy::makeShape(llvm::ArrayRef<int64_t> extents) {
  return Shape(extents.begin(), extents.end());
}

std::string pypto::lazy::formatShape(llvm::ArrayRef<Extent> shape) {
  std::string text = "(";
  text += llvm::join(llvm::map_range(shape, formatExtent), ", ");
  return text + (shape.size() == 1 ? ",)" : ")");
}

int64_t pypto::lazy::countElements(llvm::ArrayRef<Extent> shape) {
  int64_t count = 1;
  for (const Extent &extent : shape)
    count *= extent.max;
  return count;
}

bool pypto::lazy::isValidShape(llvm::ArrayRef<Extent> shape) {
  // Even without elements: strides are products of extents.
  int64_t count = 1;
  for (const Extent &extent : shape)
    if (extent.max < 0 || llvm::MulOverflow(count, std::max<int64_t>(extent.max, 1), count) ||
        count >= int64_t(1) << 48)
      return false;
  return true;
}

//===- Buffers ------------------------------------------------------------------------===//

std::shared_ptr<Buffer> Buffer::create(int64_t bytes) {
  char *memory = allocateMemory(bytes);
  if (!memory)
    return nullptr;
  return std::shared_ptr<Buffer>(new Buffer(memory, bytes));
}

Buffer::~Buffer() { freeMemory(memory, numBytes); }

//===- Errors -------------------------------------------------------------------------===//

char TensorError::ID = 0;

void TensorError::log(llvm::raw_ostream &os) const {
  os << place.file_name() << ':' << place.line() << ':' << place.column() << ": " << op << ": "
     << reason;
}

std::error_code TensorError::convertToErrorCode() const {
  return std::make_error_code(std::errc::invalid_argument);
}

static std::string getText(const TensorError &error) {
  std::string text;
  llvm::raw_string_ostream os(text);
  error.log(os);
  return text;
}

TensorException::TensorException(const TensorError &error)
    : std::runtime_error(getText(error)), op(error.getOp()), reason(error.getReason()),
      place(error.getPlace()) {}

void pypto::lazy::throwError(llvm::Error error) {
  std::optional<TensorException> exception;
  llvm::Error rest = llvm::handleErrors(
      std::move(error), [&](const TensorError &found) { exception.emplace(found); });
  if (!exception)
    throw TensorException(llvm::toString(std::move(rest)));
  llvm::consumeError(std::move(rest));
  throw TensorException(*exception);
}
