// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_TOOLS_PYPTO_RUN_OPTIONS_H
#define PYPTO_TOOLS_PYPTO_RUN_OPTIONS_H

#include "pypto/ExecutionEngine/Runner.h"

/// What the command line asks for; ends the program where it cannot be understood.
pypto::execution::RunOptions parseRunOptions(int argc, char **argv);

#endif
