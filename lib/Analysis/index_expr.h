/* Index arithmetic through MLIR's affine expressions, which simplify it. */
#ifndef TILEWRIGHT_INDEX_EXPR_H
#define TILEWRIGHT_INDEX_EXPR_H

#include "tilewright/ir.h"

#include "mlir-c/AffineMap.h"

/* `value` / `divisor`, where the division provably leaves no rest, built at `b`
 * in its simplest form; a null value where it may leave one. */
MlirValue tt_exact_quotient(TtArena *arena, TtBuilder *b, MlirLocation loc, MlirValue value,
                            int64_t divisor);

/* Whether `value` is a multiple of `n` in every step of the loops around it, as far as that can be
 * told; steps and lower bounds of loops count, which tt_exact_quotient does not know. */
bool tt_is_multiple(TtArena *arena, TtBuilder *b, MlirValue value, int64_t n);

/* `values` as an affine map over the values that they are made of, which go to `*leaves`.
 * False where one is no affine expression of at most 32 values. */
bool tt_index_map(TtArena *arena, const MlirValue *values, intptr_t n, MlirAffineMap *map,
                  const MlirValue **leaves, intptr_t *num_leaves);

/* Replaces affine.apply, affine.min and affine.max in `func` by arith ops. Indices are not
 * negative. */
void tt_expand_affine(TtArena *arena, MlirOperation func);

/* The constant that `size`, a minimum, is at most; -1 where there is none. */
int64_t tt_index_bound(MlirValue size);
/* The constant that `size`, a minimum of constants, is: of the only block along a dimension. -1
 * where it depends on what is not known. */
int64_t tt_index_known(MlirValue size);

/* Whether `size` is min(bound, rest) or rest, where rest + `offset` is the constant `whole`,
 * or, where `whole` is negative, one value, which goes to `symbol`. */
bool tt_is_rest(TtArena *arena, MlirValue size, MlirValue offset, int64_t whole, MlirValue *symbol);

/* `value` = `plus` - `minus`, both sums of terms that are not below zero, as far as indices are
 * not; `minus` is the constant 0 where there are none to subtract. */
void tt_split_signs(TtArena *arena, TtBuilder *b, MlirLocation loc, MlirValue value,
                    MlirValue *plus, MlirValue *minus);
/* The constant that `value` is at least, where its other terms are not below zero; 0 where that is
 * not known. */
int64_t tt_least(TtArena *arena, MlirValue value);
/* What affine op `op` has as results of its map, before a minimum or maximum is taken; how many. */
intptr_t tt_affine_results(TtArena *arena, TtBuilder *b, MlirOperation op, MlirValue **results);

/* Whether `value` is made of an integer of a tensor, which any of its values may be. */
bool tt_is_loaded(MlirValue value);
/* a - b, where that is a constant; false where it may not be. */
bool tt_index_difference(TtArena *arena, MlirValue a, MlirValue b, int64_t *difference);
/* Whether two index values are provably equal. */
bool tt_same_index(TtArena *arena, MlirValue a, MlirValue b);

/* The constant factor of `of` in `value`, where `value` is linear in it: 3 for
 * %i * 3 + %j. False where it may not be. */
bool tt_index_factor(TtArena *arena, MlirValue value, MlirValue of, int64_t *factor);

#endif
