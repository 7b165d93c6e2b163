/*===- costs.c - figures of the chips ----------------------------------------------------===
 *
 * Sources: the vendor's public documentation and measurements. Latencies are
 * those of a core in another row and column; NoC and DRAM rates are sustained
 * ones; a DRAM bank is its share of the measured total. Unpackers reach 64 B/clk
 * each, 80 jointly. A call is a handful of RISC-V instructions.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

const Chip emu_chips[] = {
    {.name = "wormhole_b0", .grid_x = 8, .grid_y = 8, .l1_bytes = 1499136, .l1_base = 103712,
     .cbs = 32, .dram_banks = 12, .clock_ghz = 1.0, .read_latency = 270, .write_latency = 110,
     .noc_bytes_per_clk = 30, .bank_bytes_per_clk = 22, .unpack_bytes_per_clk = 64,
     .pack_bytes_per_clk = 64, .matmul_phase = 16, .mul_phase = 8, .add = 8, .copy = 16,
     .sfpu = 64, .call = 12},
    {.name = "blackhole", .grid_x = 13, .grid_y = 10, .l1_bytes = 1572864, .l1_base = 111104,
     .cbs = 64, .dram_banks = 8, .clock_ghz = 1.35, .read_latency = 329, .write_latency = 120,
     .noc_bytes_per_clk = 60, .bank_bytes_per_clk = 40, .unpack_bytes_per_clk = 64,
     .pack_bytes_per_clk = 64, .matmul_phase = 16, .mul_phase = 8, .add = 8, .copy = 16,
     .sfpu = 64, .call = 12},
};
const size_t emu_num_chips = sizeof emu_chips / sizeof *emu_chips;
