// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Loops/LoopSchedule.h"
#include "Heuristics.h"
#include "VectorLoop.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::loops;
using linalg::LinalgOp;

//===- Attributes -----------------------------------------------------------===//

namespace {
/// An entry, and what says if it is open.
struct Member : ScheduleMember<LoopSchedule> {
  template <typename... Args>
  constexpr Member(bool LoopFacts::*isOpen, Args... args)
      : ScheduleMember(args...), isOpen(isOpen) {}
  bool LoopFacts::*isOpen;
};
} // namespace

static constexpr Member kMembers[] = {
    {&LoopFacts::hasVectorBits, StringLiteral("vector_bits"), &LoopSchedule::vectorBits, 128, 512},
    {&LoopFacts::hasUnroll, StringLiteral("unroll"), &LoopSchedule::unroll, 1, 16},
    {&LoopFacts::hasRowBlock, StringLiteral("row_block"), &LoopSchedule::rowBlock, 1, 32},
    {&LoopFacts::hasTransposeBlock, StringLiteral("transpose_block"), &LoopSchedule::transposeBlock,
     1, 128},
    {&LoopFacts::hasParts, StringLiteral("parts"), &LoopSchedule::parts, 1, 1 << 20},
    {&LoopFacts::hasPrefetch, StringLiteral("prefetch"), &LoopSchedule::prefetch},
    {&LoopFacts::hasStream, StringLiteral("stream"), &LoopSchedule::stream},
    {&LoopFacts::hasFuseRows, StringLiteral("fuse_rows"), &LoopSchedule::fuseRows}};

ArrayRef<ScheduleEntry> loops::getLoopEntries() {
  static const auto entries =
      llvm::map_to_vector(kMembers, [](const Member &member) { return member.entry; });
  return entries;
}

ArrayRef<ScheduleEntry> loops::getRowsEntries() {
  static const ScheduleEntry entries[] = {
      *llvm::find_if(getLoopEntries(), [](const ScheduleEntry &e) { return e.name == "parts"; })};
  return entries;
}

static DictionaryAttr getAttr(const LoopSchedule &schedule, const LoopFacts &facts,
                              MLIRContext *context) {
  Builder b(context);
  SmallVector<NamedAttribute> entries;
  for (const Member &member : kMembers)
    if (facts.*member.isOpen)
      entries.emplace_back(b.getStringAttr(member.entry.name), member.get(schedule, context));
  return b.getDictionaryAttr(entries);
}

//===- Heuristics -----------------------------------------------------------===//

namespace {
/// Fewest operations of a body during which memory has time to bring the next row.
constexpr int64_t kPrefetchOps = 12;
/// Most elements of a row while which the next one is on its way.
constexpr int64_t kMaxRowAhead = 1 << 13;
/// Rows that are added up side by side, and most operations of a body of which there are so many.
constexpr int64_t kRowBlock = 8, kRowBlockOps = 10;
/// Rows and columns of a block that is turned around: a copy of one stays in the first cache.
constexpr int64_t kTransposeBlock = 64;

/// Fills in what is not given, and sets what is not open.
class Chooser {
public:
  Chooser(LinalgOp op, DictionaryAttr given, const LoopTarget &target, LoopSchedule &schedule,
          LoopFacts &facts)
      : op(op), given(given), target(target), s(schedule), facts(facts) {}
  void run();

private:
  template <typename T, typename V> void set(StringRef name, T LoopSchedule::*member, V value) {
    if (!given || !given.contains(name))
      s.*member = value;
  }
  void chooseVectors();
  void chooseRows(const VectorBody &body);
  void chooseUnroll(const VectorBody &body);
  void chooseMemory(const VectorBody &body);
  void chooseBlocks();
  void chooseParts();

  LinalgOp op;
  DictionaryAttr given;
  const LoopTarget &target;
  LoopSchedule &s;
  LoopFacts &facts;
};
} // namespace

