/*===- sum_products.c - --tt-sum-products -------------------------------------------------------===
 *
 * Has DST add up the products whose elements are summed, tile by tile.
 *
 *   before  tt.fpu.mul %x, %x, dst = 0
 *           tt.sfpu.unary mul_scalar, dst = 0 scalar = c -> %t              (1 x n tiles)
 *           tt.fpu.reduce sum_row, %t, %ones, dst = 0 -> %s
 *   after   tt.fpu.mul_sum sum_row, %x, %x, dst = 0 -> %p                   (1 tile)
 *           tt.fpu.reduce sum_row, %p, %ones, dst = 0
 *           tt.sfpu.unary mul_scalar, dst = 0 scalar = c -> %s
 *
 * and where what is squared is computed itself:
 *
 *   before  tt.fpu.sub %x, %m bcast cols, dst = 0   tt.sfpu.combine mul, [0, 0], dst = 0 -> %t
 *           tt.fpu.reduce sum_row, %t, %ones, dst = 0 -> %s
 *   after   tt.fpu.sub %x, %m bcast cols, dst = 0 -> %d
 *           tt.fpu.mul_sum sum_row, %d, %d, dst = 0 -> %p
 *           tt.fpu.reduce sum_row, %p, %ones, dst = 0 -> %s
 *
 * So no tile of products is packed, unpacked and multiplied by ones, and squares leave the vector
 * unit. Done in DST of 32 bits, where a sum has all bits of its terms. The order of additions is
 * another: first those of the tiles, then those in one. What is squared has 11 bits in the FPU,
 * where before the squares had; and a factor of all terms is one of the sum.
 *
 * Requires tile intrinsics (C2), before the graph of C3.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/l1_budget.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/section.h"

static const char *const pass = "tt-sum-products";

/* A sum of products, and the section that makes its terms. */
typedef struct Sum {
  TtArena *arena;
  MlirOperation func, reduce;
  TtSection terms;
  intptr_t product; /* its place in `terms`, behind which there are only scales */
} Sum;

static bool is_scale(MlirOperation op) {
  return tt_sfpu_unary_isa(op) && tt_sfpu_unary_op(op) == TT_SFPU_MUL_SCALAR;
}

/* The tile of DST that op `op` of the section squares; -1 where it does not. */
static int64_t squared_tile(MlirOperation op) {
  if (tt_sfpu_unary_isa(op) && tt_sfpu_unary_op(op) == TT_SFPU_SQUARE) return tt_op_dst(op);
  if (!tt_sfpu_combine_isa(op) || tt_sfpu_combine_op(op) != TT_SFPU_MUL) return -1;
  MlirAttribute sources = tt_sfpu_combine_sources(op);
  int64_t a = mlirDenseI64ArrayGetElement(sources, 0), b = mlirDenseI64ArrayGetElement(sources, 1);
  return a == b ? a : -1;
}

static bool is_plain_product(MlirOperation op) {
  return tt_fpu_mul_isa(op) && mlirAttributeIsNull(tt_fpu_mul_bcast(op));
}

/* Why the terms are no products that DST can add up; NULL where they are. */
static const char *find_product(Sum *s) {
  s->product = s->terms.ops.n - 1;
  while (s->product >= 0 && is_scale(s->terms.ops.data[s->product])) --s->product;
  if (s->product < 0) return "they are no products";
  MlirOperation op = s->terms.ops.data[s->product];
  if (s->product == 0) return is_plain_product(op) ? NULL : "they are no products";
  if (!tt_multiplies_all_bits(s->func)) return "the FPU leaves out bits of them in this fidelity";
  int64_t tile = squared_tile(op);
  if (tile < 0) return "they are no squares of what is computed, and no products of blocks";
  return tt_op_dst(s->terms.ops.data[s->product - 1]) == tile ? NULL
                                                              : "another tile of DST is squared";
}

static int64_t block_bytes(MlirType element, int64_t tiles) {
  TtDType dtype = TT_D_TYPE_FP32;
  tt_dtype_of(element, &dtype);
  return tiles * (int64_t)tt_format(dtype)->tile_bytes;
}

/* What is squared takes 4 bytes an element, where the squares may have taken 2. */
static const char *check_room(const Sum *s) {
  TtDfg dfg;
  MlirType type = mlirValueGetType(s->terms.out), wide = mlirF32TypeGet(mlirTypeGetContext(type));
  int64_t tiles = tt_cb_tiles(type);
  int64_t more = block_bytes(wide, s->product > 0 ? tiles + 1 : 1) -
                 block_bytes(tt_cb_type_element_type(type), tiles);
  if (more <= 0) return NULL;
  bool silent = tt_silence(true), known = tt_analyze_dfg(s->arena, s->func, &dfg);
  tt_silence(silent);
  return known && tt_l1_left(&dfg) >= more ? NULL : "L1 has no room for what is squared";
}

