/* Elementwise bodies as expressions over tiles. */
#ifndef TILEWRIGHT_EXPRESSION_H
#define TILEWRIGHT_EXPRESSION_H

#include "Dialect/target.h"
#include "Transforms/Tile/lowering.h"

typedef enum TtExprKind {
  TT_EXPR_LEAF,   /* a tile of a circular buffer */
  TT_EXPR_FILL,   /* a constant in every element */
  TT_EXPR_UNARY,  /* a function of the vector unit, in place, perhaps with a scalar */
  TT_EXPR_COMBINE /* one of several tiles */
} TtExprKind;

enum {
  TT_ALONG_ROWS = 1, /* differs from row to row */
  TT_ALONG_COLS = 2
};

typedef struct TtExpr {
  TtExprKind kind;
  const TtSfpuFunction *function;
  struct TtExpr *in[3];
  MlirValue cb;            /* of a leaf */
  TtAccess access;         /* of a leaf: how it lies in the block */
  double scalar;           /* of a constant, or of a function that takes one */
  MlirValue value;         /* the same, known when the kernel runs; else null */
  int64_t steps[2], limit; /* of such an index: what tt.sfpu.scalar says */
  bool exact;              /* not on the FPU, which drops low bits of fp32; of a leaf: in no op */
  int uses;                /* by other expressions */
  int need;                /* tiles of DST that computing it takes, at least */
  int size;                /* ops below it, and itself; what is used twice counts twice */
  int along;               /* TT_ALONG_ROWS, TT_ALONG_COLS: what it differs along */
  bool of_leaf;            /* there is a leaf below it, or it is one */
  intptr_t number;         /* among the expressions of its op; those of its operands are smaller */
  /* While code is made: */
  int resident; /* of a leaf: it is in DST, at this tile - 1 */
  int tile, uses_left;
  bool seen;
  struct TtExpr *whole; /* the same without leaves that lose bits of f32 (parts.c) */
} TtExpr;

typedef struct TtExprs {
  TtLowering *l;
  MlirOperation op;
  const TtSpace *space; /* of the op */
  bool in_section; /* products wait in DST: nothing may be computed before, and what must is refused
                    */
  bool refused;    /* for that reason, without an error */
  TtExpr **data;
  intptr_t n, capacity;
  /* What a value of the body is among `data`, and whether it is made of a tensor: a body may use
   * one value dozens of times, and again what is made of it. */
  TtValueMap known, of_tensor, linear;
  TtValueMap turned;        /* of a circular buffer: a leaf of its turned copy */
  struct TtLinear *linears; /* those of `linear` (index_expression.c) */
  intptr_t n_linears, linears_capacity;
  struct TtInParts *in_parts; /* integers that went through the FPU (integer_parts.c) */
} TtExprs;

/* The expression of a scalar of the body of `x->op`; one for equal ones. NULL after an
 * error that says what is in the way. */
TtExpr *tt_expr_of(TtExprs *x, MlirValue scalar);
/* The expression like `e`, once. */
TtExpr *tt_expr_make(TtExprs *x, TtExpr e);
/* Sets what follows from its operands: need, size, along, of_leaf. */
void tt_expr_know(TtExpr *e);
/* The expression that was found for `value`, or NULL; and `e`, remembered (NULL is not). Arguments
 * of the body are not remembered: what they are depends on the sides of the block. */
