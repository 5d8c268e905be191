// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Transforms/Schedule.h"
#include "MatmulSchedule.h"
#include "pypto/Loops/LoopSchedule.h"
#include "pypto/Loops/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pypto;

std::optional<ScheduleKind> pypto::getScheduleKind(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loop->hasAttr(kRowsAttribute) ? std::optional(ScheduleKind::Rows) : std::nullopt;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return std::nullopt;
  return matmul::matchContraction(linalgOp) ? ScheduleKind::Product : ScheduleKind::Loop;
}

//===- Verification ---------------------------------------------------------===//

static constexpr StringLiteral kVectorBits = "vector_bits";

static SmallVector<ScheduleEntry> getEntries(ScheduleKind kind) {
  switch (kind) {
  case ScheduleKind::Product:
    return matmul::getProductEntries();
  case ScheduleKind::Loop:
    return llvm::to_vector(loops::getLoopEntries());
  case ScheduleKind::Rows:
    return llvm::to_vector(loops::getRowsEntries());
  }
  llvm_unreachable("no other kind");
}

/// The entries of all kinds, each name once.
static SmallVector<ScheduleEntry> getAllEntries() {
  SmallVector<ScheduleEntry> entries = getEntries(ScheduleKind::Product);
  for (const ScheduleEntry &entry : getEntries(ScheduleKind::Loop))
    if (llvm::none_of(entries, [&](const ScheduleEntry &e) { return e.name == entry.name; }))
      entries.push_back(entry);
  return entries;
}

static bool isValidValue(const ScheduleEntry &entry, Attribute value) {
  if (entry.isFlag)
    return isa<BoolAttr>(value);
  auto number = dyn_cast<IntegerAttr>(value);
  return number && (number.getType().isInteger(64) || number.getType().isIndex()) &&
         number.getInt() >= entry.least && number.getInt() <= entry.most &&
         (entry.name != kVectorBits || llvm::isPowerOf2_64(number.getInt()));
}

static const ScheduleEntry *findEntry(ArrayRef<ScheduleEntry> entries, NamedAttribute given) {
  const ScheduleEntry *entry =
      llvm::find_if(entries, [&](const ScheduleEntry &e) { return given.getName() == e.name; });
  return entry == entries.end() ? nullptr : entry;
}

bool pypto::isValidSchedule(ScheduleKind kind, DictionaryAttr schedule) {
  SmallVector<ScheduleEntry> entries = getEntries(kind);
  return llvm::all_of(schedule,
                      [&](NamedAttribute given) {
                        const ScheduleEntry *entry = findEntry(entries, given);
                        return entry && isValidValue(*entry, given.getValue());
                      }) &&
         (kind != ScheduleKind::Product || matmul::countSums(schedule) <= matmul::kMostSums);
}

static LogicalResult verifyEntry(Operation *op, ArrayRef<ScheduleEntry> entries,
                                 NamedAttribute given) {
  const ScheduleEntry *entry = findEntry(entries, given);
  if (entry && isValidValue(*entry, given.getValue()))
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError("expects '");
  if (!entry) {
    diagnostic << kScheduleAttrName << "' to have entries ";
    llvm::interleaveComma(entries, diagnostic,
                          [&](const ScheduleEntry &e) { diagnostic << e.name; });
    return diagnostic << ", but got " << given.getName();
  }
  diagnostic << entry->name << "' of '" << kScheduleAttrName << "' to be ";
  if (entry->isFlag)
    diagnostic << "true or false";
  else if (entry->name == kVectorBits)
    diagnostic << "128, 256 or 512";
  else
    diagnostic << "an integer from " << entry->least << " to " << entry->most;
  return diagnostic << ", but got " << given.getValue();
}

