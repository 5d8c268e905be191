// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SearchCandidates.h"

#include "pypto/ExecutionEngine/Array.h"
#include "pypto/InitAll.h"
#include "pypto/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/APFloat.h"
#include <chrono>
#include <cstring>
#include <sys/mman.h>

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

std::unique_ptr<MLIRContext> pypto::execution::createSearchContext() {
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  pypto::registerAllDialects(registry);
  return std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
}

static func::FuncOp findEntry(ModuleOp module) {
  return module.lookupSymbol<func::FuncOp>((kEntryPrefix + kSearchEntry).str());
}

/// A huge page.
static constexpr size_t kPage = size_t(2) << 20;

//===- Data -----------------------------------------------------------------===//

/// Bytes of small integers as elements of a type.
static void fill(std::vector<char> &bytes, Type element, unsigned seed) {
  size_t size = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  APInt values[4];
  constexpr int numbers[] = {1, 0, -1, 2};
  for (auto [index, value] : llvm::enumerate(numbers)) {
    if (auto type = dyn_cast<FloatType>(element)) {
      APFloat number(static_cast<double>(value));
      bool isInexact;
      number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &isInexact);
      values[index] = number.bitcastToAPInt();
    } else {
      unsigned bits = element.getIntOrFloatBitWidth();
      values[index] = APInt(64, bits == 1 ? value & 1 : value, /*isSigned=*/true).sextOrTrunc(64);
    }
  }
  uint32_t state = seed * 2654435761u + 1;
  for (size_t at = 0; at + size <= bytes.size(); at += size) {
    state = state * 1664525u + 1013904223u;
    uint64_t bits = values[state >> 30].getZExtValue();
    std::memcpy(bytes.data() + at, &bits, std::min<size_t>(size, sizeof(bits)));
  }
}

llvm::Expected<std::unique_ptr<CandidateData>> CandidateData::create(ModuleOp module) {
  auto data = std::make_unique<CandidateData>();
  func::FuncOp entry = findEntry(module);
  for (auto [index, argument] : llvm::enumerate(entry.getArgumentTypes())) {
    auto type = dyn_cast<MemRefType>(argument);
    int64_t offset;
    SmallVector<int64_t> strides;
    if (!type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat() ||
        failed(type.getStridesAndOffset(strides, offset)) || ShapedType::isDynamic(offset) ||
        llvm::is_contained(strides, ShapedType::kDynamic))
      return makeError("expects buffers of fixed extents");
    int64_t last = offset;
    for (auto [extent, stride] : llvm::zip_equal(type.getShape(), strides))
      last += std::max<int64_t>(extent - 1, 0) * stride;
    int64_t size = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    data->originals.emplace_back((last + 1) * size);
    fill(data->originals.back(), type.getElementType(), index + 1);
    std::vector<int64_t> descriptor(3 + 2 * type.getRank());
    descriptor[2] = offset;
    llvm::copy(type.getShape(), descriptor.begin() + 3);
    llvm::copy(strides, descriptor.begin() + 3 + type.getRank());
    data->descriptors.push_back(std::move(descriptor));
  }
  for (auto [original, descriptor] : llvm::zip_equal(data->originals, data->descriptors)) {
    // As tensors are: in huge pages if they are large.
    size_t alignment = original.size() >= 2 * kPage ? kPage : 64;
    size_t bytes = llvm::alignTo(original.size(), alignment);
    Buffer buffer(static_cast<char *>(std::aligned_alloc(alignment, bytes)));
    if (!buffer)
      return makeError("out of memory for a search");
    if (alignment == kPage)
      madvise(buffer.get(), bytes, MADV_HUGEPAGE);
    descriptor[0] = descriptor[1] = reinterpret_cast<int64_t>(buffer.get());
    data->buffers.push_back(std::move(buffer));
    data->pointers.push_back(descriptor.data());
  }
  for (void *&pointer : data->pointers)
    data->arguments.push_back(&pointer);
  return data;
}

void CandidateData::reset() {
  for (auto [buffer, original] : llvm::zip_equal(buffers, originals))
    std::memcpy(buffer.get(), original.data(), original.size());
}

void CandidateData::keep() {
  expected.clear();
  for (auto [buffer, original] : llvm::zip_equal(buffers, originals))
    expected.emplace_back(buffer.get(), buffer.get() + original.size());
}

bool CandidateData::isAsKept() const {
  return llvm::all_of(llvm::zip_equal(buffers, expected), [](auto pair) {
    auto &[buffer, kept] = pair;
    return std::memcmp(buffer.get(), kept.data(), kept.size()) == 0;
  });
}

//===- Code -----------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<Candidate>> Candidate::create(ModuleOp module) {
  OwningOpRef<ModuleOp> copy(module.clone());
  unsigned numArguments = findEntry(*copy).getNumArguments();
  PassManager manager(copy->getContext(), ModuleOp::getOperationName());
  buildBufferPipeline(manager);
  if (failed(manager.run(*copy)))
    return makeError("cannot lower what is searched");
  JITOptions options;
  options.entry = kSearchEntry;
  llvm::Expected<std::unique_ptr<JIT>> jit = JIT::create(*copy, options);
  if (!jit)
    return jit.takeError();
  llvm::Expected<JIT::Invoker> invoker = (*jit)->lookup(kSearchEntry, numArguments);
  if (!invoker)
    return invoker.takeError();
  auto candidate = std::make_unique<Candidate>();
  candidate->code = std::move(*jit);
  candidate->invoker = *invoker;
  return candidate;
}

// Code of the JIT carries no signature in front of it that a sanitizer could check.
LLVM_NO_SANITIZE("function")
double Candidate::runOnce(CandidateData &data) {
  auto begin = std::chrono::steady_clock::now();
  invoker(data.getArguments(), nullptr);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void Candidate::makeReference(CandidateData &data) {
  data.reset();
  (void)runOnce(data);
  data.keep();
}

double Candidate::time(CandidateData &data) {
  // So many that a short one is not the time of the clock, and no more than 50 ms.
  double best = runOnce(data), spent = 0;
  int count = std::clamp<int>(int(100e-6 / std::max(best, 1e-9)), 1, 200);
  for (int repeat = 0; repeat < 3 || (repeat < 20 && spent < 0.01); ++repeat) {
    double total = 0;
    for (int i = 0; i != count; ++i)
      total += runOnce(data);
    best = std::min(best, total / count);
    spent += total;
    if (spent > 0.05)
      break;
  }
  return best;
}

std::optional<double> Candidate::measure(CandidateData &data, double limit) {
  data.reset();
  double first = runOnce(data);
  if (!data.isAsKept())
    return std::nullopt;
  return first > limit ? first : std::min(first, time(data));
}