void Chooser::chooseVectors() {
  std::optional<VectorBody> body = matchVectorBody(op, target.vectorBits);
  set("vector_bits", &LoopSchedule::vectorBits, target.vectorBits);
  // The number of lanes decides in which order they are combined, and if there are any.
  bool isFixed = body && hasFixedLanes(*body);
  if (isFixed)
    s.vectorBits = target.vectorBits;
  else if (body)
    body = matchVectorBody(op, s.vectorBits);
  if (!body || !body->fillsVectors()) {
    s.unroll = s.rowBlock = 1;
    s.prefetch = s.stream = false;
    return;
  }
  facts.hasVectorBits = !isFixed;
  chooseRows(*body);
  chooseUnroll(*body);
  chooseMemory(*body);
}

void Chooser::chooseRows(const VectorBody &body) {
  SmallVector<unsigned> outer = getOuterLoops(op, body.getLoop());
  int64_t extent = outer.empty() ? 1 : op.getStaticLoopRanges()[outer.back()];
  facts.hasRowBlock = extent != 1 && canBlockRows(op, body, outer.back());
  bool isLong = ShapedType::isDynamic(extent) || extent >= kRowBlock;
  set("row_block", &LoopSchedule::rowBlock,
      isLong && body.getNumOps() <= kRowBlockOps ? kRowBlock : 1);
  if (!facts.hasRowBlock)
    s.rowBlock = 1;
  else if (!ShapedType::isDynamic(extent))
    s.rowBlock = std::min(s.rowBlock, std::max<int64_t>(extent, 1));
}

void Chooser::chooseUnroll(const VectorBody &body) {
  int64_t unroll = loops::chooseUnroll(body, s.rowBlock);
  int64_t extent = body.getExtent();
  // Two vectors that an extreme takes at once need one comparison to tell if they are numbers.
  bool isLong = ShapedType::isDynamic(extent) || extent >= 8 * body.getLanes();
  if (unroll == 4 && isLong && isFloatExtreme(body))
    unroll = 8;
  set("unroll", &LoopSchedule::unroll, unroll);
  while (!ShapedType::isDynamic(extent) && s.unroll > 1 && extent < body.getLanes() * s.unroll)
    s.unroll /= 2;
  // Accumulators take turns.
  if (!body.getCombiners().empty())
    s.unroll = llvm::alignTo(s.unroll, getNumAccumulators(body));
  facts.hasUnroll = !isBlockedSelection(body);
}

void Chooser::chooseMemory(const VectorBody &body) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  bool hasRows = llvm::any_of(getOuterLoops(op, body.getLoop()),
                              [&](unsigned outer) { return extents[outer] != 1; });
  int64_t extent = body.getExtent();
  bool isExtreme = isBlockedSelection(body) || (isFloatExtreme(body) && s.unroll == 8);
  bool isNear = !ShapedType::isDynamic(extent) && extent <= kMaxRowAhead;
  bool isInLoop = isa<scf::ForOp>(op->getParentOp());
  set("prefetch", &LoopSchedule::prefetch,
      hasRows ? isExtreme && isNear : isInLoop && body.getNumOps() >= kPrefetchOps);
  facts.hasPrefetch = hasRows || isInLoop;
  bool isLarge = false;
  for (unsigned i = 0, e = op.getNumDpsInits(); i != e; ++i)
    if (std::optional<int64_t> bytes = getStreamBytes(op, body, i)) {
      facts.hasStream = true;
      isLarge |= *bytes >= target.streamBytes;
    }
  set("stream", &LoopSchedule::stream, isLarge);
}

void Chooser::chooseBlocks() {
  facts.hasTransposeBlock = readsAcrossRows(op);
  set("transpose_block", &LoopSchedule::transposeBlock, kTransposeBlock);
  if (!facts.hasTransposeBlock)
    s.transposeBlock = 1;
  else if (s.transposeBlock != 1)
    s.transposeBlock = llvm::alignTo(s.transposeBlock, kTransposeUnit);
}

void Chooser::chooseParts() {
  PartsChoice choice = loops::chooseParts(op, target);
  facts.hasParts = choice.most > 1;
  set("parts", &LoopSchedule::parts, choice.count);
  s.parts = facts.hasParts ? std::min(s.parts, choice.most) : choice.count;
}

void Chooser::run() {
  for (const Member &member : kMembers)
    member.set(s, given);
  chooseVectors();
  chooseBlocks();
  chooseParts();
  facts.hasFuseRows = op.hasPureTensorSemantics();
}

