// RUN: not pypto-opt %s --lower-matmul=vector-bits=0 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: not pypto-opt %s --schedule-matmul=vector-bits=2147483648 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: not pypto-opt %s --vectorize-elements=vector-bits=3 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: not pypto-opt %s --fuse-siblings=vector-bits=100 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: not pypto-opt %s --parallelize-rows=part-work=0 2>&1 | FileCheck %s --check-prefix=WORK
// RUN: not pypto-opt %s --parallelize-operations="part-work=0 max-parts=-1" 2>&1 | FileCheck %s --check-prefixes=WORK,PARTS
// RUN: not pypto-opt %s --split-reductions=threshold=0 2>&1 | FileCheck %s --check-prefix=THRESHOLD
// RUN: not pypto-opt %s --fuse-products=rows=0 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not pypto-opt %s --transpose-products=min-rows=-5 2>&1 | FileCheck %s --check-prefix=MIN

// A value of an option that means nothing is an error before the pass runs.

// WIDTH: error: option 'vector-bits' of --{{[a-z-]+}} expects 128, 256 or 512, but got {{[0-9]+$}}
// WORK: error: option 'part-work' of --{{[a-z-]+}} expects at least 1, but got 0
// PARTS: error: option 'max-parts' of --parallelize-operations expects a number from 1 to 1048576, but got -1
// THRESHOLD: error: option 'threshold' of --split-reductions expects at least 1, but got 0
// ROWS: error: option 'rows' of --fuse-products expects at least 1, but got 0
// MIN: error: option 'min-rows' of --transpose-products expects at least 1, but got -5
module {}
