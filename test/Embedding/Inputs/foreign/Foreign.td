// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "pypto/Dialect/PL/IR/PLBase.td"

def Foreign_Dialect : Dialect {
  let name = "foreign";
  let cppNamespace = "::foreign";
  let dependentDialects = ["::pypto::pl::PLDialect"];
}

def Foreign_TwiceOp : Op<Foreign_Dialect, "twice", [AllTypesMatch<["x", "result"]>]> {
  let arguments = (ins PL_TensorType:$x);
  let results = (outs PL_TensorType:$result);
  let assemblyFormat = "$x attr-dict `:` qualified(type($x))";
}
