/*===- split_device_kernel.c - D1: --tt-split-device-kernel --------------------------------===
 *
 * Splits a kernel by the roles of its ops into reader, compute and writer, and
 * decides its circular buffers.
 *
 *   before  func.func @gemm(%A, %B, %C) attributes {tt.kernel} {
 *             scf.for %k … { tt.read_to_cb %A[…], %a … tt.mm.mma %a, %b … }
 *             tt.write_from_cb %c, %C[…]
 *           }
 *   after   tt.program @gemm : (…) -> () attributes {…} {
 *             tt.core_set @all = […]
 *             tt.circular_buffer @cb_in0 on @all input id = 0 pages = 8 buffer = "A" …
 *             tt.core_args (%x, %y) -> ["start_id", "count"] { … }
 *             tt.kernel @reader(%A, %B) on @all processor = dm1 noc = 0
 *                 attributes {tt.kernel_role = "reader"} {
 *               scf.for %k … { tt.read_to_cb %A[…], %cb_in0 … }
 *             }
 *             tt.kernel @compute() … { scf.for %k … { tt.mm.mma %cb_in0, %cb_in1 … } }
 *             tt.kernel @writer(%C) … { tt.write_from_cb %cb_out0, %C[…] }
 *           }
 *
 * A product with more tiles than DST holds, and a sum during which other ops use DST,
 * gets a circular buffer for partial sums (`spill`), in the format of DST. Loops count
 * from 0 from here on.
 *
 * In mode local_shard a circular buffer that takes a core's shard block by block lies on it:
 * local_shards.c.
 *
 * Requires level 2 with what stages A, B and C3 leave; circular buffers are those of
 * tt.tile_dfg. Leaves tt.program; calls of the kernel in host functions are tt.launch.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Analysis/for_each_kernel.h"
#include "Analysis/shards.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Partition/partition.h"
#include "Transforms/Split/core_args.h"
#include "Transforms/Split/learn_indices.h"
#include "Transforms/Split/local_shards.h"
#include "Transforms/Split/split.h"
#include "Transforms/Split/split_program.h"
#include "Transforms/Tile/build_tile_dfg.h"

#include <string.h>

/*===- Preconditions ----------------------------------------------------------===*/

/* What stages A to C leave. */
static bool require_stages(TtSplit *s) {
  if (!tt_require_level_2(s->arena, s->func)) return false;
  if (mlirAttributeIsNull(tt_get_attr(s->func, "tt.work_partition")))
    return tt_error(s->func, "the kernel's work is not given to cores: run "
                             "--tt-layout-aware-work-partition (stage B) first, or "
                             "--tt-complete-level-2 where it was written on level 2");
  return tt_read_dfg(s->arena, s->func, &s->dfg);
}

/*===- The three kernels ----------------------------------------------------------===*/

/* Replaces circular buffers by handles of the program's, all at the top. */
static void use_program_cbs(TtSplit *s, MlirOperation clone) {
  TtOps from = tt_collect(s->arena, s->func, "tt.alloc_cb"),
        to = tt_collect(s->arena, clone, "tt.alloc_cb");
  for (intptr_t i = s->dfg.n; i-- > 0;)
    for (intptr_t j = 0; j < from.n; ++j) {
      if (!tt_op_eq(from.data[j], s->dfg.cbs[i].alloc)) continue;
      TtBuilder b = tt_builder_at_start(tt_body(clone));
      MlirOperation get =
          tt_get_cb_create(&b, mlirOperationGetLocation(to.data[j]), s->dfg.cbs[i].type,
                           mlirFlatSymbolRefAttrGet(b.context, tt_str(s->dfg.cbs[i].name)));
      tt_replace(to.data[j], tt_get_cb_cb(get));
    }
}

/* Drops arguments that are not used, and names those that are. */
static void prune_arguments(TtSplit *s, MlirOperation clone) {
  MlirContext context = s->members.context;
  MlirBlock body = tt_body(clone);
  MlirAttribute *attrs = tt_arena_alloc(s->arena, (size_t)(s->dfg.args.n + 1) * sizeof *attrs);
  MlirType *types = tt_arena_alloc(s->arena, (size_t)(s->dfg.args.n + 1) * sizeof *types);
  intptr_t kept = 0;
  for (intptr_t i = 0; i < s->dfg.args.n; ++i) {
    MlirValue value = mlirBlockGetArgument(body, kept);
    if (!tt_has_uses(value)) {
      mlirBlockEraseArgument(body, (unsigned)kept);
      continue;
    }
    MlirNamedAttribute name = {mlirIdentifierGet(context, tt_str("tt.name")),
                               tt_string_attr(context, s->dfg.args.data[i].name)};
    attrs[kept] = mlirDictionaryAttrGet(context, 1, &name);
    types[kept++] = mlirValueGetType(value);
  }
  MlirType type = mlirFunctionTypeGet(context, kept, types, 0, NULL);
  mlirOperationSetInherentAttributeByName(clone, tt_str("function_type"), mlirTypeAttrGet(type));
  mlirOperationSetInherentAttributeByName(clone, tt_str("arg_attrs"),
                                          mlirArrayAttrGet(context, kept, attrs));
}

