"""Pairs of kernels on two cores: each that races is reported on each seed, its right twin is not.

usage: two_cores.py INPUTS FOLDER INCLUDE LIBRARY [PART-OF-NAME]

The kernels of a case are statements: `a` on core (0, 0), `b` on core (1, 0), `c` on the other data movement
processor of (0, 0). HERE and THERE are 4096 bytes of the own core and of the other one, words() looks at them;
own(i) is a semaphore of the own core, inc(i) and flag(i) reach that of the other one; SELF is HERE for the NoC, BOTH
a multicast to the two, DRAM a place in a bank, OTHER the NoC that
is not the kernel's (kernels that name it may use both)."""

import os
import pathlib
import re
import subprocess
import sys

SEEDS = ["0", "7"]
HEAD = """#include "api/dataflow/dataflow_api.h"
#define HERE get_arg_val<uint32_t>(4)
#define THERE get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), HERE)
#define FAR(i) get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), get_semaphore(get_arg_val<uint32_t>(5 + i)))
#define NEAR(i) get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), get_semaphore(get_arg_val<uint32_t>(5 + i)))
#define DRAM get_noc_addr_from_bank_id<true>(0, get_arg_val<uint32_t>(8))
#define OTHER (1 - noc_index)
#define SELF get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), HERE)
#define BOTH get_noc_multicast_addr(get_arg_val<uint32_t>(0) < get_arg_val<uint32_t>(2) ? get_arg_val<uint32_t>(0) : get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(0) < get_arg_val<uint32_t>(2) ? get_arg_val<uint32_t>(2) : get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), HERE)
inline volatile tt_l1_ptr uint32_t* own(uint32_t i) {
  return reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(get_arg_val<uint32_t>(5 + i)));
}
inline volatile tt_l1_ptr uint32_t* words(uint32_t offset = 0) {
  return reinterpret_cast<volatile tt_l1_ptr uint32_t*>(HERE + offset);
}
inline void inc(uint32_t i) { noc_semaphore_inc(FAR(i), 1); }
inline void wait(uint32_t i, uint32_t n) { noc_semaphore_wait_min(own(i), n); }
inline void fill(uint32_t from, uint32_t offset = 0) { for (uint32_t i = 0; i < 64; ++i) words(offset)[i] = from + i; }
inline uint32_t sum(uint32_t offset = 0) {
  uint32_t s = 0;
  for (uint32_t i = 0; i < 64; ++i) s += words(offset)[i];
  return s;
}
void kernel_main() {
"""
BARRIER, FLUSH, READ = "noc_async_write_barrier();", "noc_async_writes_flushed();", "noc_async_read(THERE, HERE + 1024, 256);"
LAND, WRITE = "noc_async_read_barrier();", "noc_async_write(HERE, THERE, 256);"
RECEIVE = "wait(0, 1); if (sum() == 7) fill(0);"

# The first semaphore of both cores.
MC0 = "((BOTH & ~uint64_t(0xffffffff)) | get_semaphore(get_arg_val<uint32_t>(5)))"

