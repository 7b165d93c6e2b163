/*===- lower_tile_intrinsics.c - C2: --tt-lower-tile-intrinsics ----------------------===
 *
 * Turns structured ops on blocks into tile intrinsics on circular buffers. What
 * an op computes is read from its indexing maps and its body, not from its name:
 *
 *   contraction (m,k) x (k,n) -> (m,n)  = tt.mm.mma, accumulating in DST
 *   contraction (m,k) x (n,k) -> (m,n)  = the same with transpose_b
 *   elementwise body f(x, y)            = tt.fpu.*, tt.sfpu.*, all in one section of DST
 *   copy                                = tt.copy_to_dst, of a part of a buffer tt.part_to_dst,
 *                                         to a part of one tt.inset_to_dst
 *
 *   before  linalg.fill ins(%zero) outs(%acc)
 *           scf.for %k = … { linalg.matmul ins(%a, %b) outs(%acc) }
 *           linalg.copy ins(%acc) outs(%c)             (%a, %b, %c: tt.cb_view)
 *   after   scf.for %k = … {
 *             %more = arith.cmpi ne, %k, %lb
 *             tt.mm.mma %cb_a, %cb_b, dst = 0, accumulate = %more
 *           }
 *           tt.pack_to_cb dst = 0 -> %cb_c
 *
 * A fragment that is only copied to a circular buffer is packed there; any other
 * gets an intermediate circular buffer.
 *
 * Requires tt.cb_view (C1). Leaves no linalg op and no memref.alloc, and
 * tt.fp32_dest_acc on the kernel.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Dialect/op_info.h"
#include "Dialect/refused.h"
#include "Passes/passes_decl.h"
#include "Transforms/Tile/block.h"
#include "Transforms/Tile/expression.h"
#include "Transforms/Tile/share_buffers.h"

#include <string.h>

/*===- Contractions -----------------------------------------------------------===*/

/* A product of blocks: left is m x k, right k x n, or n x k where it is turned. */
typedef struct Product {
  MlirOperation op;
  MlirValue left, right;
  bool right_turned;
  TtBuffer *out;
} Product;

static bool no_matrix_product(MlirOperation op) {
  return tt_error(op, "this contraction is no product of two blocks, (m, k) x (k, n) -> (m, n), of "
                      "which one may be a vector and each may be stored turned; the engine "
                      "computes those");
}

