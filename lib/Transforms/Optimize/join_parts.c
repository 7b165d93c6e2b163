/*===- join_parts.c - --tt-join-parts -----------------------------------------------------------===
 *
 * Has a section of DST hold several parts of a product, also where they do not divide it.
 *
 *   before  for %j < 5 {                                    (5 tiles, 4 in DST)
 *             cb_wait_front %p, 1; copy_tile %p, 0, 0; cb_pop_front %p, 1
 *             for %l < 2 { matmul_tiles %a, %b, %i * 2 + %l, %l * 5 + %j, 0 }
 *             cb_reserve_back %c, 1
 *             tt.pack_to_cb dst = 0 tiles = 1 -> %c; cb_push_back %c, 1
 *           }
 *
 *   after   cb_wait_front %p, 3
 *           for %t < 3 { copy_tile %p, %t, %t }; cb_pop_front %p, 3
 *           for %t < 3 {
 *             for %l < 2 { matmul_tiles %a, %b, %i * 2 + %l, %l * 5 + %t, %t }
 *           }
 *           cb_reserve_back %c, 3
 *           tt.pack_to_cb dst = 0 tiles = 3 -> %c; cb_push_back %c, 3
 *           the same with 2, and tiles 3 + %t of %b
 *
 * Where the tiles of a block along an axis have no divisor that fits DST, D3 leaves one of them to
 * a part: then both operands are unpacked for each product, and a block of products has one tile.
 * Here as few sections as possible take turns, of lengths that differ by one at most. Each tile
 * adds the same products in the same order. Legal where the pages of a row of parts lie behind each
 * other: their circular buffers hold a multiple of it. Changes no result.
 *
 * Requires D3, before --tt-block-products, which makes the loops over %t one call. Leaves loops
 * alone whose parts leave no room in DST.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/unwrap.h"

static const char *const pass = "tt-join-parts";

enum { MAX_BUFFERS = 4 };

/* A loop over parts of a product. */
typedef struct Parts {
  TtArena *arena;
  MlirOperation program, loop;
  MlirOperation root;   /* `loop`, or an outer one that holds nothing else */
  int64_t trips, tiles; /* of the loop; of a part */
  MlirOperation pack;
  MlirValue buffers[MAX_BUFFERS]; /* that hold parts: what is packed, and what is copied */
  int num_buffers;
} Parts;

static TtAct act_of(MlirOperation op) { return tt_op_info(op)->does; }

static bool holds_parts(const Parts *p, MlirValue cb) {
  for (int i = 0; i < p->num_buffers; ++i)
    if (tt_value_eq(p->buffers[i], cb)) return true;
  return false;
}

static bool add_buffer(Parts *p, MlirValue cb) {
  if (holds_parts(p, cb)) return true;
  if (p->num_buffers == MAX_BUFFERS) return false;
  p->buffers[p->num_buffers++] = cb;
  return true;
}

/*===- What it is ----------------------------------------------------------------------------===*/

static bool read_bounds(Parts *p) {
  int64_t lower, step;
  return tt_constant(mlirOperationGetOperand(p->loop, 0), &lower) && lower == 0 &&
         tt_constant(mlirOperationGetOperand(p->loop, 1), &p->trips) && p->trips > 1 &&
         tt_constant(mlirOperationGetOperand(p->loop, 2), &step) && step == 1;
}

/* The pack of a part, which stands in the loop itself, and the buffers of parts. */
static bool find_pack(Parts *p, TtOps ops) {
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (metalium_copy_tile_isa(op) && !add_buffer(p, metalium_copy_tile_a(op))) return false;
    if (act_of(op) != TT_ACT_PACK_BLOCK) continue;
    if (!tt_pack_to_cb_isa(op) || !mlirOperationIsNull(p->pack) ||
        !tt_op_eq(tt_parent(op), p->loop) || tt_int(tt_pack_to_cb_dst(op)) != 0 ||
        mlirAttributeIsNull(tt_pack_to_cb_tiles(op)) || !add_buffer(p, tt_pack_to_cb_out(op)))
      return false;
    p->pack = op;
    p->tiles = tt_int(tt_pack_to_cb_tiles(op));
  }
  return !mlirOperationIsNull(p->pack) && p->tiles > 0;
}

