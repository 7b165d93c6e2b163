/*===- keep_sums.c - --tt-keep-sums -------------------------------------------------------------===
 *
 * Has a sum that a loop adds to keep its bits, where an op also takes it on the FPU.
 *
 *   before  scf.for … {
 *             tt.copy_to_dst %s, dst = 0   tt.copy_to_dst %x, dst = 1
 *             tt.sfpu.combine add, [0, 1], dst = 0 -> %s
 *           }
 *           tt.fpu.mul %y, %s bcast cols, dst = 0 -> %z
 *   after   scf.for … { the same }
 *           tt.copy_to_dst %s, dst = 0 -> %c
 *           tt.cb_open %c
 *           tt.fpu.mul %y, %c bcast cols, dst = 0 -> %z
 *           tt.cb_close %c
 *
 * A circular buffer of f32 goes either past the source registers or through them in all of a
 * kernel, and these hold 11 bits of a significand. One op that takes the sum on the FPU would have
 * each step cut what came so far: after fifty steps, a hundredth of it is gone. Of the copy, it is
 * cut once. A sum that a section takes on the FPU to add to it has no more bits, and is left alone,
 * as are products of blocks.
 *
 * Requires tile intrinsics (C2), before the graph of C3. Runs without optimizations, too.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/kernel.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/section.h"

static const char *const pass = "tt-keep-sums";

typedef struct Sum {
  MlirValue cb, copy; /* the copy: null until there is one */
  TtSections takers;  /* that take it on the FPU */
} Sum;

static void add_taker(TtArena *arena, Sum *s, const TtSection *section) {
  TtSection *more = tt_arena_alloc(arena, (size_t)(s->takers.n + 1) * sizeof *more);
  for (intptr_t i = 0; i < s->takers.n; ++i) more[i] = s->takers.data[i];
  more[s->takers.n++] = *section;
  s->takers.data = more;
}

/*===- Sections -------------------------------------------------------------------------------===*/

static bool reads(MlirOperation op, MlirValue cb) {
  for (int i = 0; i < tt_op_info(op)->num_reads; ++i)
    if (tt_value_eq(tt_op_reads(op, i), cb)) return true;
  return false;
}

/* Whether `op` takes the block through the source registers: all but a copy does. */
static bool reads_on_fpu(MlirOperation op, MlirValue cb) {
  bool copies = tt_copy_to_dst_isa(op) && mlirAttributeIsNull(tt_copy_to_dst_transpose(op));
  return !copies && reads(op, cb);
}

static bool takes_on_fpu(const TtSection *s, MlirValue cb) {
  for (intptr_t i = 0; i < s->ops.n; ++i)
    if (reads_on_fpu(s->ops.data[i], cb)) return true;
  return false;
}

/* s = s + …, in the vector unit. */
static bool adds_to_itself(const TtSection *s, MlirValue cb) {
  MlirOperation last = s->ops.data[s->ops.n - 1];
  bool adds = tt_value_eq(s->out, cb) && mlirOperationIsNull(s->pack) &&
              tt_sfpu_combine_isa(last) && tt_sfpu_combine_op(last) == TT_SFPU_ADD,
       own = false;
  for (intptr_t i = 0; adds && i < s->ops.n; ++i)
    own |= tt_is_plain_copy(s->ops.data[i]) && reads(s->ops.data[i], cb);
  return own && adds && !takes_on_fpu(s, cb);
}

static bool is_in_loop(MlirOperation op, MlirOperation func) {
  for (; !tt_op_eq(op, func); op = tt_parent(op))
    if (tt_op_is(op, "scf.for")) return true;
  return false;
}

/* Whether all that fills the circular buffer leaves its bits alone, and a loop adds to it; and who
 * takes it on the FPU. */
static bool is_summed(TtArena *arena, MlirOperation func, const TtSections *all, Sum *s) {
  bool summed = false;
  for (intptr_t i = 0; i < all->n; ++i) {
    const TtSection *section = &all->data[i];
    bool fpu = takes_on_fpu(section, s->cb), fills = tt_value_eq(section->out, s->cb);
    if (fpu && fills) return false;
    summed |= adds_to_itself(section, s->cb) && is_in_loop(section->ops.data[0], func);
    if (fpu) add_taker(arena, s, section);
  }
  return summed && s->takers.n > 0;
}

/*===- Copies ---------------------------------------------------------------------------------===*/

static void take_copy(const TtSection *s, MlirValue cb, MlirValue copy) {
  MlirOperation first = s->ops.data[0],
                last = mlirOperationIsNull(s->pack) ? s->ops.data[s->ops.n - 1] : s->pack;
  MlirLocation loc = mlirOperationGetLocation(first);
  TtBuilder before = tt_builder_before(first), after = tt_builder_after(last);
  MlirAttribute no = mlirAttributeGetNull();
  tt_copy_to_dst_create(&before, loc, cb, no, no, 0, copy);
  tt_cb_open_create(&before, loc, copy);
  tt_cb_close_create(&after, loc, copy);
  for (intptr_t i = 0; i < s->ops.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(s->ops.data[i]); ++j)
      if (tt_value_eq(mlirOperationGetOperand(s->ops.data[i], j), cb))
        mlirOperationSetOperand(s->ops.data[i], j, copy);
}

static void keep(MlirOperation func, Sum *s) {
  MlirType type = mlirValueGetType(s->cb);
  MlirLocation loc = mlirOperationGetLocation(tt_defining_op(s->cb));
  s->copy = tt_new_block(func, loc, "cb_sum", tt_cb_rows(type), tt_cb_cols(type),
                         tt_cb_type_element_type(type));
  for (intptr_t i = 0; i < s->takers.n; ++i) take_copy(&s->takers.data[i], s->cb, s->copy);
  tt_remark(tt_defining_op(s->cb), TT_REMARK_PASSED, pass,
            "what the FPU takes of this sum is a copy, so that the loop adds to all of its bits");
}

static TtSections all_sections(TtArena *arena, MlirOperation func) {
  TtSections all = {NULL, 0};
  TtBlocks blocks = tt_blocks_of(arena, func);
  for (intptr_t i = 0; i < blocks.n; ++i) {
    TtSections some = tt_sections_of(arena, blocks.data[i]);
    TtSection *more = tt_arena_alloc(arena, (size_t)(all.n + some.n + 1) * sizeof *more);
    for (intptr_t j = 0; j < all.n; ++j) more[j] = all.data[j];
    for (intptr_t j = 0; j < some.n; ++j) more[all.n + j] = some.data[j];
    all.data = more, all.n += some.n;
  }
  return all;
}

static bool keep_in_kernel(TtArena *arena, MlirOperation func) {
  if (!tt_dst_is_32bit(func)) return true;
  TtOps allocs = tt_collect(arena, func, "tt.alloc_cb");
  int64_t used = allocs.n, most = tt_target_of(func).cbs;
  for (intptr_t i = 0; i < allocs.n; ++i) {
    Sum s = {.cb = tt_alloc_cb_cb(allocs.data[i])};
    if (!mlirTypeIsAF32(tt_cb_type_element_type(mlirValueGetType(s.cb)))) continue;
    TtSections sections = all_sections(arena, func);
    if (!is_summed(arena, func, &sections, &s)) continue;
    if (used++ < most) keep(func, &s);
    else
      tt_warning(allocs.data[i], "no circular buffer is left for a copy of this sum, which the FPU "
                                 "takes: each step keeps 11 bits of it; split the kernel");
  }
  return true;
}

bool tt_run_keep_sums(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, keep_in_kernel);
}
