/*===- fetch_once.c - --tt-fetch-once -----------------------------------------------------------===
 *
 * Fetches a block once for all ops of a step that take it.
 *
 *   before  tt.read_to_cb %X[%m, %c0], %a   tt.fpu.mul %a, %a, …
 *           tt.read_to_cb %X[%m, %c0], %b   tt.fpu.mul %b, %r bcast cols, …
 *   after   tt.read_to_cb %X[%m, %c0], %a   tt.fpu.mul %a, %a, …   tt.fpu.mul %a, %r bcast cols, …
 *
 * The block stays in L1 from its first to its last use. Legal where both reads are in one step,
 * from the same place of a tensor that the kernel does not write, to circular buffers of one type,
 * which nothing else fills. Numbers of 32 bits that one op copies to a DST as wide, with all of
 * them, and another takes through the source registers stay apart: a circular buffer goes one way.
 * Changes no result.
 *
 * Requires tile intrinsics (C2), before the graph of C3.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/kernel.h"
#include "Analysis/turns.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"

static const char *const pass = "tt-fetch-once";

static bool reads_same_place(TtArena *arena, MlirOperation a, MlirOperation b) {
  if (!tt_value_eq(tt_read_to_cb_tensor(a), tt_read_to_cb_tensor(b)) ||
      !mlirBlockEqual(mlirOperationGetBlock(a), mlirOperationGetBlock(b)) ||
      !mlirAttributeEqual(tt_read_to_cb_partial(a), tt_read_to_cb_partial(b)) ||
      !mlirAttributeEqual(tt_read_to_cb_box(a), tt_read_to_cb_box(b)) ||
      !mlirAttributeEqual(tt_read_to_cb_strides(a), tt_read_to_cb_strides(b)) ||
      !mlirAttributeEqual(tt_read_to_cb_rows(a), tt_read_to_cb_rows(b)) ||
      !mlirAttributeEqual(tt_read_to_cb_cols(a), tt_read_to_cb_cols(b)))
    return false;
  if (tt_read_to_cb_num_offsets(a) != tt_read_to_cb_num_offsets(b)) return false;
  for (intptr_t d = 0; d < tt_read_to_cb_num_offsets(a); ++d)
    if (!tt_same_index(arena, tt_read_to_cb_offsets(a, d), tt_read_to_cb_offsets(b, d)))
      return false;
  return true;
}

static bool is_written(TtArena *arena, MlirOperation func, MlirValue tensor) {
  TtOps writes = tt_collect(arena, func, "tt.write_from_cb");
  for (intptr_t i = 0; i < writes.n; ++i)
    if (tt_value_eq(tt_write_from_cb_tensor(writes.data[i]), tensor)) return true;
  return false;
}

/* The one op that fills a circular buffer is `read`, and all others just take its block. */
static bool is_filled_by(MlirOperation read) {
  MlirValue cb = tt_read_to_cb_cb(read);
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    TtAct does = tt_op_info(op)->does;
    if (!tt_op_eq(op, read) && (does != TT_ACT_COMPUTE || tt_value_eq(tt_op_fills(op), cb)))
      return false;
  }
  return true;
}

/* All that take the block copy it to DST as it is. */
static bool goes_to_dst(MlirOperation read) {
  for (MlirOpOperand use = mlirValueGetFirstUse(tt_read_to_cb_cb(read)); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!tt_op_eq(op, read) && !tt_copies_tiles(op)) return false;
  }
  return true;
}

static bool is_stored_in_32_bits(TtArena *arena, MlirOperation func, MlirValue tensor) {
  const TtArg *arg = tt_arg_of(tt_kernel_args(arena, func), tensor);
  MlirAttribute buffer = arg ? tt_named_attr(func, "buffer", arg->name) : mlirAttributeGetNull();
  TtDType dtype = TT_D_TYPE_FP32;
  if (tt_buffer_attr_isa(buffer)) dtype = tt_buffer_attr_dtype(buffer);
  else tt_dtype_of(mlirShapedTypeGetElementType(mlirValueGetType(tensor)), &dtype);
  return tt_format(dtype)->datum_bits == 32;
}

/* Why two reads of one place stay two; NULL where they need not. */
static const char *why_not(TtArena *arena, MlirOperation func, MlirOperation a, MlirOperation b) {
  if (is_written(arena, func, tt_read_to_cb_tensor(a))) return "the kernel writes the tensor";
  if (!mlirTypeEqual(mlirValueGetType(tt_read_to_cb_cb(a)), mlirValueGetType(tt_read_to_cb_cb(b))))
    return "they are blocks of different shapes";
  if (!is_filled_by(a) || !is_filled_by(b)) return "other ops fill or hold the block as well";
  if (goes_to_dst(a) != goes_to_dst(b) && tt_dst_is_32bit(func) &&
      is_stored_in_32_bits(arena, func, tt_read_to_cb_tensor(a)))
    return "one goes to DST with all of its bits, one through the source registers";
  return NULL;
}

static void take_from(MlirOperation first, MlirOperation second) {
  MlirOperation alloc = tt_defining_op(tt_read_to_cb_cb(second));
  mlirOperationDestroy(second);
  tt_replace(alloc, tt_read_to_cb_cb(first));
}

static bool fetch_in_kernel(TtArena *arena, MlirOperation func) {
  bool local = tt_str_eq(tt_string(tt_get_attr(func, "tt.partition_mode")), "local_shard");
  TtOps reads = tt_collect(arena, func, "tt.read_to_cb");
  for (intptr_t i = 0; !local && i < reads.n; ++i)
    for (intptr_t j = i + 1; j < reads.n; ++j) {
      MlirOperation first = reads.data[i], second = reads.data[j];
      if (mlirOperationIsNull(first) || mlirOperationIsNull(second) ||
          !reads_same_place(arena, first, second))
        continue;
      const char *reason = why_not(arena, func, first, second);
      if (reason) {
        tt_remark(second, TT_REMARK_MISSED, pass, "a block is fetched again: %s", reason);
        continue;
      }
      tt_remark(second, TT_REMARK_PASSED, pass, "a block is there already, and not fetched again");
      take_from(first, second);
      reads.data[j] = (MlirOperation){NULL};
    }
  return true;
}

bool tt_run_fetch_once(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, fetch_in_kernel);
}
