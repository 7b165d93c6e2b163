/*===- bindings.c - what kernels take, as it will be emitted --------------------------------===
 *
 *   tt.kernel @reader(%A: …) … attributes {
 *     tt.tensor_accessor.A = #tt.tensor_accessor<…, stride_mode = tiled,
 *       runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>}
 *
 *   const uint32_t A_addr = get_arg_val<uint32_t>(0);            the address, and nothing added
 *   const auto A = TensorAccessor(A_args, A_addr, 2048);         pages are tiles
 *
 * Emission follows from arguments and buffers alone, so a binding that says another thing is an
 * error.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/program.h"
#include "Analysis/shards.h"
#include "Verify/protocol.h"

#include <string.h>

/* The first accessor of a tensor in a kernel, or the kernel. */
static MlirOperation place_of(TtArena *arena, MlirOperation kernel, const char *tensor) {
  TtOps ops = tt_collect(arena, kernel, "metalium.tensor_accessor");
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_str_eq(tt_string(metalium_tensor_accessor_name(ops.data[i])), tensor))
      return ops.data[i];
  return kernel;
}

/*===- Accessors ----------------------------------------------------------------------------===*/

/* `number` is how many tensors the kernel takes before this one. */
static bool check_binding(MlirOperation at, const char *name, MlirAttribute binding, int64_t number,
                          MlirAttribute buffer, MlirType tensor) {
  int64_t index = tt_runtime_binding_attr_runtime_arg_idx(binding),
          offset = tt_runtime_binding_attr_base_offset(binding),
          bytes = tt_runtime_binding_attr_tile_size_bytes(binding);
  if (index != number)
    return tt_error(at,
                    "the accessor of '%s' has runtime_arg_idx = %jd, but the kernel gets the "
                    "address of '%s' as runtime argument %jd; addresses come first, in the order "
                    "of its tensors",
                    name, (intmax_t)index, name, (intmax_t)number);
  if (offset != 0)
    return tt_error(at,
                    "the accessor of '%s' has base_offset = %jd, but its address is that of the "
                    "tensor: base_offset = 0",
                    name, (intmax_t)offset);
  if (!tt_buffer_attr_isa(buffer)) return true;
  TtDType dtype = tt_buffer_attr_dtype(buffer);
  int64_t page = tt_page_bytes(buffer, tensor);
  return bytes == page ||
         tt_error(at,
                  "the accessor of '%s' has tile_size_bytes = %jd, but a %s of %s, as which "
                  "tt.buffer.%s stores it, has %jd",
                  name, (intmax_t)bytes, tt_is_row_major(buffer) ? "row" : "tile",
                  tt_d_type_str((int)dtype), name, (intmax_t)page);
}

/* How tiles are found is a matter of the tensor's layout. */
static bool check_strides(MlirOperation at, const char *name, MlirAttribute accessor,
                          MlirAttribute buffer) {
  if (!tt_buffer_attr_isa(buffer)) return true;
  bool sharded = tt_buffer_attr_layout(buffer) == TT_LAYOUT_SHARDED;
  TtStrideMode mode = tt_tensor_accessor_attr_stride_mode(accessor),
               expected = sharded ? TT_STRIDE_MODE_SHARDED : TT_STRIDE_MODE_TILED;
  if (mode != expected)
    return tt_error(at,
                    "the accessor of '%s' has stride_mode = %s, but tt.buffer.%s is %s: "
                    "stride_mode = %s",
                    name, tt_stride_mode_str((int)mode), name,
                    tt_layout_str((int)tt_buffer_attr_layout(buffer)),
                    tt_stride_mode_str((int)expected));
  return !sharded ||
         mlirAttributeEqual(tt_tensor_accessor_attr_nd_shard(accessor),
                            tt_buffer_attr_nd_shard(buffer)) ||
         tt_error(at,
                  "the accessor of '%s' has another nd_shard than tt.buffer.%s of the program; "
                  "let them agree",
                  name, name);
}

static bool check_accessor(TtArena *arena, MlirOperation kernel, const TtArg *arg, int64_t number) {
  const char *name = arg->name;
  MlirAttribute accessor = tt_named_attr(kernel, "tensor_accessor", name),
                buffer = tt_named_attr(tt_program_of(kernel), "buffer", name);
  if (tt_role_of(kernel) == TT_KERNEL_ROLE_COMPUTE)
    return tt_error(kernel,
                    "a compute kernel takes no tensors, but this takes '%s'; tiles come to it "
                    "through circular buffers",
                    name);
  if (!tt_tensor_accessor_attr_isa(accessor) ||
      tt_tensor_accessor_attr_type(accessor) != TT_ACCESSOR_KIND_BOUND)
    return tt_error(kernel,
                    "the accessor of tensor '%s' is not bound: run "
                    "--tt-configure-tensor-accessor first",
                    name);
  MlirOperation at = place_of(arena, kernel, name);
  return check_binding(at, name, tt_tensor_accessor_attr_runtime_binding(accessor), number, buffer,
                       arg->type) &&
         check_strides(at, name, accessor, buffer);
}

/* An accessor of nothing that the kernel takes would be left out. */
static bool check_no_other_accessors(TtArena *arena, MlirOperation kernel, TtArgs args) {
  static const char prefix[] = "tt.tensor_accessor.";
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(kernel); ++i) {
    MlirStringRef key = mlirIdentifierStr(mlirOperationGetDiscardableAttribute(kernel, i).name);
    if (key.length < sizeof prefix || memcmp(key.data, prefix, sizeof prefix - 1) != 0) continue;
    const char *name = tt_arena_str(arena, key) + sizeof prefix - 1;
    intptr_t j = 0;
    while (j < args.n && !(args.data[j].is_tensor && strcmp(args.data[j].name, name) == 0)) ++j;
    if (j == args.n)
      return tt_error(kernel, "the kernel has tt.tensor_accessor.%s, but takes no tensor '%s'",
                      name, name);
  }
  return true;
}

/*===- Arguments ----------------------------------------------------------------------------===*/

/* A kernel takes arguments of its program, by their names. */
static bool check_argument(MlirOperation kernel, const TtArg *arg) {
  MlirOperation program = tt_program_of(kernel);
  MlirAttribute names = tt_get_attr(program, "tt.args");
  MlirType type = mlirTypeAttrGetValue(tt_program_function_type(program));
  intptr_t n = mlirFunctionTypeGetNumInputs(type), i = 0;
  if (mlirAttributeIsNull(names) || mlirArrayAttrGetNumElements(names) != n) return true;
  while (i < n && !tt_str_eq(tt_string(mlirArrayAttrGetElement(names, i)), arg->name)) ++i;
  if (i == n)
    return tt_error(kernel, "takes '%s', but tt.args of the program names no such argument",
                    arg->name);
  return mlirTypeEqual(arg->type, mlirFunctionTypeGetInput(type, i)) ||
         tt_error(kernel, "takes '%s' as another type than the program has it", arg->name);
}

bool tt_check_bindings(TtArena *arena, MlirOperation kernel) {
  TtArgs args = tt_kernel_args(arena, kernel);
  int64_t number = 0;
  for (intptr_t i = 0; i < args.n; ++i)
    if (!check_argument(kernel, &args.data[i]) ||
        (args.data[i].is_tensor && !check_accessor(arena, kernel, &args.data[i], number++)))
      return false;
  return check_no_other_accessors(arena, kernel, args);
}
