# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random hosts: groups are longest paths, buffers that are alive at the same time do not overlap.

schedule_kernels_random.py PYPTO_OPT FIRST_SEED COUNT
"""
import random
import re
import subprocess
import sys


class Host:
    """Tasks that each write a buffer and read earlier ones. `after` are the edges."""

    def __init__(self, seed):
        r = random.Random(seed)
        self.sizes = [r.choice((1, 16, 64, 100, 300)) for _ in range(r.randint(2, 14))]
        self.reads = [r.sample(range(i), min(i, r.randint(0, 3))) for i in range(len(self.sizes))]
        self.after = [list(reads) for reads in self.reads]

    def text(self, name):
        lines = [f"func.func @{name}(%out: memref<1xf32>) {{"]
        lines += [f"  %b{i} = memref.alloc() : memref<{size}xf32>" for i, size in enumerate(self.sizes)]
        for i, reads in enumerate(self.reads):
            uses = ", ".join([f"write %b{i}"] + [f"read %b{j}" for j in reads])
            types = ", ".join(f"memref<{self.sizes[j]}xf32>" for j in [i, *reads])
            after = f" after({', '.join(f'%t{j}' for j in reads)})" if reads else ""
            lines.append(f"  %t{i} = orchestration.launch @{name}_{i}({uses}){after} : {types}")
        lines += ["  orchestration.await", "  return", "}"]
        for i, reads in enumerate(self.reads):
            types = ", ".join(f"memref<{self.sizes[j]}xf32>" for j in [i, *reads])
            lines.append(f"func.func private @{name}_{i}({types})")
        return "\n".join(lines)

    def group(self, task):
        """The longest path, over all paths."""
        return 1 + max((self.group(first) for first in self.after[task]), default=0)

    def is_before(self, first, second):
        return any(p == first or self.is_before(first, p) for p in self.after[second])


def check(host, name, text, barriers):
    body = re.search(rf"func\.func @{name}\(.*?^  }}", text, re.S | re.M).group(0)
    groups = {int(m[1]): int(m[2]) for m in re.finditer(rf"@{name}_(\d+)\(.*?group = (\d+)", body)}
    for task in range(len(host.sizes)):
        assert groups[task] == host.group(task), f"{name}: group of task {task}"
    peak, total = (int(re.search(rf"{what}_bytes = (\d+)", body)[1]) for what in ("arena", "buffer"))
    constants = dict(re.findall(r"(%\S+) = arith.constant (\d+) : index", body))
    views = dict(re.findall(r"(%\S+) = memref.view %\w+\[(%\w+)\]", body))
    places, users = {}, {}
    for line in re.findall(rf"launch @{name}_\d+\(.*", body):
        task = int(re.search(rf"@{name}_(\d+)", line)[1])
        for buffer, view in zip([task, *host.reads[task]], re.findall(r"(?:write|read) (%[^,)\s]+)", line)):
            offset = int(constants[views[view]])
            assert places.setdefault(buffer, offset) == offset, f"{name}: place of buffer {buffer}"
            users.setdefault(buffer, []).append(task)
    size = {i: -(-4 * n // 64) * 64 for i, n in enumerate(host.sizes)}
    assert total == sum(size.values())
    assert peak == max(places[i] + size[i] for i in places), f"{name}: peak"

    def is_done(a, b):
        if barriers:
            return all(groups[x] < groups[y] for x in users[a] for y in users[b])
        return all(host.is_before(x, y) for x in users[a] for y in users[b])

    for a in places:
        for b in range(a):
            apart = places[a] + size[a] <= places[b] or places[b] + size[b] <= places[a]
            assert apart or is_done(a, b) or is_done(b, a), f"{name}: buffers {a} and {b} overlap"
    return peak, total


def main(tool, first, count):
    hosts = {f"h{seed}": Host(seed) for seed in range(int(first), int(first) + int(count))}
    program = "\n".join(host.text(name) for name, host in hosts.items())
    for flag in ("--schedule-kernels", "--schedule-kernels=barriers"):
        done = subprocess.run([tool, flag], input=program, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        sums = [check(host, name, done.stdout, "barriers" in flag) for name, host in hosts.items()]
        peak, total = map(sum, zip(*sums))
        print(f"{flag}: {peak} of {total} bytes")
        assert peak < total


if __name__ == "__main__":
    main(*sys.argv[1:])
