// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tile instructions of AMX on machines that do not have them.
#ifndef PYPTO_UNIT_TILEEMULATOR_H
#define PYPTO_UNIT_TILEEMULATOR_H

#include <csignal>
#include <cstdint>

namespace pypto::test {

/// While one exists, tile instructions that the machine refuses are carried out one by one, as
/// their manual describes them: load, store, zero, the product of bf16, and the configuration.
class TileEmulator {
public:
  TileEmulator();
  ~TileEmulator();
  /// Products of tiles that were carried out so far, by all threads.
  static int64_t countProducts();

private:
  struct sigaction before;
};

} // namespace pypto::test

#endif
