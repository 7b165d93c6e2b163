/* Loops over elements, as linalg ops (raise_elements.c). */
#ifndef TILEWRIGHT_ELEMENTS_H
#define TILEWRIGHT_ELEMENTS_H

#include "Analysis/kernel.h"

enum { TT_NEST_LOOPS = 6 };

/* Counted loops around a store, the outermost first, all inside of `top` or `top` itself. */
typedef struct TtNest {
  TtArena *arena;
  MlirOperation top;
  intptr_t n;
  MlirOperation loops[TT_NEST_LOOPS];
  int64_t lower[TT_NEST_LOOPS], extent[TT_NEST_LOOPS]; /* a negative extent: `size` */
  MlirValue size[TT_NEST_LOOPS];
  bool any_way; /* indices may go backwards: asked is only what moves together */
} TtNest;

/* Where a load or store goes: index `d` goes on by factor[d][i] with each step of loop `i`. */
typedef struct TtElement {
  MlirOperation op;
  MlirValue memref;
  intptr_t rank;
  int64_t factor[TT_MAX_RANK][TT_NEST_LOOPS];
} TtElement;

/* The loops around `op` up to `top`. NULL, or why they are none that a linalg op has. */
const char *tt_nest_around(TtArena *arena, MlirOperation top, MlirOperation op, TtNest *nest);
/* Whether `value` is defined in the nest; the loop of which it is the variable, or -1. */
bool tt_is_of_nest(const TtNest *nest, MlirValue value);
int tt_loop_of(const TtNest *nest, MlirValue value);
/* What load or store `op` touches in the steps of `nest`. NULL, or why that is no block. */
const char *tt_element_of(const TtNest *nest, MlirOperation op, TtElement *element);
/* The loop that index `d` follows; -1 where it stays where it is. */
enum { TT_SEVERAL_LOOPS = -2 };
int tt_only_loop(const TtElement *element, intptr_t d);
bool tt_runs_along(const TtElement *element, int loop);
/* Whether the indices that move follow the same loops, one each, in the same order. */
bool tt_same_loops(const TtElement *a, const TtElement *b);
/* Whether two touch the same element in each step; never the same one in any two steps; the same
 * place along `loop` in each of its steps, and no other step does. */
bool tt_same_element(const TtNest *nest, const TtElement *a, const TtElement *b);
bool tt_never_meet(const TtNest *nest, const TtElement *a, const TtElement *b);
bool tt_moves_alike(const TtNest *nest, const TtElement *a, const TtElement *b, int loop);
/* What an element goes over, as a view of its memref; and how a step's element lies in that. */
MlirValue tt_view_of(const TtNest *nest, TtBuilder *b, const TtElement *element);
MlirAttribute tt_map_of(const TtNest *nest, MlirContext context, const TtElement *element);

/* What `store` does in all steps of its loops, as one linalg op before nest->top: checked, where
 * `make` is false, or made. NULL, or why there is no such op. */
const char *tt_element_op(const TtNest *nest, MlirOperation store, bool make);

/* A number that a buffer holds. */
bool tt_is_number(MlirType type);
/* A buffer before nest->top for what `value` is in each step of the nest's loops; its element in
 * the step around, which is loaded or stored. */
MlirValue tt_buffer_for(const TtNest *nest, MlirValue value);
MlirValue tt_load_step(const TtNest *nest, TtBuilder *b, MlirValue memref);
void tt_store_step(const TtNest *nest, TtBuilder *b, MlirValue value, MlirValue memref);
/* Takes loops and stores in `loop` out of branches that elements, numbers that loops in it carry,
 * or its own variable decide: what these store becomes choices. */
void tt_open_branches(TtArena *arena, MlirOperation loop);
/* Makes `loop`, whose steps are independent, loops before, in, and after `inner`, a loop of
 * constant bounds right in it (exchange_loops.c); false where that is not so, and nothing is
 * changed but where numbers lie. */
bool tt_exchange_loops(TtArena *arena, MlirOperation loop, MlirOperation inner,
                       MlirOperation parts[3]);
/* Takes sums in `top` out of a loop around the loop over their steps that they do not depend on
 * (lift_sums.c). */
void tt_lift_sums(TtArena *arena, MlirOperation top);
/* Adds the outermost loops over elements in `block` to `nests`. */
void tt_find_nests(TtArena *arena, MlirBlock block, TtOps *nests);
/* Has loops in `top` whose bounds follow variables of loops around them go over all that they may,
 * with branches (square_loops.c). */
