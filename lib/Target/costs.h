/*===- costs.h - what the engine of a core costs ------------------------------------------===
 *
 * Two tables, costs.def and vector.def, for the emulated device's clock and for the
 * compiler's estimates; what the NoC and DRAM cost stands in chips.h. All figures are clk
 * of the chip. Math, unpack and pack work at the same time: the time of a loop is that of
 * whichever takes longest, not the sum. Nothing of LLVM here.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_COSTS_H
#define TILEWRIGHT_COSTS_H

#include "Target/chips.h"

typedef enum TtMath {
#define MATH(name, ...) TT_MATH_##name,
#include "Target/costs.def"
  TT_NUM_MATH
} TtMath;

typedef enum TtPack {
#define PACK(name, ...) TT_COST_##name,
#include "Target/costs.def"
  TT_NUM_PACKS
} TtPack;

typedef enum TtStep {
#define STEP(name, ...) TT_COST_##name,
#include "Target/costs.def"
  TT_NUM_STEPS
} TtStep;

enum {
#define TYPECAST(from, to, ...) TT_TYPECAST_##from##_##to,
#include "Target/costs.def"
  TT_NUM_TYPECASTS
};

/* Functions of the vector unit. */
typedef enum TtVector {
#define VECTOR(name, ...) TT_VECTOR_##name,
#include "Target/vector.def"
#undef VECTOR
  TT_NUM_VECTOR
} TtVector;

enum { TT_FIDELITIES = 4 };

/* The tables' columns of one chip. All members are uint32_t. */
typedef struct TtCosts {
  uint32_t math[TT_NUM_MATH][TT_FIDELITIES];
  uint32_t pack[TT_NUM_PACKS];
  uint32_t step[TT_NUM_STEPS];
  uint32_t vector[TT_NUM_VECTOR][2]; /* in DST of 16 bits, of 32 bits */
  uint32_t typecast[TT_NUM_TYPECASTS];
} TtCosts;

/* The costs of a chip of tt_chips, or of a copy of one. */
const TtCosts *tt_costs(const TtChip *chip);

/* Math's part of an op on a tile, with 1 to 4 fidelity phases. */
uint32_t tt_math_clk(const TtCosts *costs, TtMath op, int phases);

/* Math's part of a tile of a row whose largest elements one call finds: it is pooled along columns,
 * as unpack has turned its faces, and what comes of the whole row is turned back behind the last
 * one. */
uint32_t tt_block_max_clk(const TtCosts *costs, bool is_last);

/* What unpack takes to move `bytes` of all operands of a tile, or of one `alone`. */
uint32_t tt_moved_clk(const TtChip *chip, const TtCosts *costs, uint64_t bytes, bool alone);

/* Unpack's part of a call that brings `bytes` of all operands together to source registers, or of
 * one `alone`; with the RISC-V work that the tiles before hide unless it takes longer. */
uint32_t tt_unpack_clk(const TtChip *chip, const TtCosts *costs, uint64_t bytes, bool alone);

/* Unpack's part of a matmul_block of rt x ct tiles of so many bytes: it brings tiles of the operand
 * with fewer of them once, and rt * ct of the other. */
uint32_t tt_unpack_block_clk(const TtChip *chip, const TtCosts *costs, uint32_t rt, uint32_t ct,
                             uint64_t bytes_a, uint64_t bytes_b);

/* The packer's part of a tile of elements of so many bytes (0 for block formats, which count as
 * one); `onto`: it adds to what is in L1. A section of DST adds step[TT_COST_section], to math's
 * part as well. */
uint32_t tt_pack_clk(const TtCosts *costs, uint32_t element_bytes, bool onto);

/* The function behind a call of the compute API, as sfpu.def spells it: "exp_tile($0);", or up to
 * its operands. Template arguments that no row has are left out. TT_NUM_VECTOR if there is none. */
TtVector tt_vector_of_call(const char *call);

/* The same of a function of the compiler, by its index in tt_sfpu_functions. */
TtVector tt_vector_of_sfpu(int function);

/* A function of the vector unit on a tile; `wide`: DST has 32 bits. */
uint32_t tt_vector_clk(const TtCosts *costs, TtVector function, bool wide);

/* The same of a function of the compiler, by its index in tt_sfpu_functions: of the half of a tile
 * that some compute; vector_least where no row has it. */
uint32_t tt_sfpu_clk(const TtCosts *costs, int function, bool wide);

/* A conversion between formats, numbered as tt::DataFormat. */
uint32_t tt_typecast_clk(const TtCosts *costs, uint32_t from, uint32_t to);

#endif
