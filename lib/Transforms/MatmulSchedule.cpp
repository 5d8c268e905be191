// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MatmulSchedule.h"
#include "pypto/Transforms/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::matmul;

//===- Attributes -----------------------------------------------------------===//

static constexpr ScheduleMember<Schedule> kMembers[] = {
    {"vector_bits", &Schedule::vectorBits, 128, 512},
    {"rows", &Schedule::rows, 1, 32},
    {"vectors", &Schedule::vectors, 1, 8},
    {"unroll", &Schedule::unroll, 1, 16},
    {"m_block", &Schedule::mBlock},
    {"n_block", &Schedule::nBlock},
    {"k_block", &Schedule::kBlock},
    {"m_part", &Schedule::mPart},
    {"n_part", &Schedule::nPart},
    {"pack_lhs", &Schedule::packLhs},
    {"pack_rhs", &Schedule::packRhs},
    {"bf16_dot", &Schedule::bf16Dot},
    {"amx", &Schedule::amx},
    {"share_rhs", &Schedule::shareRhs},
    {"prefetch", &Schedule::prefetch},
    {"stream", &Schedule::stream}};

SmallVector<ScheduleEntry> matmul::getProductEntries() {
  return llvm::map_to_vector(kMembers, [](const auto &member) { return member.entry; });
}

DictionaryAttr Schedule::getAttr(MLIRContext *context) const {
  Builder b(context);
  SmallVector<NamedAttribute> entries;
  for (const ScheduleMember<Schedule> &member : kMembers)
    entries.emplace_back(b.getStringAttr(member.entry.name), member.get(*this, context));
  return b.getDictionaryAttr(entries);
}

int64_t matmul::countSums(DictionaryAttr schedule) {
  if (auto amx = schedule.getAs<BoolAttr>("amx"); amx && amx.getValue())
    return 0;
  auto get = [&](StringRef name) {
    auto number = schedule.getAs<IntegerAttr>(name);
    return number ? number.getInt() : 1;
  };
  return get("rows") * get("vectors");
}

//===- Facts ----------------------------------------------------------------===//

/// The stride of a loop in a factor: what one step of the loop moves by.
static int64_t getStride(const Factor &factor, std::optional<unsigned> loop) {
  if (!loop)
    return 0;
  SmallVector<int64_t> strides;
  if (auto tensor = dyn_cast<RankedTensorType>(factor.memref.getType()))
    strides =
        MemRefType::get(tensor.getShape(), tensor.getElementType()).getStridesAndOffset().first;
  else
    strides = cast<MemRefType>(factor.memref.getType()).getStridesAndOffset().first;
  int64_t sum = 0;
  for (auto [expr, stride] : llvm::zip_equal(factor.map.getResults(), strides)) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || dim.getPosition() != *loop)
      continue;
    if (ShapedType::isDynamic(stride))
      return kUnknown;
    sum += stride;
  }
  return sum;
}

ProductFacts::ProductFacts(const Contraction &product) {
  linalg::LinalgOp op = product.op;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto getSize = [&](std::optional<unsigned> loop) -> int64_t {
    return !loop ? 1 : ShapedType::isDynamic(sizes[*loop]) ? kUnknown : sizes[*loop];
  };
  m = getSize(product.m);
  n = getSize(product.n);
  k = getSize(product.k);
  lhsRow = getStride(product.lhs, product.m);
  lhsColumn = getStride(product.lhs, product.k);
  rhsRow = getStride(product.rhs, product.k);
  rhsColumn = getStride(product.rhs, product.n);
  castsLhs = !product.lhs.casts.empty();
  castsRhs = !product.rhs.casts.empty();
  batch = 1;
  for (unsigned loop : product.outerParallel)
    batch = getSize(loop) == kUnknown || batch == kUnknown ? kUnknown : batch * getSize(loop);
  hasOuterReduction = !product.outerReduction.empty();
  bits = product.getAccumulator().getIntOrFloatBitWidth();
  auto isWidened = [](const Factor &factor) {
    return cast<ShapedType>(factor.memref.getType()).getElementType().isBF16() &&
           llvm::hasSingleElement(factor.casts) && isa<arith::ExtFOp>(factor.casts.front());
  };
  // Pairs end together: sums that end with their row are made number by number.
  isBF16 = product.getAccumulator().isF32() && isWidened(product.lhs) && isWidened(product.rhs) &&
           !product.limit;
}

ProductFacts::Row ProductFacts::getRow() const {
  if (m == 1 && rhsColumn == 1)
    return Row::AlongRows;
  if (m == 1 && rhsRow == 1 && lhsColumn == 1)
    return Row::AlongColumns;
  return Row::No;
}

//===- Heuristics -----------------------------------------------------------===//