static void set_role_attributes(TtSplit *s, MlirOperation clone, TtKernelRole role) {
  TtArgs args = tt_kernel_args(s->arena, clone);
  tt_set_attr(clone, "tt.kernel_role",
              tt_string_attr(s->members.context, tt_kernel_role_str((int)role)));
  for (intptr_t i = 0; i < args.n; ++i)
    if (args.data[i].is_tensor)
      tt_set_named_attr(clone, "tensor_accessor", args.data[i].name,
                        tt_named_attr(s->func, "tensor_accessor", args.data[i].name));
}

/* Where kernels of a role run. Reads go over NoC 0 and writes over NoC 1, on which each has the
 * shorter way to and from DRAM. */
static const struct {
  TtProcessor processor;
  int noc; /* -1: none */
} places[] = {[TT_KERNEL_ROLE_READER] = {TT_PROCESSOR_DM1, 0},
              [TT_KERNEL_ROLE_COMPUTE] = {TT_PROCESSOR_COMPUTE, -1},
              [TT_KERNEL_ROLE_WRITER] = {TT_PROCESSOR_DM0, 1}};

/* A kernel with a copy of the function's body. */
static MlirOperation create_kernel(TtSplit *s, TtKernelRole role) {
  MlirContext context = s->members.context;
  MlirOperation copy = mlirOperationClone(s->func), end;
  int noc = places[role].noc;
  MlirOperation kernel = tt_kernel_create(
      &s->members, mlirOperationGetLocation(s->func), tt_kernel_role_str((int)role),
      tt_op_attr(s->func, "function_type"), tt_all_cores(context),
      tt_processor_attr_get(context, places[role].processor),
      noc < 0 ? mlirAttributeGetNull() : tt_i64_attr(context, noc), mlirAttributeGetNull(),
      tt_op_attr(s->func, "arg_attrs"), mlirAttributeGetNull());
  mlirRegionTakeBody(mlirOperationGetRegion(kernel, 0), mlirOperationGetRegion(copy, 0));
  mlirOperationDestroy(copy);
  end = mlirBlockGetTerminator(tt_body(kernel));
  TtBuilder b = tt_builder_before(end);
  tt_return_create(&b, mlirOperationGetLocation(end));
  mlirOperationDestroy(end);
  return kernel;
}

/* The kernel that an op of level 2 goes to: that of its kind, or, for a move, the one that it
 * names. */
static TtRole role_of_op(MlirOperation op) {
  TtMove move;
  TtKernelRole named;
  MlirAttribute attr = tt_get_attr(op, "tt.kernel_role");
  if (!mlirAttributeIsNull(attr) && tt_move_of(op, &move) &&
      tt_kernel_role_parse(tt_string(attr), &named))
    return named == TT_KERNEL_ROLE_WRITER ? TT_ROLE_WRITER : TT_ROLE_READER;
  return tt_op_info(op)->role;
}

/* Moves `op` before `place`, in the same block, with the constants that it takes, unless it takes
 * more that comes later. */
static void move_before(MlirOperation op, MlirOperation place) {
  for (int pass = 0; pass < 2; ++pass)
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirValue value = mlirOperationGetOperand(op, i);
      MlirOperation def = tt_defining_op(value);
      int64_t constant;
      if (mlirOperationIsNull(def) ||
          !mlirBlockEqual(mlirOperationGetBlock(def), mlirOperationGetBlock(place)) ||
          tt_is_before(def, place))
        continue;
      if (!tt_constant(value, &constant)) return;
      if (pass == 1) mlirOperationMoveBefore(def, place);
    }
  mlirOperationMoveBefore(op, place);
}

/* Whether a loop or a branch brings blocks. */
static bool brings_inside(TtArena *arena, MlirOperation op) {
  return mlirOperationGetNumRegions(op) > 0 &&
         (tt_collect(arena, op, "tt.relay").n > 0 || tt_collect(arena, op, "tt.read_to_cb").n > 0);
}

/* What one processor brings does not wait for the results that it takes away: in each block its
 * reads go before its writes, but not before loops that bring others, since what it relays comes
 * to it in their order. No read of a kernel must see a write (tt_check_order()) but one in place,
 * which stands before it. */
static void read_first(TtArena *arena, MlirOperation kernel, const char *name) {
  TtOps reads = tt_collect(arena, kernel, name);
  for (intptr_t i = 0; i < reads.n; ++i) {
    MlirOperation read = reads.data[i], write = {NULL},
                  op = mlirBlockGetFirstOperation(mlirOperationGetBlock(read));
    for (; !tt_op_eq(op, read); op = tt_next(op)) {
      if (brings_inside(arena, op)) write = (MlirOperation){NULL};
      else if (mlirOperationIsNull(write) && tt_write_from_cb_isa(op)) write = op;
    }
    if (!mlirOperationIsNull(write)) move_before(read, write);
  }
}

