/*===- split_masks.c - --tt-split-masks ---------------------------------------------------------===
 *
 * Splits a loop over tiles whose elements are chosen by where they are, as a mask does: into the
 * tiles of which all are chosen, those of which a part is, and those of which none is.
 *
 *   before  for %j < 8 {
 *             copy_tile %index, 0, 0; add_scalar 0, %x - 32 * %j; gtz 0      (1 where it is chosen)
 *             copy_tile %s, %j, 1
 *             fill 2, -1e30
 *             where 0, 1, 2, 0                                        (DST[0] = 0 ? 1 : 2)
 *             … pack 0
 *           }
 *   after   %all = ceil((%x - 31) / 32), %some = ceil((%x + 31) / 32)   (both from 0 to 8)
 *           for %j < %all { copy_tile %s, %j, 0; … pack 0 }
 *           for %all <= %j < %some { as before }
 *           for %some <= %j < 8 { fill 0, -1e30; … pack 0 }
 *
 * A loop in the body that only computes counts as an op: what sums the products of a tile that is
 * masked (--tt-finish-products) goes with it.
 *
 * What is compared is a tile of r * rows + c * cols, which lies between two numbers, and an index
 * that is linear in a loop's variable: so the first and the last of a run of tiles say for all of
 * them. Where the index grows with the variable, the parts come in the other order. What is
 * computed for each tile is what the choice takes, so that results keep their bits.
 *
 * Requires D3, before D4. Leaves loops alone whose bounds are not constant.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/math_loop.h"

static const char *const pass = "tt-split-masks";

enum { TILE = 32, MAX_SLOTS = 64 };

/* A choice between tiles of DST. */
typedef struct Mask {
  TtArena *arena;
  MlirOperation program, choice, compare, loop;
  int64_t chosen, yes, no, result; /* tiles of DST */
  MlirValue index;                 /* what is added to each element before it is compared with 0 */
  int64_t low, high;               /* of an element */
  int64_t factor;                  /* of the loop's variable in the index */
  int64_t end;                     /* of the loop, which starts with 0 */
} Mask;

/*===- Tiles of DST --------------------------------------------------------------------------===*/

static bool is_math(MlirOperation op) {
  return tt_op_info(op)->does == TT_ACT_MATH || tt_is_math_loop(op);
}

/* The tiles of DST of an op: from operand `*first` on, `*n`. */
static void slots_of(MlirOperation op, intptr_t *first, intptr_t *n) {
  const TtOpInfo *info = tt_op_info(op);
  *first = tt_operand_number(op, info->dst);
  *n = *first < 0 ? 0 : info->all_dst ? mlirOperationGetNumOperands(op) - *first : 1;
}

/* A vector function that computes a tile from nothing. */
static bool is_fill(MlirOperation op) {
  return (metalium_sfpu_tile_isa(op) && metalium_sfpu_tile_op(op) == TT_SFPU_FILL) ||
         (metalium_sfpu_scalar_tile_isa(op) && metalium_sfpu_scalar_tile_op(op) == TT_SFPU_FILL);
}

static bool slot_at(MlirOperation op, intptr_t operand, int64_t *slot) {
  return tt_constant(mlirOperationGetOperand(op, operand), slot) && *slot >= 0 && *slot < MAX_SLOTS;
}

static bool use_of(MlirOperation op, uint64_t *reads, uint64_t *writes);

/* Those of all that a loop computes, with what it leaves in steps before. */
static bool use_of_loop(MlirOperation loop, uint64_t *reads, uint64_t *writes) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !tt_is_terminator(op);
       op = tt_next(op)) {
    uint64_t more_reads, more_writes;
    if (!is_math(op)) continue;
    if (!use_of(op, &more_reads, &more_writes)) return false;
    *reads |= more_reads, *writes |= more_writes;
  }
  return true;
}

/* The tiles that an op reads and the one that it leaves, as bits; false where they are not known.
 */
static bool use_of(MlirOperation op, uint64_t *reads, uint64_t *writes) {
  intptr_t first, n;
  *reads = *writes = 0;
  if (mlirOperationGetNumRegions(op) > 0) return use_of_loop(op, reads, writes);
  slots_of(op, &first, &n);
  if (n < 1) return false;
  for (intptr_t i = 0; i < n; ++i) {
    int64_t slot;
    if (!slot_at(op, first + i, &slot)) return false;
    bool last = i == n - 1;
    if (last) *writes |= (uint64_t)1 << slot;
    if (!last || (n == 1 && tt_op_info(op)->dst_use != TT_DST_USE_REPLACES && !is_fill(op)))
      *reads |= (uint64_t)1 << slot;
  }
  return true;
}