namespace {
/// Products of two numbers in a part that is worth a thread, and in one whose block of the output
/// stays in a cache.
constexpr int64_t kGrain = 2 << 20, kLargePart = 1 << 30;
/// Bytes of a row of the left factor whose block stays in the second cache.
constexpr int64_t kDepth = 2048;
/// Bytes of an output that no cache keeps, and numbers in its sums that take less time than memory.
constexpr int64_t kLargeOutput = 32 << 20, kShortSum = 256;
/// Columns that are packed together: their copy stays in the third cache.
constexpr int64_t kWideBlock = 2048;
/// Rows from which on the end of a block counts little.
constexpr int64_t kTall = 64;

/// Fills in what is not given.
class Chooser {
public:
  Chooser(const ProductFacts &facts, DictionaryAttr given, const ProductTarget &target,
          Schedule &schedule)
      : facts(facts), given(given), target(target), s(schedule) {}
  void run();

private:
  bool isGiven(StringRef name) const { return given && given.contains(name); }
  template <typename T, typename V> void set(StringRef name, T Schedule::*member, V value) {
    if (!isGiven(name))
      s.*member = value;
  }
  int64_t getWidth() const { return facts.getLanes(s) * s.vectors; }
  /// Rows that are such a multiple apart fall into few sets of a cache.
  bool isAwkward(int64_t stride, int64_t multiple) const {
    return stride == kUnknown || (stride * facts.bits / 8) % multiple == 0;
  }
  int64_t getExtent(int64_t extent) const { return extent == kUnknown ? 512 : extent; }

  void chooseTiles();
  void chooseKernel();
  void choosePacking();
  void chooseBlocks();
  void chooseParts();
  void round();

  const ProductFacts &facts;
  DictionaryAttr given;
  const ProductTarget &target;
  Schedule &s;
};
} // namespace

/// The height of kernels that wastes least: a kernel of few rows waits for its sums.
static int64_t chooseRows(int64_t size, int64_t most) {
  int64_t best = most, bestCost = kUnknown;
  if (size == kUnknown)
    return most;
  for (int64_t rows = most; rows > most / 2; --rows) {
    int64_t rest = size % rows;
    int64_t cost = 8 * (size / rows) * std::max<int64_t>(rows, 4) +
                   (rest ? 8 * std::max<int64_t>(rest, 4) : 0) + 4 * llvm::divideCeil(size, rows);
    if (cost < bestCost) {
      best = rows;
      bestCost = cost;
    }
  }
  return std::min(best, std::max<int64_t>(size, 1));
}

/// Tiles are 16 times as fast as vectors, so that only the smallest products are worth no copy.
void Chooser::chooseTiles() {
  auto isLarge = [](int64_t extent) { return extent == kUnknown || extent >= 2 * kTileSize; };
  set("amx", &Schedule::amx, isLarge(facts.m) && isLarge(facts.n) && isLarge(facts.k));
  s.amx &= target.hasAMX && facts.isBF16 && facts.getRow() == ProductFacts::Row::No;
  if (!s.amx)
    return;
  s.vectorBits = 512;
  s.rows = 2 * kTileSize;
  s.vectors = 2;
  s.unroll = 1;
  s.packLhs = s.packRhs = true;
  s.bf16Dot = false;
}

void Chooser::chooseKernel() {
  if (s.amx)
    return;
  int64_t lanes = facts.getLanes(s);
  bool isLarge = s.vectorBits >= 512 && facts.m >= kTall && facts.n >= 4 * lanes;
  // Wide blocks read few rows at a time, which so need no copy; high ones waste less of few rows.
  bool isCopied = isAwkward(facts.lhsRow, 8192);
  set("vectors", &Schedule::vectors, !isLarge ? 2 : isCopied ? 3 : 4);
  // Half of the registers of 128 and 256 bits.
  int64_t most = std::max<int64_t>(1, (s.vectorBits < 512 ? 12 : isLarge ? 24 : 28) / s.vectors);
  set("rows", &Schedule::rows, isLarge ? most : chooseRows(facts.m, most));
  set("unroll", &Schedule::unroll, facts.getRow() == ProductFacts::Row::No ? 1 : 8);
}

static int64_t multiply(int64_t a, int64_t b) {
  return a == kUnknown || b == kUnknown ? kUnknown : a * b;
}

void Chooser::choosePacking() {
  if (s.amx)
    return;
  int64_t bytes = facts.bits / 8;
  bool isReadOften = facts.m > 3 * s.rows, isWide = facts.n > 2 * getWidth();
  int64_t rhsBytes = multiply(facts.k, multiply(facts.n, bytes));
  bool isLarge = s.vectorBits >= 512 && facts.n >= 4 * facts.getLanes(s);
  bool isRhsSlow = isLarge
                       ? rhsBytes > (2 << 20) || (facts.m >= 512 && isAwkward(facts.rhsRow, 4096))
                       : rhsBytes > (256 << 10);
  // One panel whose rows follow each other is what a copy of it would be.
  bool isPanel = facts.rhsColumn == 1 && facts.n == getWidth() && facts.rhsRow == facts.n;
  set("pack_rhs", &Schedule::packRhs,
      isReadOften && (facts.castsRhs || (isRhsSlow && !isPanel) || facts.rhsRow == kUnknown));
  bool isLong = facts.lhsColumn != 1 && (!facts.isLhsTransposed() || isWide);
  bool isLhsSlow = isAwkward(facts.lhsRow, s.rows > 8 ? 2048 : 8192) && facts.m > 4;
  set("pack_lhs", &Schedule::packLhs, isLong || (isWide && (facts.castsLhs || isLhsSlow)));
  // Kernels read vectors of the right factor.
  if (facts.rhsColumn != 1)
    s.packRhs = true;
  if (facts.m == 1)
    s.packLhs = false;
  if (facts.getRow() != ProductFacts::Row::No)
    s.packRhs = false;
  set("bf16_dot", &Schedule::bf16Dot, true);
  s.bf16Dot &= target.hasBF16Dot && facts.isBF16 && s.packLhs && s.packRhs;
}

