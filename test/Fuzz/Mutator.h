// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_TEST_FUZZ_MUTATOR_H
#define PYPTO_TEST_FUZZ_MUTATOR_H

#include "Corpus.h"

#include <cstdint>
#include <iterator>
#include <random>

namespace fuzzer {

/// Random numbers that are the same on every machine (the standard's distributions are not).
class Random {
public:
  Random(uint64_t seed, uint64_t index) {
    std::seed_seq sequence{uint32_t(seed), uint32_t(seed >> 32), uint32_t(index),
                           uint32_t(index >> 32)};
    engine.seed(sequence);
  }
  /// A number in [0, bound).
  size_t below(size_t bound) { return engine() % bound; }
  bool oneIn(size_t n) { return below(n) == 0; }
  template <typename Container> const auto &pick(const Container &container) {
    return container[below(std::size(container))];
  }

private:
  std::mt19937_64 engine;
};

/// A program of the corpus with a few random changes.
std::string mutate(const Corpus &corpus, Random &random);

} // namespace fuzzer

#endif