TtExpr *tt_expr_known(const TtExprs *x, MlirValue value);
TtExpr *tt_expr_remember(TtExprs *x, MlirValue value, TtExpr *e);
TtExpr *tt_expr_fill(TtExprs *x, double value);
TtExpr *tt_expr_leaf(TtExprs *x, MlirValue cb, TtAccess access);
/* A leaf whose sides lie along loops of the op. */
TtExpr *tt_expr_operand(TtExprs *x, MlirValue cb, TtSides sides);
TtExpr *tt_expr_unary(TtExprs *x, const char *function, TtExpr *a, double scalar);
/* A tile of fp32 elements as it is in its circular buffer. */
bool tt_is_fp32_leaf(const TtExpr *e);
/* NULL where an operand is. `exact`: fp32 keeps its low bits. */
TtExpr *tt_expr_combine(TtExprs *x, const char *function, TtExpr *a, TtExpr *b, bool exact);
/* `yes` where `condition` is not 0, else `no`. NULL where an operand is. */
TtExpr *tt_expr_choose(TtExprs *x, TtExpr *condition, TtExpr *yes, TtExpr *no);

/* `function` with a scalar that is known when the kernel runs, on `a`, or NULL for "fill". */
TtExpr *tt_expr_scalar(TtExprs *x, const char *function, TtExpr *a, MlirValue value,
                       const int64_t steps[2], int64_t limit);
/* Indices (index_expression.c): an integer as floats, and a comparison of two. */
TtExpr *tt_expr_of_integer(TtExprs *x, MlirValue integer);
/* The same as an integer of 32 bits in DST, exact for all of them. */
TtExpr *tt_expr_of_index(TtExprs *x, MlirValue integer);
/* 1 where the index of a loop is within its extent, else 0: in the padding of the last tile. */
TtExpr *tt_expr_within(TtExprs *x, intptr_t loop);
/* `e`, but `padding` beyond the extents of those of `loops` that end inside of a tile. */
TtExpr *tt_expr_padded(TtExprs *x, TtExpr *e, const intptr_t loops[2], double padding);
TtExpr *tt_expr_compare_integers(TtExprs *x, int64_t predicate, MlirValue a, MlirValue b);

/* `e`, for a block like `out`, with parts that are the same along a side computed before;
 * NULL after an error (narrow.c). */
TtExpr *tt_expr_narrow(TtExprs *x, TtExpr *e, MlirType out);

/* `e` with leaves of f32 that keep their bits although they are broadcast or turned (parts.c);
 * NULL after an error, and in a section, where it cannot be. */
TtExpr *tt_expr_whole(TtExprs *x, TtExpr *e);
/* Whether the chip has circular buffers left for parts; else there is a warning (parts.c). */
bool tt_has_room_for_parts(TtExprs *x);
/* The largest element of each row, else of each column, of the block of f32 in `cb`, exactly, in a
 * new circular buffer `out`; `kind` is the reduction. False after an error. */
bool tt_exact_max(TtExprs *x, MlirValue cb, TtReduce kind, bool row, MlirValue *out);

/* Tiles of DST that products have left and that the ops of one section go on with. */
typedef struct TtResidents {
  TtBuffer *buffers[8];
  int n;
  int64_t end; /* the first tile behind them */
} TtResidents;
/* The operands of an elementwise op, with its result in `out`, that are products still in DST
 * (residents.c). */
TtResidents tt_find_residents(TtLowering *l, const TtSpace *space, const TtBuffer *out);

/* What a block argument of the body stands for: an operand, or what the output holds. */
TtExpr *tt_expr_leaf_of(TtExprs *x, MlirValue argument);
/* Integers of tensors (integers.c): whether a value depends on one, or on a float; its
 * expression, 32 bits wide; as a float, by cast; and a comparison. */
bool tt_is_tensor_integer(TtExprs *x, MlirValue value);
TtExpr *tt_expr_of_yielded_integer(TtExprs *x, MlirValue value);
TtExpr *tt_expr_of_tensor_integer(TtExprs *x, MlirValue value);
/* `e`, integers of that type, as what the tensor behind circular buffer `out` holds. */
TtExpr *tt_expr_stored_integer(TtExprs *x, TtExpr *e, MlirType element, MlirValue out);
TtExpr *tt_expr_float_of_tensor_integer(TtExprs *x, MlirOperation cast);
/* The float that an integer of 32 bits is the bits of. */
TtExpr *tt_expr_float_of_bits(TtExprs *x, MlirOperation cast);
/* Whether an expression leaves integers in DST (elementwise.c). */
bool tt_expr_is_integer(const TtExpr *e);
/* Functions of integers of 32 bits in DST: with a number, or a number everywhere where `a` is
 * NULL; and of two tiles (NULL where an operand is). */
