// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_TEST_LIB_TESTPASSES_H
#define PYPTO_TEST_LIB_TESTPASSES_H

namespace pypto::test {

/// Registers the passes that exist for tests only.
void registerTestPasses();
/// Registers those among them that break programs on purpose.
void registerBrokenPasses();

} // namespace pypto::test

#endif