/* The outermost loop in `p->loop` around a tile op that holds nothing else but arithmetic. */
static MlirOperation nest_of(const Parts *p, MlirOperation op) {
  for (MlirOperation up = tt_parent(op); tt_op_is(up, "scf.for") && !tt_op_eq(up, p->loop);
       op = up, up = tt_parent(up))
    for (MlirOperation in = mlirBlockGetFirstOperation(tt_for_body(up)); !tt_is_terminator(in);
         in = tt_next(in))
      if (!tt_op_eq(in, op) && !tt_is_index_op(in)) return op;
  return op;
}

/* Whether all that a nest takes and that depends on the part is computed in it. */
static bool is_whole(const Parts *p, MlirOperation nest) {
  TtOps inside = tt_collect(p->arena, nest, NULL);
  for (intptr_t i = -1; i < inside.n; ++i) {
    MlirOperation op = i < 0 ? nest : inside.data[i];
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j) {
      MlirValue v = mlirOperationGetOperand(op, j);
      int64_t known;
      if (tt_is_defined_in(nest, v) || tt_value_eq(v, tt_for_iv(p->loop)) ||
          tt_constant(v, &known) || !tt_is_defined_in(p->loop, v))
        continue;
      if (!mlirValueIsABlockArgument(v)) return false; /* else the variable of a loop between */
    }
  }
  return true;
}

/* Parts are columns of one tile, or whole rows: then tiles of DST follow each other as those of a
 * block of products do. */
static bool is_row_or_tile(const Parts *p, MlirOperation product) {
  int64_t b;
  return p->tiles == 1 ||
         (tt_index_factor(p->arena, metalium_matmul_tiles_ib(product), tt_for_iv(p->loop), &b) &&
          b == 0);
}

static bool counts_a_part(const Parts *p, MlirOperation op) {
  int64_t n;
  return tt_constant(mlirOperationGetOperand(op, 1), &n) && n == p->tiles;
}

static bool can_join(const Parts *p, MlirOperation op, bool *multiplies) {
  switch (act_of(op)) {
  case TT_ACT_MATH:
    if (metalium_matmul_tiles_isa(op)) {
      *multiplies = true;
      return is_row_or_tile(p, op) && is_whole(p, nest_of(p, op)) &&
             !holds_parts(p, metalium_matmul_tiles_a(op)) &&
             !holds_parts(p, metalium_matmul_tiles_b(op));
    }
    return metalium_copy_tile_isa(op) && is_whole(p, nest_of(p, op));
  case TT_ACT_PACK_BLOCK: return true;
  case TT_ACT_WAIT: return !holds_parts(p, mlirOperationGetOperand(op, 0)) || counts_a_part(p, op);
  case TT_ACT_RESERVE:
  case TT_ACT_PUSH:
  case TT_ACT_POP: return holds_parts(p, mlirOperationGetOperand(op, 0)) && counts_a_part(p, op);
  default:
    return tt_is_index_op(op) || tt_op_is(op, "scf.for") || tt_op_is(op, "scf.if") ||
           metalium_comment_isa(op);
  }
}

/* A wait for an operand, or a bound or a condition, that differs from part to part. */
static bool depends_on_part(const Parts *p, MlirOperation op) {
  if (tt_is_index_op(op) || act_of(op) == TT_ACT_MATH || act_of(op) == TT_ACT_PACK_BLOCK)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue v = mlirOperationGetOperand(op, i);
    int64_t factor;
    if (mlirTypeIsAIndex(mlirValueGetType(v)) &&
        !(tt_index_factor(p->arena, v, tt_for_iv(p->loop), &factor) && factor == 0))
      return true;
    if (mlirTypeIsAInteger(mlirValueGetType(v)) && tt_is_defined_in(p->loop, v)) return true;
  }
  return false;
}

