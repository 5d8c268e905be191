// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a search may change in the schedule of a product.
#include "MatmulSchedule.h"
#include "pypto/Transforms/Schedule.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::matmul;

namespace {
/// Collects schedules, each once.
class Moves {
public:
  Moves(const ProductFacts &facts, DictionaryAttr schedule, const ProductTarget &target)
      : facts(facts), start(schedule), target(target) {}

  void collect();
  SmallVector<DictionaryAttr> take() { return found.takeVector(); }

private:
  using Change = std::pair<StringRef, int64_t>;
  int64_t get(StringRef name) const { return start.getAs<IntegerAttr>(name).getInt(); }
  void change(ArrayRef<Change> changes);
  void toggle(StringRef name);
  void step(StringRef name, ArrayRef<int64_t> values);

  const ProductFacts &facts;
  DictionaryAttr start;
  const ProductTarget &target;
  llvm::SmallSetVector<DictionaryAttr, 32> found;
};
} // namespace

void Moves::change(ArrayRef<Change> changes) {
  Builder b(start.getContext());
  NamedAttrList entries(start);
  for (auto [name, value] : changes)
    entries.set(name, b.getI64IntegerAttr(value));
  DictionaryAttr next =
      makeSchedule(facts, entries.getDictionary(b.getContext()), target).getAttr(b.getContext());
  if (next != start)
    found.insert(next);
}

void Moves::toggle(StringRef name) {
  Builder b(start.getContext());
  NamedAttrList entries(start);
  entries.set(name, b.getBoolAttr(!start.getAs<BoolAttr>(name).getValue()));
  DictionaryAttr next =
      makeSchedule(facts, entries.getDictionary(b.getContext()), target).getAttr(b.getContext());
  if (next != start)
    found.insert(next);
}

/// To the next value below and above.
void Moves::step(StringRef name, ArrayRef<int64_t> values) {
  int64_t now = get(name);
  const auto *above = llvm::upper_bound(values, now), *below = llvm::lower_bound(values, now);
  if (above != values.end())
    change({{name, *above}});
  if (below != values.begin())
    change({{name, *std::prev(below)}});
}

void Moves::collect() {
  if (facts.getRow() != ProductFacts::Row::No) {
    step("unroll", {1, 2, 4, 8, 16});
    step("n_part", {256, 512, 1024, 2048, 4096, 8192});
    return;
  }
  constexpr std::pair<int64_t, int64_t> wide[] = {{28, 1}, {14, 2}, {12, 2}, {9, 3}, {8, 3},
                                                  {8, 2},  {6, 4},  {5, 5},  {4, 4}};
  constexpr std::pair<int64_t, int64_t> narrow[] = {{12, 1}, {6, 2}, {4, 3}, {4, 2}, {2, 4}};
  for (auto [rows, vectors] : get("vector_bits") >= 512 ? ArrayRef(wide) : ArrayRef(narrow))
    change({{"rows", rows}, {"vectors", vectors}});
  step("k_block", {32, 64, 128, 256, 384, 512, 768, 1024, 2048});
  step("m_block", {48, 96, 128, 192, 256, 384, 512});
  step("n_block", {128, 256, 512, 1024, 2048, 4096});
  step("m_part", {48, 96, 192, 256, 512, 1024, 2048});
  step("n_part", {64, 128, 256, 512, 1024, 2048, 4096});
  step("unroll", {1, 2, 4});
  for (StringRef flag :
       {"pack_lhs", "pack_rhs", "bf16_dot", "amx", "share_rhs", "prefetch", "stream"})
    toggle(flag);
  if (target.vectorBits >= 512)
    change({{"vector_bits", get("vector_bits") == 512 ? 256 : 512}, {"rows", 6}, {"vectors", 2}});
}

SmallVector<DictionaryAttr> matmul::getNeighbors(const Contraction &product,
                                                 DictionaryAttr schedule,
                                                 const ProductTarget &target) {
  ProductFacts facts(product);
  Moves moves(facts, schedule, target);
  moves.collect();
  return moves.take();
}
