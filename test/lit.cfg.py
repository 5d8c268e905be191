# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "pypto"
config.test_format = lit.formats.ShTest(not llvm_config.use_lit_shell)
config.suffixes = [".mlir", ".test", ".c"]
config.excludes = ["lit.cfg.py", "Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.pypto_build_dir, "test")
llvm_config.with_system_environment(["HOME", "TMP", "TEMP", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"])
llvm_config.use_default_substitutions()  # FileCheck, not, count
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
# In front of lit's own, which is the interpreter that runs lit: NumPy is a package of the system's.
config.substitutions.insert(0, ("%python", "/usr/bin/python3"))
config.substitutions.append(("%pypto_source_dir", config.pypto_source_dir))
config.substitutions.append(("%mlir_include_dir", config.mlir_include_dir))
config.substitutions.append(("%cxx", config.pypto_cxx))
config.substitutions.append(("%cc", config.pypto_cc))
config.substitutions.append(("%compiler_launcher", config.pypto_compiler_launcher))
config.substitutions.append(("%pypto_build_dir", config.pypto_build_dir))
# Every program of the build, by its bare name.
programs = os.listdir(os.path.join(config.pypto_build_dir, "bin"))
tools = sorted(set(programs) - {"pypto-opt"}) + ["mlir-opt", "mlir-tblgen"]
# With PYPTO_ROUNDTRIP set, every input of pypto-opt is printed, parsed and compared before it is used,
# as text and as bytecode.
roundtrip = []
if os.environ.get("PYPTO_ROUNDTRIP"):
    config.substitutions.append((" --verify-roundtrip", ""))  # the flag may stand once
    roundtrip = ["--verify-roundtrip"]
llvm_config.add_tool_substitutions(
    [ToolSubst("pypto-opt", extra_args=roundtrip, unresolved="fatal")]
    + [ToolSubst(tool, unresolved="ignore") for tool in tools],
    [os.path.join(config.pypto_build_dir, "bin"), config.llvm_tools_dir])
if config.pypto_sanitizer:
    config.available_features.add("sanitizer")
    config.available_features.update(f"sanitizer-{name}" for name in config.pypto_sanitizer.split(","))
try:
    with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
        if " avx512f " in cpuinfo.read():
            config.available_features.add("avx512f")
except OSError:
    pass
