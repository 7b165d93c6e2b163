/*===- verify_structure.c - verifiers of programs and what is in them -------------------------===
 *
 * (C1), (C2), … are the constraints in dialects/TTOps.td.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/members.h"
#include "Dialect/op_info.h"
#include "Dialect/shapes.h"
#include "Dialect/target.h"
#include "Dialect/verify.h"
#include "tilewright/ir.h"

#include <string.h>

static bool ranges_meet(MlirAttribute a, MlirAttribute b) {
  for (intptr_t side = 0; side < 2; ++side)
    if (tt_core_range_attr_end(a, side) < tt_core_range_attr_start(b, side) ||
        tt_core_range_attr_end(b, side) < tt_core_range_attr_start(a, side))
      return false;
  return true;
}

bool tt_core_sets_meet(MlirOperation a, MlirOperation b, int64_t *x, int64_t *y) {
  MlirAttribute of_a = tt_core_set_ranges(a), of_b = tt_core_set_ranges(b);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(of_a); ++i)
    for (intptr_t j = 0; j < mlirArrayAttrGetNumElements(of_b); ++j) {
      MlirAttribute r = mlirArrayAttrGetElement(of_a, i), s = mlirArrayAttrGetElement(of_b, j);
      if (!ranges_meet(r, s)) continue;
      int64_t from[2][2] = {{tt_core_range_attr_start(r, 0), tt_core_range_attr_start(r, 1)},
                            {tt_core_range_attr_start(s, 0), tt_core_range_attr_start(s, 1)}};
      *x = from[0][0] > from[1][0] ? from[0][0] : from[1][0];
      *y = from[0][1] > from[1][1] ? from[0][1] : from[1][1];
      return true;
    }
  return false;
}

static bool gives(MlirOperation core_args, MlirStringRef name) {
  MlirAttribute names =
      mlirOperationIsNull(core_args) ? mlirAttributeGetNull() : tt_core_args_names(core_args);
  for (intptr_t i = 0; !mlirAttributeIsNull(names) && i < mlirArrayAttrGetNumElements(names); ++i)
    if (mlirStringRefEqual(tt_string(mlirArrayAttrGetElement(names, i)), name)) return true;
  return false;
}

/* (C2) of two kernels of a program. */
static bool verify_kernels(MlirOperation program, MlirOperation a, MlirOperation b) {
  int64_t x, y;
  if (!tt_core_sets_meet(tt_core_set_of(program, a), tt_core_set_of(program, b), &x, &y))
    return true;
  MlirStringRef name = tt_symbol_name(a);
  if (mlirAttributeEqual(tt_kernel_processor(a), tt_kernel_processor(b)))
    return tt_error(b,
                    "(C2) core (%jd, %jd) has two kernels for processor %s, this and @%.*s; let "
                    "them run on different processors or cores",
                    (intmax_t)x, (intmax_t)y,
                    tt_processor_str((int)tt_processor_attr_value(tt_kernel_processor(b))),
                    (int)name.length, name.data);
  if (mlirAttributeEqual(tt_get_attr(a, "tt.kernel_role"), tt_get_attr(b, "tt.kernel_role"))) {
    MlirStringRef role = tt_string(tt_get_attr(b, "tt.kernel_role"));
    return tt_error(b,
                    "(C2) core (%jd, %jd) has two kernels of role \"%.*s\", this and @%.*s; let "
                    "them run on different cores, or give one another role",
                    (intmax_t)x, (intmax_t)y, (int)role.length, role.data, (int)name.length,
                    name.data);
  }
  MlirAttribute noc = tt_kernel_noc(a);
  if (mlirAttributeIsNull(noc) || !mlirAttributeEqual(noc, tt_kernel_noc(b))) return true;
  return tt_error(b,
                  "(C2) [rule 19] on core (%jd, %jd) this and @%.*s both use NoC %jd; give one of "
                  "them the other",
                  (intmax_t)x, (intmax_t)y, (int)name.length, name.data, (intmax_t)tt_int(noc));
}

