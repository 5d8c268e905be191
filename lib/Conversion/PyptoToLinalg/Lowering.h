// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_CONVERSION_PYPTOTOLINALG_LOWERING_H
#define PYPTO_LIB_CONVERSION_PYPTOTOLINALG_LOWERING_H

#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/Dialect/PL/IR/PLOps.h"
#include "pypto/Dialect/Tile/IR/TileOps.h"

#include "KernelEffects.h"
#include "ProgramInfo.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"

// One structured walk that writes the lowered program beside the original. A walk rather than
// patterns: a name in a type means what the enclosing blocks bind it to, one value becomes several,
// and a failure has to leave the original as it was.
namespace pypto::lowering {

//===- Types ---------------------------------------------------------------===//

/// How an element stands in memory and in tensors: signless, `index` as i64, 4-bit integers in
/// bytes.
mlir::Type getStorageElement(mlir::Type element);
/// What arithmetic on an element is done in: f32 for narrower floats, i64 for `index`.
mlir::Type getComputeElement(mlir::Type element);
/// The types that stand for `type` afterwards; failure if the CPU does not know it.
llvm::FailureOr<llvm::SmallVector<mlir::Type>> convertType(mlir::Type type);
/// `memref` with dynamic strides.
mlir::MemRefType getHandleType(pl::TensorType type);
/// `tensor` of the valid extents.
mlir::RankedTensorType getValueType(pl::ExtentTypeInterface type);
/// True if the handle is followed by its valid extents.
bool carriesValid(pl::TensorType type);

/// A tensor in global memory.
struct Handle {
  pl::TensorType type;
  mlir::Value memref;
  /// One per dimension.
  llvm::SmallVector<mlir::OpFoldResult> valid;
};

//===- The walk ------------------------------------------------------------===//

class Lowering;
class CheckTable;
/// What a type says about a handle that might not be true: about the storage's extents and
/// strides, or about the valid extents too.
enum class Claims { None, Extents, All };
using LowerFn = std::function<llvm::LogicalResult(Lowering &, mlir::Operation *)>;

/// What is known about operations, by name.
class LoweringTable {
public:
  template <typename OpTy> void add(llvm::LogicalResult (*fn)(Lowering &, OpTy)) {
    table[OpTy::getOperationName()] = [fn](Lowering &l, mlir::Operation *op) {
      return fn(l, llvm::cast<OpTy>(op));
    };
  }
  template <typename OpTy> void add(LowerFn fn) { table[OpTy::getOperationName()] = std::move(fn); }
  const LowerFn *lookup(mlir::Operation *op) const {
    auto it = table.find(op->getName().getStringRef());
    return it == table.end() ? nullptr : &it->second;
  }

private:
  llvm::StringMap<LowerFn> table;
};

// One per family; together they are the legality table.
void addScopeLowerings(LoweringTable &table);
void addCallLowerings(LoweringTable &table);
void addStorageLowerings(LoweringTable &table);
void addTileMemoryLowerings(LoweringTable &table);
void addElementwiseLowerings(LoweringTable &table);
void addArrayLowerings(LoweringTable &table);
void addReductionLowerings(LoweringTable &table);
void addMatmulLowerings(LoweringTable &table);
void addShapeLowerings(LoweringTable &table);
void addIndexingLowerings(LoweringTable &table);
void addSortLowerings(LoweringTable &table);
void addSyncLowerings(LoweringTable &table);

class Lowering {
public:
  /// `checks` is null unless accesses are checked.
  Lowering(mlir::ModuleOp module, ProgramInfo &info, const LoweringTable &table,
           const CheckTable *checks = nullptr)
      : b(module.getLoc(), module.getBodyRegion()), info(info), effects(module, info),
        checks(checks), table(table) {}

  mlir::ImplicitLocOpBuilder b;
  ProgramInfo &info;
  KernelEffects effects;

  /// True while the code of a function is written that makes tasks: what it calls may still run
  /// when it goes on.
  bool makesTasks = false;
  /// Waits that the function ends with.
  llvm::SmallVector<tile::DeferWaitOp> deferredWaits;
  /// Index of the block that runs, and their number.
  mlir::Value blockIndex, blockCount;
  /// Index of the vector core of a pair, inside of a region that both run.
  mlir::Value subblockIndex;

  //===- Values -------------------------------------------------------------===//
  /// What stands for `value`.
  mlir::ValueRange lookup(mlir::Value value) const;
  mlir::Value lookupOne(mlir::Value value) const;
  llvm::SmallVector<mlir::Value> lookupAll(mlir::ValueRange values) const;
  void map(mlir::Value value, mlir::ValueRange lowered);
  void map(mlir::Value value, const Handle &handle) { map(value, flatten(handle)); }

  Handle getHandle(mlir::Value tensor);
  /// Views `lowered`, as many values as convertType() gives for `type`, as a handle.
  Handle getHandle(pl::TensorType type, mlir::ValueRange lowered);
  llvm::SmallVector<mlir::Value> flatten(const Handle &handle);
  /// The same storage under a compatible type. Where accesses are checked, so are the claims of the
  /// type.
  Handle retype(Handle handle, pl::TensorType type, Claims claims = Claims::All);
  /// The destination of a write under the type of the result: what is valid after the write is what
  /// the type says; a `?` there says what the destination has.
  Handle retypeWritten(const Handle &destination, pl::TensorType type);
  /// A tile or tensor value under a compatible type.
  mlir::Value castTensor(mlir::Value value, mlir::Type type);
  mlir::Value castMemRef(mlir::Value value, mlir::Type type);