/* True where the padding of a buffer's tiles is zero: as the host program fills tensors. */
static bool is_padded_with_zeros(TtLowering *l, const TtBuffer *b) {
  for (MlirOpOperand use = mlirValueGetFirstUse(b->cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    TtMove move;
    if (tt_move_of(mlirOpOperandGetOwner(use), &move) && move.in)
      return tt_is_filled_by_host(l->arena, l->func, move.tensor);
  }
  return false;
}

/* What pads the last tile along `k` counts in no sum: both factors are zero there. */
static bool mask_padding(TtLowering *l, TtSpace *space, intptr_t k, TtSides sides,
                         const TtBuffer *buffer, MlirValue *cb) {
  const intptr_t loops[2] = {k, TT_UNIT};
  bool masked = k != TT_UNIT && tt_is_padded(space, k) && !is_padded_with_zeros(l, buffer);
  if (!masked) return *cb = tt_cb_for_fpu(l, space->op, buffer->cb), true;
  space->sides = sides;
  TtExprs x = {.l = l, .op = space->op, .space = space};
  TtExpr *e = tt_expr_padded(&x, tt_expr_leaf(&x, buffer->cb, TT_ACCESS_FULL), loops, 0);
  *cb = tt_new_cb(l, mlirOperationGetLocation(space->op), mlirValueGetType(buffer->cb));
  return e && tt_expr_to_cb(&x, e, *cb);
}

static bool read_product(TtLowering *l, MlirOperation op, Product *p) {
  TtSpace space;
  TtSides out, in[2];
  TtBuffer *buffers[2];
  *p = (Product){.op = op};
  if (!tt_space_of(op, &space)) return false;
  for (int i = 0; i < 2; ++i) {
    buffers[i] = tt_buffer_of(l, mlirOperationGetOperand(op, i));
    if (!buffers[i]) return tt_error(op, "works on something that is no buffer of the core");
    if (!tt_sides_of(&space, i, buffers[i]->column, &in[i])) return false;
  }
  p->out = tt_buffer_of(l, mlirOperationGetOperand(op, 2));
  if (!p->out) return tt_error(op, "works on something that is no buffer of the core");
  if (!tt_sides_of(&space, 2, p->out->column, &out)) return false;
  bool has_row = out.row >= 0;
  int left = has_row ? in[0].row != out.row && in[0].col != out.row
                     : out.col >= 0 && (in[0].row == out.col || in[0].col == out.col);
  TtSides a = in[left], b = in[!left];
  intptr_t k = a.row == out.row ? a.col : a.row;
  bool left_turned = a.row != out.row;
  if (!has_row && a.row >= 0 && a.col < 0) k = a.row, left_turned = true;
  p->right_turned = !(b.row == k && b.col == out.col);
  bool fits = (left_turned ? a.row == k && a.col == out.row : a.row == out.row && a.col == k) &&
              (p->right_turned ? b.row == out.col && b.col == k : true);
  if (!fits) return no_matrix_product(op);
  tt_space_sizes(l, &space);
  if (!mask_padding(l, &space, k, a, buffers[left], &p->left) ||
      !mask_padding(l, &space, k, b, buffers[!left], &p->right))
    return false;
  if (left_turned) p->left = tt_turned_cb(l, op, p->left);
  return !tt_is_null_value(p->left);
}

/* False in the first step of all loops between `block` and `op`, else true. */
static bool accumulate_flag(TtBuilder *b, MlirOperation op, MlirBlock block, MlirValue *flag) {
  MlirLocation loc = mlirOperationGetLocation(op);
  *flag = (MlirValue){NULL};
  for (MlirOperation p = op; !mlirBlockEqual(mlirOperationGetBlock(p), block);) {
    p = tt_parent(p);
    if (!tt_op_is(p, "scf.for"))
      return tt_error(op, "accumulates under a condition; only counted loops may stand between the "
                          "start of a sum and its terms");
    MlirValue more = tt_ne(b, loc, tt_for_iv(p), mlirOperationGetOperand(p, 0));
    *flag = tt_is_null_value(*flag) ? more : tt_or(b, loc, *flag, more);
  }
  if (tt_is_null_value(*flag)) *flag = tt_bool(b, loc, false);
  return true;
}

/* The first DST tile of a sum over the loop `top`. Sums over one loop stand side by side. */
static int64_t place_sum(TtLowering *l, MlirOperation top, int64_t tiles) {
  for (TtSums *s = l->sums; s; s = s->next) {
    if (!tt_op_eq(s->loop, top)) continue;
    s->tiles += tiles;
    return s->tiles - tiles;
  }
  TtSums *s = tt_arena_alloc(l->arena, sizeof *s);
  *s = (TtSums){top, tiles, l->sums};
  l->sums = s;
  return 0;
}

static MlirOperation multiply(const Product *p, int64_t dst, MlirValue flag, MlirValue out) {
  TtBuilder b = tt_builder_before(p->op);
  MlirAttribute turned = p->right_turned ? mlirUnitAttrGet(b.context) : mlirAttributeGetNull();
  if (tt_is_null_value(flag)) flag = tt_bool(&b, mlirOperationGetLocation(p->op), false);
  return tt_mm_mma_create(&b, mlirOperationGetLocation(p->op), p->left, p->right, dst, flag, out,
                          mlirAttributeGetNull(), turned);
}

static void pack(const Product *p, TtBuilder b, MlirOperation mma, int64_t dst) {
  MlirOperation source = mlirOperationIsNull(p->out->copy) ? p->op : p->out->copy;
  p->out->product = mma;
  p->out->pack = tt_pack_to_cb_create(&b, mlirOperationGetLocation(source), dst,
                                      mlirAttributeGetNull(), p->out->cb, (MlirValue){NULL});
}

/* A sum that stays in DST over the loops between its fill and its products. */
static bool sum_in_dst(TtLowering *l, const Product *p) {
  MlirBlock block = mlirOperationGetBlock(p->out->fill);
  MlirOperation top = tt_ancestor_in(block, p->op);
  MlirOperation copy = p->out->copy;
  TtBuilder b = tt_builder_before(p->op);
  MlirValue flag, none = {NULL};
  if (!accumulate_flag(&b, p->op, block, &flag)) return false;
  int64_t dst = place_sum(l, top, tt_cb_tiles(mlirValueGetType(p->out->cb)));
  MlirOperation mma = multiply(p, dst, flag, none);
  pack(p, mlirOperationIsNull(copy) ? tt_builder_after(top) : tt_builder_before(copy), mma, dst);
  return true;
}

/* A product alone. */
static bool product(const Product *p) {
  MlirOperation copy = p->out->copy;
  MlirValue none = {NULL};
  MlirOperation mma = multiply(p, 0, none, none);
  pack(p, tt_builder_before(mlirOperationIsNull(copy) ? p->op : copy), mma, 0);
  return true;
}

/* A product that is added to a value that the core keeps: in DST, where it fits. */
static bool add_product(TtLowering *l, const Product *p) {
  MlirLocation loc = mlirOperationGetLocation(p->op);
  MlirType type = mlirValueGetType(p->out->cb);
  MlirValue none = {NULL};
  MlirAttribute no = mlirAttributeGetNull();
  if (tt_cb_tiles(type) <= l->dst_tiles) {
    TtBuilder b = tt_builder_before(p->op);
    tt_copy_to_dst_create(&b, loc, p->out->cb, no, no, 0, none);
    multiply(p, 0, tt_bool(&b, loc, true), none);
    tt_pack_to_cb_create(&b, loc, 0, no, p->out->cb, (MlirValue){NULL});
    return true;
  }
  MlirValue part = tt_new_cb(l, loc, type);
  TtExprs x = {.l = l, .op = p->op};
  multiply(p, 0, none, part);
  TtExpr *sum = tt_expr_combine(&x, "add", tt_expr_leaf(&x, p->out->cb, TT_ACCESS_FULL),
                                tt_expr_leaf(&x, part, TT_ACCESS_FULL),
                                mlirTypeIsAF32(tt_cb_type_element_type(type)));
  return tt_expr_to_cb(&x, sum, p->out->cb);
}

static bool lower_contraction(TtLowering *l, MlirOperation op) {
  Product p;
  if (!read_product(l, op, &p)) return false;
  bool ok = !mlirOperationIsNull(p.out->fill) ? sum_in_dst(l, &p)
            : tt_is_fresh(p.out, op)          ? product(&p)
                                              : add_product(l, &p);
  if (ok) tt_release_scratch(l, op), mlirOperationDestroy(op);
  return ok;
}

/*===- Everything -------------------------------------------------------------===*/

static bool lower_op(TtLowering *l, MlirOperation op) {
  if (tt_copies_part(op)) return tt_lower_part(l, op);
  if (tt_is_contraction(op)) return lower_contraction(l, op);
  return tt_is_reduction(op) ? tt_lower_reduction(l, op) : tt_lower_elementwise(l, op);
}

/* Copies between buffers of the core are linalg ops like others. */
static void name_copies(TtArena *arena, MlirOperation func) {
  TtOps copies = tt_collect(arena, func, "memref.copy");
  for (intptr_t i = 0; i < copies.n; ++i) {
    TtBuilder b = tt_builder_before(copies.data[i]);
    tt_linalg_copy(&b, mlirOperationGetLocation(copies.data[i]),
                   mlirOperationGetOperand(copies.data[i], 0),
                   mlirOperationGetOperand(copies.data[i], 1));
    mlirOperationDestroy(copies.data[i]);
  }
}

static bool has_prefix(MlirStringRef name, const char *prefix) {
  return name.length >= strlen(prefix) && memcmp(name.data, prefix, strlen(prefix)) == 0;
}

/* A loop or branch that gives values is none that the passes before could take apart. */
static bool check_results(MlirOperation op) {
  bool loop = tt_op_is(op, "scf.for");
  if ((!loop && !tt_op_is(op, "scf.if")) || mlirOperationGetNumResults(op) == 0) return true;
  return tt_error(op, loop ? "this loop carries a value from step to step that is not its start "
                             "plus the same in each step; compute it from the loop's variable, or "
                             "keep it in a buffer"
                           : "this branch gives a value that is no index known before it; write "
                             "the value to a buffer in both branches");
}

/* What is left must be tile intrinsics, counted loops and index arithmetic. */
static bool check_rest(TtArena *arena, MlirOperation func) {
  static const char *const allowed[] = {"arith.",    "affine.",     "scf.for",   "scf.if",
                                        "scf.yield", "func.return", "memref.dim"};
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirStringRef name = tt_op_name(ops.data[i]);
    bool known = tt_op_info(ops.data[i])->level != TT_LEVEL_OTHER;
    if (!check_results(ops.data[i])) return false;
    for (size_t j = 0; j < sizeof allowed / sizeof *allowed; ++j)
      known |= has_prefix(name, allowed[j]);
    if (!known && !tt_check_refused(ops.data[i])) return false;
    if (!known)
      return tt_error(ops.data[i],
                      "%.*s cannot stand in a kernel; kernels hold linalg ops, copies of "
                      "blocks, counted loops and index arithmetic",
                      (int)name.length, name.data);
  }
  return true;
}