/* There is one tt.core_args, and it takes the sizes of the program's arguments. */
static bool verify_only_core_args(MlirOperation program, MlirOperation op) {
  MlirType type = mlirTypeAttrGetValue(tt_program_function_type(program));
  intptr_t sizes = 0, has = mlirBlockGetNumArguments(tt_body(op));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i) {
    MlirType input = mlirFunctionTypeGetInput(type, i);
    for (intptr_t d = 0; tt_is_memref(input) && d < mlirShapedTypeGetRank(input); ++d)
      sizes += mlirShapedTypeIsDynamicDim(input, d);
  }
  if (has != 2 + sizes)
    return tt_error(op,
                    "(C3) takes %jd indices, but x, y and the dynamic sizes of the program's "
                    "arguments are %jd",
                    (intmax_t)has, (intmax_t)sizes + 2);
  for (MlirOperation other = mlirBlockGetFirstOperation(tt_body(program)); !tt_op_eq(other, op);
       other = tt_next(other))
    if (tt_core_args_isa(other)) return tt_error(op, "(C1) a tt.program has one tt.core_args");
  return true;
}

/* (C4) What a kernel unpacks to DST is a circular buffer of the program. */
static bool verify_unpacked(MlirOperation program, MlirOperation kernel) {
  MlirAttribute config = tt_kernel_config(kernel),
                names = mlirAttributeIsNull(config) ? config
                                                    : tt_compute_config_attr_unpack_to_dest(config);
  for (intptr_t i = 0; !mlirAttributeIsNull(names) && i < mlirArrayAttrGetNumElements(names); ++i) {
    MlirAttribute name = mlirArrayAttrGetElement(names, i);
    if (!mlirAttributeIsAFlatSymbolRef(name))
      return tt_error(kernel, "(C4) unpack_to_dest names circular buffers: [@cb_in0]");
    if (mlirOperationIsNull(tt_program_cb(program, tt_string(name))))
      return tt_error(kernel, "(C4) unpack_to_dest: the program has no tt.circular_buffer @%.*s",
                      (int)tt_string(name).length, tt_string(name).data);
  }
  return true;
}

static bool verify_member(MlirOperation program, MlirOperation op, uint64_t *ids_seen) {
  if (tt_core_set_isa(op)) return true;
  if (tt_core_args_isa(op)) return verify_only_core_args(program, op);
  if (!tt_circular_buffer_isa(op) && !tt_semaphore_isa(op) && !tt_kernel_isa(op))
    return tt_error(op, "(C1) a tt.program holds sets of cores, circular buffers, semaphores, "
                        "kernels and the arguments of cores only");
  if (mlirOperationIsNull(tt_core_set_of(program, op))) {
    MlirStringRef name = tt_string(tt_op_attr(op, "cores"));
    return tt_error(op, "(C4) the program has no tt.core_set @%.*s", (int)name.length, name.data);
  }
  if (tt_kernel_isa(op)) {
    if (!verify_unpacked(program, op)) return false;
    for (MlirOperation other = mlirBlockGetFirstOperation(tt_body(program)); !tt_op_eq(other, op);
         other = tt_next(other))
      if (tt_kernel_isa(other) && !verify_kernels(program, other, op)) return false;
    return true;
  }
  if (tt_semaphore_isa(op)) return true;
  int64_t id = tt_int(tt_circular_buffer_id(op));
  if (id < 0 || id >= TT_MAX_CBS)
    return tt_error(op, "(C3) a CB id is 0 to 63, but this is %jd", (intmax_t)id);
  if (*ids_seen >> id & 1) return tt_error(op, "(C3) CB id %jd is already taken", (intmax_t)id);
  *ids_seen |= UINT64_C(1) << id;
  return true;
}

/* Where `name` stands among the canonical ones; their number for another. */
static size_t canonical_place(MlirStringRef name) {
  size_t i = 0;
  while (i < tt_num_runtime_arg_names && !tt_str_eq(name, tt_runtime_arg_names[i])) ++i;
  return i;
}

