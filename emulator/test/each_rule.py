"""Breaks each rule that is seen at run time, alone, and comes near to breaking it.

usage: each_rule.py EXAMPLES INPUTS FOLDER [--quick]

A case changes an example; a broken one must be reported with its rule, at the severity
given, and a near miss must run without a word. --quick: one case a rule, the first that needs no host program of
its own."""

import pathlib
import re
import shutil
import subprocess
import sys

ADD, SUM, CAST, SHARDS, WORDS = "eltwise_binary", "reduction", "matmul_multicast", "sharded_copy", "words"
READ_B = "noc_async_read_page(tile, b, get_write_ptr(1));"
UNARY = ("compute.cpp", "void kernel_main", """#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_unary/exp.h"
void kernel_main""")
LOOK = "if (*reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_write_ptr(1)) == 5) return; "
OWN = """noc_async_write_barrier();
noc_semaphore_inc{}(get_noc_addr(my_x[noc_index], my_y[noc_index], get_semaphore(get_compile_time_arg_val(0))), 1);
"""
# A circular buffer that is used as memory: its data is there before that of another one is pushed.
MEMORY = [("reader.cpp", "cb_reserve_back(1, 1);", ""), ("compute.cpp", "cb_wait_front(1, 1);", ""),
          ("compute.cpp", "cb_pop_front(1, 1);", "")]
