// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_EXECUTIONENGINE_ORDERCHECK_H
#define PYPTO_EXECUTIONENGINE_ORDERCHECK_H

#include "pypto/ExecutionEngine/Runner.h"

namespace pypto::execution {

/// What the out and inout parameters hold, so that each of several runs starts from it.
class WrittenArguments {
public:
  /// The arguments outlive this. Fails if memory runs out.
  static llvm::Expected<WrittenArguments> create(const Signature &signature,
                                                 llvm::ArrayRef<HostValue> arguments);
  void restore();

private:
  llvm::SmallVector<std::pair<Array *, Array>> arrays;
};

/// Runs the program with one, two and eight threads and in adversarial order, each time on what
/// `written` holds, and compares with `outputs`, bit by bit: false if something differs, which is
/// reported to `out`. `run` makes one run.
llvm::Expected<bool>
checkOrders(const RunOptions &options, WrittenArguments &written, llvm::ArrayRef<Output> outputs,
            llvm::function_ref<llvm::Expected<llvm::SmallVector<Output>>(const RunOptions &)> run,
            llvm::raw_ostream &out);

} // namespace pypto::execution

#endif