/* Whether an argument of the program has a dynamic dimension of this name. */
static bool is_dynamic_size(TtArena *arena, MlirOperation program, MlirStringRef name) {
  MlirType type = mlirTypeAttrGetValue(tt_program_function_type(program));
  MlirAttribute names = tt_get_attr(program, "tt.args");
  intptr_t named = mlirAttributeIsNull(names) ? 0 : mlirArrayAttrGetNumElements(names);
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i) {
    MlirType input = mlirFunctionTypeGetInput(type, i);
    const char *arg = i < named ? tt_arena_str(arena, tt_string(mlirArrayAttrGetElement(names, i)))
                                : tt_arena_printf(arena, "arg%jd", (intmax_t)i);
    for (intptr_t d = 0; tt_is_memref(input) && d < mlirShapedTypeGetRank(input); ++d)
      if (mlirShapedTypeIsDynamicDim(input, d) &&
          tt_str_eq(name, tt_arena_printf(arena, "%s_d%jd", arg, (intmax_t)d)))
        return true;
  }
  return false;
}

/* Whether a kernel takes the tensor of this address. */
static bool is_own_address(TtArena *arena, MlirOperation read, MlirStringRef name) {
  MlirOperation kernel = read;
  while (!tt_kernel_isa(kernel)) kernel = tt_parent(kernel);
  for (intptr_t i = 0; i < tt_num_args(kernel); ++i)
    if (tt_str_eq(name, tt_arena_printf(arena, "%s_addr", tt_arg_name(arena, kernel, i))))
      return true;
  return false;
}

/* (C5) What kernels read, the host gives. */
static bool verify_reads(TtArena *arena, MlirOperation program) {
  TtOps reads = tt_collect(arena, program, "tt.runtime_arg");
  MlirOperation core_args = tt_program_core_args(program);
  for (intptr_t i = 0; i < reads.n; ++i) {
    MlirStringRef name = tt_string(tt_runtime_arg_name(reads.data[i]));
    if (gives(core_args, name)) continue;
    if (canonical_place(name) < tt_num_runtime_arg_names)
      return tt_error(reads.data[i], "(C5) tt.core_args of the program gives no '%.*s'",
                      (int)name.length, name.data);
    if (!is_dynamic_size(arena, program, name) && !is_own_address(arena, reads.data[i], name))
      return tt_error(reads.data[i],
                      "(C5) no core gets '%.*s': it is no dynamic size of an argument of the "
                      "program, and no address of a tensor that the kernel takes",
                      (int)name.length, name.data);
  }
  return true;
}

bool tt_program_verify(MlirOperation op) {
  uint64_t ids = 0;
  for (MlirOperation member = mlirBlockGetFirstOperation(tt_body(op)); !mlirOperationIsNull(member);
       member = tt_next(member))
    if (!verify_member(op, member, &ids)) return false;
  TtArena *arena = tt_arena_create();
  bool ok = verify_reads(arena, op);
  tt_arena_destroy(arena);
  return ok;
}

static bool verify_names(MlirOperation op, MlirAttribute names) {
  size_t last = 0;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(names); ++i) {
    MlirStringRef name = tt_string(mlirArrayAttrGetElement(names, i));
    for (intptr_t j = 0; j < i; ++j)
      if (mlirStringRefEqual(name, tt_string(mlirArrayAttrGetElement(names, j))))
        return tt_error(op, "(C1) gives '%.*s' twice", (int)name.length, name.data);
    if (name.length == 0) return tt_error(op, "(C1) a name is empty");
    if (canonical_place(name) < last)
      return tt_error(op, "(C1) '%.*s' stands too late; canonical names come first, in their order",
                      (int)name.length, name.data);
    last = canonical_place(name);
  }
  return true;
}

static bool is_index_or_bit(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAIndex(type) || (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1);
}

static bool verify_core_op(MlirOperation op) {
  MlirStringRef name = tt_op_name(op), arith = tt_str("arith.");
  bool known = tt_worker_core_isa(op) || tt_yield_isa(op) ||
               (name.length > arith.length && memcmp(name.data, arith.data, arith.length) == 0);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    known = known && is_index_or_bit(mlirOperationGetResult(op, i));
  return known || tt_error(op, "(C2) tt.core_args holds arithmetic on indices and truth values and "
                               "tt.worker_core, but not this");
}

