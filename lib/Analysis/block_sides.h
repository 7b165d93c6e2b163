/* Classes of sides of a kernel's blocks, on level 2, that have one length (block_sides.c). */
#ifndef TILEWRIGHT_BLOCK_SIDES_H
#define TILEWRIGHT_BLOCK_SIDES_H

#include "tilewright/ir.h"

/* A block has two sides, which are numbered one after the other. */
enum { TT_ROWS, TT_COLS, TT_SIDES };

typedef struct TtSides {
  TtArena *arena;
  MlirOperation func;
  TtOps allocs, ops; /* the circular buffers, whose sides come first, and all ops */
  intptr_t num_dst;  /* blocks of DST, behind those of circular buffers */
  int64_t *dst;      /* the first tile of each, */
  int *group;        /* and the group of ops that has it to itself; 0 of those with products */
  intptr_t *parent;  /* of each side: union-find */
  bool *fixed;       /* of the root of a class: something is done with it that needs its length */
  bool *open;        /* and a block of it stays at the front of its buffer while it is used */
} TtSides;

/* False where an op names a circular buffer, or tiles of DST, that cannot be followed, or writes
 * one that is only filled behind D1. */
bool tt_find_sides(TtArena *arena, MlirOperation func, TtSides *sides);
/* The side that stands for the class of `side`. */
intptr_t tt_side_root(const TtSides *sides, intptr_t side);
/* The first side of a circular buffer's block; -1 where it is none of the kernel's. */
intptr_t tt_block_sides(const TtSides *sides, MlirValue cb);
/* The tiles of a circular buffer along one of its sides. */
int64_t tt_side_length(const TtSides *sides, intptr_t side);

#endif
