# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types as NumPy sees them, and arithmetic on them as docs/numerics.md says."""
import math
import os
import sys
from fractions import Fraction

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Examples"))
from run_example import bf16, from_bf16  # noqa: E402

FLOATS = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": np.uint16}
INTS = {f"{u}i{w}": np.dtype(f"{'u' if u else 'i'}{w // 8}").type for w in (8, 16, 32, 64) for u in ("", "u")}
NAMES = [*FLOATS, *INTS, "i1"]
# Significant bits, the exponent of the least number, the greatest number.
FORMATS = {"f16": (11, -24, 65504.0), "bf16": (8, -133, float(from_bf16(np.array([0x7F7F]))[0])),
           "f32": (24, -149, float(np.finfo(np.float32).max)), "f64": (53, -1074, float(np.finfo(np.float64).max))}


class Element:
    """An element type: how its arrays look in NumPy, and in which type they are computed."""

    def __init__(self, name):
        self.name = name
        self.is_float = name in FLOATS
        self.is_bool = name == "i1"
        self.storage = np.bool_ if self.is_bool else FLOATS[name] if self.is_float else INTS[name]
        # i1 is computed as a number of one bit.
        self.compute = np.float32 if name in ("f16", "bf16") else np.uint8 if self.is_bool else self.storage
        self.scalar = name if self.is_float else name.lstrip("u")
        self.kind = "b" if self.is_bool else "f" if self.is_float else "u" if name.startswith("u") else "i"
        self.bits = 1 if self.is_bool else 16 if name == "bf16" else 8 * np.dtype(self.storage).itemsize
        # One operation in the compute type, rounded to the element type, and a library function's last digits.
        self.rtol = {"f16": 2e-3, "bf16": 1.6e-2, "f32": 2e-6, "f64": 1e-14}.get(name, 0)
        self.tiny = 2.0 ** FORMATS[name][1] if self.is_float else 0

    def widen(self, array):
        if self.name == "bf16":
            return from_bf16(np.atleast_1d(array)).reshape(np.shape(array))
        return np.asarray(array).astype(self.compute)

    def narrow(self, array):
        """Rounds once; integers wrap."""
        if self.name == "bf16":
            return bf16(np.asarray(array, np.float32))
        if self.is_bool:
            return (np.asarray(array) & 1).astype(np.bool_)
        return np.asarray(array).astype(self.storage)

    def random(self, rng, shape):
        if self.is_float:
            return self.narrow(rng.uniform(-4, 4, shape))
        if self.is_bool:
            return rng.random(shape) < 0.5
        info = np.iinfo(self.storage)
        return rng.integers(info.min, info.max, shape, self.storage, endpoint=True)

    def picks(self, extreme):
        if self.is_float:
            values = [0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, 1e-3, -2.5, 0.5]
            if extreme:
                bits, exponent, greatest = FORMATS[self.name]
                values += [greatest, -greatest, 2.0 ** exponent, -3 * 2.0 ** exponent, 2.0 ** (exponent + bits - 1)]
            with np.errstate(all="ignore"):
                return self.narrow(np.array(values, np.float64))
        if self.is_bool:
            return np.array([False, True])
        info = np.iinfo(self.storage)
        values = [0, 1, info.min, info.max, 2, info.max - 1, *range(self.bits - 1, self.bits + 2)]
        return np.array(values + ([-1, -2, info.min + 1] if info.min < 0 else []), object).astype(self.storage)

    def special(self, rng, shape, extreme):
        array, picks = self.random(rng, shape), self.picks(extreme)
        mask = rng.random(shape) < 0.6
        array[mask] = picks[rng.integers(0, len(picks), int(mask.sum()))]
        return array

    def literal(self, scalar):
        """A scalar as an argument of pypto-run: unsigned elements are signless scalars."""
        if self.is_float:
            return repr(float(self.widen(np.asarray(scalar))[()]))
        if self.is_bool:
            return "true" if scalar else "false"
        value = int(scalar)
        return str(value - (1 << self.bits) if value >> (self.bits - 1) == 1 else value)


#===- Integers ------------------------------------------------------------------===#