/* Reads of blocks that no op uses. */
static void erase_unused_reads(TtArena *arena, MlirOperation func) {
  TtOps reads = tt_collect(arena, func, "tt.read_to_cb");
  for (intptr_t i = 0; i < reads.n; ++i) {
    MlirOpOperand use = mlirValueGetFirstUse(tt_read_to_cb_cb(reads.data[i]));
    if (mlirOpOperandIsNull(mlirOpOperandGetNextUse(use))) mlirOperationDestroy(reads.data[i]);
  }
}

/* No op works on a tensor itself any more. */
static bool check_operands(TtArena *arena, MlirOperation func) {
  TtArgs args = tt_kernel_args(arena, func);
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    for (intptr_t j = 0; (tt_is_linalg(ops.data[i]) || tt_is_copy(ops.data[i])) &&
                         j < mlirOperationGetNumOperands(ops.data[i]);
         ++j) {
      TtArg *arg = tt_arg_of(args, mlirOperationGetOperand(ops.data[i], j));
      if (arg && arg->is_tensor)
        return tt_error(ops.data[i],
                        "works on tensor '%s' itself: run --tt-lower-shared-to-cb first",
                        arg->name);
    }
  return true;
}

static bool lower_kernel(TtArena *arena, MlirOperation func, bool in_room, int64_t room) {
  TtLowering l = {.arena = arena,
                  .func = func,
                  .dst_tiles = tt_dst_capacity(func),
                  .in_room = in_room,
                  .room = room};
  MlirAttribute wide = mlirBoolAttrGet(mlirOperationGetContext(func), tt_dst_is_32bit(func));
  tt_set_attr(func, "tt.fp32_dest_acc", wide); /* asked for by every op */
  if (!check_operands(arena, func)) return false;
  name_copies(arena, func);
  if (!tt_fix_sizes(arena, func, &l.sizes)) return false;
  if (!tt_place_buffers(&l)) return false;
  tt_mark_exact(&l);
  TtOps ops = tt_collect(arena, func, NULL), work = {NULL, 0, 0}, dead = {NULL, 0, 0};
  for (intptr_t i = 0; i < ops.n; ++i) /* what is in a linalg body goes with it */
    if (tt_is_linalg(ops.data[i]) && !tt_is_linalg(tt_parent(ops.data[i])))
      tt_ops_add(arena, tt_is_dead(&l, ops.data[i]) ? &dead : &work, ops.data[i]);
  for (intptr_t i = 0; i < work.n; ++i)
    if (!lower_op(&l, work.data[i])) return false;
  for (intptr_t i = 0; i < dead.n; ++i) mlirOperationDestroy(dead.data[i]);
  tt_erase_dead(func); /* views first: they use the buffers, too */
  erase_unused_reads(arena, func);
  tt_erase_dead(func);
  return check_rest(arena, func);
}

