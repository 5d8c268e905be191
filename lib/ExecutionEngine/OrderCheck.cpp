// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same bits with any number of threads and in any order of tasks.
#include "pypto/ExecutionEngine/OrderCheck.h"

#include "pypto/Runtime/ParallelFor.h"

#include <cstring>

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

llvm::Expected<WrittenArguments> WrittenArguments::create(const Signature &signature,
                                                          ArrayRef<HostValue> arguments) {
  WrittenArguments written;
  for (auto [parameter, value] : llvm::zip_equal(signature.parameters, arguments)) {
    if (parameter.direction == pl::Direction::In)
      continue;
    llvm::Expected<Array> copy = value.array->clone();
    if (!copy)
      return copy.takeError();
    written.arrays.emplace_back(value.array.get(), std::move(*copy));
  }
  return written;
}

void WrittenArguments::restore() {
  for (auto &[array, original] : arrays)
    std::memcpy(array->data(), original.data(), original.getNumBytes());
}

/// Number of elements that differ.
static int64_t countChanged(const Array &array, const Array &expected) {
  int64_t count = 0;
  for (int64_t i = 0, e = array.getNumElements(); i != e; ++i)
    count += std::memcmp(array.element(i), expected.element(i), array.getDType().size) != 0;
  return count;
}

llvm::Expected<bool> execution::checkOrders(
    const RunOptions &options, WrittenArguments &written, ArrayRef<Output> outputs,
    llvm::function_ref<llvm::Expected<SmallVector<Output>>(const RunOptions &)> run,
    llvm::raw_ostream &out) {
  using runtime::TaskOrder;
  constexpr std::tuple<llvm::StringLiteral, unsigned, TaskOrder> ways[] = {
      {"1 thread", 1, TaskOrder::Program},
      {"2 threads", 2, TaskOrder::Program},
      {"8 threads", 8, TaskOrder::Program},
      {"adversarial order", 1, TaskOrder::Adversarial}};
  // The arrays of parameters are written by each run.
  SmallVector<Array> expected;
  for (const Output &output : outputs) {
    llvm::Expected<Array> copy = output.value.array->clone();
    if (!copy)
      return copy.takeError();
    expected.push_back(std::move(*copy));
  }
  bool isEqual = true;
  for (auto [name, threads, order] : ways) {
    written.restore();
    RunOptions other = options;
    other.printPlan.reset();
    other.profile.clear();
    other.tasks.threads = order == TaskOrder::Adversarial ? options.tasks.threads : threads;
    other.tasks.order = order;
    runtime::setParallelThreads(threads);
    llvm::Expected<SmallVector<Output>> actual = run(other);
    if (!actual)
      return actual.takeError();
    for (auto [output, array] : llvm::zip_equal(*actual, expected)) {
      int64_t count = countChanged(*output.value.array, array);
      if (count == 0)
        continue;
      out << output.label << ": " << count << " of " << array.getNumElements()
          << " elements changed with " << name << '\n';
      isEqual = false;
    }
  }
  return isEqual;
}