TtExpr *tt_expr_integer_scalar(TtExprs *x, const char *function, TtExpr *a, int64_t value);
/* Whether it is masked by a number below `limit`, so that it is not below zero. */
bool tt_expr_is_masked(const TtExpr *e, int64_t limit);
TtExpr *tt_expr_integer_fill(TtExprs *x, MlirValue number, const int64_t steps[2]);
TtExpr *tt_expr_combine_integers(TtExprs *x, const char *function, TtExpr *a, TtExpr *b);
/* An integer of a tensor with its sign in all 32 bits; and what a reduction by `scalar_op` makes of
 * two of a width. NULL where an operand is, and after an error. */
TtExpr *tt_expr_signed_integer(TtExprs *x, MlirValue value);
TtExpr *tt_expr_fold_integers(TtExprs *x, const char *scalar_op, TtExpr *a, TtExpr *b,
                              unsigned width);
/* Reduces the integers in `cb`, of 32 bits, along a side, to scratch `out`; false after an error.
 */
bool tt_reduce_integers(TtExprs *x, MlirValue cb, TtReduce kind, bool row, MlirValue *out);
/* One output of a reduction of integers, of `scalar` by `scalar_op` (integer_reduction.c). */
bool tt_lower_integer_reduction(TtExprs *x, TtSpace *space, const char *scalar_op,
                                const TtReduce kinds[2], intptr_t out_index, MlirValue scalar);
/* What lies so in `cb`, of which `whole`, an expression of `y`, is all, in 32 bits, of which the
 * lower `bits` count: broadcast or turned in bytes (integer_parts.c). NULL after an error. */
TtExpr *tt_expr_integer_parts(TtExprs *x, TtExprs *y, TtExpr *whole, MlirValue cb, TtAccess access,
                              unsigned bits);
/* `e`, a block like `like`, of numbers that bf16 holds, in scratch of bf16; false after an error.
 * It is there until tt_release_scratch(), or tt_release_scratch_cb() (parts.c). */
bool tt_expr_to_scratch(TtExprs *x, TtExpr *e, MlirValue like, MlirValue *cb);
/* The same for a circular buffer of rows x cols tiles of `element`, to be shown when it is full. */
MlirValue tt_take_scratch(TtExprs *x, int64_t rows, int64_t cols, MlirType element);
void tt_show_scratch(TtExprs *x, MlirValue cb);
void tt_release_scratch_cb(TtExprs *x, MlirValue cb);
TtExpr *tt_expr_compare_tensor_integers(TtExprs *x, MlirOperation op);

/* The value of an operand of an op of the body: what a truncation leaves where its result is not
 * only stored is rounded to its type (rounding.c). NULL after an error. */
TtExpr *tt_expr_of_operand(TtExprs *x, MlirValue operand);
/* 1 where comparison `op` of floats holds, else 0 (comparison.c). NULL where an operand is, and
 * after an error. */
TtExpr *tt_expr_compare(TtExprs *x, MlirOperation op, TtExpr *a, TtExpr *b);
/* The same of math.isinf or math.isfinite of `a`. */
TtExpr *tt_expr_classify(TtExprs *x, MlirOperation op, TtExpr *a);

/* Code that computes `e` and packs it to `out`, before x->op; false after an error
 * (elementwise.c). */
bool tt_expr_to_cb(TtExprs *x, TtExpr *e, MlirValue out);
/* The same, where leaves are in DST; false, without an error, where DST is too small. */
bool tt_resident_expr_to_cb(TtExprs *x, TtExpr *e, const TtResidents *residents, MlirValue out);

#endif
