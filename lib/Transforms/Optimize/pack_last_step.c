/*===- pack_last_step.c - --tt-pack-last-step -------------------------------------------------===
 *
 * Packs the last step of a sum whose parts leave DST where the result goes, instead of leaving it
 * with the parts and copying all of it afterwards.
 *
 *   before  for %k < 8 { tt.mm.mma %a, %b, dst = 0, accumulate = %k != 0 spill @p }
 *           tt.pack_to_cb dst = 0 -> %c
 *   after   for %k < 7 { tt.mm.mma %a, %b, dst = 0, accumulate = %k != 0 spill @p }
 *           tt.mm.mma %a, %b, dst = 0, accumulate = true spill @p -> %c
 *
 * Sub-blocks of the result are there one after the other while the last step goes on, and no tile
 * is copied again. Legal where one product is summed over one loop of a known number of steps, and
 * nothing computes between the loop and the pack. A product without a loop is its only step:
 *
 *   before  tt.mm.mma %a, %b, dst = 0, accumulate = false spill @p
 *           tt.pack_to_cb dst = 0 -> %c
 *   after   tt.mm.mma %a, %b, dst = 0, accumulate = false -> %c
 *
 * Changes no result.
 *
 * Requires D1, before D3.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"

static const char *const pass = "tt-pack-last-step";

typedef struct Sum {
  TtArena *arena;
  MlirOperation product, loop, pack; /* the loop: the product where it has none */
  int64_t steps;
} Sum;

/* The op after the loop that is more than arithmetic. */
static MlirOperation next_at_work(MlirOperation loop) {
  MlirOperation op = tt_next(loop);
  while (!mlirOperationIsNull(op) && mlirOperationGetNumRegions(op) == 0 &&
         tt_op_info(op)->level == TT_LEVEL_OTHER && !tt_is_terminator(op))
    op = tt_next(op);
  return op;
}

/* Whether the product adds to nothing and is packed where it is. */
static bool is_whole_sum(const Sum *s) {
  int64_t more;
  return !mlirOperationIsNull(s->pack) &&
         mlirBlockEqual(mlirOperationGetBlock(s->product), mlirOperationGetBlock(s->pack)) &&
         tt_constant(tt_mm_mma_accumulate(s->product), &more) && !more;
}

/* Whether a step goes on with another sum before it, which would be in DST when the last step is
 * packed. */
static bool interrupts(const TtSumMap *sums, TtOps products, const Sum *s) {
  if (is_whole_sum(s)) return false;
  for (intptr_t i = 0; i < products.n && !tt_op_eq(products.data[i], s->product); ++i) {
    MlirOperation pack = tt_pack_after(sums, products.data[i]);
    if (!mlirOperationIsNull(tt_ancestor_in(tt_for_body(s->loop), products.data[i])) &&
        !mlirOperationIsNull(pack) &&
        mlirOperationIsNull(tt_ancestor_in(tt_for_body(s->loop), pack)))
      return true;
  }
  return false;
}

/* Why the last step cannot be packed; NULL where it can. */
static const char *why_not(const TtSumMap *sums, TtOps products, Sum *s) {
  int64_t lower, step;
  s->pack = tt_pack_after(sums, s->product);
  s->loop = is_whole_sum(s) ? s->product : tt_parent(s->product);
  if (mlirOperationIsNull(s->pack) || !tt_pack_to_cb_isa(s->pack) ||
      (!is_whole_sum(s) && !tt_op_is(s->loop, "scf.for")) ||
      !mlirBlockEqual(mlirOperationGetBlock(s->loop), mlirOperationGetBlock(s->pack)))
    return "it is not summed over one loop";
  for (intptr_t i = 0; i < products.n; ++i)
    if (!tt_op_eq(products.data[i], s->product) &&
        tt_op_eq(tt_pack_after(sums, products.data[i]), s->pack))
      return "several products add to it";
  if (!tt_op_eq(next_at_work(s->loop), s->pack)) return "its pack does not follow its loop";
  if (interrupts(sums, products, s)) return "another sum of its steps is packed later";
  s->steps = 1;
  if (is_whole_sum(s)) return NULL;
  if (!tt_constant(mlirOperationGetOperand(s->loop, 0), &lower) || lower != 0 ||
      !tt_constant(mlirOperationGetOperand(s->loop, 1), &s->steps) ||
      !tt_constant(mlirOperationGetOperand(s->loop, 2), &step) || step != 1)
    return "the number of its steps is known only when the kernel runs";
  return s->steps > 1 ? NULL : "it has one step";
}