void tt_square_loops(TtArena *arena, MlirOperation top);
/* Has loops in `top` over windows that end where their tensors do go over all of the window, with
 * branches (window_loops.c). */
void tt_open_windows(TtArena *arena, MlirOperation top);
/* Ends loops in `top`, and `top`, where branches in them say that no more is done
 * (bound_elements.c). */
void tt_bound_elements(TtArena *arena, MlirOperation top);
/* Has loads that clamps keep inside of their tensor read a copy with its edges repeated; `*any`:
 * whether there were some; false after an error (repeat_edges.c). */
bool tt_repeat_edges(TtArena *arena, MlirOperation kernel, bool *any);
/* Makes loops of other dialects in `kernel` a grid and counted loops (raise_loops.c). */
bool tt_raise_kernel_loops(TtArena *arena, MlirOperation kernel);
/* Gives loops of `kernel` that are in no grid one of one cell, each its own (raise_loops.c). */
void tt_give_cells(TtArena *arena, MlirOperation kernel);
/* Whether all that `kernel` does stands in one loop, which is no grid. */
bool tt_is_one_loop(MlirOperation kernel);
/* Makes loops that carry numbers, and branches around stores, in `top` plain loops over loads and
 * stores (plain_elements.c); what `top` is then. */
MlirOperation tt_plain_elements(TtArena *arena, MlirOperation top);
/* Makes loops over every so many elements, in `top` and `top` itself, go on by one (loop_steps.c).
 */
void tt_count_by_one(TtArena *arena, MlirOperation top);
/* Makes loops in `top` that start where it is known before `top`, but no constant, start at 0. */
void tt_start_at_zero(TtArena *arena, MlirOperation top);
/* Makes what stores in `top` sum up, or find the extreme of, step by step the old value and one
 * term (carried_terms.c). */
void tt_part_terms(TtArena *arena, MlirOperation top);
/* How what a store writes combines what is there and a term. */
typedef struct TtTerm {
  const struct TtCombination *of;
  MlirValue value;
} TtTerm;
/* Whether a store writes such a combination; the term is made before it. */
bool tt_term_of(TtArena *arena, MlirOperation store, TtTerm *term);
/* The same as `store` at other `indices`: with the term where `condition` holds, else as it was. */
void tt_store_term(TtArena *arena, TtBuilder *b, MlirOperation store, const TtTerm *term,
                   MlirValue condition, const MlirValue *indices);
/* Makes memref.atomic_rmw a load, a combination and a store; loops around it, which are marked, go
 * on step by step; false after an error (atomics.c). */
#define TT_IN_TURN "tt.in_turn"
bool tt_expand_atomics(TtArena *arena, MlirOperation kernel);
/* Makes loops over elements whose variable is divided by a constant two (split_quotients.c). */
void tt_split_quotients(TtArena *arena, MlirOperation kernel);
/* Takes the side of branches in `top` whose condition is known (split_quotients.c). */
void tt_take_known_branches(TtArena *arena, MlirOperation top);
/* Cuts loops over elements where indices made of their variables change their form, and branches
 * of loops that carry numbers are taken or not; whether there were any (split_ranges.c). */
bool tt_split_ranges(TtArena *arena, MlirOperation kernel);
/* Whether index `value` is made of floats, `depth` ops before it at most (split_ranges.c). */
bool tt_is_of_floats(MlirValue value, int depth);
/* Has loads for which loops would be cut in many parts in loops of their own (apart_loads.c). */
void tt_take_loads_apart(TtArena *arena, MlirOperation kernel);
/* Whether a loop carries numbers, and no indices. */
bool tt_carries_numbers(MlirOperation loop);
/* Keeps what `loop` carries in buffers before `top`, with an element for each step of the loops
 * between the two; what `loop` is then. */
MlirOperation tt_keep_in_buffers(TtArena *arena, MlirOperation top, MlirOperation loop);

/* Gives loops of which each step has a row of a buffer for itself that row alone (own_rows.c). */
void tt_own_rows(TtArena *arena, MlirOperation kernel);

/* Whether `load` would give the same at `at`, which it dominates: nothing between the two writes
 * the buffer, or the tensor. (raise_scalars.c) */
bool tt_is_current(TtArena *arena, MlirOperation load, MlirOperation at);
/* What a load or store touches, as a view without dimensions. */
MlirValue tt_element_view(TtBuilder *b, MlirOperation op);
/* Elements of tensors that the body of `generic` takes from outside become operands of it
 * (take_elements.c). */
void tt_take_elements(TtArena *arena, MlirOperation kernel, MlirOperation generic);

#endif
