// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Properties/Properties.h"

using namespace mlir;
using namespace pypto;

void PassBase::runOnOperation() {
  runOnModule();
}
