// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Conversion/ChecksToRuntime/Passes.h"
#include "pypto/Dialect/PL/IR/PLOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace pypto;

namespace pypto {
#define GEN_PASS_DEF_CONVERTCHECKSTORUNTIME
#include "pypto/Conversion/ChecksToRuntime/Passes.h.inc"
} // namespace pypto

namespace {
class Conversion {
public:
  explicit Conversion(ModuleOp module)
      : symbols(module), b(module.getLoc(), module.getContext()), module(module) {}

  void convert(pl::CheckOp op) {
    b.setLoc(op.getLoc());
    b.setInsertionPoint(op);
    Value isTrue = arith::ConstantOp::create(b, b.getBoolAttr(true));
    Value isBad = arith::XOrIOp::create(b, op.getCondition(), isTrue);
    auto branch = scf::IfOp::create(b, isBad, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
    bool isIndex = op.getKind() == pl::CheckKind::Index;
    Type i64 = b.getI64Type();
    Value location = getText(op.getLocation()), operation = getText(op.getOpName());
    Value actual = arith::IndexCastOp::create(b, i64, op.getActual());
    Value limit = arith::IndexCastOp::create(b, i64, op.getLimit());
    if (isIndex) {
      Value dim = arith::ConstantIntOp::create(b, i64, *op.getDim());
      call("pyptoFailBounds", {location, operation, dim, actual, limit});
    } else {
      Value kind =
          arith::ConstantIntOp::create(b, b.getI32Type(), static_cast<int64_t>(op.getKind()));
      call("pyptoFailCheck", {location, operation, kind, getText(*op.getSubject()), actual, limit});
    }
    op.erase();
  }

private:
  /// The address of a constant text that ends with a null.
  Value getText(StringRef text) {
    LLVM::GlobalOp &global = texts[text];
    if (!global) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(module.getBody());
      std::string bytes = (text + StringRef("\0", 1)).str();
      auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
      global = LLVM::GlobalOp::create(b, type, /*isConstant=*/true, LLVM::Linkage::Private,
                                      "pypto_check_text", b.getStringAttr(bytes));
      global.setUnnamedAddr(LLVM::UnnamedAddr::Global);
      // Renames it if the name is taken.
      global->remove();
      symbols.insert(global, module.getBody()->begin());
    }
    return LLVM::AddressOfOp::create(b, global);
  }

  void call(StringRef name, ValueRange operands) {
    auto function = symbols.lookup<LLVM::LLVMFuncOp>(name);
    if (!function) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(module.getBody());
      auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                              llvm::to_vector(operands.getTypes()));
      function = LLVM::LLVMFuncOp::create(b, name, type);
      function.setPassthroughAttr(b.getStrArrayAttr({"cold", "noreturn"}));
      function->remove();
      symbols.insert(function, module.getBody()->begin());
    }
    LLVM::CallOp::create(b, function, operands);
  }

  SymbolTable symbols;
  ImplicitLocOpBuilder b;
  ModuleOp module;
  llvm::StringMap<LLVM::GlobalOp> texts;
};

struct ConvertChecksToRuntimePass
    : pypto::impl::ConvertChecksToRuntimeBase<ConvertChecksToRuntimePass> {
  void runOnModule() override {
    SmallVector<pl::CheckOp> checks;
    getOperation().walk([&](pl::CheckOp op) { checks.push_back(op); });
    if (checks.empty())
      return;
    Conversion conversion(getOperation());
    for (pl::CheckOp op : checks)
      conversion.convert(op);
  }
};
} // namespace
