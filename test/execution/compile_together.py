"""Runs a command twice: first its host programs are only collected, and compiled together, then it runs with these.

usage: compile_together.py COMMAND...

What is emitted and compiled is what tt-run emits, with the same flags, but for that each `main` has another name.
"""
import glob
import os
import subprocess
import sys
import tempfile


def compile_all(folder, include, lib):
    """One library of all host programs in `folder`, each of which has its names in a namespace of its own."""
    includes, texts, names = {}, [], []
    for path in sorted(glob.glob(os.path.join(folder, "*.cpp"))):
        name = os.path.basename(path)[:-4]
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        includes |= dict.fromkeys(line for line in lines if line.startswith("#include"))
        own = "\n".join(line for line in lines if not line.startswith("#include"))
        texts.append(f"namespace tw_{name}_ {{\n#define main main_\n{own}\n#undef main\n}}\n"
                     f'extern "C" int tw_{name}(int n, char** words) {{ return tw_{name}_::main_(n, words); }}\n')
        names.append(name)
    source, library = os.path.join(folder, "all.cc"), os.path.join(folder, "liball.so")
    with open(source, "w", encoding="utf-8") as file:
        file.write("\n".join(includes) + "\n" + "\n".join(texts))
    command = ["c++", "-std=c++20", "-Og", "-w", "-fPIC", "-shared", f"-I{include}/host", f"-I{include}",
               f"-idirafter{include}/host/tt-metalium", "-DFMT_HEADER_ONLY", f"-I{include}/host/impl", source, "-o", library, f"-L{lib}", "-lttemu",
               f"-Wl,-rpath,{lib}"]
    if names and subprocess.run(command, check=False).returncode == 0:
        for name in names:
            with open(os.path.join(folder, name + ".in"), "w", encoding="utf-8") as file:
                file.write("liball.so")


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    root = os.path.dirname(os.path.dirname(here))
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, CXX=os.path.join(here, "compile_together.sh"), TW_TOGETHER=folder)
        subprocess.run(sys.argv[1:], env=dict(env, TW_COLLECT="1"), check=False, capture_output=True)
        lib = os.environ.get("TTEMU_LIB") or os.path.join(os.environ.get("BUILD_DIR") or f"{root}/build", "lib")
        compile_all(folder, f"{root}/emulator/include", lib)
        return subprocess.run(sys.argv[1:], env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