/* The block that is squared, in a circular buffer of its own. */
static MlirValue keep_factor(const Sum *s) {
  MlirOperation last = s->terms.ops.data[s->product - 1];
  MlirLocation loc = mlirOperationGetLocation(last);
  MlirType type = mlirValueGetType(s->terms.out);
  MlirValue kept = tt_new_block(s->func, loc, "squared", tt_cb_rows(type), tt_cb_cols(type),
                                mlirF32TypeGet(mlirTypeGetContext(type))),
            none = {NULL};
  TtBuilder b = tt_builder_after(last);
  tt_pack_to_cb_create(&b, loc, tt_op_dst(last), mlirAttributeGetNull(), kept, none);
  return kept;
}

/* The reduction of what DST has added up, and the scales behind it. */
static void reduce_sums(const Sum *s, MlirValue sums) {
  MlirLocation loc = mlirOperationGetLocation(s->reduce);
  TtBuilder b = tt_builder_before(s->reduce);
  intptr_t scales = s->terms.ops.n - s->product - 1;
  MlirValue out = tt_fpu_reduce_out(s->reduce), none = {NULL};
  int64_t dst = tt_op_dst(s->reduce);
  MlirValue ones = tt_fpu_reduce_ones(s->reduce);
  tt_fpu_reduce_create(&b, loc, tt_fpu_reduce_op(s->reduce), sums, ones, dst, scales ? none : out);
  for (intptr_t i = 0; i < scales; ++i) {
    MlirOperation scale = s->terms.ops.data[s->product + 1 + i];
    tt_sfpu_unary_create(&b, mlirOperationGetLocation(scale), TT_SFPU_MUL_SCALAR, dst,
                         tt_sfpu_unary_scalar(scale), i + 1 < scales ? none : out);
  }
  mlirOperationDestroy(s->reduce);
}

static void sum_in_dst(const Sum *s) {
  MlirOperation product = s->terms.ops.data[s->product];
  MlirLocation loc = mlirOperationGetLocation(product);
  TtReduce reduce = tt_fpu_reduce_op(s->reduce);
  bool row = tt_reduce_is_row(reduce);
  MlirType type = mlirValueGetType(s->terms.out);
  MlirValue factors[2];
  if (s->product > 0) factors[0] = factors[1] = keep_factor(s);
  else factors[0] = tt_fpu_mul_a(product), factors[1] = tt_fpu_mul_b(product);
  MlirValue sums =
      tt_new_block(s->func, loc, "sums", row ? tt_cb_rows(type) : 1, row ? 1 : tt_cb_cols(type),
                   mlirF32TypeGet(mlirTypeGetContext(type)));
  TtBuilder b = tt_builder_before(product);
  tt_fpu_mul_sum_create(&b, loc, reduce, factors[0], factors[1], 0, sums);
  reduce_sums(s, sums);
  if (!mlirOperationIsNull(s->terms.pack)) mlirOperationDestroy(s->terms.pack);
  for (intptr_t i = s->terms.ops.n; i-- > s->product;) mlirOperationDestroy(s->terms.ops.data[i]);
}

/* The section that fills what `reduce` sums; false where none alone does, for it alone. */
static bool find_terms(Sum *s) {
  MlirValue cb = tt_fpu_reduce_a(s->reduce);
  if (!tt_is_between_two(cb)) return false;
  TtSections all = tt_sections_of(s->arena, mlirOperationGetBlock(s->reduce));
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_value_eq(all.data[i].out, cb)) return s->terms = all.data[i], true;
  return false;
}

static bool sum_products(TtArena *arena, MlirOperation func) {
  TtOps reductions = tt_collect(arena, func, "tt.fpu.reduce");
  if (!tt_dst_is_32bit(func)) return true;
  for (intptr_t i = 0; i < reductions.n; ++i) {
    Sum s = {.arena = arena, .func = func, .reduce = reductions.data[i]};
    if (tt_reduce_is_max(tt_fpu_reduce_op(s.reduce)) || !find_terms(&s)) continue;
    const char *reason = find_product(&s);
    if (!reason) reason = check_room(&s);
    if (reason) {
      tt_remark(s.reduce, TT_REMARK_MISSED, pass, "terms are packed before they are summed: %s",
                reason);
      continue;
    }
    tt_remark(s.reduce, TT_REMARK_PASSED, pass, "DST adds up the products that are summed");
    sum_in_dst(&s);
  }
  tt_erase_dead(func);
  return true;
}

bool tt_run_sum_products(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, sum_products);
}