# rule: (example, arguments, options, [(file, old, new)], what is reported or None for a near miss)
CASES = [
    (1, ADD, [], [("compute.cpp", "cb_wait_front(0, 1)", "cb_wait_front(0, 3)")], "error"),
    (1, ADD, [], [("reader.cpp", "cb_reserve_back(0, 1)", "cb_reserve_back(0, 2)")], None),
    (2, ADD, ["4"], [("main.cpp", "CBIndex::c_16, 2)", "CBIndex::c_16, 3)"),
                     ("compute.cpp", "cb_reserve_back(16, 1)", "cb_reserve_back(16, 2)"),
                     ("compute.cpp", "pack_tile(0, 16)", "pack_tile(0, 16); pack_tile(0, 16)"),
                     ("compute.cpp", "cb_push_back(16, 1)", "cb_push_back(16, 2)"),
                     ("writer.cpp", "tile < first + count; ++tile", "tile < first + 2 * count; ++tile"),
                     ("writer.cpp", "noc_async_write_page(tile,", "noc_async_write_page(tile / 2,")], "error"),
    (2, ADD, ["4"], [("main.cpp", "CBIndex::c_16, 2)", "CBIndex::c_16, 4)"),
                     ("compute.cpp", "cb_reserve_back(16, 1)", "cb_reserve_back(16, 2)"),
                     ("compute.cpp", "pack_tile(0, 16)", "pack_tile(0, 16); pack_tile(0, 16)"),
                     ("compute.cpp", "cb_push_back(16, 1)", "cb_push_back(16, 2)"),
                     ("writer.cpp", "tile < first + count; ++tile", "tile < first + 2 * count; ++tile"),
                     ("writer.cpp", "noc_async_write_page(tile,", "noc_async_write_page(tile / 2,")], None),
    (4, ADD, [], [("writer.cpp", "cb_pop_front(16, 1);", "cb_pop_front(16, 1); if (tile + 1 == first + count) { cb_reserve_back(1, 1); cb_push_back(1, 1); }")], "error"),
    (4, ADD, [], [("reader.cpp", "cb_push_back(1, 1);", "cb_push_back(1, 1); cb_reserve_back(1, 1);")], None),
    (5, ADD, [], [("writer.cpp", "cb_pop_front(16, 1);", "if (tile % 2) cb_pop_front(16, 2);"),
                  ("writer.cpp", "cb_wait_front(16, 1)", "cb_wait_front(16, 1 + tile % 2)"),
                  ("writer.cpp", "get_read_ptr(16)", "get_read_ptr(16) + tile % 2 * 2048")], None),
    (5, ADD, [], [("writer.cpp", "cb_pop_front(16, 1);", "if (tile + 1 < first + count) cb_pop_front(16, 1);")], "warning"),
    (6, ADD, [], [("compute.cpp", "cb_pop_front(0, 1);", "")], "deadlock"),
    (6, ADD, [], [("compute.cpp", "cb_pop_front(0, 1);", ""), ("compute.cpp", "cb_pop_front(1, 1);", "cb_pop_front(1, 1); cb_pop_front(0, 1);")], None),
    (7, ADD, [], [("main.cpp", "make_cb(program, core, CBIndex::c_0, 2);", "make_cb(program, core, CBIndex::c_0, 2); CreateCircularBuffer(program, core, CircularBufferConfig(65535 * 16, {{5, DataFormat::Float16_b}}).set_page_size(5, 16));")], None),
    (7, ADD, [], [("main.cpp", "make_cb(program, core, CBIndex::c_0, 2);", "CreateCircularBuffer(program, core, CircularBufferConfig(65536 * 16, {{0, DataFormat::Float16_b}}).set_page_size(0, 16));")], "host"),
    (8, ADD, [], [("compute.cpp", "cb_wait_front(1, 1)", "cb_wait_front(2, 1)")], "error"),
    (8, ADD, [], [("writer.cpp", "cb_pop_front(16, 1);", "cb_pop_front(16, 1); cb_pop_front(9, 1);")], "forgiven"),
    (8, ADD, [], [("writer.cpp", "cb_pop_front(16, 1);", "cb_pop_front(16, 1); if (get_tile_size(9) != 1088) return;")], "warning"),
    (8, ADD, [], [("main.cpp", "CBIndex::c_16, 2)", "CBIndex::c_16, 900)")], "host"),
    (8, ADD, [], [("main.cpp", "CBIndex::c_16, 2)", "CBIndex::c_16, 600)")], None),
    (9, ADD, [], [("compute.cpp", "add_tiles(0, 1, 0, 0, 0)", "add_tiles(0, 1, 0, 0, 8)")], "error"),
    (9, ADD, [], [("compute.cpp", "add_tiles(0, 1, 0, 0, 0)", "add_tiles(0, 1, 0, 0, 7)"),
                  ("compute.cpp", "pack_tile(0, 16)", "pack_tile(7, 16)")], None),
    (10, ADD, [], [("compute.cpp", "tile_regs_commit();", "")], "error"),
    (10, ADD, [], [("compute.cpp", "tile_regs_wait();", "")], "error"),
    (10, ADD, [], [("compute.cpp", "tile_regs_release();", "tile_regs_release(); tile_regs_release();")], "error"),
    (10, ADD, [], [("compute.cpp", "cb_push_back(16, 1);", "cb_push_back(16, 1); if (tile + 1 == count) tile_regs_release();")], "forgiven"),
    (10, ADD, [], [("compute.cpp", "cb_push_back(16, 1);", "cb_push_back(16, 1); release_dst();")], "forgiven"),
    (10, ADD, [], [("compute.cpp", "tile_regs_commit();", "release_dst();"), ("compute.cpp", "tile_regs_acquire();", ""),
                   ("compute.cpp", "add_init(0, 1);", "add_init(0, 1); acquire_dst();")], "error"),
    (10, ADD, [], [("compute.cpp", "tile_regs_acquire();", "acquire_dst();"), ("compute.cpp", "tile_regs_commit();", ""),
                   ("compute.cpp", "tile_regs_wait();", ""), ("compute.cpp", "tile_regs_release();", "release_dst();")], None),
    (11, ADD, [], [("compute.cpp", "add_init(0, 1);", "")], "error"),
    (11, ADD, [], [("compute.cpp", "add_init(0, 1);", "compute_kernel_hw_startup(0, 1, 16); add_init(0, 1);")], "warning"),
    (11, ADD, [], [("compute.cpp", "add_init(0, 1);", "mul_init(0, 1); add_init(0, 1);")], None),
    (11, ADD, [], [("compute.cpp", "tile_regs_commit();", "add_tiles(0, 1, 0, 0, 1); exp_tile_init(); square_tile(1); tile_regs_commit();"), UNARY], "forgiven"),
    (11, ADD, [], [("compute.cpp", "tile_regs_commit();", "square_tile(0); tile_regs_commit();"), UNARY], "error"),
    (11, ADD, [], [("compute.cpp", "tile_regs_commit();", "square_tile_init(); exp_tile(0); tile_regs_commit();"), UNARY], "error"),
    (12, WORDS, ["10", "int32"], [("compute.cpp", "compute_kernel_hw_startup(0, 16)", "compute_kernel_hw_startup(1, 16)"),
                                  ("main.cpp", "for (uint8_t cb : {0, 16})", "CreateCircularBuffer(program, core, CircularBufferConfig(2048, {{1, DataFormat::Float16_b}}).set_page_size(1, 2048));\n  for (uint8_t cb : {0, 16})")], "error"),
    (12, WORDS, ["10", "int32"], [("compute.cpp", "compute_kernel_hw_startup(0, 16)", "compute_kernel_hw_startup(1, 16); reconfig_data_format_srca(0)"),
                                  ("main.cpp", "for (uint8_t cb : {0, 16})", "CreateCircularBuffer(program, core, CircularBufferConfig(2048, {{1, DataFormat::Float16_b}}).set_page_size(1, 2048));\n  for (uint8_t cb : {0, 16})")], None),
    (13, ADD, [], [("compute.cpp", "add_init(0, 1);", "add_init(0, 1); pack_reconfig_l1_acc(1); pack_reconfig_data_format(16); pack_reconfig_l1_acc(0);")], "error"),
    (13, ADD, [], [("compute.cpp", "add_init(0, 1);", "add_init(0, 1); pack_reconfig_data_format(16); pack_reconfig_l1_acc(1); pack_reconfig_l1_acc(0);")], None),
    (14, SUM, [], [("compute.cpp", "reduce_uninit();", "transpose_init(0); reduce_uninit();"),
                   ("compute.cpp", "void kernel_main", "#include \"api/compute/transpose.h\"\nvoid kernel_main")], "error"),
    (14, SUM, [], [("compute.cpp", "reduce_uninit();", "reduce_uninit(); transpose_init(0);"),
                   ("compute.cpp", "void kernel_main", "#include \"api/compute/transpose.h\"\nvoid kernel_main")], None),
    (14, WORDS, ["0"], [("compute.cpp", "tilize_uninit(0, 16);", "copy_init(0); tilize_uninit(0, 16);")], "error"),
    (15, ADD, [], [("reader.cpp", "noc_async_read_barrier();", "")], "error"),
    (15, ADD, [], [("reader.cpp", "noc_async_read_barrier();", ""), ("reader.cpp", "cb_push_back(0, 1);", "noc_async_read_barrier(); cb_push_back(0, 1);")], None),
    (16, ADD, [], [("writer.cpp", "noc_async_write_barrier();", "")], "error"),
    (16, ADD, [], [("writer.cpp", "noc_async_write_barrier();", "noc_async_writes_flushed();")], "forgiven"),
    (16, CAST, [], [("reader.cpp", "    noc_async_write_barrier();\n}", "}")], "forgiven"),
    (16, CAST, [], [("reader.cpp", "    noc_async_write_barrier();\n}", OWN.format("") + "}")], "warning"),
    (16, CAST, [], [("reader.cpp", "    noc_async_write_barrier();\n}", OWN.format("") + "noc_async_atomic_barrier(); }")], None),
    (16, CAST, [], [("reader.cpp", "    noc_async_write_barrier();\n}", OWN.format("<true>") + "}")], None),
    (16, ADD, [], [("writer.cpp", "noc_async_write_barrier();", "noc_async_writes_flushed();"),
                   ("writer.cpp", "cb_pop_front(16, 1);", "cb_pop_front(16, 1); if (tile + 1 == first + count) noc_async_write_barrier();")], None),
    (17, ADD, [], [("reader.cpp", "noc_async_read_page(tile, a, get_write_ptr(0))", "noc_async_read(a.get_noc_addr(tile), get_write_ptr(0) + 16, 1024)")], "error"),
    (17, ADD, [], [("reader.cpp", "noc_async_read_page(tile, a, get_write_ptr(0))", "noc_async_read(a.get_noc_addr(tile) + 32, get_write_ptr(0) + 32, 2016); noc_async_read(a.get_noc_addr(tile), get_write_ptr(0), 32)")], None),
    (17, ADD, [], [("reader.cpp", "noc_async_read_page(tile, a,", "noc_async_read_page(first + count - 1, a,")], None),
    (17, ADD, [], [("reader.cpp", "noc_async_read_page(tile, a,", "noc_async_read_page(tile + 1, a,")], "error"),
    (17, ADD, [], [("reader.cpp", "noc_async_read_page(tile, a,", "a.get_noc_addr(first + count); noc_async_read_page(tile, a,")], None),
    (17, CAST, [], [("main.cpp", "device->worker_core_from_logical_core({0, 0})", "CoreCoord(1, 1)"),
                    ("main.cpp", "device->worker_core_from_logical_core({nt - 1, mt - 1})", "CoreCoord(nt, mt)")], "forgiven"),
    (18, CAST, [], [("reader.cpp", "get_compile_time_arg_val(3)", "7")], "error"),
    (18, CAST, [], [("reader.cpp", "get_tile_size(line.cb), line.receivers)", "get_tile_size(line.cb), line.receivers + 1)")], "error"),
    (18, CAST, [], [("reader.cpp", "noc_semaphore_set(", "noc_async_writes_flushed(); noc_semaphore_set(")], None),
    (19, ADD, [], [("../common.hpp", "NOC::NOC_0", "NOC::NOC_1")], "forgiven"),
    (19, ADD, [], [("../common.hpp", "NOC::NOC_0", "NOC::NOC_1"),
                   ("reader.cpp", "cb_push_back(1, 1);", "cb_push_back(1, 1); noc_async_write_barrier();")], "error"),
    (19, ADD, [], [("reader.cpp", "cb_push_back(1, 1);", "cb_push_back(1, 1); noc_async_write_barrier();")], None),
    (19, ADD, [], [("../common.hpp", "NOC::NOC_0", "NOC::RISCV_0_default"), ("../common.hpp", "NOC::NOC_1", "NOC::RISCV_1_default")], None),
    (20, ADD, [], [("compute.cpp", "get_arg_val<uint32_t>(0)", "get_arg_val<uint32_t>(1)")], "error"),
    (20, ADD, [], [("compute.cpp", "count = get_arg", "unused = get_arg_val<uint32_t>(1), count = get_arg")], None),
    (20, ADD, [], [("main.cpp", "core, {tiles});", "core, std::vector<uint32_t>(342, tiles));")], "host"),
    (20, ADD, [], [("main.cpp", "core, {tiles});", "core, std::vector<uint32_t>(341, tiles));")], None),
    (21, ADD, [], [("compute.cpp", "pack_tile(0, 16)", "pack_tile(0, 16); pack_tile(0, 16); pack_tile(0, 16)")], "error"),
    (21, ADD, [], [("compute.cpp", "cb_reserve_back(16, 1);", ""), ("main.cpp", "CBIndex::c_16, 2)", "CBIndex::c_16, 16)")], "forgiven"),
    (21, SHARDS, [], [("compute.cpp", "cb_wait_front(0, tiles);", ""), ("compute.cpp", "cb_pop_front(0, tiles);", "cb_wait_front(0, tiles); cb_pop_front(0, tiles);")], "forgiven"),
    (21, SHARDS, [], [("compute.cpp", "cb_wait_front(0, tiles);", ""), ("reader.cpp", "cb_push_back(0, tiles);", "")], "forgiven"),
    (21, SHARDS, [], [("compute.cpp", "cb_wait_front(0, tiles);", ""), ("reader.cpp", "cb_push_back(0, tiles);", ""),
                      ("compute.cpp", "cb_pop_front(0, tiles);", "cb_pop_front(0, tiles); cb_wait_front(0, 1);")], "error"),
    (21, ADD, ["1"], [*MEMORY, ("reader.cpp", "cb_push_back(1, 1);", "")], "forgiven"),
    (21, ADD, ["1"], [*MEMORY, ("reader.cpp", "cb_push_back(1, 1);", "cb_reserve_back(0, 2); cb_push_back(1, 1);")], "error"),
    (21, ADD, [], [("reader.cpp", "cb_reserve_back(0, 1);", "if (tile == first) cb_reserve_back(0, 1);")], "warning"),
    (21, ADD, [], [("compute.cpp", "add_tiles(0, 1, 0, 0, 0)", "add_tiles(0, 1, 1, 0, 0)")], "error"),
    (21, ADD, [], [("writer.cpp", "cb_wait_front(16, 1);", "if (tile == first) cb_wait_front(16, 1);")], "error"),
    (21, ADD, [], [("reader.cpp", "cb_push_back(0, 1);",
                    "{ const uint32_t page = get_write_ptr(0); cb_push_back(0, 1); noc_async_read_page(tile, a, page); noc_async_read_barrier(); }")], "error"),
    (21, ADD, [], [("reader.cpp", "cb_push_back(0, 1);", "noc_async_read_page(tile, a, get_write_ptr(0)); noc_async_read_barrier(); cb_push_back(0, 1);")], None),
    (21, ADD, [], [("writer.cpp", "cb_pop_front(16, 1);",
                    "const uint32_t sent = get_read_ptr(16); cb_pop_front(16, 1); "
                    "if (tile + 1 == first + count) { noc_async_write_page(tile, out, sent); noc_async_write_barrier(); }")], "forgiven"),
    (22, ADD, [], [("reader.cpp", "noc_async_read_page(tile, b, get_write_ptr(1));", "")], "warning"),
    (22, ADD, [], [("writer.cpp", "noc_async_write_page(tile, out, get_read_ptr(16));", "")], "warning"),
    (17, ADD, [], [("reader.cpp", "get_arg_val<uint32_t>(0)", "get_arg_val<uint32_t>(2)")], "error"),  # which is 0
    (22, ADD, [], [("reader.cpp", READ_B, LOOK + READ_B)], "warning"),
    (22, ADD, [], [("reader.cpp", "cb_push_back(0, 1);", LOOK + "cb_push_back(0, 1);")], None),
    (22, ADD, [], [("main.cpp", "write(device, b, y, rows, cols);", "")], "warning"),
    (22, ADD, [], [("main.cpp", "Program program = CreateProgram();", "make_tensor(device, 1); Program program = CreateProgram();")], None),
    (23, CAST, [], [("reader.cpp", "noc_semaphore_wait(ready, line.receivers);", "")], "error"),
    (23, CAST, [], [("reader.cpp", "noc_async_writes_flushed();", "noc_async_write_barrier();")], None),
]


