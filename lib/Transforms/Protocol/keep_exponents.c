/*===- keep_exponents.c - Float32 beside integers ----------------------------------------------===
 *
 *   before  tt.circular_buffer @cb_in0 … format = float32     the matrix engine's
 *           tt.circular_buffer @cb_in1 … format = int32
 *   after   tt.circular_buffer @cb_in0 … format = float32
 *           tt.circular_buffer @cb_in1 … format = int32
 *           tt.circular_buffer @cb_exponents … pages = 1 format = bfloat16
 *
 * The vendor's build chooses from the formats of all circular buffers of a kernel what Float32
 * becomes in source registers: Tf32, if they are all Float32 or any has an exponent of 8 bits, else
 * Float16 (tt_metal/jit_build/data_format.cpp). Beside integers, and for DST of 16 bits, it is
 * Float16, which ends at 131008. A page of bf16 that nobody moves keeps the exponents.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Protocol/keep_exponents.h"

#include "Analysis/compute_config.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Dialect/verify.h"
#include "Target/eras.h"

typedef struct Formats {
  bool floats;  /* some Float32 goes through source registers */
  bool others;  /* integers beside them, or DST of 16 bits */
  bool fixed;   /* some format says the width of exponents */
  uint64_t ids; /* that are taken, a bit each */
} Formats;

static bool unpacks_to_dst(TtOps list, MlirOperation cb) {
  for (intptr_t i = 0; i < list.n; ++i)
    if (tt_op_eq(list.data[i], cb)) return true;
  return false;
}

static Formats formats_of(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  bool wide = tt_compute_config_attr_fp32_dest_acc(tt_config_of(kernel));
  Formats f = {.others = !wide};
  MlirOperation cores = tt_core_set_of(program, kernel);
  TtOps to_dst = tt_unpacked_to_dst(arena, kernel);
  TtUnpackUses uses = tt_unpack_uses(arena, program, kernel);
  for (intptr_t i = 0; i < uses.n; ++i) {
    int64_t x, y;
    MlirOperation cb = uses.data[i].cb;
    TtDataFormat format = tt_cb_format(cb);
    const TtFormat *row = tt_format((TtDType)format);
    bool taken =
        !mlirOperationIsNull(uses.data[i].feeds) || !mlirOperationIsNull(uses.data[i].copies);
    f.ids |= UINT64_C(1) << (uint64_t)tt_int(tt_circular_buffer_id(cb)) % 64;
    if (!tt_core_sets_meet(cores, tt_core_set_of(program, cb), &x, &y)) continue;
    f.fixed |= row->exponent != 0;
    f.others |= !row->is_float;
    f.floats |= format == TT_DATA_FORMAT_FLOAT32 && taken && !unpacks_to_dst(to_dst, cb);
  }
  return f;
}

bool tt_keep_exponents(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  Formats f = formats_of(arena, program, kernel);
  if (!f.floats || !f.others || f.fixed) return true;
  MlirContext context = mlirOperationGetContext(program);
  int64_t limit = tt_target_of(program).cbs, n = 0;
  while (n < limit && f.ids >> tt_cb_downwards(n, limit) & 1) ++n;
  if (n == limit)
    return tt_error(kernel,
                    "Float32 beside integers, or in DST of 16 bits, needs a circular buffer of "
                    "bf16, lest source registers hold it as Float16, but all are taken; use one "
                    "less");
  TtBuilder b = tt_builder_before(kernel);
  int64_t sides[2] = {1, 1};
  tt_circular_buffer_create(
      &b, mlirOperationGetLocation(kernel), "cb_exponents", tt_op_attr(kernel, "cores"),
      TT_CB_ROLE_INTERMEDIATE,
      mlirTypeAttrGet(tt_cb_type_get(context, 2, sides, mlirBF16TypeGet(context))),
      tt_cb_downwards(n, limit), 1, tt_format(TT_D_TYPE_BF16)->tile_bytes,
      tt_data_format_attr_get(context, TT_DATA_FORMAT_BFLOAT16), mlirAttributeGetNull(),
      mlirAttributeGetNull(), mlirAttributeGetNull());
  return true;
}
