// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/ExecutionEngine/Invocation.h"
#include "pypto/ExecutionEngine/Elements.h"
#include "pypto/Runtime/Allocation.h"
#include "pypto/Runtime/Failure.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

/// Words of a ranked descriptor: two pointers, an offset, sizes, strides.
static size_t getDescriptorWords(int64_t rank) { return 3 + 2 * rank; }

bool HostValue::isDefined(int64_t index) const {
  ArrayRef<int64_t> shape = array->getShape();
  for (size_t i = shape.size(); i-- > 0; index /= shape[i])
    if (i < valid.size() && index % shape[i] >= valid[i])
      return false;
  return true;
}

//===- Arguments ------------------------------------------------------------===//

Invocation::Invocation(const Signature &signature, ArrayRef<HostValue> arguments)
    : signature(signature) {
  for (auto [parameter, value] : llvm::zip_equal(signature.parameters, arguments)) {
    if (auto tensor = parameter.getTensor())
      addTensor(tensor, value);
    else
      parameters.push_back(value.array->data());
  }
  layOutResults();
}

int64_t *Invocation::addWords(size_t count) {
  return words.emplace_back(SmallVector<int64_t>(count, 0)).data();
}

void Invocation::addTensor(pl::TensorType type, const HostValue &value) {
  ArrayRef<int64_t> shape = value.array->getShape();
  int64_t *descriptor = addWords(getDescriptorWords(shape.size()));
  descriptor[0] = descriptor[1] = reinterpret_cast<int64_t>(value.array->data());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0; stride *= shape[i]) {
    descriptor[3 + i] = shape[i];
    descriptor[3 + shape.size() + i] = stride;
  }
  argumentBuffers.push_back(value.array->data());
  int64_t *pointer = addWords(1);
  *pointer = reinterpret_cast<int64_t>(descriptor);
  parameters.push_back(pointer);
  if (!hasDynamicValid(type))
    return;
  for (int64_t extent : value.valid) {
    int64_t *word = addWords(1);
    *word = extent;
    parameters.push_back(word);
  }
}

//===- Results --------------------------------------------------------------===//

/// Results stand in a struct with natural alignment; alone, one stands at its beginning.
void Invocation::layOutResults() {
  slots.resize(signature.results.size());
  SmallVector<Type> lowered(signature.results.size());
  for (auto [index, type] : llvm::enumerate(signature.results))
    lowered[signature.getLoweredResult(index)] = type;
  size_t offset = 0;
  for (auto [slot, type] : llvm::zip_equal(slots, lowered)) {
    size_t alignment = 8, size = 8;
    if (auto tensor = dyn_cast<pl::TensorType>(type)) {
      size = 8 * (getDescriptorWords(tensor.getRank()) +
                  (hasDynamicValid(tensor) ? tensor.getRank() : 0));
    } else {
      alignment = size = getDType(type)->size;
    }
    offset = llvm::alignTo(offset, alignment);
    slot = {type, offset};
    offset += size;
  }
  resultMemory.assign(llvm::divideCeil(offset, 8) + 1, 0);
}

// Code of the JIT carries no signature in front of it that a sanitizer could check.
LLVM_NO_SANITIZE("function")
llvm::Error Invocation::run(JIT::Invoker invoker, const runtime::TaskGraphOptions &options,
                            runtime::TaskPlan *plan) {
  freeResults();
  runtime::AllocationScope allocations;
  {
    // Ends before the memory that its tasks use is freed.
    runtime::TaskGraph graph(options);
    llvm::scope_exit takePlan([&] {
      if (plan)
        *plan = graph.getPlan();
    });
    try {
      runtime::TaskGraph::Scope scope(graph);
      invoker(parameters.data(), resultMemory.data());
      graph.waitAll();
    } catch (const std::exception &failure) {
      // A failure of the program, or of a library that it runs on.
      graph.cancel();
      return makeError(failure.what());
    }
  }
  // The results are among them.
  allocations.release();
  hasResults = true;
  return llvm::Error::success();
}

void Invocation::freeResults() {
  if (!hasResults)
    return;
  hasResults = false;
  // Two results may be one buffer.
  SmallVector<char *> freed;
  for (const Slot &slot : slots) {
    if (!isa<pl::TensorType>(slot.type))
      continue;
    char *allocated =
        *reinterpret_cast<char **>(reinterpret_cast<char *>(resultMemory.data()) + slot.offset);
    if (llvm::is_contained(argumentBuffers, allocated) || llvm::is_contained(freed, allocated))
      continue;
    freed.push_back(allocated);
    pyptoFree(allocated);
  }
}

/// Copies a strided buffer, whose descriptor this is, to a row-major array.
static void copyFromDescriptor(const int64_t *descriptor, Array &array) {
  ArrayRef<int64_t> shape = array.getShape();
  const int64_t *strides = descriptor + 3 + shape.size();
  unsigned size = array.getDType().size;
  const char *base = reinterpret_cast<const char *>(descriptor[1]) + descriptor[2] * size;
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t n = 0, e = array.getNumElements(); n != e; ++n) {
    int64_t offset = 0;
    for (size_t i = 0; i < shape.size(); ++i)
      offset += index[i] * strides[i];
    std::memcpy(array.element(n), base + offset * size, size);
    for (size_t i = shape.size(); i-- > 0 && ++index[i] == shape[i];)
      index[i] = 0;
  }
}

static llvm::Expected<HostValue> readTensor(pl::TensorType type, const int64_t *descriptor) {
  ArrayRef<int64_t> shape(descriptor + 3, type.getRank());
  llvm::Expected<Array> array = Array::create(*getDType(type.getElementType()), shape);
  if (!array)
    return array.takeError();
  copyFromDescriptor(descriptor, *array);
  HostValue value{std::make_shared<Array>(std::move(*array)), {}};
  const int64_t *valid = descriptor + getDescriptorWords(type.getRank());
  for (auto [axis, extent] : llvm::enumerate(type.getValid()))
    value.valid.push_back(hasDynamicValid(type) ? valid[axis] : extent.getConstant());
  return value;
}

llvm::Expected<SmallVector<HostValue>> Invocation::getResults() const {
  SmallVector<HostValue> results;
  for (unsigned i = 0, e = signature.results.size(); i != e; ++i) {
    const Slot &slot = slots[signature.getLoweredResult(i)];
    const char *memory = reinterpret_cast<const char *>(resultMemory.data()) + slot.offset;
    if (auto tensor = dyn_cast<pl::TensorType>(slot.type)) {
      llvm::Expected<HostValue> value =
          readTensor(tensor, reinterpret_cast<const int64_t *>(memory));
      if (!value)
        return value.takeError();
      results.push_back(std::move(*value));
      continue;
    }
    llvm::Expected<Array> scalar = Array::create(*getDType(slot.type), {});
    if (!scalar)
      return scalar.takeError();
    std::memcpy(scalar->data(), memory, scalar->getNumBytes());
    results.push_back({std::make_shared<Array>(std::move(*scalar)), {}});
  }
  return results;
}