/* Parts that are packed to places of their own may come in any order: those of one length follow
 * each other, so that the engine is set to a block of products twice a step, not twice a row. */
static void find_root(Parts *p, TtOps ops) {
  p->root = p->loop;
  for (intptr_t i = 0; i < ops.n; ++i)
    if (act_of(ops.data[i]) == TT_ACT_PUSH || act_of(ops.data[i]) == TT_ACT_POP) return;
  if (tt_is_null_value(tt_pack_to_cb_place(p->pack))) return;
  for (MlirOperation up = tt_parent(p->root); tt_op_is(up, "scf.for"); up = tt_parent(up)) {
    for (MlirOperation in = mlirBlockGetFirstOperation(tt_for_body(up)); !tt_is_terminator(in);
         in = tt_next(in))
      if (!tt_op_eq(in, p->root) && !tt_is_index_op(in)) return;
    p->root = up;
  }
}

/* All parts of the loop lie behind each other in their circular buffers. */
static bool pages_fit(const Parts *p) {
  int64_t row;
  if (__builtin_mul_overflow(p->trips, p->tiles, &row)) return false;
  for (int i = 0; i < p->num_buffers; ++i) {
    MlirOperation cb = tt_cb_decl(p->program, p->buffers[i]);
    if (mlirOperationIsNull(cb) || tt_int(tt_circular_buffer_pages(cb)) % row != 0 ||
        tt_cb_tiles(mlirTypeAttrGetValue(tt_circular_buffer_type(cb))) % row != 0)
      return false;
  }
  return true;
}

static bool is_loop_over_parts(Parts *p) {
  if (!read_bounds(p)) return false;
  TtOps ops = tt_collect(p->arena, p->loop, NULL);
  bool multiplies = false;
  if (!find_pack(p, ops)) return false;
  for (intptr_t i = 0; i < ops.n; ++i)
    if (!tt_is_terminator(ops.data[i]) &&
        (!can_join(p, ops.data[i], &multiplies) || depends_on_part(p, ops.data[i])))
      return false;
  find_root(p, ops);
  return multiplies && pages_fit(p);
}

/*===- The sections --------------------------------------------------------------------------===*/

static void replace_in(const Parts *p, MlirOperation nest, MlirValue from, MlirValue to) {
  TtOps inside = tt_collect(p->arena, nest, NULL);
  for (intptr_t i = -1; i < inside.n; ++i) {
    MlirOperation op = i < 0 ? nest : inside.data[i];
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j)
      if (tt_value_eq(mlirOperationGetOperand(op, j), from)) mlirOperationSetOperand(op, j, to);
  }
}

static void add_to_operand(MlirOperation op, intptr_t i, MlirValue value) {
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  mlirOperationSetOperand(op, i, tt_add(&b, loc, value, mlirOperationGetOperand(op, i)));
}

/* for %t < n { the nest of a tile op, for part `first` + %t } */
static void join_nest(const Parts *p, MlirOperation op, MlirValue first, int64_t n) {
  MlirOperation nest = nest_of(p, op);
  MlirLocation loc = mlirOperationGetLocation(op);
  TtBuilder in = tt_builder_before(nest);
  MlirValue t = tt_counted_loop(&in, loc, n, "t");
  if (n == 1) return;
  TtBuilder at = in;
  MlirValue part = tt_add(&at, loc, first, t),
            tile = tt_mul(&at, loc, t, tt_index(&at, loc, p->tiles));
  mlirOperationMoveBefore(nest, in.before);
  replace_in(p, nest, first, part);
  bool copies = metalium_copy_tile_isa(op);
  if (copies) add_to_operand(op, 1, tile);
  add_to_operand(op, tt_operand_number(op, tt_op_info(op)->dst), tile);
}