  //===- Sizes ----------------------------------------------------------------===//
  /// The number that an extent other than `?` stands for here.
  mlir::OpFoldResult materialize(pl::ExtentAttr extent);
  /// Extents, the `?` among them given by the first of `sizes`, which are consumed.
  llvm::SmallVector<mlir::OpFoldResult> materialize(llvm::ArrayRef<pl::ExtentAttr> extents,
                                                    mlir::ValueRange &sizes);
  mlir::Value asValue(mlir::OpFoldResult number);
  /// Values (through the map) and constants of a mixed list.
  llvm::SmallVector<mlir::OpFoldResult> getMixed(mlir::ValueRange dynamic,
                                                 llvm::ArrayRef<int64_t> fixed);
  /// Sizes of a tensor or memref: those that it was made with if they were noted.
  llvm::SmallVector<mlir::OpFoldResult> getSizes(mlir::Value shaped);
  void noteSizes(mlir::Value shaped, llvm::ArrayRef<mlir::OpFoldResult> sizes) {
    knownSizes[shaped].assign(sizes.begin(), sizes.end());
  }
  void bindSymbol(mlir::StringAttr name, mlir::Value value) { symbols[name] = value; }
  /// Calls `fn` while the names that are bound are those of `other`.
  void withSymbols(llvm::DenseMap<mlir::StringAttr, mlir::Value> &other,
                   llvm::function_ref<void()> fn) {
    std::swap(symbols, other);
    fn();
    std::swap(symbols, other);
  }

  //===- Checks ---------------------------------------------------------------===//
  /// True if accesses are checked.
  bool hasChecks() const { return checks; }
  /// The operation of the program that is lowered.
  mlir::Operation *current = nullptr;

  //===- Memory ---------------------------------------------------------------===//
  /// Fresh storage of the given physical extents.
  Handle allocate(pl::TensorType type, llvm::ArrayRef<mlir::OpFoldResult> extents,
                  llvm::ArrayRef<mlir::OpFoldResult> valid);
  /// The valid part of a tensor, copied now.
  mlir::Value read(const Handle &handle);
  /// A copy, made now, of the window of `memref` as a tensor of type `type`, which may have fewer
  /// dimensions.
  mlir::Value readWindow(mlir::Value memref, llvm::ArrayRef<mlir::OpFoldResult> offsets,
                         llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::RankedTensorType type);
  /// Writes `value` to the window of `memref` that starts at `offsets` and is aligned to its last
  /// dimensions. With `atomicElement`, adds elements of that type to what is there.
  void writeWindow(mlir::Value value, mlir::Value memref,
                   llvm::ArrayRef<mlir::OpFoldResult> offsets, mlir::Type atomicElement = {});
  /// The window of `memref` as a memref of rank `rank`: leading dimensions of size one are dropped.
  mlir::Value getWindow(mlir::Value memref, llvm::ArrayRef<mlir::OpFoldResult> offsets,
                        llvm::ArrayRef<mlir::OpFoldResult> sizes, llvm::ArrayRef<int64_t> shape);
  /// Fresh storage that holds `value`; its extents are those of `type`, `?` among them those of
  /// `value`.
  Handle materializeTensor(mlir::Value value, pl::TensorType type,
                           llvm::ArrayRef<mlir::OpFoldResult> extents);

  //===- Structure --------------------------------------------------------------===//
  llvm::LogicalResult lowerFunction(pl::FuncOp op);
  /// Lowers the operations of `block` at the insertion point, the terminator excepted.
  llvm::LogicalResult lowerBlock(mlir::Block &block);
  llvm::LogicalResult lowerOperation(mlir::Operation *op);
  /// Copies an operation of another dialect, its regions lowered.
  llvm::LogicalResult cloneFlattened(mlir::Operation *op);
  /// The functions written so far, in order.
  llvm::SmallVector<mlir::func::FuncOp> functions;

private:
  void bindParameterSymbols(pl::FuncOp op);
  void buildEntry(pl::FuncOp op, mlir::func::FuncOp lowered);

  const CheckTable *checks;
  const LoweringTable &table;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 1>> values;
  llvm::DenseMap<mlir::StringAttr, mlir::Value> symbols;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::OpFoldResult>> knownSizes;
  /// Constants of the function that is written, in its entry block.
  llvm::DenseMap<int64_t, mlir::Value> constants;
};

/// A name that nothing else in the program can have: not that of an entry, not that of a function
/// of the C library.
std::string getLoweredName(pl::FuncOp op);
/// What `func` returns after lowering: a result that is a parameter's storage keeps its valid
/// extents only.
llvm::SmallVector<mlir::Type> getLoweredResults(ProgramInfo &info, pl::FuncOp func);
/// Lowers a wait for a signal at the insertion point.
llvm::LogicalResult lowerWait(Lowering &l, tile::DeferWaitOp op);
/// Makes the functions that make tasks wait before they access what a task may still access.
void addHostSyncs(llvm::ArrayRef<mlir::func::FuncOp> functions);

/// For messages about types.
inline constexpr llvm::StringLiteral kSupportedTypes =
    "tensors in row-major layout, tiles and scalars of integers, f16, bf16, f32, f64 or 8-bit "
    "floats, and arrays of at most 1024 elements";
/// Error at an operation that the CPU does not run, with what it does run.
mlir::InFlightDiagnostic emitUnsupported(mlir::Operation *op, const llvm::Twine &supported);

} // namespace pypto::lowering

#endif