/* Where the tiles that `op` may take are computed from on: after what its block packs before. */
static MlirOperation section_of(MlirOperation op) {
  MlirOperation start = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  for (MlirOperation at = start; !tt_op_eq(at, op); at = tt_next(at))
    if (tt_pack_to_cb_isa(at)) start = tt_next(at);
  return start;
}

/* The last op before `op` that leaves tile `slot`; null where that is not known. */
static MlirOperation writer_before(MlirOperation op, int64_t slot) {
  MlirOperation found = {NULL};
  for (MlirOperation at = section_of(op); !tt_op_eq(at, op); at = tt_next(at)) {
    uint64_t reads, writes;
    if (!is_math(at)) continue;
    if (!use_of(at, &reads, &writes)) return (MlirOperation){NULL};
    if (writes >> slot & 1) found = at;
  }
  return found;
}

/*===- What is compared ----------------------------------------------------------------------===*/

/* The op by which a processor that moves data fills the tile of indices of `cb`. */
static MlirOperation filler_of(const Mask *m, MlirOperation cb) {
  TtOps fills = tt_collect(m->arena, m->program, "metalium.fill_index_tile");
  for (intptr_t i = 0; i < fills.n; ++i) {
    MlirOperation pointer = tt_defining_op(metalium_fill_index_tile_addr(fills.data[i]));
    if (metalium_get_write_ptr_isa(pointer) &&
        tt_op_eq(tt_cb_decl(m->program, mlirOperationGetOperand(pointer, 0)), cb))
      return fills.data[i];
  }
  return (MlirOperation){NULL};
}

static void widen(int64_t factor, int64_t *low, int64_t *high) {
  *(factor < 0 ? low : high) += (TILE - 1) * factor;
}

static bool read_comparison(Mask *m) {
  MlirOperation sign = writer_before(m->choice, m->chosen), sum, copy, fill;
  if (mlirOperationIsNull(sign) || !metalium_sfpu_tile_isa(sign) ||
      metalium_sfpu_tile_op(sign) != TT_SFPU_GTZ)
    return false;
  sum = writer_before(sign, m->chosen);
  if (mlirOperationIsNull(sum) || !metalium_sfpu_scalar_tile_isa(sum) ||
      metalium_sfpu_scalar_tile_op(sum) != TT_SFPU_ADD_SCALAR)
    return false;
  m->index = metalium_sfpu_scalar_tile_value(sum);
  copy = writer_before(sum, m->chosen);
  if (!mlirTypeIsAIndex(mlirValueGetType(m->index)) || mlirOperationIsNull(copy) ||
      !metalium_copy_tile_isa(copy))
    return false;
  fill = filler_of(m, tt_cb_decl(m->program, metalium_copy_tile_a(copy)));
  if (mlirOperationIsNull(fill)) return false;
  widen(tt_int(metalium_fill_index_tile_rows(fill)), &m->low, &m->high);
  widen(tt_int(metalium_fill_index_tile_cols(fill)), &m->low, &m->high);
  return true;
}

/* Whether all that computes in the block of the choice stands in it, or in loops before it that do
 * nothing else. */
static bool is_flat(const Mask *m) {
  bool before = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(m->choice));
       !mlirOperationIsNull(op); op = tt_next(op)) {
    uint64_t reads, writes;
    before = before && !tt_op_eq(op, m->choice);
    if (mlirOperationGetNumRegions(op) > 0 &&
        (!before || !tt_is_math_loop(op) || !use_of(op, &reads, &writes)))
      return false;
  }
  return true;
}

/* What comes after the choice, in its block, takes no other tile that was there before. */
static bool leaves_result_only(const Mask *m) {
  uint64_t known = (uint64_t)1 << m->result, reads, writes;
  for (MlirOperation op = tt_next(m->choice); !mlirOperationIsNull(op); op = tt_next(op)) {
    if (is_math(op)) {
      if (!use_of(op, &reads, &writes) || (reads & ~known)) return false;
      known |= writes;
    } else if (tt_pack_to_cb_isa(op)) {
      int64_t dst = tt_int(tt_pack_to_cb_dst(op)), n = tt_int(tt_pack_to_cb_tiles(op));
      for (int64_t t = dst; t < dst + n; ++t)
        if (!(known >> t & 1)) return false;
    }
  }
  return true;
}