def wrap(numbers, dtype):
    """Python's integers as elements of `dtype`, modulo its width."""
    bits = 8 * np.dtype(dtype).itemsize
    flat = [int(n) & ((1 << bits) - 1) for n in np.asarray(numbers, object).ravel()]
    return np.array(flat, f"u{bits // 8}").astype(dtype).reshape(np.shape(numbers))


def divide(a, b):
    """Rounded towards zero; zero where the divisor is."""
    if a.dtype.kind == "f":
        return a / b
    a, b = np.broadcast_arrays(a, b)
    return wrap(np.array([0 if y == 0 else abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
                          for x, y in zip(map(int, a.ravel()), map(int, b.ravel()))], object).reshape(a.shape), a.dtype)


def remainder(a, b):
    if a.dtype.kind == "f":
        return np.fmod(a, b)
    return np.where(b == 0, a.dtype.type(0), np.fmod(a, np.where(b == 0, 1, b).astype(a.dtype)))


def shift_left(a, b, bits):
    count = b.astype(f"u{b.itemsize}")
    return np.where(count >= bits, a.dtype.type(0), a << np.where(count >= bits, 0, count).astype(a.dtype))


def shift_right(a, b, bits):
    count = b.astype(f"u{b.itemsize}")
    full = a >> (bits - 1) if a.dtype.kind == "i" else np.zeros_like(a)
    return np.where(count >= bits, full, a >> np.where(count >= bits, 0, count).astype(a.dtype))


#===- Floats ----------------------------------------------------------------------===#

def in_double(function):
    """A function of the C library, by that of the wider type."""
    return lambda a: function(a.astype(np.float64)).astype(a.dtype)


def lowest(element):
    return -np.inf if element.is_float else 0 if element.is_bool else np.iinfo(element.storage).min


def highest(element):
    return np.inf if element.is_float else 1 if element.is_bool else np.iinfo(element.storage).max


#===- Conversions -----------------------------------------------------------------===#

def round_fraction(x, mode):
    floor = math.floor(x)
    rest = x - floor
    if rest == 0 or mode == "floor":
        return floor
    if mode == "ceil":
        return floor + 1
    if mode in ("none", "trunc"):
        return floor if x > 0 else floor + 1
    if mode == "odd":
        return floor if floor % 2 else floor + 1
    if rest != Fraction(1, 2):
        return floor + (rest > Fraction(1, 2))
    if mode == "round":
        return floor + 1 if x > 0 else floor
    return floor + floor % 2


def float_to_int(x, target, mode):
    info = np.iinfo(target.storage)
    if math.isnan(x):
        return 0
    if math.isinf(x):
        return info.max if x > 0 else info.min
    return min(max(round_fraction(Fraction(x), mode), info.min), info.max)


def round_to(x, name):
    """A whole number as the nearest float, ties to even."""
    bits, _, greatest = FORMATS[name]
    shift = max(abs(x).bit_length() - bits, 0)
    kept = round_fraction(Fraction(abs(x), 1 << shift), "rint") << shift
    return math.copysign(math.inf if kept > greatest else kept, x)


def convert(source, target, values, mode):
    """Elements of `source` as `target` stores them."""
    wide = source.widen(values)
    if target.is_bool:
        return wide != 0
    if source.is_float and target.is_float:
        if target.name != "bf16":
            return wide.astype(target.storage)
        # From f64 at once: to f32 with the last bit set where something is lost, then to nearest.
        narrow = wide.astype(np.float32)
        back = narrow.astype(np.float64)
        bits = narrow.view(np.uint32)
        odd = np.isfinite(wide) & (back != wide)
        bits = np.where(odd & (np.abs(back) > np.abs(wide)), bits - 1, bits)
        return bf16(np.where(odd, bits | 1, bits).astype(np.uint32).view(np.float32))
    if source.is_float:
        return wrap(np.array([float_to_int(float(x), target, mode) for x in wide.ravel()], object).reshape(wide.shape),
                    target.storage)
    if target.is_float:
        exact = np.array([round_to(int(x), target.name) for x in wide.ravel()], np.float64).reshape(wide.shape)
        return target.narrow(exact)
    return wrap(wide.astype(object), target.storage)
