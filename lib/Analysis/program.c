/*===- program.c - finding one's way in a tt.program -----------------------------------===*/

#include "Analysis/program.h"
#include "Analysis/shards.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Support/value_map.h"

#include <string.h>

TtOps tt_program_kernels(TtArena *arena, MlirOperation program) {
  TtOps kernels = {NULL, 0, 0};
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(program)); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (tt_kernel_isa(op)) tt_ops_add(arena, &kernels, op);
  return kernels;
}

TtOps tt_program_kernels_of(TtArena *arena, MlirOperation program, TtKernelRole role) {
  TtOps all = tt_program_kernels(arena, program), kernels = {NULL, 0, 0};
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_role_of(all.data[i]) == role) tt_ops_add(arena, &kernels, all.data[i]);
  return kernels;
}

TtKernelRole tt_role_of(MlirOperation kernel) {
  TtKernelRole role = TT_KERNEL_ROLE_COMPUTE;
  tt_kernel_role_parse(tt_string(tt_get_attr(kernel, "tt.kernel_role")), &role);
  return role;
}

TtDataFormat tt_cb_format(MlirOperation cb) {
  return tt_data_format_attr_value(tt_circular_buffer_format(cb));
}

int64_t tt_cb_bytes(MlirOperation cb) {
  if (!mlirAttributeIsNull(tt_circular_buffer_on_shard(cb))) return 0;
  return tt_int(tt_circular_buffer_page_bytes(cb)) * tt_int(tt_circular_buffer_pages(cb));
}

int64_t tt_program_tensor_bytes(TtArena *arena, MlirOperation program) {
  MlirAttribute names = tt_get_attr(program, "tt.args");
  MlirType type = mlirTypeAttrGetValue(tt_program_function_type(program));
  int64_t bytes = tt_l1_beside(program);
  intptr_t n = mlirAttributeIsNull(names) ? 0 : mlirArrayAttrGetNumElements(names);
  for (intptr_t i = 0; i < n && i < mlirFunctionTypeGetNumInputs(type); ++i) {
    MlirType input = mlirFunctionTypeGetInput(type, i);
    MlirAttribute buffer = tt_named_attr(
        program, "buffer", tt_arena_str(arena, tt_string(mlirArrayAttrGetElement(names, i))));
    if (!mlirAttributeIsNull(buffer) && tt_is_memref(input) && mlirShapedTypeHasStaticShape(input))
      bytes += tt_l1_bytes_of(buffer, input, tt_target_of(program));
  }
  return bytes;
}

int64_t tt_program_l1_left(TtArena *arena, MlirOperation program) {
  TtOps cbs = tt_collect(arena, program, "tt.circular_buffer");
  int64_t left = tt_usable_l1(tt_target_of(program).chip) - tt_program_tensor_bytes(arena, program);
  for (intptr_t i = 0; i < cbs.n; ++i) left -= tt_cb_bytes(cbs.data[i]);
  return left;
}

/* What transfers of a kernel do with its argument; one that it has, and never moves, is as the
 * kernel's role says. */
static void note_argument(MlirOperation kernel, MlirValue arg, TtUse *use) {
  bool moved = false;
  for (MlirOpOperand u = mlirValueGetFirstUse(arg); !mlirOpOperandIsNull(u);
       u = mlirOpOperandGetNextUse(u)) {
    MlirOperation accessor = mlirOpOperandGetOwner(u);
    TtAct op = tt_op_info(accessor)->does; /* a move of level 2 */
    use->read |= op == TT_ACT_LOAD, use->written |= op == TT_ACT_STORE;
    moved |= op == TT_ACT_LOAD || op == TT_ACT_STORE;
    if (mlirOperationGetNumResults(accessor) != 1) continue;
    for (MlirOpOperand t = mlirValueGetFirstUse(mlirOperationGetResult(accessor, 0));
         !mlirOpOperandIsNull(t); t = mlirOpOperandGetNextUse(t)) {
      TtAct does = tt_op_info(mlirOpOperandGetOwner(t))->does;
      use->read |= does == TT_ACT_READ, use->written |= does == TT_ACT_WRITE;
      moved |= does == TT_ACT_READ || does == TT_ACT_WRITE;
    }
  }
  if (!moved) *(tt_role_of(kernel) == TT_KERNEL_ROLE_READER ? &use->read : &use->written) = true;
}

static void note_kernels(TtArena *arena, MlirOperation program, const char *name, TtUse *use) {
  TtOps kernels = tt_program_kernels(arena, program);
  for (intptr_t i = 0; i < kernels.n; ++i) {
    MlirOperation kernel = kernels.data[i];
    if (tt_role_of(kernel) == TT_KERNEL_ROLE_COMPUTE) continue;
    for (intptr_t j = 0; j < tt_num_args(kernel); ++j)
      if (strcmp(tt_arg_name(arena, kernel, j), name) == 0)
        note_argument(kernel, tt_arg(kernel, j), use);
  }
}

TtUse tt_program_use(TtArena *arena, MlirOperation program, const char *name) {
  TtUse use = {false, false};
  MlirAttribute keeps = tt_get_attr(program, "tt.keeps"); /* what is not written stays */
  for (intptr_t i = 0; !mlirAttributeIsNull(keeps) && i < mlirArrayAttrGetNumElements(keeps); ++i)
    use.read |= tt_str_eq(tt_string(mlirArrayAttrGetElement(keeps, i)), name);
  note_kernels(arena, program, name, &use);
  TtOps cbs = tt_collect(arena, program, "tt.circular_buffer");
  for (intptr_t i = 0; i < cbs.n; ++i) {
    MlirAttribute on_shard = tt_circular_buffer_on_shard(cbs.data[i]);
    if (mlirAttributeIsNull(on_shard) ||
        !tt_str_eq(tt_string(tt_circular_buffer_buffer(cbs.data[i])), name))
      continue;
    *(tt_int(on_shard) == TT_SHARD_USE_READ ? &use.read : &use.written) = true;
  }
  return use;
}