static MlirOperation add_kernel(TtSplit *s, TtKernelRole role) {
  static const TtRole roles[] = {TT_ROLE_READER, TT_ROLE_COMPUTE, TT_ROLE_WRITER};
  MlirOperation clone = create_kernel(s, role);
  TtOps ops = tt_collect(s->arena, clone, NULL);
  intptr_t own = role == TT_KERNEL_ROLE_READER ? s->learned.n : 0;
  for (intptr_t i = ops.n; i-- > 0;) {
    const TtOpInfo *info = tt_op_info(ops.data[i]);
    if (info->level != TT_LEVEL_PROTOCOL_FREE || info->role == TT_ROLE_ANY) continue;
    if (role_of_op(ops.data[i]) == roles[role]) ++own;
    else mlirOperationDestroy(ops.data[i]);
  }
  if (own == 0) {
    mlirOperationDestroy(clone);
    return (MlirOperation){NULL};
  }
  use_program_cbs(s, clone);
  tt_stay_on_shards(s->arena, s->program, clone);
  if (role == TT_KERNEL_ROLE_WRITER) {
    read_first(s->arena, clone, "tt.read_to_cb");
    read_first(s->arena, clone, "tt.relay");
  }
  if (!tt_learn_indices(&s->learned, s->program, clone, role)) s->failed = true;
  tt_erase_dead(clone);
  prune_arguments(s, clone);
  set_role_attributes(s, clone, role);
  if (!tt_add_scratch(s->arena, s->program, clone, &s->l1_bytes, &s->scratches) ||
      !tt_split_check_l1(s, "tiles that blocks are assembled of", 0, 0))
    s->failed = true;
  return clone;
}

static bool split(TtArena *arena, MlirOperation func) {
  TtSplit s = {.arena = arena, .func = func};
  if (!tt_name_dims(arena, func) || !require_stages(&s) || !tt_check_formats(&s.dfg) ||
      !tt_check_accumulation(arena, func) || !tt_check_order(arena, func))
    return false;
  tt_normalize_loops(arena, func);
  s.learned = tt_number_indices(arena, func);
  if (!tt_split_program(&s)) return false;
  if (!tt_create_core_args(arena, &s.members, s.program, func) || !tt_bracket_blocks(&s.dfg))
    return false;
  /* The reader is made last where it loads integers that the others need. */
  static const TtKernelRole orders[2][TT_KERNEL_ROLE_COUNT] = {
      {TT_KERNEL_ROLE_READER, TT_KERNEL_ROLE_COMPUTE, TT_KERNEL_ROLE_WRITER},
      {TT_KERNEL_ROLE_COMPUTE, TT_KERNEL_ROLE_WRITER, TT_KERNEL_ROLE_READER}};
  MlirOperation kernels[TT_KERNEL_ROLE_COUNT] = {{NULL}};
  for (int i = 0; !s.failed && i < TT_KERNEL_ROLE_COUNT; ++i) {
    TtKernelRole role = orders[s.learned.n > 0][i];
    kernels[role] = add_kernel(&s, role);
  }
  if (s.failed) return false;
  MlirOperation reader = kernels[TT_KERNEL_ROLE_READER], first = kernels[TT_KERNEL_ROLE_COMPUTE];
  if (mlirOperationIsNull(first)) first = kernels[TT_KERNEL_ROLE_WRITER];
  if (s.learned.n > 0 && !mlirOperationIsNull(first) && !mlirOperationIsNull(reader))
    mlirOperationMoveBefore(reader, first);
  mlirOperationDestroy(func);
  return true;
}

/*===- Calls ------------------------------------------------------------------------===*/

static bool lower_calls(MlirOperation module) {
  TtArena *arena = tt_arena_create();
  TtOps calls = tt_collect(arena, module, "func.call"),
        programs = tt_collect(arena, module, "tt.program");
  bool ok = true;
  for (intptr_t i = 0; ok && i < calls.n; ++i)
    for (intptr_t j = 0; ok && j < programs.n; ++j) {
      MlirAttribute callee = tt_op_attr(calls.data[i], "callee");
      if (!mlirStringRefEqual(tt_string(callee), tt_symbol_name(programs.data[j]))) continue;
      MlirOperation host = calls.data[i];
      while (!mlirOperationIsNull(host) && !tt_op_is(host, "func.func")) host = tt_parent(host);
      if (mlirOperationIsNull(host) || mlirAttributeIsNull(tt_get_attr(host, "tt.host"))) {
        ok = tt_error(calls.data[i], "calls a kernel from a function that has no tt.host");
        break;
      }
      intptr_t n = mlirOperationGetNumOperands(calls.data[i]);
      MlirValue *args = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *args);
      for (intptr_t k = 0; k < n; ++k) args[k] = mlirOperationGetOperand(calls.data[i], k);
      TtBuilder b = tt_builder_before(calls.data[i]);
      tt_launch_create(&b, mlirOperationGetLocation(calls.data[i]), callee, n, args);
      mlirOperationDestroy(calls.data[i]);
      break;
    }
  tt_arena_destroy(arena);
  return ok;
}

bool tt_run_split_device_kernel(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, split) && lower_calls(module);
}