# name: (kernels of the race, kernels of its right twin)
CASES = {
    "reads before the other has stored": (
        {"a": "fill(1); inc(0);", "b": READ + LAND}, {"a": "fill(1); inc(0);", "b": "wait(0, 1);" + READ + LAND}),
    "stores again before the other has read": (
        {"a": "fill(1); inc(0); fill(2);", "b": "wait(0, 1);" + READ + LAND + "inc(1);"},
        {"a": "fill(1); inc(0); wait(1, 1); fill(2);", "b": "wait(0, 1);" + READ + LAND + "inc(1);"}),
    "says that it has read before the read has landed": (
        {"a": "fill(1); inc(0); wait(1, 1); fill(2);", "b": "wait(0, 1);" + READ + "inc(1);" + LAND},
        {"a": "fill(1); inc(0); wait(1, 1); fill(2);", "b": "wait(0, 1);" + READ + LAND + "inc(1);"}),
    "the flag before the data": (
        {"a": "fill(1); inc(0);" + WRITE + BARRIER, "b": RECEIVE}, {"a": "fill(1);" + WRITE + BARRIER + "inc(0);", "b": RECEIVE}),
    "both write to the same place": (
        {"a": "fill(1, 512); noc_async_write(HERE + 512, THERE, 256);" + BARRIER, "b": "fill(2);"},
        {"a": "fill(1, 512); noc_async_write(HERE + 512, THERE + 256, 256);" + BARRIER, "b": "fill(2);"}),
    "loads what has not landed": (
        {"a": "fill(1); inc(0);", "b": "wait(0, 1);" + READ + "if (sum(1024) == 7) inc(1);" + LAND},
        {"a": "fill(1); inc(0);", "b": "wait(0, 1);" + READ + LAND + "if (sum(1024) == 7) inc(1);"}),
    "stores over what is still to be sent": (
        {"a": "fill(1);" + WRITE + "fill(2);" + BARRIER + "inc(0);", "b": RECEIVE},
        {"a": "fill(1);" + WRITE + FLUSH + "fill(2);" + BARRIER + "inc(0);", "b": RECEIVE}),
    "counts with a load and a store": (
        {"a": "inc(0);", "b": "*own(0) = *own(0) + 1; wait(0, 1);"},
        {"a": "inc(0);", "b": "noc_semaphore_inc(NEAR(0), 1); wait(0, 2); noc_async_atomic_barrier();"}),
    "stores a count that it loaded before the other added": (
        {"a": "for (uint32_t i = 0; i < 100; ++i) noc_async_read_barrier(); inc(0); noc_async_atomic_barrier();",
         "b": "uint32_t n = *own(0); for (uint32_t i = 0; i < 400; ++i) noc_async_read_barrier(); *own(0) = n + 1;"},
        {"a": "for (uint32_t i = 0; i < 100; ++i) noc_async_read_barrier(); inc(0); noc_async_atomic_barrier();",
         "b": "if (*own(0) == 7) inc(1); for (uint32_t i = 0; i < 400; ++i) noc_async_read_barrier(); wait(0, 1); *own(0) = *own(0) + 1;"}),
    "resets a count that goes on": (
        {"a": "inc(0); inc(0);", "b": "wait(0, 1); noc_semaphore_set(own(0), 0);"},
        {"a": "inc(0); inc(0);", "b": "noc_semaphore_wait(own(0), 2); noc_semaphore_set(own(0), 0);"}),
    "an increment that has not arrived, told on the other NoC": (
        {"a": "inc(0); noc_semaphore_set(own(2), 1);", "c": "wait(2, 1); inc(1);", "b": "wait(1, 1); noc_semaphore_set(own(0), 5);"},
        {"a": "inc(0); noc_async_atomic_barrier(); noc_semaphore_set(own(2), 1);", "c": "wait(2, 1); inc(1);",
         "b": "wait(1, 1); noc_semaphore_set(own(0), 5);"}),
    "stores to a semaphore that another sets": (
        {"a": "inc(0); wait(1, 1);", "b": "*own(0) = 3; inc(1); wait(0, 1);"}, {"a": "wait(1, 1); inc(0);", "b": "*own(0) = 3; inc(1); wait(0, 4);"}),
    "the other processor stores without a signal": (
        {"a": "fill(1); noc_semaphore_set(own(2), 1);", "c": "if (sum() == 7) inc(1);"},
        {"a": "fill(1); noc_semaphore_set(own(2), 1);", "c": "wait(2, 1); if (sum() == 7) inc(1);"}),
    "the other processor's NoC, without a barrier": (
        {"a": "fill(1);" + WRITE + "noc_semaphore_set(own(2), 1);" + BARRIER, "c": "wait(2, 1); inc(0); noc_async_atomic_barrier();", "b": RECEIVE},
        {"a": "fill(1);" + WRITE + BARRIER + "noc_semaphore_set(own(2), 1);", "c": "wait(2, 1); inc(0); noc_async_atomic_barrier();", "b": RECEIVE}),
    "two writers of one place, one signal": (
        {"a": "fill(1);" + WRITE + BARRIER + "inc(0); noc_semaphore_set(own(2), 1);", "c": "fill(9, 512); noc_async_write(HERE + 512, THERE, 256);" + BARRIER, "b": RECEIVE},
        {"a": "fill(1);" + WRITE + BARRIER + "inc(0);", "c": "fill(9, 512); noc_async_write(HERE + 512, THERE + 512, 256);" + BARRIER, "b": RECEIVE}),
    "tells of DRAM what has left, but has not arrived": (
        {"a": "fill(1); noc_async_write(HERE, DRAM, 256);" + FLUSH + "inc(0);", "b": "wait(0, 1); noc_async_read(DRAM, HERE, 256);" + LAND},
        {"a": "fill(1); noc_async_write(HERE, DRAM, 256);" + BARRIER + "inc(0);", "b": "wait(0, 1); noc_async_read(DRAM, HERE, 256);" + LAND}),
    "both write the same place of DRAM": (
        {"a": "fill(1); noc_async_write(HERE, DRAM, 256);" + BARRIER, "b": "fill(2); noc_async_write(HERE, DRAM, 256);" + BARRIER},
        {"a": "fill(1); noc_async_write(HERE, DRAM, 256);" + BARRIER + "inc(0);", "b": "fill(2); wait(0, 1); noc_async_write(HERE, DRAM, 256);" + BARRIER}),
    "loads a word that comes by itself, without a signal": (
        {"a": "noc_inline_dw_write(THERE, 5);" + BARRIER, "b": "if (*words() == 5) fill(1, 1024);"},
        {"a": "noc_inline_dw_write(THERE, 5);" + BARRIER + "inc(0);", "b": "wait(0, 1); if (*words() == 5) fill(1, 1024);"}),
    "stores over a word that comes by itself": (
        {"a": "noc_inline_dw_write(THERE, 5);" + BARRIER, "b": "fill(1);"},
        {"a": "noc_inline_dw_write(THERE, 5);" + BARRIER + "inc(0);", "b": "wait(0, 1); fill(1);"}),
    "the other processor stores over what is still to be sent": (
        {"a": "fill(1); noc_semaphore_set(own(2), 1);" + WRITE + BARRIER, "c": "wait(2, 1); fill(2);"},
        {"a": "fill(1);" + WRITE + BARRIER + "noc_semaphore_set(own(2), 1);", "c": "wait(2, 1); fill(2);"}),
    "two processors read into one place": (
        {"a": "fill(1, 2048); noc_async_read(SELF + 2048, HERE, 256);" + LAND, "c": "fill(2, 3072); noc_async_read(SELF + 3072, HERE, 256);" + LAND},
        {"a": "fill(1, 2048); noc_async_read(SELF + 2048, HERE, 256);" + LAND, "c": "fill(2, 3072); noc_async_read(SELF + 3072, HERE + 256, 256);" + LAND}),
    "a read lands on what the other one writes": (
        {"a": "fill(1);" + "noc_async_write(HERE, THERE + 1024, 256);" + BARRIER, "b": "fill(2, 2048); noc_async_read(SELF + 2048, HERE + 1024, 256);" + LAND},
        {"a": "fill(1);" + "noc_async_write(HERE, THERE + 1024, 256);" + BARRIER, "b": "fill(2, 2048); noc_async_read(SELF + 2048, HERE + 1280, 256);" + LAND}),
    "sends on before what it sends has come": (
        {"a": "fill(1);" + WRITE + BARRIER + "inc(0);", "b": "noc_async_write(HERE, THERE + 1024, 256); wait(0, 1);" + BARRIER},
        {"a": "fill(1);" + WRITE + BARRIER + "inc(0);", "b": "wait(0, 1); noc_async_write(HERE, THERE + 1024, 256);" + BARRIER}),
    "a multicast on the way to a core that stores": (
        {"a": "fill(1); noc_async_write_multicast_loopback_src(HERE, BOTH + 1024, 256, 2);" + BARRIER, "b": "fill(2, 1024);"},
        {"a": "fill(1); noc_async_write_multicast_loopback_src(HERE, BOTH + 1024, 256, 2);" + BARRIER + "inc(0);", "b": "wait(0, 1); fill(2, 1024);"}),
    "a barrier for another NoC than the read's": (
        {"a": "fill(1); inc(0);", "b": "wait(0, 1); noc_async_read(THERE, HERE + 1024, 256, OTHER);" + LAND + "if (sum(1024) == 7) inc(1); noc_async_read_barrier(OTHER);"},
        {"a": "fill(1); inc(0);", "b": "wait(0, 1); noc_async_read(THERE, HERE + 1024, 256, OTHER); noc_async_read_barrier(OTHER); if (sum(1024) == 7) inc(1);"}),
    "a read on the kernel's own NoC, a barrier for the other one": (
        {"a": "fill(1); inc(0);", "b": "wait(0, 1);" + READ + "noc_async_read_barrier(OTHER); if (sum(1024) == 7) inc(1);" + LAND},
        {"a": "fill(1); inc(0);", "b": "wait(0, 1);" + READ + "noc_async_full_barrier(OTHER);" + LAND + "if (sum(1024) == 7) inc(1);"}),
    "a flush for another NoC than the write's": (
        {"a": "fill(1); noc_async_write(HERE, THERE, 256, OTHER);" + FLUSH + "fill(2); noc_async_write_barrier(OTHER); inc(0);", "b": RECEIVE},
        {"a": "fill(1); noc_async_write(HERE, THERE, 256, OTHER); noc_async_writes_flushed(OTHER); fill(2); noc_async_write_barrier(OTHER); inc(0);", "b": RECEIVE}),
    "the flag on one NoC, the data on the other": (
        {"a": "fill(1); noc_async_write(HERE, THERE, 256, OTHER);" + BARRIER + "inc(0); noc_async_write_barrier(OTHER);", "b": RECEIVE},
        {"a": "fill(1); noc_async_write(HERE, THERE, 256, OTHER); noc_semaphore_inc(FAR(0), 1, OTHER); noc_async_write_barrier(OTHER);", "b": RECEIVE}),
    "an increment on the other NoC, a barrier for the own one": (
        {"a": "noc_semaphore_inc(FAR(0), 1, OTHER); noc_async_atomic_barrier(); noc_semaphore_set(own(2), 1);", "c": "wait(2, 1); inc(1);", "b": "wait(1, 1); noc_semaphore_set(own(0), 5);"},
        {"a": "noc_semaphore_inc(FAR(0), 1, OTHER); noc_async_atomic_barrier(OTHER); noc_semaphore_set(own(2), 1);", "c": "wait(2, 1); inc(1);",
         "b": "wait(1, 1); noc_semaphore_set(own(0), 5);"}),
    "data to one core, the flag by multicast": (
        {"a": "fill(1);" + WRITE + "*own(0) = 1; noc_semaphore_set_multicast_loopback_src(get_semaphore(get_arg_val<uint32_t>(5)), " + MC0 + ", 2);" + BARRIER, "b": RECEIVE},
        {"a": "fill(1);" + WRITE + BARRIER + "*own(0) = 1; noc_semaphore_set_multicast_loopback_src(get_semaphore(get_arg_val<uint32_t>(5)), " + MC0 + ", 2);" + BARRIER, "b": RECEIVE}),
    "a second page before the first was read": (
        {"a": "for (uint32_t i = 0; i < 2; ++i) { fill(i);" + WRITE + BARRIER + "inc(0); }", "b": "for (uint32_t i = 0; i < 2; ++i) { wait(0, i + 1); if (sum() == 7) fill(0, 2048); inc(1); }"},
        {"a": "for (uint32_t i = 0; i < 2; ++i) { fill(i);" + WRITE + BARRIER + "inc(0); wait(1, i + 1); }", "b": "for (uint32_t i = 0; i < 2; ++i) { wait(0, i + 1); if (sum() == 7) fill(0, 2048); inc(1); }"}),
    "loads a read with a state that has not landed": (
        {"a": "fill(1); inc(0); wait(1, 1);", "b": "wait(0, 1); noc_async_read_one_packet_set_state(THERE, 256); noc_async_read_one_packet_with_state(HERE, HERE + 1024); if (sum(1024) == 7) fill(0, 2048);" + LAND + "inc(1);"},
        {"a": "fill(1); inc(0); wait(1, 1);", "b": "wait(0, 1); noc_async_read_one_packet_set_state(THERE, 256); noc_async_read_one_packet_with_state(HERE, HERE + 1024);" + LAND + "if (sum(1024) == 7) fill(0, 2048); inc(1);"}),
    "a barrier for the other transaction": (
        {"a": "fill(1); inc(0); wait(1, 1);", "b": "wait(0, 1); noc_async_read_set_trid(1); noc_async_read(THERE, HERE + 1024, 256); noc_async_read_set_trid(2); noc_async_read(THERE, HERE + 2048, 256); noc_async_read_barrier_with_trid(1); if (sum(2048) == 7) fill(0, 3072);" + LAND + "inc(1);"},
        {"a": "fill(1); inc(0); wait(1, 1);", "b": "wait(0, 1); noc_async_read_set_trid(1); noc_async_read(THERE, HERE + 1024, 256); noc_async_read_set_trid(2); noc_async_read(THERE, HERE + 2048, 256); noc_async_read_barrier_with_trid(2); if (sum(2048) == 7) fill(0, 3072); noc_async_read_barrier_with_trid(1);" + LAND + "inc(1);"}),
    "reads and writes have numbers of their own": (
        {"a": "fill(1); inc(0); wait(1, 1);", "b": "wait(0, 1); fill(2, 2048); noc_async_read_set_trid(1); noc_async_write_one_packet_with_trid(HERE + 2048, THERE + 2048, 256, 2);" + READ + "noc_async_read_barrier_with_trid(2); if (sum(1024) == 7) fill(0, 3072);" + LAND + BARRIER + "inc(1);"},
        {"a": "fill(1); inc(0); wait(1, 1);", "b": "wait(0, 1); fill(2, 2048); noc_async_read_set_trid(1); noc_async_write_one_packet_with_trid(HERE + 2048, THERE + 2048, 256, 2);" + READ + "noc_async_read_barrier_with_trid(1); if (sum(1024) == 7) fill(0, 3072);" + BARRIER + "inc(1);"}),
    "a stateful write is told of before it is there, on the other NoC": (
        {"a": "fill(1); noc_async_write_one_packet_set_state(THERE, 256); noc_async_write_one_packet_with_state(HERE, get_arg_val<uint32_t>(4)); noc_semaphore_inc(FAR(0), 1, OTHER); noc_async_atomic_barrier(OTHER);" + BARRIER, "b": RECEIVE},
        {"a": "fill(1); noc_async_write_one_packet_set_state(THERE, 256); noc_async_write_one_packet_with_state(HERE, get_arg_val<uint32_t>(4));" + BARRIER + "noc_semaphore_inc(FAR(0), 1, OTHER); noc_async_atomic_barrier(OTHER);", "b": RECEIVE}),
    "three in a chain, the last link open": (
        {"c": "fill(1); noc_semaphore_set(own(1), 1);", "a": "wait(1, 1);" + WRITE + BARRIER + "inc(0);", "b": "wait(1, 0); if (sum() == 7) fill(0, 2048);"},
        {"c": "fill(1); noc_semaphore_set(own(1), 1);", "a": "wait(1, 1);" + WRITE + BARRIER + "inc(0);", "b": RECEIVE}),
    "two that add, one is enough to go on": (
        {"a": "fill(1);" + WRITE + BARRIER + "inc(0);", "c": "fill(2, 512); noc_async_write(HERE + 512, THERE + 512, 256);" + BARRIER + "inc(0);", "b": "wait(0, 1); if (sum(512) == 7) fill(0, 2048);"},
        {"a": "fill(1);" + WRITE + BARRIER + "inc(0);", "c": "fill(2, 512); noc_async_write(HERE + 512, THERE + 512, 256);" + BARRIER + "inc(0);", "b": "wait(0, 2); if (sum(512) == 7) fill(0, 2048);"}),
    "takes back a page that is still read by the sender's processor": (
        {"a": "fill(1); inc(0); wait(1, 1);", "b": "wait(0, 1);" + READ + "inc(1);" + LAND, "c": "wait(1, 1); fill(3);"},
        {"a": "fill(1); inc(0); wait(1, 1);", "b": "wait(0, 1);" + READ + LAND + "inc(1);", "c": "wait(1, 1); fill(3);"}),
    "an inline word as the flag, before the data": (
        {"a": "fill(1);" + WRITE + "noc_inline_dw_write(FAR(0), 1, 0xF, OTHER);" + BARRIER, "b": RECEIVE},
        {"a": "fill(1);" + WRITE + BARRIER + "noc_inline_dw_write(FAR(0), 1, 0xF); " + BARRIER, "b": RECEIVE}),
    "copies through its own NoC over what is being sent": (
        {"a": "fill(1); fill(9, 1024); inc(0);" + WRITE + "noc_async_read(SELF + 1024, HERE, 256);" + LAND + BARRIER, "b": "wait(0, 1);"},
        {"a": "fill(1); fill(9, 1024); inc(0);" + WRITE + FLUSH + "noc_async_read(SELF + 1024, HERE, 256);" + LAND + BARRIER, "b": "wait(0, 1);"}),
}

