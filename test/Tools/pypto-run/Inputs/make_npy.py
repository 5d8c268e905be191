# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_npy.py FILE EXPRESSION: saves the value of a NumPy expression."""
import sys

import numpy as np

np.save(sys.argv[1], eval(sys.argv[2], {"np": np}))