LoopSchedule loops::makeSchedule(LinalgOp op, DictionaryAttr given, const LoopTarget &target,
                                 LoopFacts *facts) {
  LoopSchedule schedule;
  LoopFacts own;
  Chooser(op, given, target, schedule, facts ? *facts : own).run();
  return schedule;
}

LoopSchedule loops::makeSchedule(scf::ForOp rows, DictionaryAttr given, const LoopTarget &target,
                                 LoopFacts *facts) {
  PartsChoice choice = chooseParts(rows, target);
  LoopSchedule schedule;
  schedule.parts = choice.count;
  for (const Member &member : kMembers)
    member.set(schedule, given);
  schedule.parts = choice.most > 1 ? std::min(schedule.parts, choice.most) : choice.count;
  if (facts)
    facts->hasParts = choice.most > 1;
  return schedule;
}

DictionaryAttr loops::makeScheduleAttr(LinalgOp op, DictionaryAttr given,
                                       const LoopTarget &target) {
  LoopFacts facts;
  LoopSchedule schedule = makeSchedule(op, given, target, &facts);
  return getAttr(schedule, facts, op.getContext());
}

DictionaryAttr loops::makeScheduleAttr(scf::ForOp rows, DictionaryAttr given,
                                       const LoopTarget &target) {
  LoopFacts facts;
  LoopSchedule schedule = makeSchedule(rows, given, target, &facts);
  return getAttr(schedule, facts, rows.getContext());
}

//===- Moves ----------------------------------------------------------------===//

/// Values that a search tries, from the least one on.
static ArrayRef<int64_t> getSteps(StringRef name) {
  static constexpr int64_t bits[] = {128, 256, 512}, blocks[] = {1, 16, 32, 64, 128},
                           rows[] = {1, 2, 4, 8, 16, 32}, unroll[] = {1, 2, 4, 8, 16},
                           parts[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};
  if (name == "vector_bits")
    return bits;
  if (name == "transpose_block")
    return blocks;
  if (name == "row_block")
    return rows;
  return name == "unroll" ? ArrayRef(unroll) : ArrayRef(parts);
}

/// To the other value of each flag of `schedule`, and to the next value below and above of each
/// number. `make` gives a whole schedule.
static SmallVector<DictionaryAttr>
collectNeighbors(DictionaryAttr schedule, const LoopTarget &target,
                 llvm::function_ref<DictionaryAttr(DictionaryAttr)> make) {
  llvm::SmallSetVector<DictionaryAttr, 16> found;
  Builder b(schedule.getContext());
  auto change = [&](StringAttr name, Attribute value) {
    NamedAttrList entries(schedule);
    entries.set(name, value);
    DictionaryAttr next = make(entries.getDictionary(b.getContext()));
    if (next != schedule)
      found.insert(next);
  };
  for (NamedAttribute entry : schedule) {
    if (auto flag = dyn_cast<BoolAttr>(entry.getValue())) {
      change(entry.getName(), b.getBoolAttr(!flag.getValue()));
      continue;
    }
    int64_t now = cast<IntegerAttr>(entry.getValue()).getInt();
    ArrayRef<int64_t> steps = getSteps(entry.getName());
    const auto *above = llvm::upper_bound(steps, now), *below = llvm::lower_bound(steps, now);
    bool isTooWide = entry.getName() == "vector_bits" && now >= target.vectorBits;
    if (above != steps.end() && !isTooWide)
      change(entry.getName(), b.getI64IntegerAttr(*above));
    if (below != steps.begin())
      change(entry.getName(), b.getI64IntegerAttr(*std::prev(below)));
  }
  return found.takeVector();
}

SmallVector<DictionaryAttr> loops::getNeighbors(LinalgOp op, DictionaryAttr schedule,
                                                const LoopTarget &target) {
  return collectNeighbors(
      schedule, target, [&](DictionaryAttr given) { return makeScheduleAttr(op, given, target); });
}

SmallVector<DictionaryAttr> loops::getNeighbors(scf::ForOp rows, DictionaryAttr schedule,
                                                const LoopTarget &target) {
  return collectNeighbors(schedule, target, [&](DictionaryAttr given) {
    return makeScheduleAttr(rows, given, target);
  });
}
