/* Ops of level 2 that compute in DST, one section at a time, for passes that change them before
 * programs are made (section.c). */
#ifndef TILEWRIGHT_SECTION_H
#define TILEWRIGHT_SECTION_H

#include "Dialect/op_info.h"

#include "tilewright/ir.h"

/* What is computed in DST up to the op that packs it. */
typedef struct TtSection {
  TtOps ops;          /* that compute, in order */
  MlirOperation pack; /* an own tt.pack_to_cb behind them, or null: the last op packs */
  MlirValue out;      /* the circular buffer that is filled */
} TtSection;

typedef struct TtSections {
  TtSection *data;
  intptr_t n;
} TtSections;

/* The body of a kernel, and all blocks in it. */
typedef struct TtBlocks {
  MlirBlock *data;
  intptr_t n;
} TtBlocks;
TtBlocks tt_blocks_of(TtArena *arena, MlirOperation func);
/* The sections of a block, in order, without those that have a product of blocks or are not in one
 * block as a whole. */
TtSections tt_sections_of(TtArena *arena, MlirBlock block);
/* Whether `op` does that to circular buffer `cb`, its first operand: opens or closes it, … */
bool tt_acts_on(MlirOperation op, TtAct does, MlirValue cb);
/* The op behind `op` that computes, packs or has regions, or null. */
MlirOperation tt_next_at_work(MlirOperation op);
/* A copy of whole tiles as they are that stays in DST. */
bool tt_is_plain_copy(MlirOperation op);
/* The tile of DST that a section packs. */
int64_t tt_packed_tile(const TtSection *s);
/* Whether `op`, or one in it, uses circular buffer `cb`. */
bool tt_has_use(TtArena *arena, MlirOperation op, MlirValue cb);
/* Whether the block of `cb` that `op` takes is the same at `to`, behind it in its block. */
bool tt_stays(TtArena *arena, MlirOperation op, MlirValue cb, MlirOperation to);
/* Whether one op fills circular buffer `cb` of the core and one takes it, no op holds it, and it
 * is no tensor's. */
bool tt_is_between_two(MlirValue cb);
/* A circular buffer of one block, at the top of `func`. */
MlirValue tt_new_block(MlirOperation func, MlirLocation loc, const char *name, int64_t rows,
                       int64_t cols, MlirType element);
/* Whether products on the FPU have all bits of DST that 11 bits of each operand give, or all but
 * those of their lowest bits: in HiFi4 and HiFi3. */
bool tt_multiplies_all_bits(MlirOperation func);
/* What these ops take of a tile, in clk, the busiest of math, unpack and, where its elements are
 * given, the packer. */
double tt_section_clk(MlirOperation func, const TtOps *ops, const MlirType *packed);
/* Bytes of a tile of such elements. */
uint64_t tt_element_tile_bytes(MlirType element);

#endif
