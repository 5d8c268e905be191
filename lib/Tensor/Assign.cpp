// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An assignment changes what a tensor stands for. Elements that have been computed go to the buffer
// that the tensor had; those of before move away, to where their readers find them.
#include "OpBuilding.h"
#include "pypto/ExecutionEngine/Array.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <atomic>
#include <cstring>
#include <mutex>

using namespace pypto;
using namespace pypto::lazy;

std::shared_mutex &pypto::lazy::getAssignMutex() {
  static auto *mutex = new std::shared_mutex();
  return *mutex;
}

NodeRef pypto::lazy::findBase(NodeRef node) {
  while (node->op == OpKind::Reshape && !node->getRealized())
    node = node->operands[0];
  return node->getRealized() ? node : nullptr;
}

BufferRef Tensor::getBuffer() const {
  NodeRef node = getNode();
  if (auto bound = getBound(node))
    return bound->buffer;
  NodeRef base = findBase(node);
  return base ? base->getRealized() : nullptr;
}

//===- Assigning ----------------------------------------------------------------------===//

llvm::Error Tensor::tryAssign(const Operand &value) {
  NodeRef current = getNode();
  auto elements =
      attempt("assign", value.getPlace(), [&] { return Tensor(value.getNodeOf(current->dtype)); });
  if (!elements)
    return elements.takeError();
  NodeRef node = elements->getNode();
  llvm::Expected<Shape> shape =
      broadcastShapes("assign", node->shape, current->shape, value.getPlace());
  if (!shape)
    return shape.takeError();
  if (llvm::ArrayRef(*shape) != llvm::ArrayRef(current->shape))
    return makeError("assign",
                     "expects a value that broadcasts to " + lazy::formatShape(current->shape) +
                         ", but got " + lazy::formatShape(node->shape),
                     value.getPlace());
  if (current->op == OpKind::Buffer)
    entry->home.store(current);
  entry->node.store(broadcastTo(node, *shape));
  entry->bound.store(nullptr);
  return llvm::Error::success();
}

#define COMPOUND(SYMBOL, NAME)                                                                     \
  Tensor &Tensor::operator SYMBOL## = (const Operand &other) {                                     \
    Tensor result = *this SYMBOL other;                                                            \
    if (result.getDType() != getDType())                                                           \
      throwError(makeError(NAME,                                                                   \
                           "expects a result of " + stringifyDType(getDType()) + ", but got " +    \
                               stringifyDType(result.getDType()),                                  \
                           other.getPlace()));                                                     \
    assign(Operand(result, other.getPlace()));                                                     \
    return *this;                                                                                  \
  }
COMPOUND(+, "add")
COMPOUND(-, "sub")
COMPOUND(*, "mul")
COMPOUND(/, "div")
COMPOUND(%, "rem")
#undef COMPOUND

void Tensor::assign(const Operand &value) {
  if (llvm::Error error = tryAssign(value))
    throwError(std::move(error));
}

/// A tensor with `value` at these ranges.
static Tensor replaceSlice(const Tensor &tensor, llvm::ArrayRef<std::pair<int64_t, Extent>> ranges,
                           const Operand &value) {
  DType dtype = tensor.getDType();
  Shape part(tensor.shrink(ranges).getShape());
  Tensor piece = Tensor(value.getNodeOf(dtype)).expand(part);
  llvm::SmallVector<std::pair<int64_t, int64_t>> padding;
  std::optional<Tensor> isInside;
  for (auto [axis, range] : llvm::enumerate(ranges)) {
    const auto &[begin, end] = range;
    Extent extent = tensor.getShape()[axis];
    if (end == extent && begin == 0) {
      padding.emplace_back(0, 0);
      continue;
    }
    if (!end.isStatic() || !extent.isStatic())
      fail("expects ranges of numbers, but got " + formatShape(part));
    padding.emplace_back(begin, extent.max - end.max);
    Tensor position = Tensor::iota(Shape(tensor.getShape()), axis);
    Tensor holds = position.greaterEqual(begin).logicalAnd(position.less(end.max));
    isInside = isInside ? isInside->logicalAnd(holds) : holds;
  }
  return isInside ? isInside->where(piece.pad(padding), tensor) : piece;
}

llvm::Error Tensor::tryAssignSlice(llvm::ArrayRef<std::pair<int64_t, Extent>> ranges,
                                   const Operand &value) {
  auto replaced =
      attempt("assignSlice", value.getPlace(), [&] { return replaceSlice(*this, ranges, value); });
  return replaced ? tryAssign(Operand(*replaced, value.getPlace())) : replaced.takeError();
}

void Tensor::assignSlice(llvm::ArrayRef<std::pair<int64_t, Extent>> ranges, const Operand &value) {
  if (llvm::Error error = tryAssignSlice(ranges, value))
    throwError(std::move(error));
}

//===- What has been computed -----------------------------------------------------------===//

/// A node for the memory of `base`, which lets go of the graph.
static NodeRef makeBufferNode(const NodeRef &base) {
  if (base->op == OpKind::Buffer)
    return base;
  return makeNode(OpKind::Buffer, base->dtype, base->shape, {}, {}, base->getRealized());
}

/// `buffer` if nobody else has it, or a copy; null if there is not enough memory.
static BufferRef takeMemory(const BufferRef &buffer) {
  if (buffer.use_count() == 1)
    return buffer;
  BufferRef copy = Buffer::create(buffer->getNumBytes());
  if (copy)
    std::memcpy(copy->data(), buffer->data(), buffer->getNumBytes());
  return copy;
}

/// Memory with the elements of `value` that nobody else has; null if there is not enough. It is
/// that of the value if only `owners` have its node, who no longer need it.
static BufferRef takeElements(const NodeRef &value, long owners) {
  BufferRef buffer = value->getRealized();
  if (value->op != OpKind::Buffer && value.use_count() <= owners) {
    // Whoever finds the node now computes it again.
    value->setRealized(nullptr);
    if (buffer.use_count() == 1)
      return buffer;
    value->setRealized(buffer);
  }
  // The node has it, too.
  return takeMemory(buffer);
}

llvm::Error Tensor::moveHome(const NodeRef &value) const {
  std::unique_lock lock(getAssignMutex());
  NodeRef home = entry->home.load(), base = findBase(value);
  BufferRef bound = getBound(value) ? getBound(value)->buffer : nullptr;
  // Another thread has assigned, or moved, in between.
  if (entry->node.load() != value || value == home || !(base || bound))
    return llvm::Error::success();
  entry->bound.store(nullptr);
  // The argument, the entry and `base`, if it is no reshape of something else.
  BufferRef elements = base ? takeElements(base, base == value ? 3 : 0) : takeMemory(bound);
  if (!elements)
    return execution::makeError("out of memory for the elements of an assignment");
  BufferRef target = home->getRealized();
  target->exchange(*elements);
  home->setRealized(elements);
  static std::atomic<int64_t> version = 0;
  NodeRef node = makeNode(OpKind::Buffer, home->dtype, home->shape, {}, ++version, target);
  entry->home.store(node);
  entry->node.store(node);
  return llvm::Error::success();
}

llvm::Error Tensor::settle() const {
  NodeRef node = getNode();
  if (node->op == OpKind::Buffer && entry->home.load() == nullptr)
    return llvm::Error::success();
  if (entry->home.load() && entry->home.load() != node)
    return moveHome(node);
  NodeRef base = findBase(node);
  if (base && node->op != OpKind::Buffer)
    entry->node.replace(node, reshapeTo(makeBufferNode(base), node->shape));
  return llvm::Error::success();
}
