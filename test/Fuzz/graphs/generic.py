# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structured ops as users write them: any map that is in bounds, outputs at offsets and strides, several results, tables."""
import numpy as np

from graph import NUMPY, Node, is_float, type_text


def literal(value, dtype):
    """One element as MLIR spells it; floats by their bits."""
    if dtype == "i1":
        return "true" if value else "false"
    if not is_float(dtype):
        return str(int(value))
    bits = np.float32(value).view(np.uint32) >> np.uint32(16) if dtype == "bf16" else \
        value.view({"f16": np.uint16, "f32": np.uint32, "f64": np.uint64}[dtype])
    return f"0x{int(bits):0{ {'f16': 4, 'bf16': 4, 'f32': 8, 'f64': 16}[dtype]}X}"


def nested(array, dtype):
    if array.ndim == 0:
        return literal(array[()], dtype)
    return "[" + ", ".join(nested(part, dtype) for part in array) + "]"


class GenericOps:
    """What `Maker` has of them."""

    def table(self):
        """A constant whose elements differ."""
        dtype, shape = self.dtype(), [n for n in self.shape() if n]
        if np.prod(shape, dtype=np.int64) > 64:
            return
        array, target = self.elements(dtype, shape).reshape(shape), type_text(dtype, shape)
        self.add(dtype, shape, [], lambda n, o: [f"{n} = arith.constant dense<{nested(array, dtype)}> : {target}"], array)

    def access(self, extents, shape):
        """The text of a map from loops into a tensor, and the indices that it gives; None where none was found."""
        texts, indices = [], []
        grid = np.indices(extents)
        for n in shape:
            loop = self.random.randrange(len(extents))
            e, other = extents[loop], self.random.randrange(len(extents))
            ways = [(str(self.random.randrange(n)), None)]
            if e == n:
                ways += [(f"d{loop}", grid[loop])] * 4
            if e <= n:
                c = self.random.randint(0, n - e)
                ways.append((f"{n - 1 - c} - d{loop}", n - 1 - c - grid[loop]))
            if e < n:
                c = self.random.randint(1, n - e)
                ways += [(f"d{loop} + {c}", grid[loop] + c)] * 2
            if 2 * e - 1 <= n:
                ways.append((f"d{loop} * 2", grid[loop] * 2))
            if other != loop and e + extents[other] - 1 <= n:
                ways += [(f"d{loop} + d{other}", grid[loop] + grid[other])] * 4
            text, index = self.random.choice(ways)
            texts.append(text)
            indices.append(np.full(extents, int(text)) if index is None else index)
        return texts, indices

    def placed(self, extents, loops):
        """Where an output has these loops, in any order, and how large it is then."""
        order = self.random.sample(loops, len(loops))
        texts, shape, grid = [], [], np.indices(extents)
        indices = []
        for loop in order:
            stride, offset = self.random.choice(((1, 0), (1, 0), (1, 0), (1, 2), (2, 0), (2, 1)))
            texts.append(f"d{loop}" + (f" * {stride}" if stride > 1 else "") + (f" + {offset}" if offset else ""))
            plain = stride == 1 and offset == 0
            shape.append((extents[loop] - 1) * stride + offset + 1 + (0 if plain else self.random.randint(0, 2)))
            indices.append(grid[loop] * stride + offset)
        return texts, indices, shape

    def generic(self):
        """x[..] or x[..] op y[..] for each point of a space, summed (or the greatest) along some of its loops."""
        r = self.random
        fits = lambda n: n.is_exact and n.dtype != "i1" and len(n.shape) < 4 and n.array.size and n.array.size < 400
        x = self.pick(fits)
        if not x:
            return
        rank = r.randint(1, 3)
        extents = [r.choice([n for n in x.shape if n < 12] + [1, 2, 3, 5]) for _ in range(rank)]
        y = self.pick(lambda n: fits(n) and n.dtype == x.dtype) if r.random() < 0.6 else None
        reads = [(node, *self.access(extents, node.shape)) for node in (x, y) if node]
        loops = list(range(rank))
        kept = sorted(r.sample(loops, r.randint(0, rank - 1))) if r.random() < 0.5 else loops
        iterators = ", ".join('"parallel"' if l in kept else '"reduction"' for l in loops)
        wide = np.float64 if is_float(x.dtype) else x.array.dtype
        terms = [node.array.astype(wide)[tuple(indices)] if node.shape else np.full(extents, node.array[()], wide)
                 for node, _, indices in reads]
        names = ("addf", "mulf", "maximumf") if is_float(x.dtype) else ("addi", "muli", "maxsi")
        function = {"addf": np.add, "addi": np.add, "mulf": np.multiply, "muli": np.multiply, "maximumf": np.maximum, "maxsi": np.maximum}
        inner = r.choice(names) if y else None
        term = function[inner](*terms) if y else terms[0]
        if is_float(x.dtype) and y and not np.array_equal(term, term.astype(NUMPY[x.dtype]).astype(wide), equal_nan=True):
            return
        outputs = []
        ways = (names[0], names[2], *(["store"] * 2 if len(kept) == rank else []))
        for combine in r.sample(ways, r.choice((1, 1, 2))):
            texts, indices, shape = self.placed(extents, kept)
            init = self.same(Node(x.dtype, shape), lambda n: n.is_exact)
            if not init.is_exact:
                return
            value = np.array(init.array, wide).reshape(-1)
            places = np.ravel_multi_index(tuple(indices), shape) if shape else np.zeros(extents, np.int64)
            if combine == "store":
                value[places] = term
            else:
                function[combine].at(value, places, term)
            if is_float(x.dtype) and combine == "addf" and not self.sums_are_exact(x.dtype, np.array(init.array, wide), term):
                return
            outputs.append((combine, texts, init, value.reshape(shape)))
        self.emit_generic(x.dtype, extents, iterators, reads, inner, outputs)

    @staticmethod
    def sums_are_exact(dtype, init, term):
        """No order of these sums rounds."""
        values = np.concatenate([init.ravel(), term.ravel()])
        finite = values[np.isfinite(values)]
        return np.array_equal(finite * 16, np.rint(finite * 16)) and np.sum(np.abs(finite)) * 16 < 2 ** {"f16": 11, "bf16": 8}.get(dtype, 24)

    def emit_generic(self, dtype, extents, iterators, reads, inner, outputs):
        dims = ", ".join(f"d{i}" for i in range(len(extents)))
        space, inits = type_text("i8", extents), [init for _, _, init, _ in outputs]
        maps = [dims] + [", ".join(texts) for _, texts, _ in reads] + [", ".join(texts) for _, texts, _, _ in outputs]
        operands, count = [node for node, _, _ in reads] + inits, len(reads)

        def write(chosen):
            def lines(n, o):
                results = ", ".join(n if k == chosen else f"{n}_{k}" for k in range(len(outputs)))
                ins = [f"{n}s"] + o[:count]
                types = ", ".join([space] + [node.type for node, _, _ in reads])
                text = [f"{n}s = tensor.empty() : {space}",
                        f"{results} = linalg.generic {{indexing_maps = [{', '.join(f'affine_map<({dims}) -> ({m})>' for m in maps)}], "
                        f"iterator_types = [{iterators}]}} ins({', '.join(ins)} : {types}) outs({', '.join(o[count:])} : "
                        f"{', '.join(node.type for node in inits)}) {{",
                        "^bb0(" + ", ".join(["%space: i8"] + [f"%x{k}: {dtype}" for k in range(count)] +
                                            [f"%o{k}: {dtype}" for k in range(len(outputs))]) + "):"]
                term = "%x0"
                if inner:
                    text.append(f"  %t = arith.{inner} %x0, %x1 : {dtype}")
                    term = "%t"
                text += [f"  %r{k} = arith.{combine} %o{k}, {term} : {dtype}" for k, (combine, _, _, _) in enumerate(outputs)
                         if combine != "store"]
                yielded = ", ".join(term if out[0] == "store" else f"%r{k}" for k, out in enumerate(outputs))
                result_types = ", ".join(node.type for node in inits)
                return text + [f"  linalg.yield {yielded} : {', '.join([dtype] * len(outputs))}",
                               f"}} -> {result_types if len(outputs) == 1 else f'({result_types})'}"]
            return lines
        for chosen, (_, _, init, value) in enumerate(outputs):
            self.add(dtype, init.shape, operands, write(chosen), value)
