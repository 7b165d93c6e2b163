/*===- start_products.c - --tt-start-products ---------------------------------------------------===
 *
 * Has a product start from what is added to it, such as a mask, and not from zero: no op adds, and
 * DST holds a tile less for each of the result.
 *
 *   before  tt.mm.mma %q, %k transpose_b, dst = 0, accumulate = false -> %s          (1 x 8 tiles)
 *           tt.copy_to_dst %s, dst = 0   tt.copy_to_dst %mask, dst = 1
 *           tt.sfpu.combine add, [0, 1], dst = 0 -> %t
 *   after   tt.mm.mma %q, %k transpose_b, dst = 0, accumulate = true spill @mask -> %t
 *
 * D3 lowers it as the last step of a sum whose parts are in the circular buffer of the mask: each
 * sub-block copies its tiles from there before it multiplies. Legal where the sum alone takes the
 * product and the mask, all tiles in their order, and DST has 32 bits, so that a copy is what it
 * copies. The mask is the first term of the sum then, and no longer the last one: where it is not
 * zero, the sum may round otherwise, by as much as any order of its terms may.
 *
 * Requires D1, and --tt-pack-last-step, which gives a product its target; before
 * --tt-finish-products, which takes what other ops follow a product, and D3.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Dialect/verify.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/section.h"

static const char *const pass = "tt-start-products";

typedef struct Start {
  TtArena *arena;
  MlirOperation program, kernel, product;
  MlirOperation copy, other, combine; /* of the product's result, and of what is added; the sum */
} Start;

/* How often ops of the compute kernel use the circular buffer of `cb`. */
static int uses_of(const Start *s, MlirValue cb) {
  MlirOperation decl = tt_cb_decl(s->program, cb);
  TtOps handles = tt_collect(s->arena, s->kernel, "tt.get_cb");
  int uses = 0;
  for (intptr_t i = 0; i < handles.n; ++i) {
    MlirValue handle = tt_get_cb_cb(handles.data[i]);
    if (!tt_op_eq(tt_cb_decl(s->program, handle), decl)) continue;
    for (MlirOpOperand use = mlirValueGetFirstUse(handle); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use))
      ++uses;
  }
  return uses;
}

/* Two copies behind the product, one of them of its result, and their sum; nothing else. */
static bool find_sum(Start *s) {
  MlirOperation x = tt_next_at_work(s->product);
  if (mlirOperationIsNull(x) || !tt_is_plain_copy(x)) return false;
  MlirOperation y = tt_next_at_work(x);
  if (mlirOperationIsNull(y) || !tt_is_plain_copy(y)) return false;
  s->combine = tt_next_at_work(y);
  MlirValue result = tt_mm_mma_out(s->product);
  bool first = tt_value_eq(tt_copy_to_dst_a(x), result);
  s->copy = first ? x : y, s->other = first ? y : x;
  if (!tt_value_eq(tt_copy_to_dst_a(s->copy), result) || mlirOperationIsNull(s->combine) ||
      !tt_sfpu_combine_isa(s->combine) || tt_sfpu_combine_op(s->combine) != TT_SFPU_ADD ||
      tt_is_null_value(tt_sfpu_combine_out(s->combine)))
    return false;
  MlirAttribute sources = tt_sfpu_combine_sources(s->combine);
  int64_t a = mlirDenseI64ArrayGetElement(sources, 0), b = mlirDenseI64ArrayGetElement(sources, 1),
          mine = tt_op_dst(s->copy), others = tt_op_dst(s->other);
  return mine != others && ((a == mine && b == others) || (a == others && b == mine));
}

static const char *why_not(const Start *s) {
  int64_t adds;
  TtProductShape shape = tt_product_shape(s->product);
  if (!tt_constant(tt_mm_mma_accumulate(s->product), &adds) || adds || tt_op_dst(s->product) != 0 ||
      !mlirAttributeIsNull(tt_mm_mma_spill(s->product)))
    return "it is a step of a sum";
  MlirValue result = tt_mm_mma_out(s->product), other = tt_copy_to_dst_a(s->other);
  if (uses_of(s, result) != 2) return "more than the sum takes it";
  if (uses_of(s, other) != 1) return "more than the sum takes what is added";
  MlirType type = mlirValueGetType(other), sum = mlirValueGetType(result);
  if (!mlirTypeIsAF32(tt_cb_type_element_type(sum)) ||
      !mlirTypeIsAFloat(tt_cb_type_element_type(type)))
    return "it is rounded before";
  if (tt_cb_tiles(type) != shape.r * shape.c ||
      tt_cb_tiles(mlirValueGetType(tt_sfpu_combine_out(s->combine))) != shape.r * shape.c)
    return "what is added is no block of its size";
  return NULL; /* sub-blocks are rows, or pieces of one: they take its tiles as they come */
}

/* The circular buffer of the product's result goes. */
static void drop_buffer(const Start *s, MlirOperation decl) {
  TtOps handles = tt_collect(s->arena, s->program, "tt.get_cb");
  for (intptr_t i = 0; i < handles.n; ++i)
    if (tt_op_eq(tt_cb_decl(s->program, tt_get_cb_cb(handles.data[i])), decl))
      mlirOperationDestroy(handles.data[i]);
  mlirOperationDestroy(decl);
}

static void start(const Start *s) {
  TtBuilder b = tt_builder_before(s->combine);
  MlirLocation loc = mlirOperationGetLocation(s->product);
  MlirOperation decl = tt_cb_decl(s->program, tt_mm_mma_out(s->product)),
                mask = tt_cb_decl(s->program, tt_copy_to_dst_a(s->other));
  MlirValue yes = tt_bool(&b, loc, true);
  MlirOperation sum = tt_mm_mma_create(&b, loc, tt_mm_mma_a(s->product), tt_mm_mma_b(s->product), 0,
                                       yes, tt_sfpu_combine_out(s->combine), mlirAttributeGetNull(),
                                       tt_mm_mma_transpose_b(s->product));
  mlirOperationSetInherentAttributeByName(
      sum, tt_str("spill"), mlirFlatSymbolRefAttrGet(b.context, tt_symbol_name(mask)));
  mlirOperationDestroy(s->combine);
  mlirOperationDestroy(s->other);
  mlirOperationDestroy(s->copy);
  mlirOperationDestroy(s->product);
  drop_buffer(s, decl);
}

static void start_in_kernel(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  TtOps products = tt_collect(arena, kernel, "tt.mm.mma");
  for (intptr_t i = 0; i < products.n; ++i) {
    Start s = {.arena = arena, .program = program, .kernel = kernel, .product = products.data[i]};
    if (tt_is_null_value(tt_mm_mma_out(s.product)) || !find_sum(&s)) continue;
    const char *reason = why_not(&s);
    if (reason) {
      tt_remark(s.product, TT_REMARK_MISSED, pass, "what is added to the product comes last: %s",
                reason);
      continue;
    }
    tt_remark(s.product, TT_REMARK_PASSED, pass, "the product starts from what is added to it");
    start(&s);
  }
  tt_erase_dead(kernel);
}

static bool start_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t i = 0; tt_dst_is_32bit(program) && i < kernels.n; ++i)
    start_in_kernel(arena, program, kernels.data[i]);
  return true;
}

bool tt_run_start_products(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, start_in_program);
}