# What this hardware forgives is warned of.
WARNED = {
    "resets before the other's increment": (
        {"a": "inc(0);", "b": "noc_semaphore_set(own(0), 0); wait(0, 1);"}, {"a": "inc(0);", "b": "wait(0, 1); noc_semaphore_set(own(0), 0);"}),
    "looks at a count that another adds to": (
        {"a": "inc(0); noc_async_atomic_barrier();", "b": "for (uint32_t i = 0; i < 200; ++i) noc_async_read_barrier(); if (*own(0) == 7) inc(1);"},
        {"a": "inc(0); noc_async_atomic_barrier();", "b": "wait(0, 1); if (*own(0) == 7) inc(1);"}),
    "a barrier on a NoC that only dynamic kernels start with": (
        {"b": "noc_async_read_barrier(1 - noc_index);"}, {"b": "noc_async_read_barrier();"}),
}


def run(folder, kernels, program, seed):
    for name in "abc":
        (folder / f"{name}.cpp").unlink(missing_ok=True)
        if name in kernels:
            text = kernels[name]
            if "inc(" in text:  # and the kernel may end
                text += "noc_async_atomic_barrier();" + ("noc_async_atomic_barrier(OTHER);" if "OTHER" in text else "")
            (folder / f"{name}.cpp").write_text(HEAD + text.replace(";", ";\n") + "}\n")
    env = {**os.environ, "TTEMU_SEED": seed, "TTEMU_INCLUDE": sys.argv[3], "TTEMU_MAX_SECONDS": "5"}
    if any("OTHER" in text for text in kernels.values()):
        env["BOTH_NOCS"] = "1"
    done = subprocess.run([program, folder], capture_output=True, text=True, env=env, timeout=120)
    return done.returncode, re.findall(r".*(?:error|warning):.*", done.stderr)


