/* Rows that a reader brings one by one, and a writer writes one by one (row_pair.c). */
#ifndef TILEWRIGHT_ROW_PAIR_H
#define TILEWRIGHT_ROW_PAIR_H

#include "Transforms/Protocol/move.h"

enum { TT_ROW_LOOPS = 4, TT_FACE = TT_TILE / 2 };

/* A move, and the loops around it that do nothing else, from the innermost on. The last one may end
 * with the tensor, before it has made `trips` steps. */
typedef struct TtRowNest {
  MlirOperation kernel, move, loops[TT_ROW_LOOPS];
  int64_t trips[TT_ROW_LOOPS];
  bool ends[TT_ROW_LOOPS];
  intptr_t n;
  TtBlockMove m;
} TtRowNest;

/* What reads rows to a circular buffer and what writes them from it: where a step of each loop is
 * in a block, and how large that is. */
typedef struct TtRowPair {
  TtArena *arena;
  MlirOperation program, cb; /* its declaration */
  TtRowNest read, write;
  intptr_t loops; /* of both, that together are whole tiles */
  int64_t down[TT_ROW_LOOPS], right[TT_ROW_LOOPS];
  int64_t rows, cols; /* elements */
  TtBlockMove first;  /* the write of the first step, alone */
} TtRowPair;

/* Finds what is read for the move of `pair->write`, of which the kernel and the move are given, and
 * the most loops of both that together are whole tiles; `pair->first` is made then, before them.
 * False where there are none; `*ok` is false after an error. */
bool tt_find_rows(TtRowPair *pair, TtOps kernels, bool *ok);
/* How many of their blocks L1 has room for: two, one, or none. */
int64_t tt_row_blocks(const TtRowPair *pair);
/* Tiles of a block; bytes of an element; whether tiles have places for no element. */
int64_t tt_row_tiles(const TtRowPair *pair);
int64_t tt_row_element_bytes(const TtRowPair *pair);
bool tt_row_has_rest(const TtRowPair *pair);
/* The sum of what `steps` say for the loops of a nest. */
MlirValue tt_row_place(TtBuilder *b, const TtRowPair *pair, const TtRowNest *nest,
                       const int64_t *steps);

#endif