static void join_pack(const Parts *p, MlirOperation op, int64_t n) {
  TtBuilder b = tt_builder_before(op);
  tt_pack_to_cb_create(&b, mlirOperationGetLocation(op), 0, tt_i64_attr(b.context, n * p->tiles),
                       tt_pack_to_cb_out(op), tt_pack_to_cb_place(op));
  mlirOperationDestroy(op);
}

/* A copy of the loop with `sections` sections of `n` parts, from part `start` on. */
static void make_sections(const Parts *p, int64_t start, int64_t sections, int64_t n) {
  if (sections == 0) return;
  TtBuilder before = tt_builder_before(p->root);
  MlirLocation loc = mlirOperationGetLocation(p->loop);
  Parts copy = *p;
  copy.root = tt_builder_insert(&before, mlirOperationClone(p->root));
  copy.loop = tt_parent(tt_collect(p->arena, copy.root, "tt.pack_to_cb").data[0]);
  MlirValue iv = tt_for_iv(copy.loop);
  TtOps ops = tt_collect(p->arena, copy.loop, NULL);
  TtBuilder bound = tt_builder_before(copy.loop), top = tt_builder_at_start(tt_for_body(copy.loop));
  mlirOperationSetOperand(copy.loop, 1, tt_index(&bound, loc, sections));
  /* A value that stands for the first part of a section, and that no other op has. */
  MlirValue first = sections == 1 ? tt_index(&top, loc, start)
                                  : tt_add(&top, loc, tt_mul(&top, loc, iv, tt_index(&top, loc, n)),
                                           tt_index(&top, loc, start));
  for (intptr_t i = 0; i < ops.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(ops.data[i]); ++j)
      if (tt_value_eq(mlirOperationGetOperand(ops.data[i], j), iv))
        mlirOperationSetOperand(ops.data[i], j, first);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    TtAct does = act_of(op);
    bool counts =
        does == TT_ACT_WAIT || does == TT_ACT_POP || does == TT_ACT_RESERVE || does == TT_ACT_PUSH;
    if (counts && holds_parts(p, mlirOperationGetOperand(op, 0))) {
      TtBuilder at = tt_builder_before(op);
      mlirOperationSetOperand(op, 1, tt_index(&at, mlirOperationGetLocation(op), n * p->tiles));
    }
    if (does == TT_ACT_MATH) join_nest(&copy, op, first, n);
    if (does == TT_ACT_PACK_BLOCK) join_pack(p, op, n);
  }
  if (sections == 1) tt_unwrap(copy.loop);
}

static void join(Parts *p, int64_t most) {
  int64_t sections = (p->trips + most - 1) / most, less = p->trips / sections,
          longer = p->trips % sections;
  if (longer == 0)
    tt_remark(p->loop, TT_REMARK_PASSED, pass, "%jd parts are %jd sections of %jd",
              (intmax_t)p->trips, (intmax_t)sections, (intmax_t)less);
  else
    tt_remark(p->loop, TT_REMARK_PASSED, pass, "%jd parts are %jd sections of %jd, and %jd of %jd",
              (intmax_t)p->trips, (intmax_t)longer, (intmax_t)less + 1,
              (intmax_t)(sections - longer), (intmax_t)less);
  make_sections(p, 0, longer, less + 1);
  make_sections(p, longer * (less + 1), sections - longer, less);
  mlirOperationDestroy(p->root);
}

static bool join_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t k = 0; k < kernels.n; ++k) {
    TtOps packs = tt_collect(arena, kernels.data[k], "tt.pack_to_cb");
    for (intptr_t i = 0; i < packs.n; ++i) {
      Parts p = {.arena = arena, .program = program, .loop = tt_parent(packs.data[i])};
      if (!tt_op_is(p.loop, "scf.for") || !is_loop_over_parts(&p)) continue;
      int64_t most = tt_dst_capacity(program) / p.tiles;
      if (most > 1) join(&p, most);
    }
    if (packs.n > 0) tt_erase_dead(kernels.data[k]);
  }
  return true;
}

bool tt_run_join_parts(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, join_in_program);
}