/* A copy of the loop's body behind it, for its last step; returns the product in it. */
static MlirOperation peel(Sum *s) {
  MlirLocation loc = mlirOperationGetLocation(s->loop);
  TtBuilder before = tt_builder_before(s->loop), after = tt_builder_after(s->loop);
  MlirOperation copy = tt_builder_insert(&after, mlirOperationClone(s->loop)), product = {NULL};
  MlirValue last = tt_index(&before, loc, s->steps - 1);
  mlirOperationSetOperand(s->loop, 1, last);
  mlirValueReplaceAllUsesOfWith(tt_for_iv(copy), last);
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(copy)), next;
       !tt_is_terminator(op); op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, copy);
    if (tt_mm_mma_isa(op) && mlirAttributeEqual(tt_mm_mma_spill(op), tt_mm_mma_spill(s->product)))
      product = op;
  }
  mlirOperationDestroy(copy);
  return product;
}

static void pack_last_step(Sum *s) {
  bool only = s->steps == 1;
  MlirOperation last = only ? s->product : peel(s);
  TtBuilder b = tt_builder_before(last);
  MlirLocation loc = mlirOperationGetLocation(s->pack);
  MlirValue more = only ? tt_mm_mma_accumulate(last) : tt_bool(&b, loc, true);
  MlirAttribute parts = only ? mlirAttributeGetNull() : tt_mm_mma_spill(last);
  tt_mm_mma_create(&b, mlirOperationGetLocation(last), tt_mm_mma_a(last), tt_mm_mma_b(last),
                   tt_op_dst(last), more, tt_pack_to_cb_out(s->pack), parts,
                   tt_mm_mma_transpose_b(last));
  mlirOperationDestroy(last);
  mlirOperationDestroy(s->pack);
}

/* The circular buffer of parts that no product has any more goes. */
static void free_parts(TtArena *arena, MlirOperation program, MlirAttribute parts) {
  TtOps products = tt_collect(arena, program, "tt.mm.mma");
  for (intptr_t i = 0; i < products.n; ++i)
    if (mlirAttributeEqual(tt_mm_mma_spill(products.data[i]), parts)) return;
  mlirOperationDestroy(tt_program_cb(program, tt_string(parts)));
}

static void pack_in_kernel(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  TtOps products = tt_collect(arena, kernel, "tt.mm.mma");
  for (intptr_t i = 0; i < products.n; ++i) {
    Sum s = {.arena = arena, .product = products.data[i]};
    if (mlirAttributeIsNull(tt_mm_mma_spill(s.product)) ||
        !tt_is_null_value(tt_mm_mma_out(s.product)))
      continue;
    TtSumMap sums = tt_analyze_sums(arena, kernel);
    const char *reason = why_not(&sums, products, &s);
    if (reason) {
      tt_remark(s.product, TT_REMARK_MISSED, pass, "the sum is copied to its target: %s", reason);
      continue;
    }
    tt_remark(s.product, TT_REMARK_PASSED, pass,
              s.steps > 1 ? "the last of %jd steps goes to the sum's target"
                          : "the product goes to its target",
              (intmax_t)s.steps);
    MlirAttribute parts = tt_mm_mma_spill(s.product);
    pack_last_step(&s);
    if (s.steps == 1) free_parts(arena, program, parts);
  }
  tt_erase_dead(kernel);
}

static bool pack_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t i = 0; i < kernels.n; ++i) pack_in_kernel(arena, program, kernels.data[i]);
  return true;
}

bool tt_run_pack_last_step(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, pack_in_program);
}
