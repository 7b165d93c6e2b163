/*===- propagate_layout.c - A2: --tt-propagate-layout ------------------------------===
 *
 * Derives the geometry of the circular buffer of each tensor: a page is a tile.
 *
 *   before  tt.buffer.A = #tt.buffer<memory = DRAM, …, dtype = bf16>
 *   after   tt.cb.A = #tt.cb<cb_id = 0, page_size = 2048, depth = 2, data_format = bfloat16>
 *
 * Ids go by arguments, inputs from 0 and outputs from 16; D1 decides. The depth
 * is that of the tt.alloc_cb on level 2, or tt.num_stages of the loop that reads the tensor,
 * else 2. What is there already stays, if it has the tensor's format.
 *
 * Requires tt.buffer.* (A1). Leaves tt.cb.*.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"

enum { FIRST_OUTPUT = 16 };

/* The circular buffers of a tensor on level 2 that say how many blocks they hold: `first` is that
 * which takes it in first, or writes it last. */
typedef struct Depths {
  MlirOperation first; /* tt.alloc_cb, or null */
  bool any_other;      /* one does not say it */
  bool has;            /* one has the depth that was asked for */
} Depths;

static Depths depths_of(TtArena *arena, MlirOperation func, const TtArg *arg, int64_t asked) {
  TtOps ops = tt_collect(arena, func, NULL);
  Depths d = {{NULL}, false, false};
  bool found = false;
  for (intptr_t i = 0; i < ops.n; ++i) {
    TtMove move;
    if (!tt_move_of(ops.data[i], &move) || !tt_value_eq(move.tensor, arg->value)) continue;
    MlirOperation alloc = tt_defining_op(move.cb);
    bool says = tt_alloc_cb_isa(alloc) && !mlirAttributeIsNull(tt_alloc_cb_depth(alloc));
    d.any_other |= !says;
    if (!says) continue;
    d.has |= tt_int(tt_alloc_cb_depth(alloc)) == asked;
    if (!found) d.first = alloc;
    found |= move.in;
  }
  return d;
}

/* What is said already has the format in which the tensor is stored, and the depth of one of its
 * circular buffers. */
static bool check_present(TtArena *arena, MlirOperation func, const TtArg *arg, MlirAttribute cb,
                          TtDType dtype) {
  TtDataFormat format = tt_cb_attr_data_format(cb), stored = tt_data_format_of(dtype);
  Depths d = depths_of(arena, func, arg, tt_cb_attr_depth(cb));
  if (format != stored)
    return tt_error(func,
                    "tt.cb.%s has data_format = %s, but the tensor is stored as %s; remove "
                    "tt.cb.%s, or let them agree",
                    arg->name, tt_data_format_str((int)format), tt_data_format_str((int)stored),
                    arg->name);
  return d.has || d.any_other || mlirOperationIsNull(d.first) ||
         tt_error(d.first,
                  "holds %jd blocks of '%s', but tt.cb.%s has depth = %jd; remove tt.cb.%s, or let "
                  "them agree",
                  (intmax_t)tt_int(tt_alloc_cb_depth(d.first)), arg->name, arg->name,
                  (intmax_t)tt_cb_attr_depth(cb), arg->name);
}

static bool propagate(TtArena *arena, MlirOperation func) {
  TtArgs args = tt_kernel_args(arena, func);
  int64_t inputs = 0, outputs = FIRST_OUTPUT;
  for (intptr_t i = 0; i < args.n; ++i) {
    TtArg *arg = &args.data[i];
    if (!arg->is_tensor) continue;
    MlirAttribute buffer = tt_named_attr(func, "buffer", arg->name);
    if (!tt_buffer_attr_isa(buffer))
      return tt_error(func, "tensor '%s' has no tt.buffer.%s: run --tt-infer-layout first",
                      arg->name, arg->name);
    TtDType dtype = tt_buffer_attr_dtype(buffer);
    bool output = arg->written && !arg->read;
    int64_t id = output ? outputs++ : inputs++;
    MlirAttribute present = tt_named_attr(func, "cb", arg->name);
    if (!mlirAttributeIsNull(present)) {
      if (!check_present(arena, func, arg, present, dtype)) return false;
      continue;
    }
    MlirOperation alloc = depths_of(arena, func, arg, 0).first;
    int64_t depth = mlirOperationIsNull(alloc) ? arg->depth : tt_int(tt_alloc_cb_depth(alloc));
    tt_set_named_attr(func, "cb", arg->name,
                      tt_cb_attr_get(mlirOperationGetContext(func), id,
                                     tt_format(dtype)->tile_bytes, depth,
                                     tt_data_format_of(dtype)));
  }
  return true;
}

bool tt_run_propagate_layout(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, propagate);
}