/* The innermost loop around the choice with whose variable the index changes. */
static bool find_loop(Mask *m) {
  for (m->loop = tt_parent(m->choice); tt_op_is(m->loop, "scf.for"); m->loop = tt_parent(m->loop)) {
    int64_t lower, step;
    if (!tt_index_factor(m->arena, m->index, tt_for_iv(m->loop), &m->factor)) return false;
    if (!tt_constant(mlirOperationGetOperand(m->loop, 0), &lower) || lower != 0 ||
        !tt_constant(mlirOperationGetOperand(m->loop, 1), &m->end) ||
        !tt_constant(mlirOperationGetOperand(m->loop, 2), &step) || step != 1)
      return false;
    if (m->factor != 0) return m->end > 1;
  }
  return false;
}

static bool read_mask(Mask *m) {
  int64_t *slots[] = {&m->chosen, &m->yes, &m->no, &m->result};
  for (intptr_t i = 0; i < 4; ++i)
    if (!slot_at(m->choice, i, slots[i])) return false;
  return is_flat(m) && read_comparison(m) && leaves_result_only(m) && find_loop(m);
}

/*===- The parts of the loop -----------------------------------------------------------------===*/

/* A value of the loop's body before the loop, at the step `at`. */
static MlirValue value_at(const Mask *m, TtBuilder *b, MlirValue value, MlirValue at) {
  if (tt_value_eq(value, tt_for_iv(m->loop))) return at;
  MlirOperation op = tt_defining_op(value), inside = op;
  while (!mlirOperationIsNull(inside) && !tt_op_eq(inside, m->loop)) inside = tt_parent(inside);
  if (mlirOperationIsNull(op) || mlirOperationIsNull(inside)) return value;
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i, value_at(m, b, mlirOperationGetOperand(op, i), at));
  return mlirOperationGetResult(tt_builder_insert(b, copy), 0);
}

/* How many steps, of those of the loop, have |factor| * step < `sum`. */
static MlirValue steps_below(const Mask *m, TtBuilder *b, MlirValue sum, const char *name) {
  MlirLocation loc = mlirOperationGetLocation(m->loop);
  int64_t by = m->factor < 0 ? -m->factor : m->factor;
  MlirValue plus, minus;
  tt_split_signs(m->arena, b, loc, tt_add(b, loc, sum, tt_index(b, loc, by - 1)), &plus, &minus);
  int64_t none;
  bool has_minus = !tt_constant(minus, &none) || none != 0;
  MlirValue above = has_minus ? tt_sub(b, loc, tt_max(b, loc, plus, minus), minus) : plus;
  MlirValue n =
      tt_min(b, loc, tt_index(b, loc, m->end), tt_div(b, loc, above, tt_index(b, loc, by)));
  if (!mlirOperationIsNull(tt_defining_op(n))) tt_name_hint(tt_defining_op(n), name);
  return n;
}

/* Where the parts of the loop meet: the index, and an element on its side, are above 0. */
static void find_ends(const Mask *m, MlirValue ends[2]) {
  MlirLocation loc = mlirOperationGetLocation(m->loop);
  TtBuilder b = tt_builder_before(m->loop);
  MlirValue zero = tt_index(&b, loc, 0), first = value_at(m, &b, m->index, zero);
  if (m->factor < 0) { /* first + element > |factor| * step */
    ends[0] = steps_below(m, &b, tt_add(&b, loc, first, tt_index(&b, loc, m->low)), "all_until");
    ends[1] = steps_below(m, &b, tt_add(&b, loc, first, tt_index(&b, loc, m->high)), "some_until");
    return;
  } /* factor * step <= -(first + element) */
  MlirValue high = tt_sub(&b, loc, tt_index(&b, loc, 1 - m->high), first),
            low = tt_sub(&b, loc, tt_index(&b, loc, 1 - m->low), first);
  ends[0] = steps_below(m, &b, high, "some_from");
  ends[1] = steps_below(m, &b, low, "all_from");
}

static bool any_slot_is(MlirOperation op, int64_t a, int64_t b) {
  intptr_t first, n;
  slots_of(op, &first, &n);
  for (intptr_t i = 0; i < n; ++i) {
    int64_t slot;
    if (slot_at(op, first + i, &slot) && (slot == a || slot == b)) return true;
  }
  return false;
}

/* Exchanges two tiles of DST in an op, or in all ops of a loop. */
static void exchange(MlirOperation op, int64_t a, int64_t b) {
  if (mlirOperationGetNumRegions(op) > 0)
    for (MlirOperation in = mlirBlockGetFirstOperation(tt_for_body(op)); !tt_is_terminator(in);
         in = tt_next(in))
      exchange(in, a, b);
  if (!any_slot_is(op, a, b)) return;
  intptr_t first, n;
  slots_of(op, &first, &n);
  TtBuilder at = tt_builder_before(op);
  for (intptr_t i = first; i < first + n; ++i) {
    int64_t slot;
    if (!slot_at(op, i, &slot) || (slot != a && slot != b)) continue;
    mlirOperationSetOperand(op, i, tt_index(&at, mlirOperationGetLocation(op), slot == a ? b : a));
  }
}