def main():
    inputs, folder = map(pathlib.Path, sys.argv[1:3])
    include, lib = sys.argv[3:5]
    only = sys.argv[5] if len(sys.argv) > 5 else ""
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    program, wrong = folder / "main", 0
    subprocess.run([os.environ.get("CXX", "c++"), "-std=c++20", "-O0", "-w", f"-I{include}/host", f"-I{include}", "-DFMT_HEADER_ONLY",
                    inputs / "two_cores/main.cpp", "-o", program, f"-L{lib}", "-lttemu", f"-Wl,-rpath,{lib}"], check=True)
    for name, pair in {**CASES, **WARNED}.items():
        for race, kernels in zip((True, False), pair):
            for seed in SEEDS if only in name else []:
                status, told = run(folder, kernels, program, seed)
                found = status != 0 and any(re.search(r"error: \[rule (15|16|23)\]", line) for line in told)
                if name in WARNED:
                    found = status == 0 and any(re.search(r"warning: \[rule (19|23)\]", line) for line in told)
                if race and not found or not race and (status or told):
                    wrong += 1
                    print(f"{name}, seed {seed}: {'is not reported' if race else 'is reported'}: {told or status}", flush=True)
    print(f"{len(CASES)} races, {len(WARNED)} warnings, {len(CASES) + len(WARNED)} right twins, {wrong} wrong")
    sys.exit(wrong != 0)


main()