MlirOperation tt_launched_program(MlirOperation launch) {
  MlirOperation module = launch, op;
  while (!mlirOperationIsNull(tt_parent(module))) module = tt_parent(module);
  for (op = mlirBlockGetFirstOperation(tt_body(module)); !mlirOperationIsNull(op); op = tt_next(op))
    if (tt_program_isa(op) &&
        mlirStringRefEqual(tt_symbol_name(op), tt_string(tt_launch_program(launch))))
      return op;
  return op;
}

TtOps tt_launched_programs(TtArena *arena, MlirOperation root) {
  TtOps launches = tt_collect(arena, root, "tt.launch"), programs = {NULL, 0, 0};
  MlirOperation module = root;
  while (!mlirOperationIsNull(tt_parent(module))) module = tt_parent(module);
  if (launches.n == 0) return programs;
  MlirSymbolTable table = mlirSymbolTableCreate(module);
  TtOpMap seen = {NULL, 0, 0};
  for (intptr_t i = 0; i < launches.n; ++i) {
    MlirOperation program =
        mlirSymbolTableLookup(table, tt_string(tt_launch_program(launches.data[i])));
    if (mlirOperationIsNull(program) || !tt_program_isa(program) ||
        tt_op_map_get(&seen, program) >= 0)
      continue;
    tt_op_map_set(arena, &seen, program, 0);
    tt_ops_add(arena, &programs, program);
  }
  mlirSymbolTableDestroy(table);
  return programs;
}

MlirOperation tt_cb_decl(MlirOperation program, MlirValue cb) {
  MlirOperation get = tt_defining_op(cb);
  return tt_get_cb_isa(get) ? tt_program_cb(program, tt_string(tt_get_cb_name(get)))
                            : (MlirOperation){NULL};
}

bool tt_require_programs(MlirOperation module) {
  TtArena *arena = tt_arena_create();
  TtOps kernels = tt_kernels(arena, module);
  MlirOperation kernel = kernels.n ? kernels.data[0] : (MlirOperation){NULL};
  tt_arena_destroy(arena);
  if (mlirOperationIsNull(kernel)) return true;
  return tt_error(kernel, "the kernel is not split into reader, compute and writer: run "
                          "--tt-split-device-kernel first");
}

bool tt_is_tile_math(MlirOperation op) { return tt_op_info(op)->does == TT_ACT_MATH; }

bool tt_is_sfpu_tile(MlirOperation op) {
  return tt_is_tile_math(op) && tt_op_info(op)->unit == TT_UNIT_SFPU;
}

TtSubBlock tt_sub_block(int64_t r, int64_t c, int64_t capacity) {
  TtSubBlock s = {1, c};
  if (c <= capacity) { /* whole rows */
    for (int64_t rows = 1; rows <= r; ++rows)
      if (r % rows == 0 && rows * c <= capacity) s.rows = rows;
    return s;
  }
  for (int64_t cols = 1; cols <= capacity; ++cols) /* pieces of one row */
    if (c % cols == 0) s.cols = cols;
  return s;
}

/* `n` in as few parts of at most `most` as there can be, all about as long. */
static int64_t evened(int64_t n, int64_t most) {
  int64_t parts = (n + most - 1) / most;
  return (n + parts - 1) / parts;
}

TtSubBlock tt_part_of(int64_t r, int64_t c, int64_t most) {
  TtSubBlock even = tt_sub_block(r, c, most), uneven = c > most
                                                           ? (TtSubBlock){1, evened(c, most)}
                                                           : (TtSubBlock){evened(r, most / c), c};
  return 2 * even.rows * even.cols < uneven.rows * uneven.cols ? uneven : even;
}

int64_t tt_num_parts(int64_t r, int64_t c, TtSubBlock part) {
  return ((r + part.rows - 1) / part.rows) * ((c + part.cols - 1) / part.cols);
}

TtSubBlock tt_joined_part(int64_t r, int64_t c, int64_t capacity) {
  TtSubBlock s = tt_sub_block(r, c, capacity);
  int64_t most = capacity / (s.rows * s.cols);
  if (most < 2) return s;
  if (s.cols == c) s.rows *= r / s.rows / ((r / s.rows + most - 1) / most);
  else if (s.cols == 1) s.cols = c / ((c + most - 1) / most);
  return s;
}

TtOps tt_kernel_semaphores(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  TtOps all = tt_collect(arena, program, "tt.semaphore"),
        uses = tt_collect(arena, kernel, "metalium.get_semaphore"), used = {NULL, 0, 0};
  for (intptr_t i = 0; i < all.n; ++i)
    for (intptr_t j = 0; j < uses.n; ++j)
      if (mlirStringRefEqual(tt_symbol_name(all.data[i]),
                             tt_string(metalium_get_semaphore_name(uses.data[j])))) {
        tt_ops_add(arena, &used, all.data[i]);
        break;
      }
  return used;
}

int tt_kernel_noc_of(MlirOperation kernel) {
  MlirAttribute noc = tt_kernel_noc(kernel);
  return mlirAttributeIsNull(noc) ? 0 : (int)tt_int(noc);
}