static LogicalResult verifyOwnSchedule(Operation *op, ArrayRef<ScheduleEntry> entries) {
  Attribute attribute = op->getAttr(kScheduleAttrName);
  if (!attribute)
    return success();
  auto schedule = dyn_cast<DictionaryAttr>(attribute);
  if (!schedule)
    return op->emitOpError("expects '")
           << kScheduleAttrName << "' to be a dictionary, but got " << attribute;
  for (NamedAttribute entry : schedule)
    if (failed(verifyEntry(op, entries, entry)))
      return failure();
  if (int64_t sums = matmul::countSums(schedule); sums > matmul::kMostSums)
    return op->emitOpError("expects 'rows' times 'vectors' of '")
           << kScheduleAttrName << "' to be at most " << matmul::kMostSums << ", but got " << sums;
  return success();
}

/// True if `op` adds up products: it may be a matrix product once its body is simpler, or one whose
/// types have no kernels.
static bool mayBeProduct(linalg::LinalgOp op) {
  return op.getNumReductionLoops() != 0 && llvm::any_of(*op.getBlock(), [](Operation &nested) {
           return isa<arith::MulFOp, arith::MulIOp>(nested);
         });
}

LogicalResult pypto::verifySchedule(Operation *op) {
  std::optional<ScheduleKind> kind = getScheduleKind(op);
  if (!kind)
    return success();
  bool isOpen = *kind == ScheduleKind::Loop && mayBeProduct(cast<linalg::LinalgOp>(op));
  if (failed(verifyOwnSchedule(op, isOpen ? getAllEntries() : getEntries(*kind))))
    return failure();
  Operation *function = op->getParentOfType<FunctionOpInterface>();
  return function ? verifyOwnSchedule(function, getAllEntries()) : success();
}

//===- What is asked for ----------------------------------------------------===//

static DictionaryAttr merge(DictionaryAttr first, DictionaryAttr last) {
  if (!first || !last)
    return last ? last : first;
  NamedAttrList merged(first);
  for (NamedAttribute entry : last)
    merged.set(entry.getName(), entry.getValue());
  return merged.getDictionary(first.getContext());
}

DictionaryAttr pypto::getGivenSchedule(Operation *op) {
  Operation *function = op->getParentOfType<FunctionOpInterface>();
  return merge(function ? function->getAttrOfType<DictionaryAttr>(kScheduleAttrName) : nullptr,
               op->getAttrOfType<DictionaryAttr>(kScheduleAttrName));
}

void pypto::mergeSchedules(Operation *first, Operation *last, Operation *both) {
  auto get = [&](Operation *op) {
    bool isSame = getScheduleKind(op) == getScheduleKind(both);
    return isSame ? op->getAttrOfType<DictionaryAttr>(kScheduleAttrName) : DictionaryAttr();
  };
  if (DictionaryAttr merged = merge(get(first), get(last)))
    both->setAttr(kScheduleAttrName, merged);
}

//===- Whole schedules ------------------------------------------------------===//

static loops::LoopTarget getLoopTarget(const ProductTarget &target) {
  return {.vectorBits = target.vectorBits};
}

DictionaryAttr pypto::getSchedule(Operation *op, const ProductTarget &target) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return getScheduleKind(op)
               ? loops::makeScheduleAttr(loop, getGivenSchedule(op), getLoopTarget(target))
               : DictionaryAttr();
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return {};
  if (std::optional<matmul::Contraction> product = matmul::matchContraction(linalgOp))
    return matmul::makeSchedule(*product, target).getAttr(op->getContext());
  return loops::makeScheduleAttr(linalgOp, getGivenSchedule(op), getLoopTarget(target));
}

SmallVector<DictionaryAttr> pypto::getNeighbors(Operation *op, DictionaryAttr schedule,
                                                const ProductTarget &target) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loops::getNeighbors(loop, schedule, getLoopTarget(target));
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return {};
  if (std::optional<matmul::Contraction> product = matmul::matchContraction(linalgOp))
    return matmul::getNeighbors(*product, schedule, target);
  return loops::getNeighbors(linalgOp, schedule, getLoopTarget(target));
}
