// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_EXECUTIONENGINE_INVOCATION_H
#define PYPTO_EXECUTIONENGINE_INVOCATION_H

#include "pypto/ExecutionEngine/Array.h"
#include "pypto/ExecutionEngine/JIT.h"
#include "pypto/ExecutionEngine/Signature.h"
#include "pypto/Runtime/TaskGraph.h"

#include <deque>

namespace pypto::execution {

/// A value that goes into or comes out of compiled code; a scalar is an array of rank 0. Two
/// arguments may share an array.
struct HostValue {
  std::shared_ptr<Array> array;
  /// Valid extents of a tensor.
  llvm::SmallVector<int64_t> valid;

  /// True if the element with this row-major number lies inside the valid extents.
  bool isDefined(int64_t index) const;
};

/// One entry with its arguments, in the form that the C interface of the lowered function takes
/// them. The arguments and the signature outlive it.
class Invocation {
public:
  Invocation(const Signature &signature, llvm::ArrayRef<HostValue> arguments);
  ~Invocation() { freeResults(); }
  Invocation(const Invocation &) = delete;

  /// Number of LLVM parameters, not counting the pointer to the result.
  unsigned getNumParameters() const { return parameters.size(); }

  /// Calls the entry. May be repeated: the results of the call before are freed. If it fails, what
  /// it allocated is freed and there are no results; the arguments may have been written. The tasks
  /// that it submits run as `options` say; all are done when this returns. Fills `plan`, if there
  /// is one and `options` ask to record it, in any case.
  llvm::Error run(JIT::Invoker invoker, const runtime::TaskGraphOptions &options = {},
                  runtime::TaskPlan *plan = nullptr);

  /// Copies of the results of the last call, in the order of the signature as it was written.
  llvm::Expected<llvm::SmallVector<HostValue>> getResults() const;

private:
  /// Where one result stands in the memory that the call fills.
  struct Slot {
    mlir::Type type;
    size_t offset;
  };
  void addTensor(pl::TensorType type, const HostValue &value);
  int64_t *addWords(size_t count);
  void layOutResults();
  void freeResults();

  const Signature &signature;
  /// Addresses of the values of the LLVM parameters.
  llvm::SmallVector<void *> parameters;
  /// Storage of descriptors, pointers to them and sizes. Its blocks do not move.
  std::deque<llvm::SmallVector<int64_t>> words;
  /// Argument buffers: a result in one of them is not freed.
  llvm::SmallVector<const char *> argumentBuffers;
  /// Slots of the lowered results, and their memory.
  llvm::SmallVector<Slot> slots;
  llvm::SmallVector<int64_t> resultMemory;
  bool hasResults = false;
};

} // namespace pypto::execution

#endif
