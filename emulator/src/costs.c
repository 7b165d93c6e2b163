/*===- costs.c - figures of the chips ----------------------------------------------------===
 *
 * Sources: the vendor's public documentation and measurements. Read latencies are
 * those to the own core, one in the same column, the same row, and any other; a
 * write's is a start and a price a hop. NoC and DRAM rates are sustained ones; a DRAM
 * bank is its share of the measured total. Small transfers take their issue. Nodes of
 * the NoC are numbered as on the chip, with its DRAM columns. Unpackers reach 64 B/clk
 * each, 80 jointly. A call is a handful of RISC-V instructions.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

/* clang-format off */
const Chip emu_chips[] = {
    {.name = "wormhole_b0", .define = "ARCH_WORMHOLE",
     .grid_x = 8, .grid_y = 8, .l1_bytes = 1499136, .l1_base = 103712, .cbs = 32,
     .dram_banks = 12, .dram_bytes = 1u << 30, .dram_align = 32, .clock_ghz = 1.0,
     .noc_x = 10, .noc_y = 12,
     .worker_x = {1, 2, 3, 4, 6, 7, 8, 9}, .worker_y = {1, 2, 3, 4, 5, 7, 8, 9},
     .bank_at = {{0, 0}, {0, 11}, {0, 5}, {0, 7}, {5, 0}, {5, 11}, {5, 2}, {5, 9}, {5, 3}, {5, 8},
                 {5, 5}, {5, 7}},
     .read_latency = {70, 154, 170, 270}, .write_latency = 40, .write_hop = 10,
     .noc_bytes_per_clk = 30, .noc_issue = 23, .bank_bytes_per_clk = 22,
     .unpack_bytes_per_clk = 64, .pack_bytes_per_clk = 64, .matmul_phase = 16, .mul_phase = 8,
     .add = 8, .copy = 16, .sfpu = 64, .call = 12},
    {.name = "blackhole", .define = "ARCH_BLACKHOLE",
     .grid_x = 13, .grid_y = 10, .l1_bytes = 1572864, .l1_base = 111104, .cbs = 64,
     .dram_banks = 8, .dram_bytes = 4294967232u, .dram_align = 64, .clock_ghz = 1.35,
     .noc_x = 17, .noc_y = 12,
     .worker_x = {1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15},
     .worker_y = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
     .bank_at = {{0, 0}, {0, 2}, {0, 4}, {0, 6}, {9, 0}, {9, 2}, {9, 4}, {9, 6}},
     .read_latency = {65, 177, 217, 329}, .write_latency = 40, .write_hop = 11,
     .noc_bytes_per_clk = 60, .noc_issue = 21, .bank_bytes_per_clk = 40,
     .unpack_bytes_per_clk = 64, .pack_bytes_per_clk = 64, .matmul_phase = 16, .mul_phase = 8,
     .add = 8, .copy = 16, .sfpu = 64, .call = 12, .separate_buffers = true},
};
/* clang-format on */
const size_t emu_num_chips = sizeof emu_chips / sizeof *emu_chips;
