"""Breaks a multicast GEMM in ways that a kind timing hides, and runs what is right.

usage: races.py EXAMPLES FOLDER INCLUDE LIBRARY [PART-OF-NAME]

A case changes lines of matmul_multicast; it must be reported on each seed, with both places.
The host program is compiled once, unless a case changes it."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

SIZES = ["3", "3", "6"]
SEEDS = ["0", "7"]
READER, WRITER, HOST = "reader.cpp", "writer.cpp", "main.cpp"
# The flag goes on the other NoC, whose multicasts begin at the other corner.
OTHER_NOC = [(READER, "get_noc_multicast_addr(line.first_x, line.first_y, line.last_x, line.last_y,\n                                       line.valid)",
              "get_noc_multicast_addr(line.last_x, line.last_y, line.first_x, line.first_y, line.valid)"),
             (READER, "                line.receivers);", "                line.receivers, false, 1 - noc_index);")]

WAIT = "noc_semaphore_wait(ready, line.receivers);"
RESET = "noc_semaphore_set(ready, 0);"
RECTANGLE = "get_noc_multicast_addr(line.first_x, line.first_y, line.last_x, line.last_y, {})"
DATA = "noc_async_write_multicast(l1, to, get_tile_size(line.cb), line.receivers);"
FLAG = """noc_semaphore_set_multicast(
                line.valid,
                get_noc_multicast_addr(line.first_x, line.first_y, line.last_x, line.last_y,
                                       line.valid),
                line.receivers);"""
CLEAR = "noc_semaphore_set(valid, 0);"
READY = "noc_semaphore_inc(get_noc_addr(line.sender_x, line.sender_y, line.ready), 1);"
VALID = "noc_semaphore_wait(valid, 1);"
RESERVE = "cb_reserve_back(line.cb, 1);"
PUSH = "cb_push_back(line.cb, 1);"
BARRIER = "noc_async_read_barrier();"
WRITE = "noc_async_write_page(get_arg_val<uint32_t>(1), c, get_read_ptr(16));"
LAST = "noc_async_write_barrier();"
WORDS = "reinterpret_cast<volatile tt_l1_ptr uint32_t*>({})"
STORE, LOAD = f"{WORDS}[5] = 7;", f"if ({WORDS}[5] == 12345) return;"
FILL = f"for (uint32_t i = 0; i < 512; ++i) {WORDS}[i] = i;"
COPY = "uint32_t some[8]; memcpy(some, reinterpret_cast<const void*>({} + 64), 32); if (some[3] == 12345) return;"
CSTRING = (READER, "#include <cstdint>", "#include <cstdint>\n#include <cstring>")
FLOW = "while (*valid != 1) invalidate_l1_cache();"
EACH = "for (uint32_t y = line.first_y; y <= line.last_y; ++y) for (uint32_t x = line.first_x; x <= line.last_x; ++x) "
RACE = r"\[rule 23\] race on .* at (\S+):\d+ on core \(\d+, \d+\), "
BY_POINTER = r"\[rule 23\] race on page .*a (?:load|store) by data movement [01].* at (\S+):\d+ on core \(\d+, \d+\), "
COUNTED = r"\[rule 19\] a barrier on NoC 1, which data movement 1 uses for such transfers, too"
HOLLOW = r"\[rule 23\] page \d of circular buffer \d is used, but nobody has written to it .* at \S*reader.cpp:\d+ on core "

# name: ([(file, old, new)], what is reported)
CASES = {
    "waits for a receiver less": ([(READER, WAIT, "noc_semaphore_wait_min(ready, line.receivers - 1);")], RACE),
    "waits for no receiver": ([(READER, WAIT, "noc_semaphore_wait_min(ready, 0);")], RACE),
    "does not wait for receivers": ([(READER, WAIT, "")], RACE),
    "waits in the first step only": ([(READER, WAIT, f"if (tile == line.first) {WAIT}"), (READER, "uint32_t receivers;", "uint32_t receivers; uint32_t first;"),
                                      (READER, "x1 - x0}", "x1 - x0, row * kt}"), (READER, "y1 - y0}", "y1 - y0, col}")], RACE),
    "waits after the multicast": ([(READER, WAIT, ""), (READER, DATA, DATA + WAIT)], RACE),
    "waits for a receiver of the other operand": ([(READER, "get_semaphore(get_compile_time_arg_val(2))", "get_semaphore(get_compile_time_arg_val(0))")], RACE),
    "counts a receiver twice": ([(READER, WAIT, WAIT.replace("wait(", "wait_min(")), (READER, READY, READY.replace(", 1)", ", 2)"))], RACE),
    "resets ready late": ([(READER, RESET, ""), (READER, FLAG, FLAG + RESET)], RACE),
    "resets ready before it waits": ([(READER, RESET, ""), (READER, WAIT, RESET + WAIT)], RACE),
    "never resets ready": ([(READER, RESET, ""), (READER, WAIT, WAIT.replace("wait(", "wait_min("))], RACE),
    "is ready before there is room": ([(READER, RESERVE, "if (line.sends) " + RESERVE), (READER, READY, READY + RESERVE)], RACE),
    "is ready for the next step before there is room": ([(READER, READY, f"if (tile == line.first) {READY}"), (READER, VALID, f"{VALID} {CLEAR} if (tile != line.last) {READY}"), (READER, CLEAR, ""),
                                      (READER, "uint32_t receivers;", "uint32_t receivers; uint32_t first, last;"),
                                      (READER, "x1 - x0}", "x1 - x0, row * kt, row * kt + kt - 1}"), (READER, "y1 - y0}", "y1 - y0, col, (kt - 1) * nt + col}")], RACE),
    "clears valid late": ([(READER, CLEAR, ""), (READER, READY, READY + CLEAR)], RACE),
    "never clears valid": ([(READER, CLEAR, "")], RACE + "|" + HOLLOW),
    "does not wait for valid": ([(READER, VALID, "")], RACE + "|" + HOLLOW),
    "waits for what valid was": ([(READER, VALID, "noc_semaphore_wait_min(valid, 0);")], RACE + "|" + HOLLOW),
    "pushes before valid": ([(READER, VALID, PUSH + VALID), (READER, "    }\n    " + PUSH, "    }\n    if (line.sends) " + PUSH)], RACE + "|" + HOLLOW),
    "raises the flag before the data": ([(READER, DATA, ""), (READER, FLAG, FLAG + DATA)], RACE),
    "raises the flag twice": ([(READER, DATA, "noc_semaphore_set(valid, 1);" + FLAG + DATA)], RACE),
    "raises the flag on the other NoC": (OTHER_NOC, RACE),
    "raises the flag on the NoC whose writes the other kernel counts": ([(READER, "noc_async_writes_flushed();", "noc_async_write_barrier();"), *OTHER_NOC], COUNTED),
    "sends data to one core at a time, and the flag to all": ([(READER, DATA, EACH + "noc_async_write(l1, get_noc_addr(x, y, l1), get_tile_size(line.cb));")], RACE),
    "sends data to all, and the flag to one core at a time": ([(READER, FLAG, EACH + "noc_semaphore_set_remote(line.valid, get_noc_addr(x, y, line.valid));")], RACE),
    "one flag for both operands, which may not have left": ([(READER, "get_semaphore(get_compile_time_arg_val(3))", "get_semaphore(get_compile_time_arg_val(1))")], RACE),
    "sends what has not landed": ([(READER, "noc_async_read_barrier();", ""), (READER, PUSH, "noc_async_read_barrier(); " + PUSH)], RACE),
    "two cores of a row send": ([(READER, "col == 0, x0, y,", "col <= 1, x0, y,"), (READER, WAIT, "noc_semaphore_wait_min(ready, 0);"),
                                 (READER, "x0 + 1, y, x1", "x0 + 2, y, x1"), (READER, "x1 - x0}", "x1 - x0 - 1}")], RACE),
    "unequal addresses of circular buffers": ([(HOST, "    make_cb(CBIndex::c_0, 2);", """    const auto make_on = [&](CoreRange on, CBIndex index, uint32_t pages) {
        CreateCircularBuffer(program, on, CircularBufferConfig(pages * tile_bytes, {{index, DataFormat::Float16_b}}).set_page_size(index, tile_bytes));
    };
    make_on(CoreRange({0, 0}, {0, mt - 1}), CBIndex::c_3, 9);
    make_on(CoreRange({0, 0}, {0, mt - 1}), CBIndex::c_0, 2);
    make_on(CoreRange({1, 0}, {nt - 1, mt - 1}), CBIndex::c_0, 2);""")], RACE + "|" + HOLLOW),
    "sends to the page behind": ([(READER, RECTANGLE.format("l1"), RECTANGLE.format("l1 + get_tile_size(line.cb)"))], RACE + "|" + HOLLOW),
    "sends data in the first steps only": ([(READER, DATA, f"if (tile < 4) {DATA}")], HOLLOW),
    "leaves a receiver out of the data": ([(READER, "const uint64_t to = " + RECTANGLE.format("l1"), "const uint64_t to = get_noc_multicast_addr(line.last_x, line.last_y, line.last_x, line.last_y, l1)"),
                                           (READER, DATA, DATA.replace("line.receivers", "1"))], HOLLOW),
    "reads a neighbour's L1 without a signal": ([(READER, "if (line.receivers > 0) {", "if (false) {"), (READER, CLEAR, ""), (READER, READY, ""),
                                                  (READER, VALID, "noc_async_read(get_noc_addr(line.sender_x, line.sender_y, l1), l1, get_tile_size(line.cb)); noc_async_read_barrier();")], RACE),
    "two cores write one page": ([(WRITER, "noc_async_write_page(get_arg_val<uint32_t>(1),", "noc_async_write_page(get_arg_val<uint32_t>(1) / 2,")], RACE),
    "stores to a page that another core multicasts to": ([(READER, READY, READY + STORE.format("l1"))], BY_POINTER),
    "fills a page that another core multicasts to": ([(READER, VALID, FILL.format("l1") + VALID)], BY_POINTER),
    "loads from a page before its read has landed": ([(READER, BARRIER, LOAD.format("l1") + BARRIER)], BY_POINTER),
    "copies a page before its read has landed": ([CSTRING, (READER, BARRIER, COPY.format("l1") + BARRIER)], BY_POINTER),
    "loads from a page before the flag": ([(READER, VALID, LOAD.format("l1") + VALID)], BY_POINTER),
    "stores to a page that it has published": ([(READER, "    }\n    " + PUSH, "    }\n    " + PUSH + STORE.format("l1"))], BY_POINTER),
    "stores to a page whose write may not have left": ([(WRITER, WRITE, WRITE + STORE.format("get_read_ptr(16)"))], BY_POINTER),
    "reads a page that another core writes": ([(WRITER, "cb_pop_front(16, 1);", "noc_async_read_page(0, c, get_read_ptr(16)); noc_async_read_barrier(); cb_pop_front(16, 1);")], RACE),
}

# What is right, though it looks like the cases above.
RIGHT = {
    "as it is": [],
    "one flag for both operands, once it has left": [(READER, "get_semaphore(get_compile_time_arg_val(3))", "get_semaphore(get_compile_time_arg_val(1))"),
                                                     (READER, FLAG, FLAG + "noc_async_writes_flushed();")],
    "writes C over what was read of A": [(HOST, "{uint32_t(c->address()), row * nt + col}", "{uint32_t(a->address()), row * nt + col}"),
                                         (HOST, "EnqueueReadMeshBuffer(cq, c_data, c, true)", "EnqueueReadMeshBuffer(cq, c_data, a, true)"),
                                         (HOST, "!= sum", "== 12345")],
    "clears valid after it": [(READER, CLEAR, ""), (READER, VALID, VALID + CLEAR)],
    "counts on": [(READER, RESET, ""), (READER, WAIT, "noc_semaphore_wait_min(ready, line.receivers * (tile - line.first) / line.step + line.receivers);"),
                  (READER, "uint32_t receivers;", "uint32_t receivers; uint32_t first, step;"),
                  (READER, "x1 - x0}", "x1 - x0, row * kt, 1}"), (READER, "y1 - y0}", "y1 - y0, col, nt}")],
    "waits for writes, not for them to leave": [(READER, "noc_async_writes_flushed();", "noc_async_write_barrier();")],
    "one core at a time": [(READER, DATA, EACH + "noc_async_write(l1, get_noc_addr(x, y, l1), get_tile_size(line.cb));"),
                           (READER, FLAG, EACH + "noc_semaphore_set_remote(line.valid, get_noc_addr(x, y, line.valid));")],
    "the other NoC, after a barrier": [(READER, "    noc_async_write_barrier();", "    noc_async_write_barrier(1 - noc_index);"),
                                       (READER, "noc_async_writes_flushed();", "noc_async_write_barrier();"), *OTHER_NOC,
                                       (HOST, ".noc = NOC::NOC_0,", ".noc = NOC::NOC_0, .noc_mode = NOC_MODE::DM_DYNAMIC_NOC,"),
                                       (HOST, ".noc = NOC::NOC_1,", ".noc = NOC::NOC_1, .noc_mode = NOC_MODE::DM_DYNAMIC_NOC,")],
    "stores before it says that it is ready": [(READER, READY, STORE.format("l1") + FILL.format("l1") + READY)],
    "loads and copies what has landed": [CSTRING, (READER, BARRIER, BARRIER + LOAD.format("l1") + COPY.format("l1")), (READER, VALID, VALID + LOAD.format("l1"))],
    "stores to a page that has been written": [(WRITER, LAST, LAST + STORE.format("get_read_ptr(16)"))],
    "waits for the flag through a pointer": [(READER, VALID, FLOW)],
    "no flush on the same NoC": [(READER, "noc_async_writes_flushed();", "")],
}


def compile_host(folder):
    root, lib = sys.argv[3:5]
    subprocess.run([os.environ.get("CXX", "c++"), "-std=c++20", "-O0", "-w", f"-I{root}/host", f"-I{root}", "-DFMT_HEADER_ONLY", "main.cpp",
                    "-o", "main", f"-L{lib}", "-lttemu", f"-Wl,-rpath,{lib}"], cwd=folder, check=True)


def change(example, folder, changes):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(example, folder)
    for file, old, new in changes:
        path = folder / file
        text = path.read_text()
        # Wherever the formatter breaks lines.
        pattern = (r"(?<=\s\s)" if old[0].isspace() else "") + r"\s*".join(map(re.escape, old.split()))
        text, found = re.subn(pattern, lambda _: new, text, count=1)
        assert found, f"{old!r} is not in {file}"
        path.write_text(text)


def run(folder, program, seed):
    env = {**os.environ, "TTEMU_SEED": seed, "TTEMU_INCLUDE": sys.argv[3]}
    result = subprocess.run([program, *SIZES], cwd=folder, capture_output=True, text=True, env=env, timeout=300)
    return result.returncode, result.stderr


def attempt(example, folder, program, changes, report):
    change(example, folder, changes)
    if any(file == HOST for file, _, _ in changes):
        compile_host(folder)
        program = folder / "main"
    problems = []
    for seed in SEEDS:
        status, text = run(folder, program, seed)
        told = re.findall(r".*(?:error|warning):.*", text)
        if report is None and (status or told):
            problems.append(f"seed {seed}: is reported: {told or status}")
        if report and not re.search(r"(?m)^\S*(reader|writer|compute)\.cpp:\d+: error: (" + report + ")", text):
            problems.append(f"seed {seed}: is not reported: {told or text or 'nothing'}")
    return problems


def main():
    examples, folder = map(pathlib.Path, sys.argv[1:3])
    only = sys.argv[5] if len(sys.argv) > 5 else ""
    example = examples / "matmul_multicast"
    folder = folder.absolute()
    change(example, folder / "host", [])
    compile_host(folder / "host")
    program, wrong = folder / "host" / "main", 0
    for cases in [{name: (changes, None) for name, changes in RIGHT.items()}, CASES]:
        for name, (changes, report) in cases.items():
            if only not in name:
                continue
            for problem in attempt(example, folder / "case", program, changes, report):
                wrong += 1
                print(f"{name}: {problem}", flush=True)
    print(f"{len(CASES)} ways to break it, {len(RIGHT)} right ones, {wrong} wrong")
    sys.exit(wrong != 0)


main()
