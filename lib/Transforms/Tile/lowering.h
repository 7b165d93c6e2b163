/* What the files of C2 share: the buffers of a kernel and the tiles that stand for them.
 *
 * A buffer of the core is a block of tiles, seen with two sides: a vector is a column or a
 * row of tiles, of which the first column or row counts, and a scalar is one tile, of
 * which the first element counts. */
#ifndef TILEWRIGHT_LOWERING_H
#define TILEWRIGHT_LOWERING_H

#include "Analysis/sums.h"
#include "Transforms/Tile/partial.h"

/* How a buffer is kept: in circular buffer `cb`. */
typedef struct TtBuffer {
  MlirValue memref, cb;
  MlirOperation copy;          /* where not null, that copy is what packs it, and goes away */
  MlirOperation writer;        /* the last op that writes it, as it stood before */
  bool column;                 /* of a vector: it is a column of tiles */
  TtOps fresh;                 /* sums that start from a fill next to them, and not from a value */
  MlirOperation product, pack; /* what computes it in DST and packs it, while nothing else does */
  intptr_t readers;            /* ops that read it */
  int resident;                /* while one op is lowered that reads it in DST: its tile + 1 */
  MlirOperation fill;          /* where not null, one product sums from that on, in DST */
  bool exact;                  /* must keep all bits of f32 (exact.c) */
  bool compared, multiplied;   /* because it is compared; products are added to it */
  bool stored, chosen;         /* what it holds ends in a tensor; was chosen from others */
} TtBuffer;

/* Sums over one loop, and how many tiles of DST they take together. */
typedef struct TtSums {
  MlirOperation loop;
  int64_t tiles;
  struct TtSums *next;
} TtSums;

/* A tile of one value everywhere, made once at the start of the kernel. */
typedef struct TtConstantTile {
  double value;
  MlirType element;
  MlirValue cb;
  struct TtConstantTile *next;
} TtConstantTile;

/* A tile of indices, row * r + col * c. */
typedef struct TtIndexTile {
  int64_t row, col;
  MlirValue cb;
  struct TtIndexTile *next;
} TtIndexTile;

/* A circular buffer that ops use one after the other for what they compute in between. */
typedef struct TtScratch {
  MlirValue cb;
  bool busy;
  struct TtScratch *next;
} TtScratch;

typedef struct TtLowering {
  TtArena *arena;
  MlirOperation func;
  TtBuffer *buffers;
  intptr_t n;
  int intermediates;
  int64_t dst_tiles; /* that a section has */
  TtSums *sums;
  TtConstantTile *constants;
  TtIndexTile *indices;
  TtScratch *scratch;
  TtOps dead;        /* fills whose value nobody reads */
  TtValueMap exact;  /* circular buffers that keep their bits */
  TtSizes sizes;     /* of operands that are smaller than their buffers */
  bool in_room;      /* with no more circular buffers than the chip has, though results suffer */
  int64_t room;      /* with `in_room`: that parts have in turns; < 0: that later passes need */
  int64_t parts;     /* that they have */
  MlirLocation told; /* where bits were lost last, so that each place is told once */
} TtLowering;

/*===- Buffers (buffers.c) -------------------------------------------------------------------===*/

/* Gives every buffer its circular buffer; false after an error. */
bool tt_place_buffers(TtLowering *l);
TtBuffer *tt_buffer_of(TtLowering *l, MlirValue memref); /* NULL where it is none */
/* Finds the buffers whose values must keep all of their bits, in DST of 32 bits (exact.c). */
void tt_mark_exact(TtLowering *l);
/* Of these, the ones that the steps of loops make of themselves (carried_bits.c). */
void tt_mark_carried(TtLowering *l);
/* Whether a circular buffer holds f32 that nothing may take through the sources of the FPU. */
bool tt_keeps_bits(const TtLowering *l, MlirValue cb);
/* A new intermediate circular buffer at the top of the kernel. */
MlirValue tt_new_cb(TtLowering *l, MlirLocation loc, MlirType type);
/* Whether `needed` more may be made (parts.c). */
bool tt_has_room(const TtLowering *l, int64_t needed);
MlirType tt_cb_of_sides(MlirContext context, int64_t rows, int64_t cols, MlirType element);
/* A tile that holds `value` everywhere. */
MlirValue tt_constant_tile(TtLowering *l, MlirLocation loc, double value, MlirType element);
MlirValue tt_index_tile(TtLowering *l, MlirLocation loc, int64_t row, int64_t col);
/* A copy, before `op`, of a block whose rows become columns. */
MlirValue tt_turned_cb(TtLowering *l, MlirOperation op, MlirValue cb); /* null after an error */
/* Frees what was computed for `op` in scratch, behind the code for it (parts.c). */
void tt_release_scratch(TtLowering *l, MlirOperation op);
/* A copy, before `op`, of what must keep its bits, for the FPU; else `cb` itself. */
MlirValue tt_cb_for_fpu(TtLowering *l, MlirOperation op, MlirValue cb);
bool tt_is_fresh(const TtBuffer *buffer, MlirOperation op);
/* The constant that a linalg.fill puts there; false where it is none. */
bool tt_fill_value(MlirOperation fill, double *value);
/* The linalg.fill that the accumulator of a fresh sum starts from. */
MlirOperation tt_fill_before(MlirOperation op, MlirValue buffer);

/* Whether a linalg op comes to nothing: a fill that is no value, a copy to where a result is packed
 * at once. */
bool tt_is_dead(const TtLowering *l, MlirOperation op);

/*===- Loops of a linalg op (space.c) ---------------------------------------------------------===*/

enum { TT_UNIT = -1, TT_MAX_LOOPS = 4 };

/* Which loop runs along rows and columns of a block: TT_UNIT where it has one. */
typedef struct TtSides {
  intptr_t row, col;
} TtSides;

typedef struct TtSpace {
  MlirOperation op;
  intptr_t loops;
  int64_t extent[TT_MAX_LOOPS];
  bool reduced[TT_MAX_LOOPS];
  MlirValue size[TT_MAX_LOOPS]; /* where it may be less than `extent`; else null */
  TtSides sides;                /* of the block that the op works on, tile by tile */
} TtSpace;

/* The loops of `op`, named or generic, without `sides`; false after an error. */
bool tt_space_of(MlirOperation op, TtSpace *space);
/* Fills in the sizes of loops that are known when the kernel runs only. */
void tt_space_sizes(const TtLowering *l, TtSpace *space);
/* Whether what lies in tiles along a loop is more than its steps. */
bool tt_is_padded(const TtSpace *space, intptr_t loop);
/* The loops along the sides of operand `i`, which lies as a column of tiles or not; false
 * after an error. */
bool tt_sides_of(const TtSpace *space, intptr_t i, bool column, TtSides *sides);
/* Whether linalg op `op` reads what was in its output `out` (by number). */
bool tt_reads_output(MlirOperation op, intptr_t out);
/* A linalg op with a reduction that is no product. */
bool tt_is_reduction(MlirOperation op);

/*===- Ops ------------------------------------------------------------------------------------===*/

/* Replaces an elementwise linalg op, fill or copy (elementwise.c). */
bool tt_lower_elementwise(TtLowering *l, MlirOperation op);
/* Whether `op` copies from or to a part of a buffer of the core, and its lowering (part.c). */
bool tt_copies_part(MlirOperation op);
bool tt_lower_part(TtLowering *l, MlirOperation op);
/* Replaces a reduction (reduction.c). */
bool tt_lower_reduction(TtLowering *l, MlirOperation op);

#endif
