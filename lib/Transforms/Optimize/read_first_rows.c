/*===- read_first_rows.c - --tt-read-first-rows -------------------------------------------------===
 *
 * Has a block of which only the first row counts read without the other rows of its tiles.
 *
 *   before  tt.read_to_cb %W[%c0], %w                     (a vector of 1024: 32 tiles of 32 rows)
 *           tt.fpu.mul_add %x, %w bcast rows, …
 *   after   tt.read_to_cb %W[%c0], %w first_rows
 *   and D3  for %j < 32 { noc_async_read_part %j [0, 0], 1 x 32, %W, … }    (64 bytes, not 2048)
 *
 * Weights and biases of a norm are vectors, padded to tiles of 32 rows, of which each core that has
 * rows to compute needs all: where cores read them for themselves, since they are no rectangle or
 * have several units, that is as much as what they compute on, and a 32nd of it here. Where they
 * share them (--tt-share-operands), one of them reads whole tiles as before, which are multicast.
 *
 * Legal where all that takes the block broadcasts the first row or the first element of its tiles:
 * the others hold what was in L1 before, and are never a part of a result. Done for tensors in
 * tiles of elements of 16 or 32 bits, in DRAM or L1. Changes no result.
 *
 * Requires tile intrinsics (C2), after --tt-use-fpu, before the graph of C3.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/kernel.h"
#include "Analysis/shards.h"
#include "Dialect/op_info.h"
#include "Dialect/shapes.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/first_rows.h"

static const char *const pass = "tt-read-first-rows";

/* Whether `op` moves the block as a whole, or takes no more than first rows of it. */
static bool takes_first_rows(MlirOperation op, MlirValue cb) {
  const TtOpInfo *info = tt_op_info(op);
  if (info->does == TT_ACT_LOAD) return tt_read_to_cb_isa(op);
  if (info->does != TT_ACT_COMPUTE || tt_value_eq(tt_op_fills(op), cb)) return false;
  for (int i = 0; i < info->num_reads; ++i) {
    if (!tt_value_eq(tt_op_reads(op, i), cb)) continue;
    TtAccess access = tt_access(op, i);
    if (access != TT_ACCESS_ROWS && access != TT_ACCESS_SCALAR) return false;
  }
  return true;
}

/* A tile of the tensor holds its elements one by one, in faces. */
static bool is_in_plain_tiles(TtArena *arena, MlirOperation func, MlirValue tensor) {
  const TtArg *arg = tt_arg_of(tt_kernel_args(arena, func), tensor);
  MlirAttribute buffer = arg ? tt_named_attr(func, "buffer", arg->name) : mlirAttributeGetNull();
  if (!tt_buffer_attr_isa(buffer) || tt_is_row_major(buffer)) return false;
  TtDType stored = tt_buffer_attr_dtype(buffer), seen;
  if (!tt_dtype_of(mlirShapedTypeGetElementType(mlirValueGetType(tensor)), &seen)) return false;
  int bits = tt_format(stored)->datum_bits;
  return stored == seen && (bits == 16 || bits == 32);
}

/* Why all of a block is read; NULL where its first rows do. */
static const char *why_not(TtArena *arena, MlirOperation func, MlirOperation read) {
  MlirValue cb = tt_read_to_cb_cb(read);
  if (!mlirAttributeIsNull(tt_read_to_cb_box(read))) return "it is assembled of elements";
  if (tt_cb_rows(mlirValueGetType(cb)) != 1) return "it has several rows of tiles";
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!takes_first_rows(mlirOpOperandGetOwner(use), cb)) return "an op takes more of it";
  return is_in_plain_tiles(arena, func, tt_read_to_cb_tensor(read))
             ? NULL
             : "its elements lie in rows, or share exponents";
}

static bool is_broadcast(MlirOperation read) {
  MlirValue cb = tt_read_to_cb_cb(read);
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    for (int i = 0; tt_op_info(op)->does == TT_ACT_COMPUTE && i < tt_op_info(op)->num_reads; ++i)
      if (tt_value_eq(tt_op_reads(op, i), cb) && tt_access(op, i) == TT_ACCESS_ROWS) return true;
  }
  return false;
}

bool tt_takes_first_rows_only(TtArena *arena, MlirOperation func, MlirOperation read) {
  return tt_read_to_cb_isa(read) && is_broadcast(read) && !why_not(arena, func, read);
}

static bool read_first_rows(TtArena *arena, MlirOperation func) {
  TtOps reads = tt_collect(arena, func, "tt.read_to_cb");
  for (intptr_t i = 0; i < reads.n; ++i) {
    MlirOperation read = reads.data[i];
    if (!is_broadcast(read)) continue;
    const char *reason = why_not(arena, func, read);
    if (reason) {
      tt_remark(read, TT_REMARK_MISSED, pass, "all of a block is read: %s", reason);
      continue;
    }
    mlirOperationSetInherentAttributeByName(read, tt_str("first_rows"),
                                            mlirUnitAttrGet(mlirOperationGetContext(read)));
    tt_remark(read, TT_REMARK_PASSED, pass,
              "of %jd tiles the first rows are read, which are all that is taken of them",
              (intmax_t)tt_cb_tiles(mlirValueGetType(tt_read_to_cb_cb(read))));
  }
  return true;
}

bool tt_run_read_first_rows(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, read_first_rows);
}
