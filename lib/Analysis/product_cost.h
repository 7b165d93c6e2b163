/* What products of blocks take of the engine, from the tables that the emulated device counts by.
 */
#ifndef TILEWRIGHT_PRODUCT_COST_H
#define TILEWRIGHT_PRODUCT_COST_H

#include "Analysis/dfg.h"
#include "Analysis/program.h"

/* The clk of a product of two tiles of so many bytes, where a sub-block of results is made by
 * calls of matmul_block: math's part or unpack's, whichever takes longer. `op` is a kernel or
 * program; its fidelity and chip count. */
double tt_product_clk(MlirOperation op, TtSubBlock part, int64_t bytes_a, int64_t bytes_b);
/* Clk of all products of tiles of one tt.mm.mma; 0 where the graph does not know its operands. */
double tt_mma_clk(const TtDfg *dfg, MlirOperation func, MlirOperation mma);
/* The clk that the packer takes to add a tile of 16 or, `wide`, 32 bits to L1. */
double tt_pack_onto_clk(MlirOperation op, bool wide);

#endif
