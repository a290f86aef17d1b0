import os
import shutil

import lit.formats

config.name = "accrue"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".acr", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt", "lit.cfg.py", "lit.site.cfg.py.in"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.accrue_obj_root, "test")

# Captured variables do not leak past a CHECK-LABEL.
config.environment["FILECHECK_OPTS"] = "-enable-var-scope"

for tools in (config.llvm_tools_dir, os.path.join(config.accrue_obj_root, "bin")):
    config.environment["PATH"] = os.pathsep.join((tools, config.environment["PATH"]))
# Tests that need OpenBLAS to pick the machine's or the pinned kernels.
for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "OMP_NUM_THREADS", "HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(
    ("%examples", os.path.join(config.accrue_src_root, "examples")))
config.substitutions.append(("%accrue_src", config.accrue_src_root))
config.substitutions.append(("%accrue_obj", config.accrue_obj_root))
# `%expect_status 2 COMMAND`: runs it and checks its exit status.
config.substitutions.append(
    ("%expect_status", "bash " + os.path.join(
        config.test_source_root, "accrue", "Inputs", "expect-status.sh")))
# `%check_reference MODEL FOLDER`: compares with the values stored beside it.
config.substitutions.append(
    ("%check_reference", "python3 " + os.path.join(
        config.test_source_root, "references", "check.py")))
# `%check_program PROGRAM.acr`: the same step in micro-batches.
config.substitutions.append(
    ("%check_program", "python3 " + os.path.join(
        config.test_source_root, "Integration", "accumulation", "check.py")))

# `%emulate PROGRAM.cu MAIN.c -o PROGRAM` builds emitted CUDA for the host, the
# others with a sanitizer. The library comes first and whole.
emulator = os.path.join(config.accrue_src_root, "runtime", "emulator")
for suffix, library, flags in (
    ("", "AccrueEmulator", ""),
    ("_asan", "AccrueEmulatorASan",
     "-fsanitize=address,undefined -fno-sanitize-recover=undefined "
     "-fno-omit-frame-pointer"),
    ("_tsan", "AccrueEmulatorTSan", "-fsanitize=thread"),
):
    config.substitutions.append((r"%emulate" + suffix + r"\b", " ".join([
        "g++ -std=c++17 -O1 -g1 -Wall", flags, "-x c++",
        "-I" + os.path.join(emulator, "include"), "-I" + config.accrue_src_root,
        "-rdynamic -L" + os.path.join(config.accrue_obj_root, "lib"),
        "-Wl,--whole-archive -l" + library, "-Wl,--no-whole-archive"])))

if shutil.which("clang-format-22"):
    config.available_features.add("clang-format")
if shutil.which("valgrind"):
    config.available_features.add("valgrind")
if shutil.which("nvcc"):
    config.available_features.add("nvcc")