bool tt_core_args_verify(MlirOperation op) {
  MlirBlock body = tt_body(op);
  MlirAttribute names = tt_core_args_names(op);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    if (!mlirTypeIsAIndex(mlirValueGetType(mlirBlockGetArgument(body, i))))
      return tt_error(op, "(C3) argument %jd is no index", (intmax_t)i);
  for (MlirOperation inner = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(inner);
       inner = tt_next(inner))
    if (!verify_core_op(inner)) return false;
  if (!tt_yield_isa(yield)) return tt_error(op, "(C1) ends with tt.yield");
  intptr_t values = mlirOperationGetNumOperands(yield), n = mlirArrayAttrGetNumElements(names);
  if (values != n)
    return tt_error(yield, "(C1) gives %jd values for %jd names", (intmax_t)values, (intmax_t)n);
  return verify_names(op, names);
}

bool tt_core_set_verify(MlirOperation op) {
  MlirAttribute ranges = tt_core_set_ranges(op);
  TtTarget target = tt_target_of(op);
  if (mlirArrayAttrGetNumElements(ranges) == 0)
    return tt_error(op, "(C1) a set of cores has one rectangle at least");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(ranges); ++i) {
    MlirAttribute r = mlirArrayAttrGetElement(ranges, i);
    if (tt_core_range_attr_num_start(r) != 2 || tt_core_range_attr_num_end(r) != 2)
      return tt_error(op, "(C1) a rectangle of cores goes from [x, y] to [x, y]");
    int64_t x = tt_core_range_attr_start(r, 0), y = tt_core_range_attr_start(r, 1),
            to_x = tt_core_range_attr_end(r, 0), to_y = tt_core_range_attr_end(r, 1);
    if (to_x < x || to_y < y)
      return tt_error(op, "(C1) the rectangle from (%jd, %jd) to (%jd, %jd) is empty", (intmax_t)x,
                      (intmax_t)y, (intmax_t)to_x, (intmax_t)to_y);
    if (x < 0 || y < 0 || to_x >= target.grid_x || to_y >= target.grid_y)
      return tt_error(op,
                      "(C2) the rectangle from (%jd, %jd) to (%jd, %jd) leaves the worker grid of "
                      "%jd x %jd cores",
                      (intmax_t)x, (intmax_t)y, (intmax_t)to_x, (intmax_t)to_y,
                      (intmax_t)target.grid_x, (intmax_t)target.grid_y);
    for (intptr_t j = 0; j < i; ++j)
      if (ranges_meet(mlirArrayAttrGetElement(ranges, j), r))
        return tt_error(op, "(C3) rectangles %jd and %jd have cores in common", (intmax_t)j + 1,
                        (intmax_t)i + 1);
  }
  return true;
}

bool tt_kernel_verify(MlirOperation op) {
  MlirAttribute attr = tt_get_attr(op, "tt.kernel_role"), noc = tt_kernel_noc(op);
  TtKernelRole role;
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsAString(attr) ||
      !tt_kernel_role_parse(tt_string(attr), &role))
    return tt_error(op, "(C1) a kernel of a tt.program needs tt.kernel_role = \"reader\", "
                        "\"compute\" or \"writer\"");
  bool computes = role == TT_KERNEL_ROLE_COMPUTE;
  TtProcessor processor = tt_processor_attr_value(tt_kernel_processor(op));
  if (computes != (processor == TT_PROCESSOR_COMPUTE))
    return tt_error(op, "(C2) a %s kernel does not run on processor %s, but on %s",
                    tt_kernel_role_str((int)role), tt_processor_str((int)processor),
                    computes ? "compute" : "dm0 or dm1");
  if (computes && !mlirAttributeIsNull(noc))
    return tt_error(op, "(C2) a compute kernel uses no NoC");
  if (!computes && !mlirAttributeIsNull(tt_kernel_config(op)))
    return tt_error(op, "(C2) a %s kernel computes nothing, and has no config",
                    tt_kernel_role_str((int)role));
  if (!computes && (mlirAttributeIsNull(noc) || tt_int(noc) < 0 || tt_int(noc) > 1))
    return tt_error(op, "(C2) a %s kernel says which NoC it uses: noc = 0 or noc = 1",
                    tt_kernel_role_str((int)role));
  MlirType type = mlirTypeAttrGetValue(tt_kernel_function_type(op));
  return mlirFunctionTypeGetNumResults(type) == 0 || tt_error(op, "(C3) a kernel returns nothing");
}

