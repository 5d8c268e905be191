// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors as text.
#include "OpBuilding.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_os_ostream.h"
#include "llvm/Support/raw_ostream.h"

using namespace pypto::lazy;

/// More elements are not all shown; how many are, at both ends of an axis.
static constexpr int64_t kMany = 1000, kShown = 3;

namespace {
/// Prints elements that are in memory.
class Printer {
public:
  Printer(llvm::raw_ostream &os, const Tensor &tensor)
      : os(os), tensor(tensor), shape(tensor.getDataShape()), isShort(count(shape) > kMany) {}

  /// What is from element `offset` on along the axes from `axis` on.
  void print(int64_t axis = 0, int64_t offset = 0);

private:
  static int64_t count(llvm::ArrayRef<int64_t> extents) { return llvm::product_of(extents); }
  void printElement(int64_t at);
  template <typename T> T get(int64_t at) { return tensor.getBuffer()->as<T>()[at]; }

  llvm::raw_ostream &os;
  const Tensor &tensor;
  llvm::SmallVector<int64_t> shape;
  bool isShort;
};
} // namespace

void Printer::printElement(int64_t at) {
  switch (tensor.getDType()) {
  case DType::Bool:
    os << (get<bool>(at) ? "true" : "false");
    return;
  case DType::I8:
    os << int(get<int8_t>(at));
    return;
  case DType::U8:
    os << int(get<uint8_t>(at));
    return;
  case DType::I16:
    os << get<int16_t>(at);
    return;
  case DType::U16:
    os << get<uint16_t>(at);
    return;
  case DType::I32:
    os << get<int32_t>(at);
    return;
  case DType::U32:
    os << get<uint32_t>(at);
    return;
  case DType::I64:
    os << get<int64_t>(at);
    return;
  case DType::U64:
    os << get<uint64_t>(at);
    return;
  case DType::F32:
    os << llvm::format("%g", get<float>(at));
    return;
  case DType::F64:
    os << llvm::format("%.12g", get<double>(at));
    return;
  case DType::F16:
  case DType::BF16:
    llvm_unreachable("shown as f32");
  }
}

void Printer::print(int64_t axis, int64_t offset) {
  if (axis == tensor.getRank())
    return printElement(offset);
  int64_t extent = shape[axis];
  int64_t stride = count(llvm::ArrayRef(shape).drop_front(axis + 1));
  os << '[';
  for (int64_t i = 0; i < extent; ++i) {
    if (i > 0)
      os << ", ";
    if (isShort && i == kShown && extent > 2 * kShown) {
      os << "…, ";
      i = extent - kShown;
    }
    print(axis + 1, offset + i * stride);
  }
  os << ']';
}

void Tensor::print(llvm::raw_ostream &os) const {
  os << "Tensor(" << lazy::formatShape(getShape()) << ", " << stringifyDType(getDType());
  // What depends on variables has elements once it has been realized for values of them.
  NodeRef node = getNode();
  auto bound = getBound(node);
  if (!node->hasVariables || bound) {
    os << ", ";
    Tensor shown = cast(getWide(getDType()));
    if (llvm::Error error = shown.tryRealize(bound ? bound->variables : Variables()))
      os << '<' << llvm::toString(std::move(error)) << '>';
    else
      Printer(os, shown).print();
  }
  os << ')';
}

llvm::raw_ostream &pypto::lazy::operator<<(llvm::raw_ostream &os, const Tensor &tensor) {
  tensor.print(os);
  return os;
}

std::ostream &pypto::lazy::operator<<(std::ostream &os, const Tensor &tensor) {
  llvm::raw_os_ostream stream(os);
  tensor.print(stream);
  return os;
}