/// The part of `size` that the least number of equal steps of at most `most` have.
static int64_t divideEvenly(int64_t size, int64_t most, int64_t multiple) {
  if (size <= most)
    return std::max<int64_t>(size, 1);
  return llvm::alignTo(llvm::divideCeil(size, llvm::divideCeil(size, most)), multiple);
}

void Chooser::chooseBlocks() {
  int64_t bytes = facts.bits / 8, most = kDepth / bytes * s.getGroup();
  int64_t depth = facts.k == kUnknown ? most : divideEvenly(facts.k, most, 8);
  // A few rows with a large factor: go along its rows as far as pages reach.
  bool isLarge = multiply(facts.k, multiply(facts.n, bytes)) > 1 << 20;
  if (facts.m <= 2 * s.rows && !s.packRhs && isLarge)
    depth = std::min<int64_t>(depth, 64);
  set("k_block", &Schedule::kBlock, depth);
  set("m_block", &Schedule::mBlock, s.packLhs ? 128 : 192);
}

void Chooser::chooseParts() {
  int64_t rows = getExtent(facts.m), columns = getExtent(facts.n), depth = getExtent(facts.k);
  bool canShare = s.packRhs && facts.batch == 1 && !facts.hasOuterReduction;
  set("share_rhs", &Schedule::shareRhs, canShare && rows >= 16 * s.rows);
  s.shareRhs &= canShare;
  int64_t width = getWidth(), numParts = 1;
  auto work = [&] { return rows * columns * depth; };
  if (s.shareRhs) {
    // Each part copies its rows once.
    int64_t most = std::min<int64_t>(s.mBlock, llvm::divideCeil(rows, int64_t(2)));
    set("m_part", &Schedule::mPart, work() < kGrain ? rows : divideEvenly(rows, most, s.rows));
    set("n_part", &Schedule::nPart, columns);
  } else {
    while (work() >= kGrain && (numParts < 2 || work() > kLargePart) && numParts < 64) {
      if (columns >= rows && columns >= 2 * width)
        columns = llvm::alignTo(llvm::divideCeil(columns, 2), width);
      else if (rows >= 2 * s.rows)
        rows = llvm::alignTo(llvm::divideCeil(rows, 2), s.rows);
      else
        break;
      numParts *= 2;
    }
    set("m_part", &Schedule::mPart, rows);
    set("n_part", &Schedule::nPart, columns);
  }
  set("n_block", &Schedule::nBlock,
      s.shareRhs ? divideEvenly(getExtent(facts.n), kWideBlock, width) : s.nPart);
}

/// Whole kernels, no more than there is.
void Chooser::round() {
  int64_t width = getWidth();
  auto fit = [](int64_t &size, int64_t multiple, int64_t most) {
    size = llvm::alignTo(most == kUnknown ? size : std::min(size, std::max<int64_t>(most, 1)),
                         multiple);
  };
  fit(s.mPart, s.rows, facts.m);
  fit(s.nPart, width, facts.n);
  fit(s.mBlock, s.rows, s.mPart);
  fit(s.nBlock, width, s.shareRhs ? facts.n : s.nPart);
  if (s.shareRhs)
    s.nPart = std::min(s.nPart, s.nBlock);
  fit(s.kBlock, s.amx ? 2 * kTileSize : s.getGroup(), facts.k);
}

void Chooser::run() {
  for (const ScheduleMember<Schedule> &member : kMembers)
    member.set(s, given);
  chooseTiles();
  chooseKernel();
  choosePacking();
  chooseBlocks();
  chooseParts();
  bool isOutputLarge = facts.m != kUnknown && facts.n != kUnknown &&
                       facts.m * facts.n * facts.bits / 8 > kLargeOutput;
  set("stream", &Schedule::stream, isOutputLarge && facts.k <= kShortSum && facts.k <= s.kBlock);
  set("prefetch", &Schedule::prefetch,
      facts.getRow() == ProductFacts::Row::No && s.packRhs && !s.stream);
  round();
}

Schedule matmul::makeSchedule(const ProductFacts &facts, DictionaryAttr given,
                              const ProductTarget &target) {
  Schedule schedule;
  schedule.vectorBits = target.vectorBits;
  Chooser(facts, given, target, schedule).run();
  return schedule;
}

Schedule matmul::makeSchedule(const Contraction &product, const ProductTarget &target) {
  return makeSchedule(ProductFacts(product), getGivenSchedule(product.op), target);
}