bool tt_circular_buffer_verify(MlirOperation op) {
  MlirType type = mlirTypeAttrGetValue(tt_circular_buffer_type(op));
  TtDataFormat format = tt_data_format_attr_value(tt_circular_buffer_format(op));
  int64_t pages = tt_int(tt_circular_buffer_pages(op)), block = tt_cb_tiles(type);
  if (pages < 1 || pages % block != 0)
    return tt_error(op, "(C1) has %jd pages, which is no multiple of its block of %jd tiles",
                    (intmax_t)pages, (intmax_t)block);
  int64_t tile = tt_format((TtDType)format)->tile_bytes,
          page = tt_int(tt_circular_buffer_page_bytes(op));
  if (page != tile)
    return tt_error(op, "(C2) page_bytes is %jd, but a %s tile has %jd bytes", (intmax_t)page,
                    tt_data_format_str((int)format), (intmax_t)tile);
  bool on_shard = !mlirAttributeIsNull(tt_circular_buffer_on_shard(op));
  if (on_shard && !mlirAttributeIsNull(tt_circular_buffer_by_columns(op)))
    return tt_error(op, "(C3) lies on a shard, whose tiles stand row by row: `on_shard` comes "
                        "without `by_columns`");
  if (!on_shard || !mlirAttributeIsNull(tt_circular_buffer_buffer(op))) return true;
  return tt_error(op, "(C3) lies on the shard of no tensor: `on_shard` comes with `buffer`");
}

bool tt_get_cb_verify(MlirOperation op) {
  MlirStringRef name = tt_string(tt_get_cb_name(op));
  MlirOperation program = tt_program_of(tt_parent(op));
  if (mlirOperationIsNull(program))
    return tt_error(op, "(C1) tt.get_cb stands inside a tt.program only");
  MlirOperation cb = tt_program_cb(program, name);
  if (mlirOperationIsNull(cb))
    return tt_error(op, "(C1) the program has no tt.circular_buffer @%.*s", (int)name.length,
                    name.data);
  return mlirTypeEqual(mlirTypeAttrGetValue(tt_circular_buffer_type(cb)),
                       mlirValueGetType(tt_get_cb_cb(op))) ||
         tt_error(op, "(C1) the type differs from that of tt.circular_buffer @%.*s",
                  (int)name.length, name.data);
}

bool tt_runtime_arg_verify(MlirOperation op) {
  MlirStringRef name = tt_string(tt_runtime_arg_name(op));
  for (size_t i = 0; i < tt_num_runtime_arg_names; ++i)
    if (tt_str_eq(name, tt_runtime_arg_names[i])) return true;
  if (tt_is_dim_name(name)) return true;
  MlirOperation program = tt_program_of(op);
  if (!mlirOperationIsNull(program) && gives(tt_program_core_args(program), name)) return true;
  static const char suffix[] = "_addr";
  enum { N = sizeof suffix - 1 };
  if (name.length > N && tt_str_eq((MlirStringRef){name.data + name.length - N, N}, suffix))
    return true;
  const char *near = tt_suggest(name, tt_runtime_arg_names, tt_num_runtime_arg_names);
  return tt_error(op, "(C1) there is no runtime argument '%.*s'%s%s%s", (int)name.length, name.data,
                  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

bool tt_alloc_cb_verify(MlirOperation op) {
  MlirAttribute depth = tt_alloc_cb_depth(op);
  if (!mlirAttributeIsNull(depth) && tt_int(depth) < 1)
    return tt_error(op, "(C1) a circular buffer's depth is at least 1, but this is %jd",
                    (intmax_t)tt_int(depth));
  if (tt_string(tt_alloc_cb_name(op)).length == 0)
    return tt_error(op, "(C2) a circular buffer needs a name");
  return true;
}