/* Lowers `func` anew, as it stands in `before`, with no more than `room` circular buffers for parts
 * of f32 beside those that there are anyway. */
static bool lower_in_room(TtArena *arena, MlirOperation func, MlirOperation before, int64_t room) {
  MlirOperation copy = mlirOperationClone(before);
  mlirRegionTakeBody(mlirOperationGetRegion(func, 0), mlirOperationGetRegion(copy, 0));
  mlirOperationDestroy(copy);
  return lower_kernel(arena, func, true, room);
}

enum { SPARE = 1 }; /* passes before --tt-share-buffers may have blocks live longer */

/* The most circular buffers for parts with which a kernel fits: below 0 where a list steers it, as
 * passes behind add those that bring its integers, which then need some of the chip's. Each try
 * without words: what is lost is said of the last one. */
static int64_t room_for_parts(TtArena *arena, MlirOperation func, MlirOperation before) {
  enum { LESS = 4 };
  bool silent = tt_silence(true), fits = false;
  int64_t cbs = tt_target_of(func).cbs, room = cbs;
  while (room > 0 && !fits) {
    room /= 2;
    fits = lower_in_room(arena, func, before, room) && tt_buffers_fit(arena, func, SPARE);
  }
  fits = fits || tt_collect(arena, func, "tt.load_index").n == 0 || tt_buffers_fit(arena, func, 0);
  for (int64_t less = LESS; less < cbs && !fits; less += LESS) {
    fits = lower_in_room(arena, func, before, -less) && tt_buffers_fit(arena, func, SPARE);
    if (fits) room = -less;
  }
  tt_silence(silent);
  return room;
}

/* As if there were as many circular buffers as it takes, since most are not alive for long
 * (--tt-share-buffers), and again with those that there are where that was too many. */
static bool lower(TtArena *arena, MlirOperation func) {
  MlirOperation before = mlirOperationClone(func);
  bool ok = lower_kernel(arena, func, false, 0);
  if (ok && !tt_buffers_fit(arena, func, SPARE))
    ok = lower_in_room(arena, func, before, room_for_parts(arena, func, before));
  mlirOperationDestroy(before);
  return ok;
}

bool tt_run_lower_tile_intrinsics(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, lower);
}
