# How lit finds and runs the tests.
#
#   --param all=1         tests that say REQUIRES: all, and lines in %if all %{ … %}, run as well:
#                         what takes more than some five seconds of a processor
#   --param roundtrip=1   every tt-opt also checks that what it prints parses back
#                         to the same IR

import os
import shutil

import lit.formats

config.name = "Tilewright"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tw_build, "test", "Output")

tools = os.path.join(config.tw_build, "bin")
config.environment["PATH"] = os.pathsep.join([tools, config.llvm_bin, os.environ["PATH"]])
# Compiled kernels are kept beside the tests, not in the user's folder.
config.environment["TTEMU_CACHE"] = os.path.join(config.tw_build, "test", "kernels")
os.makedirs(config.environment["TTEMU_CACHE"], mode=0o700, exist_ok=True)
for name in ("CXX", "HOME", "TMPDIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
if lit_config.params.get("all"):
    config.available_features.add("all")
# Formatters of other versions format otherwise.
formatter = shutil.which("clang-format-22")
if formatter:
    config.available_features.add("clang-format")
# What tt-run links where a host program includes it.
if os.path.exists("/usr/include/google/protobuf/message.h"):
    config.available_features.add("protobuf")
if os.access(os.path.join(config.llvm_bin, "clang++"), os.X_OK):
    config.available_features.add("clang")
if config.sanitize:
    config.available_features.add("sanitize")
    # libMLIR is not built with ASan, so poison and annotations of memory that both
    # sides use mean nothing; what LLVM keeps to the end of the process is no leak.
    config.environment["ASAN_OPTIONS"] = ("allow_user_poisoning=0:detect_container_overflow=0:"
                                          "detect_leaks=0")
    config.environment["UBSAN_OPTIONS"] = "halt_on_error=1:print_stacktrace=1"

roundtrip = lit_config.params.get("roundtrip")
config.substitutions += [
    ("%root", config.tw_source),
    ("%examples", os.path.join(config.tw_source, "examples")),
    ("%inputs", os.path.join(config.tw_source, "test", "Inputs")),
    ("%llvm_bin", config.llvm_bin),
    ("%clang_format", formatter or "clang-format-22"),
    ("%build", config.tw_build),
    (r"\btt-opt\b", "tt-opt --verify-roundtrip" if roundtrip else "tt-opt"),
]