/* In place of the choice stays what computes tile `kept`, which becomes the result. */
static void decide(const Mask *m, MlirOperation choice, int64_t kept) {
  uint64_t needed = (uint64_t)1 << kept, reads, writes;
  TtOps before = {NULL, 0, 0};
  for (MlirOperation op = section_of(choice); !tt_op_eq(op, choice); op = tt_next(op))
    if (is_math(op)) tt_ops_add(m->arena, &before, op);
  for (intptr_t i = before.n; i-- > 0;) {
    use_of(before.data[i], &reads, &writes);
    if (writes & needed) { /* a loop need not leave all that it may write */
      bool all = mlirOperationGetNumRegions(before.data[i]) == 0;
      needed = (all ? needed & ~writes : needed) | reads;
      exchange(before.data[i], kept, m->result);
    } else mlirOperationDestroy(before.data[i]);
  }
  mlirOperationDestroy(choice);
}

/* The steps of the loop from `start` to `end`, in front of it; in place of the choice stays the
 * tile `kept`, or the choice where that is negative. */
static MlirOperation add_part(const Mask *m, MlirValue start, MlirValue end, int64_t kept,
                              const char *what) {
  MlirOperation choice = {NULL};
  int64_t first, last;
  if (tt_constant(start, &first) && tt_constant(end, &last) && first >= last) return choice;
  TtBuilder b = tt_builder_before(m->loop);
  metalium_comment_create(&b, mlirOperationGetLocation(m->loop), what);
  MlirOperation copy = tt_builder_insert(&b, mlirOperationClone(m->loop));
  TtOps from = tt_collect(m->arena, m->loop, NULL), to = tt_collect(m->arena, copy, NULL);
  for (intptr_t i = 0; i < from.n; ++i)
    if (tt_op_eq(from.data[i], m->choice)) choice = to.data[i];
  mlirOperationSetOperand(copy, 0, start);
  mlirOperationSetOperand(copy, 1, end);
  if (kept >= 0) decide(m, choice, kept);
  return choice;
}

/* Returns the choice that stays, if any. */
static MlirOperation split(const Mask *m) {
  static const char *const all = "all of these are chosen", *const none = "none of these is chosen";
  MlirValue zero = mlirOperationGetOperand(m->loop, 0), end = mlirOperationGetOperand(m->loop, 1);
  MlirValue ends[2];
  bool falls = m->factor < 0;
  find_ends(m, ends);
  add_part(m, zero, ends[0], falls ? m->yes : m->no, falls ? all : none);
  MlirOperation rest = add_part(m, ends[0], ends[1], -1, "of these a part is chosen");
  add_part(m, ends[1], end, falls ? m->no : m->yes, falls ? none : all);
  tt_remark(m->choice, TT_REMARK_PASSED, pass,
            "a loop of %jd steps is split where all of a tile is chosen, and where none is",
            (intmax_t)m->end);
  mlirOperationDestroy(m->loop);
  return rest;
}

/*===- Kernels -------------------------------------------------------------------------------===*/

static bool is_among(TtOps ops, MlirOperation op) {
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_op_eq(ops.data[i], op)) return true;
  return false;
}

/* Splits one loop whose choice is not among those that `done` has; false where there is none. */
static bool split_one(TtArena *arena, MlirOperation program, MlirOperation kernel, TtOps *done) {
  TtOps choices = tt_collect(arena, kernel, "metalium.sfpu_tiles");
  for (intptr_t i = 0; i < choices.n; ++i) {
    Mask m = {.arena = arena, .program = program, .choice = choices.data[i]};
    if (metalium_sfpu_tiles_op(m.choice) != TT_SFPU_WHERE || is_among(*done, m.choice) ||
        !read_mask(&m))
      continue;
    MlirOperation rest = split(&m);
    if (!mlirOperationIsNull(rest)) tt_ops_add(arena, done, rest);
    return true;
  }
  return false;
}

static bool split_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t i = 0; i < kernels.n; ++i) {
    TtOps done = {NULL, 0, 0};
    while (split_one(arena, program, kernels.data[i], &done)) continue;
    tt_erase_dead(kernels.data[i]);
  }
  return true;
}

bool tt_run_split_masks(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, split_in_program);
}