def run(case, examples, inputs, folder):
    rule, name, arguments, changes, report = case
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    source = (inputs if name == WORDS else examples) / name
    shutil.copytree(source, folder / name)
    shutil.copy(examples / "common.hpp", folder)
    main = folder / name / "main.cpp"
    main.write_text(main.read_text().replace("../../../examples/metalium/", "../"))
    for file, old, new in changes:
        path = folder / name / file
        text = path.read_text()
        if old not in text:
            return f"{old!r} is not in {name}/{file}"
        path.write_text(text.replace(old, new, 1))
    # What is forgiven is a warning, and with --strict an error.
    for strict in (["--strict"], []) if report == "forgiven" else ([],):
        problem = judge(rule, folder / name, [*strict, "main.cpp", *arguments],
                        report if report != "forgiven" else "error" if strict else "warning")
        if problem:
            return f"{' '.join(strict)} {problem}"
    return None


def judge(rule, folder, arguments, report):
    result = subprocess.run(["tt-run", *arguments], cwd=folder, capture_output=True, text=True)
    expected = {
        "error": rf"(?m)^\S+\.cpp:\d+: error: \[rule {rule}\]", "warning": rf"(?m)^\S+:\d+: warning: \[rule {rule}\]|^warning: \[rule {rule}\]",
        "host": rf"(?m)^error: \[rule {rule}\]", "deadlock": "(?m)^error: deadlock: .*(\n.*)*chain: .*unpack -> data movement 1 -> unpack, which closes it",
    }
    told = re.findall(r"(?:error|warning).*", result.stderr)
    if report is None:
        return f"is reported: {told}" if told else None
    if not re.search(expected[report], result.stderr):
        return f"is not reported: {told or result.stdout}"
    # What nobody wrote is used all the same: a race, and results that may be anything.
    if rule != 22 and (report != "warning") == (result.returncode == 0):
        return f"ends with status {result.returncode}"
    others = set(re.findall(r"\[rule (\d+)\]", result.stderr)) - {str(rule)}
    if rule == 22:
        others -= {"23"}
    return f"reports other rules, too: {others}" if others else None


def one_of_each():
    """The first broken case of each rule whose changes are of kernels."""
    chosen = {}
    for case in CASES:
        if case[4] is not None and case[1] != WORDS and all(file in ("reader.cpp", "compute.cpp", "writer.cpp") for file, *_ in case[3]):
            chosen.setdefault(case[0], case)
    return list(chosen.values())


def main():
    examples, inputs, folder = map(pathlib.Path, sys.argv[1:4])
    cases, wrong = CASES if "--quick" not in sys.argv else one_of_each(), 0
    for case in cases:
        problem = run(case, examples, inputs, folder)
        if problem:
            wrong += 1
            print(f"rule {case[0]}, {'near miss' if case[4] is None else case[4]}: {problem}")
    rules = sorted({case[0] for case in cases})
    print(f"{len(cases)} cases of {len(rules)} rules, {wrong} wrong")
    sys.exit(wrong != 0)


main()
