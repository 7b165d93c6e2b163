/* What the passes of --tt-model share: functions on tensors, and linalg ops in them. */
#ifndef TILEWRIGHT_MODEL_H
#define TILEWRIGHT_MODEL_H

#include "Analysis/kernel.h"

#include "mlir-c/AffineMap.h"

/* Runs `run` on each of them, in order, until one fails. */
bool tt_for_each_model(MlirOperation module, bool (*run)(TtArena *, MlirOperation));

/* Of an op with indexing_maps: the map of operand `i`, ins first. */
MlirAffineMap tt_indexing_map(MlirOperation linalg, intptr_t i);
void tt_set_indexing_map(MlirOperation linalg, intptr_t i, MlirAffineMap map);
/* The loop that result `i` of a map is; -1 where it is no single loop. */
int64_t tt_map_loop(MlirAffineMap map, intptr_t i);
/* How far each loop of a linalg op goes, by the operands that have it as a dimension; false where
 * some are open, or no operand has them. */
bool tt_loop_extents(MlirOperation op, intptr_t loops, int64_t *extents);
/* Whether the body of a linalg op loads elements of tensors (tensor.extract): a gather. */
bool tt_loads_elements(TtArena *arena, MlirOperation linalg);
/* A linalg.generic that yields a number from outside for each element. */
bool tt_fills(MlirOperation op);
/* Whether a linalg op sums products of its two operands: its body is extensions, mulf and
 * addf, or muli and addi. */
bool tt_sums_products(MlirOperation linalg);
/* One of matrices, or of a matrix and a vector: not a sum of squares, nor of matrices with weights.
 */
bool tt_is_product(MlirOperation linalg);
/* Gives a linalg.generic other inputs: their values and maps. Its block has their arguments. */
void tt_set_inputs(TtArena *arena, MlirOperation generic, intptr_t n, const MlirValue *inputs,
                   const MlirAffineMap *maps);
/* Removes input `i`, whose argument nobody uses any more. */
void tt_drop_input(TtArena *arena, MlirOperation generic, intptr_t i);
/* Whether the loops have bounds without input `i`. */
bool tt_is_bound_without(MlirOperation generic, intptr_t i);
/* The number that an arith.constant is, or has as each of its elements, as a constant before
 * `before`; null where elements differ. */
MlirValue tt_number_constant(MlirOperation constant, MlirOperation before);
/* Whether `op` is a tosa.resize that repeats each pixel so and so often (repeat_pixels.c); has such
 * ops of a model do that. */
bool tt_repeats_pixels(MlirOperation op);
void tt_repeat_pixels(TtArena *arena, MlirOperation func);
/* Whether it is one that takes pixels from between those of an image, by how near they are
 * (blend_pixels.c); makes such ops of a model products. */
bool tt_blends_pixels(MlirOperation op);
void tt_blend_pixels(TtArena *arena, MlirOperation func);
/* Number `i` of operand `operand` of `op`, a constant tosa.const_shape; false where it is none. */
bool tt_shape_number(MlirOperation op, intptr_t operand, intptr_t i, int64_t *number);
/* Makes tensor.concat, tensor.reshape and tensor.splat insertions, reshapes and fills
 * (decompose_shapes.c). */
void tt_decompose_shapes(TtArena *arena, MlirOperation func);
/* Slices in steps of more than one element become slices of groups (slice_steps.c). False, with an
 * error, where sizes or steps are open. */
bool tt_split_steps(TtArena *arena, MlirOperation func);
/* Makes two ops on elements that take `part`, and put what they give into one tensor, one op with
 * two results (merge_users.c). */
void tt_merge_users(TtArena *arena, MlirValue part);

#endif
