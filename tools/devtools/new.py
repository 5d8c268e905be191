#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Begins a pass or an operation: definition, source and a test that fails until it is written.

new.py pass [DIALECT.]NAME           e.g. FoldReshapes (pl) or tile.FuseStores
new.py op DIALECT.NAME [--family F]  e.g. tile.row_max --family Reduction, into ReductionOps.td
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Name of the dialect in text -> its folder, prefix in TableGen, the base of an operation without effects on
# storage, an operand and a result in TableGen, and a type for the test.
DIALECTS = {
    "pl": ("PL", "PL_Op", 'Arg<PL_TensorType, "", [MemRead]>',
           'Res<PL_TensorType, "", [MemAlloc, MemWrite]>', "!pl.tensor<[4, 8], f32>"),
    "tile": ("Tile", "Tile_PureOp", "Tile_TileType", "Tile_TileType", "!tile.tile<[4, 8], f32>"),
    "orchestration": ("Orchestration", "Orchestration_Op", "Orchestration_TaskType",
                      "Orchestration_TaskType", "!orchestration.task"),
}
LICENCE = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"


def kebab(name):
    """FoldReshapes -> fold-reshapes, ConvertToSSA -> convert-to-ssa."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower()


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[._]", name))


def fail(message):
    sys.exit(f"tools/dev new: {message}")


def create(path, text):
    if path.exists():
        fail(f"{path.relative_to(ROOT)} exists")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    print(f"created {path.relative_to(ROOT)}")


def insert_before(path, anchor, text, duplicate):
    """Inserts text before the last place where the anchor stands."""
    if not path.exists():
        fail(f"{path.relative_to(ROOT)} does not exist")
    content = path.read_text()
    if duplicate in content:
        fail(f"{path.relative_to(ROOT)} already has '{duplicate}'")
    before, found, after = content.rpartition(anchor)
    if not found:
        fail(f"{path.relative_to(ROOT)} has no '{anchor}'")
    path.write_text(before + text + found + after)
    print(f"changed {path.relative_to(ROOT)}")


def new_pass(name):
    dialect, _, name = name.rpartition(".")
    folder = DIALECTS[dialect or "pl"][0]
    if not re.fullmatch(r"[A-Z]\w*", name):
        fail(f"expects a name such as FoldReshapes, but got '{name}'")
    flag = kebab(name)
    namespace = dialect or "pl"
    headers = f"pypto/Dialect/{folder}/Transforms"
    insert_before(ROOT / f"include/{headers}/Passes.td", "#endif", f"""\
def {name} : PyptoPass<"{flag}"> {{
  let summary = "";
  let description = [{{
    Requires and ensures:

    Algorithm and cost:

    Limits:
  }}];
}}

""", f"def {name} ")
    create(ROOT / f"lib/Dialect/{folder}/Transforms/{name}.cpp", LICENCE + f"""\
#include "{headers}/Passes.h"

using namespace mlir;
using namespace pypto;

namespace pypto::{namespace} {{
#define GEN_PASS_DEF_{name.upper()}
#include "{headers}/Passes.h.inc"
}} // namespace pypto::{namespace}

namespace {{
struct {name}Pass : {namespace}::impl::{name}Base<{name}Pass> {{
  void runOnModule() override {{
    getOperation().emitError("not written yet");
    signalPassFailure();
  }}
}};
}} // namespace
""")
    insert_before(ROOT / f"lib/Dialect/{folder}/Transforms/CMakeLists.txt", ")", f" {name}.cpp",
                  f" {name}.cpp")
    create(ROOT / f"test/Dialect/{folder}/Transforms/{flag}.mlir", f"""\
// RUN: pypto-opt %s --{flag} | FileCheck %s

// What the pass does, and the near miss of each thing.

// CHECK-LABEL: pl.func @what_it_does
pl.func @what_it_does() {{
  pl.return
}}
""")


def new_op(name, family):
    dialect, _, mnemonic = name.partition(".")
    if dialect not in DIALECTS or not re.fullmatch(r"[a-z][a-z0-9_.]*", mnemonic):
        fail(f"expects DIALECT.NAME such as tile.row_max, but got '{name}'")
    folder, base, operand, result, type_ = DIALECTS[dialect]
    definition = f"{folder}_{camel(mnemonic)}Op"
    insert_before(ROOT / f"include/pypto/Dialect/{folder}/IR/{family}Ops.td", "#endif", f"""\
def {definition} : {base}<"{mnemonic}", [AllTypesMatch<["source", "result"]>]> {{
  let summary = "";
  let description = [{{
    Semantics, effects and constraints:

    - C1:

    Example: `%r = {name} %a : {type_}`
  }}];
  let arguments = (ins {operand}:$source);
  let results = (outs {result}:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source))";
}}

""", f"def {definition} ")
    create(ROOT / f"test/Dialect/{folder}/IR/{mnemonic.replace('.', '-')}.mlir", f"""\
// RUN: pypto-opt %s --verify-roundtrip | FileCheck %s

// Text, generic form and bytecode of {name}.

// CHECK-LABEL: pl.func inline @{mnemonic.replace('.', '_')}
pl.func inline @{mnemonic.replace('.', '_')}(%a: {type_}) -> {type_} {{
  // CHECK: {name} %{{{{.*}}}} : {type_}
  %r = {name} %a : {type_}
  pl.return %r : {type_}
}}
""")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("pass", "op"))
    parser.add_argument("name")
    parser.add_argument("--family", default="Elementwise", help="of operations: the .td file without Ops")
    options = parser.parse_args()
    if options.what == "pass":
        dialect = options.name.rpartition(".")[0]
        if dialect and dialect not in DIALECTS:
            fail(f"expects one of {', '.join(DIALECTS)} before the dot, but got '{dialect}'")
        new_pass(options.name)
    else:
        new_op(options.name, options.family)


if __name__ == "__main__":
    main()
