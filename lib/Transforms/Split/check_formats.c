/*===- check_formats.c - tensors and the circular buffers that carry them ----------------------===
 *
 *   tt.buffer.A = #tt.buffer<…, dtype = bf16>           a block is moved as it is stored
 *   tt.cb.A = #tt.cb<…, data_format = bfloat16>
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/op_info.h"
#include "Transforms/Split/split.h"

TtDType tt_stored_as(MlirOperation func, const TtArg *tensor) {
  return tt_buffer_attr_dtype(tt_named_attr(func, "buffer", tensor->name));
}

/* A circular buffer carries a tensor in the tensor's own format: that of its elements, or
 * numbers that share exponents. */
static bool check_copy(TtDfg *dfg, const TtMove *write, const TtArg *to) {
  const TtCB *cb = tt_dfg_cb(dfg, write->cb);
  TtMove read;
  if (!cb || !tt_move_of(cb->producer, &read) || !cb->tensor) return true;
  if (tt_stored_as(dfg->func, cb->tensor) == tt_stored_as(dfg->func, to)) return true;
  return tt_error(write->op,
                  "moves blocks of tensor '%s', stored as %s, to '%s', stored as %s, as they are; "
                  "bring them to another circular buffer with tt.copy_to_dst",
                  cb->tensor->name, tt_d_type_str((int)tt_stored_as(dfg->func, cb->tensor)),
                  to->name, tt_d_type_str((int)tt_stored_as(dfg->func, to)));
}

/* So does tt.cb.<tensor>. */
static bool check_geometry(TtDfg *dfg, const TtArg *tensor) {
  MlirAttribute said = tt_named_attr(dfg->func, "cb", tensor->name);
  TtDataFormat stored = tt_data_format_of(tt_stored_as(dfg->func, tensor));
  return !tt_cb_attr_isa(said) || tt_cb_attr_data_format(said) == stored ||
         tt_error(dfg->func, "tt.cb.%s has data_format = %s, but the tensor is stored as %s",
                  tensor->name, tt_data_format_str((int)tt_cb_attr_data_format(said)),
                  tt_data_format_str((int)stored));
}

/* All tensors that the engine takes have exponents of one width, or Float32's. */
static bool check_exponents(TtDfg *dfg) {
  const TtArg *first = NULL;
  for (intptr_t i = 0; i < dfg->args.n; ++i) {
    const TtArg *arg = &dfg->args.data[i];
    if (!arg->is_tensor || (!arg->read && !arg->written)) continue;
    TtDType stored = tt_stored_as(dfg->func, arg);
    if (!tt_format(stored)->exponent) continue;
    if (!first) first = arg;
    TtDType other = tt_stored_as(dfg->func, first);
    if (tt_format(other)->exponent != tt_format(stored)->exponent)
      return tt_error(dfg->func,
                      "[rule 12] tensor '%s' is stored as %s and '%s' as %s, but kernels are built "
                      "for exponents of one width; store one of them as fp32, which goes with "
                      "both: tt.layout = {dtype = \"fp32\"} at the argument",
                      first->name, tt_d_type_str((int)other), arg->name,
                      tt_d_type_str((int)stored));
  }
  return true;
}

bool tt_check_formats(TtDfg *dfg) {
  for (intptr_t i = 0; i < dfg->args.n; ++i)
    if (dfg->args.data[i].is_tensor && !check_geometry(dfg, &dfg->args.data[i])) return false;
  if (!check_exponents(dfg)) return false;
  for (intptr_t i = 0; i < dfg->nodes.n; ++i) {
    MlirOperation op = dfg->nodes.data[i];
    TtMove move;
    if (!tt_move_of(op, &move)) continue;
    const TtArg *tensor = tt_arg_of(dfg->args, move.tensor);
    if (!tensor)
      return tt_error(op, "moves a block of something that is no argument of the kernel");
    if (!move.in && !check_copy(dfg, &move, tensor)) return false;
    if (!tt_check_stored_as(dfg->func, tensor->name, tensor->type, tt_stored_as(dfg->func, tensor)))
      return false;
  }
  return true;
}
