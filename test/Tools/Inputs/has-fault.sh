#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Exit code 1 tells the reducer that the program still shows the fault.
! grep -q 'arith.addi' "$1"
