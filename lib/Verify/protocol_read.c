/*===- protocol_read.c - functions of a program to steps ---------------------------------------------===
 *
 *   scf.for %i = %c0 to %c4 step %c1 {              FOR      slot 0, from 0 to 4 by 1
 *     metalium.cb_wait_front %in, %c1                 WAIT   cb_in0, 1        unpack alone
 *     tt.dst.acquire                                  ACQUIRE                 math alone
 *   }                                               END_FOR
 *
 * A function is read once; each of its processes keeps the steps that concern it.
 *
 *===----------------------------------------------------------------------===*/

#include "protocol.h"
#include "tilewright/verify.h"
#include "value_map.h"

#include <string.h>

enum { MAX_DEPTH = 200 }; /* of index expressions; those of kernels have some ten */

typedef struct Reader {
  TtProtocol *p;
  TtExpressions *e;
  TtSteps all;
  TtValueMap nodes, slots; /* of values */
  int level, top;          /* loops around, slots in use */
  bool ok;
} Reader;

static void *grow(TtArena *arena, void *data, int n, int *capacity, size_t size) {
  if (n < *capacity) return data;
  int larger = *capacity ? *capacity * 2 : 64;
  void *copy = tt_arena_alloc(arena, (size_t)larger * size);
  if (n) memcpy(copy, data, (size_t)n * size);
  *capacity = larger;
  return copy;
}

/*===- Index expressions --------------------------------------------------------------------------===*/

static int depth_of(const Reader *r, int node) { return node < 0 ? 0 : r->e->nodes[node].depth; }

static int add_node(Reader *r, TtIndexNode n) {
  int operands[3] = {n.a, n.b, n.c};
  for (int i = 0; i < 3 && n.kind >= TT_IX_ADD; ++i)
    if (depth_of(r, operands[i]) >= n.depth) n.depth = depth_of(r, operands[i]) + 1;
  r->e->nodes = grow(r->p->arena, r->e->nodes, r->e->n, &r->e->capacity, sizeof n);
  r->e->nodes[r->e->n] = n;
  return r->e->n++;
}

static int constant(Reader *r, int64_t value) { return add_node(r, (TtIndexNode){.kind = TT_IX_CONST, .value = value}); }

static int slot_node(Reader *r, int slot) { return add_node(r, (TtIndexNode){.kind = TT_IX_SLOT, .value = slot}); }

static int argument(Reader *r, MlirStringRef name) {
  TtProtocol *p = r->p;
  int i = 0;
  while (i < p->num_args && !tt_str_eq(name, p->args[i])) ++i;
  if (i == p->num_args) {
    p->args = grow(p->arena, p->args, p->num_args, &p->args_capacity, sizeof *p->args);
    p->args[p->num_args++] = tt_arena_str(p->arena, name);
  }
  return add_node(r, (TtIndexNode){.kind = TT_IX_ARG, .value = i});
}

static int new_slot(Reader *r, MlirValue value) {
  int slot = r->top++;
  if (r->top > r->e->slots) r->e->slots = r->top;
  tt_value_map_set(r->p->arena, &r->slots, value, slot);
  return slot;
}

static const struct {
  const char *name;
  int kind, operands;
  bool bits; /* of truth values only */
} arithmetic[] = {{"arith.addi", TT_IX_ADD, 2, false},   {"arith.subi", TT_IX_SUB, 2, false},
                  {"arith.muli", TT_IX_MUL, 2, false},   {"arith.divui", TT_IX_DIV, 2, false},
                  {"arith.divsi", TT_IX_DIV, 2, false},  {"arith.floordivsi", TT_IX_DIV, 2, false},
                  {"arith.remui", TT_IX_REM, 2, false},  {"arith.remsi", TT_IX_REM, 2, false},
                  {"arith.cmpi", TT_IX_CMP, 2, false},   {"arith.ori", TT_IX_OR, 2, true},
                  {"arith.andi", TT_IX_AND, 2, true},    {"arith.xori", TT_IX_XOR, 2, true},
                  {"arith.minui", TT_IX_MIN, 2, false},  {"arith.minsi", TT_IX_MIN, 2, false},
                  {"arith.maxui", TT_IX_MAX, 2, false},  {"arith.maxsi", TT_IX_MAX, 2, false},
                  {"arith.select", TT_IX_SELECT, 3, false}};

static bool is_bit(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
}

static int cannot_follow(Reader *r, MlirOperation op) {
  if (r->ok)
    r->ok = tt_error(mlirOperationIsNull(op) ? r->p->program : op,
                     "cannot prove the protocol: a count, a bound, a condition or a tile index depends on this "
                     "value; it may depend on constants, loop variables and runtime arguments");
  return constant(r, 1);
}

static int index_of(Reader *r, MlirValue value, int depth);

static int read_node(Reader *r, MlirValue value, int depth) {
  int64_t c;
  if (tt_constant(value, &c)) return constant(r, is_bit(value) ? c != 0 : c);
  int slot = tt_value_map_get(&r->slots, value);
  if (slot >= 0) return slot_node(r, slot);
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op) || depth > MAX_DEPTH) return cannot_follow(r, op);
  if (tt_runtime_arg_isa(op)) return argument(r, tt_string(tt_runtime_arg_name(op)));
  if (metalium_get_tile_size_isa(op)) {
    MlirOperation cb = tt_cb_decl(r->p->program, mlirOperationGetOperand(op, 0));
    if (!mlirOperationIsNull(cb)) return constant(r, tt_cb_attr_page_size(tt_circular_buffer_config(cb)));
  }
  if (tt_op_is(op, "arith.index_cast") || tt_op_is(op, "arith.index_castui"))
    return index_of(r, mlirOperationGetOperand(op, 0), depth + 1);
  for (size_t i = 0; i < sizeof arithmetic / sizeof *arithmetic; ++i) {
    if (!tt_op_is(op, arithmetic[i].name) || (arithmetic[i].bits && !is_bit(value))) continue;
    int x[3] = {-1, -1, -1};
    for (int j = 0; j < arithmetic[i].operands; ++j) x[j] = index_of(r, mlirOperationGetOperand(op, j), depth + 1);
    TtIndexNode n = {.a = x[0], .b = x[1], .c = x[2]};
    n.kind = arithmetic[i].kind;
    if (n.kind == TT_IX_CMP) n.value = tt_int(tt_op_attr(op, "predicate"));
    return add_node(r, n);
  }
  return cannot_follow(r, op);
}

static int index_of(Reader *r, MlirValue value, int depth) {
  int known = tt_value_map_get(&r->nodes, value);
  if (known >= 0) return known;
  int node = read_node(r, value, depth);
  if (depth_of(r, node) > MAX_DEPTH) cannot_follow(r, tt_defining_op(value));
  tt_value_map_set(r->p->arena, &r->nodes, value, node);
  return node;
}

static int operand(Reader *r, MlirOperation op, intptr_t i) { return index_of(r, mlirOperationGetOperand(op, i), 0); }

/*===- Steps --------------------------------------------------------------------------------------===*/

static int cb_index(Reader *r, MlirValue cb) {
  MlirOperation decl = tt_cb_decl(r->p->program, cb);
  if (mlirOperationIsNull(decl)) return -1;
  int64_t id = tt_cb_attr_cb_id(tt_circular_buffer_config(decl));
  for (int i = 0; i < r->p->num_cbs; ++i)
    if (r->p->cbs[i].id == id) return i;
  return -1;
}

static TtStep *step(Reader *r, TtStepKind kind, MlirOperation op) {
  r->all.data = grow(r->p->arena, r->all.data, r->all.n, &r->all.capacity, sizeof *r->all.data);
  TtStep *s = &r->all.data[r->all.n++];
  *s = (TtStep){.kind = kind, .op = op, .cb = {-1, -1, -1}, .index = {-1, -1, -1}, .slot = -1, .target = -1,
                .unit = -1, .level = r->level, .warned = tt_arena_alloc(r->p->arena, sizeof(bool))};
  return s;
}

static void set_cbs(Reader *r, TtStep *s, MlirOperation op, int n) {
  for (int i = 0; i < n; ++i) s->cb[i] = cb_index(r, mlirOperationGetOperand(op, i));
}

static void read_block(Reader *r, MlirBlock block);

static void read_loop(Reader *r, MlirOperation op) {
  int bounds[3], slot;
  for (int i = 0; i < 3; ++i) bounds[i] = operand(r, op, i);
  TtStep *s = step(r, TT_STEP_FOR, op);
  memcpy(s->index, bounds, sizeof bounds);
  s->slot = slot = new_slot(r, tt_for_iv(op));
  ++r->level;
  read_block(r, tt_for_body(op));
  --r->level;
  s = step(r, TT_STEP_END_FOR, op);
  memcpy(s->index, bounds, sizeof bounds);
  s->slot = slot;
  r->top = slot;
}

/* Whether a branch only decides which tiles move. */
static bool only_transfers(MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op); op = tt_next(op)) {
    bool moves = metalium_noc_async_read_tile_isa(op) || metalium_noc_async_write_tile_isa(op) ||
                 metalium_fill_zeros_isa(op) || metalium_l1_offset_isa(op);
    if (!moves && (mlirOperationGetNumRegions(op) > 0 || tt_op_info(op).level == TT_LEVEL_PROTOCOL))
      return false;
  }
  return true;
}

static void read_if(Reader *r, MlirOperation op) {
  MlirBlock other = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 1));
  bool moves = only_transfers(tt_body(op)) && (mlirBlockIsNull(other) || only_transfers(other));
  if (!moves) { /* else as if both did */
    int condition = operand(r, op, 0);
    step(r, TT_STEP_IF, op)->index[0] = condition;
  }
  read_block(r, tt_body(op));
  if (!moves) step(r, TT_STEP_ELSE, op);
  if (!mlirBlockIsNull(other)) read_block(r, other);
  if (!moves) step(r, TT_STEP_END_IF, op);
}

static const struct {
  const char *op;
  TtStepKind kind;
} counted[] = {{"metalium.cb_reserve_back", TT_STEP_RESERVE},
               {"metalium.cb_push_back", TT_STEP_PUSH},
               {"metalium.cb_wait_front", TT_STEP_WAIT},
               {"metalium.cb_pop_front", TT_STEP_POP}};
static const struct {
  const char *op;
  TtStepKind kind;
} plain[] = {{"metalium.noc_async_read_barrier", TT_STEP_READ_BARRIER},
             {"metalium.noc_async_write_barrier", TT_STEP_WRITE_BARRIER},
             {"metalium.noc_async_writes_flushed", TT_STEP_FLUSH},
             {"tt.dst.acquire", TT_STEP_ACQUIRE}, {"tt.dst.commit", TT_STEP_COMMIT},
             {"tt.dst.wait", TT_STEP_DST_WAIT},   {"tt.dst.release", TT_STEP_RELEASE}};
static const struct {
  const char *op;
  TtStepKind kind;
  int address; /* operand */
} transfers[] = {{"metalium.noc_async_read_tile", TT_STEP_READ, 2},
                 {"metalium.noc_async_write_tile", TT_STEP_WRITE, 2},
                 {"metalium.fill_index_tile", TT_STEP_FILL, 0},
                 {"metalium.fill_zeros", TT_STEP_FILL, 0}};

/* The circular buffer's page and the tensor's tile have the same bytes. */
static bool check_bytes(Reader *r, const TtStep *s) {
  MlirOperation accessor = tt_defining_op(mlirOperationGetOperand(s->op, 1));
  if (s->cb[0] < 0 || !metalium_tensor_accessor_isa(accessor)) return true;
  MlirOperation func = accessor;
  while (!mlirOperationIsNull(func) && !tt_op_is(func, "func.func")) func = tt_parent(func);
  char *name = tt_arena_str(r->p->arena, tt_string(metalium_tensor_accessor_name(accessor)));
  MlirAttribute a = tt_named_attr(func, "tensor_accessor", name);
  if (!tt_tensor_accessor_attr_isa(a) || tt_tensor_accessor_attr_type(a) != TT_ACCESSOR_KIND_BOUND) return true;
  int64_t bytes = tt_runtime_binding_attr_tile_size_bytes(tt_tensor_accessor_attr_runtime_binding(a));
  const TtProtocolCB *cb = &r->p->cbs[s->cb[0]];
  return bytes == cb->page_bytes ||
         tt_error(s->op, "[rule 8] a tile of %s has %jd bytes, but a page of %s has %jd", name, (intmax_t)bytes,
                  cb->name, (intmax_t)cb->page_bytes);
}

/* `addr` is a pointer of a circular buffer, and bytes that are added to it. */
static void read_transfer(Reader *r, MlirOperation op, TtStepKind kind, MlirValue addr) {
  int bytes = -1;
  MlirOperation at = tt_defining_op(addr);
  for (; metalium_l1_offset_isa(at); at = tt_defining_op(addr)) {
    int more = operand(r, at, 1);
    bytes = bytes < 0 ? more : add_node(r, (TtIndexNode){.kind = TT_IX_ADD, .a = more, .b = bytes, .c = -1});
    addr = metalium_l1_offset_base(at);
  }
  TtStep *s = step(r, kind, op);
  s->index[0] = bytes;
  s->slot = tt_value_map_get(&r->slots, addr);
  if (s->slot < 0) return;
  s->to_read = metalium_get_read_ptr_isa(at);
  s->cb[0] = cb_index(r, mlirOperationGetOperand(at, 0));
  if (kind != TT_STEP_FILL && r->ok) r->ok = check_bytes(r, s);
}

static int unit(Reader *r, const char *name) {
  TtProtocol *p = r->p;
  for (int i = 0; i < p->num_units; ++i)
    if (strcmp(p->units[i], name) == 0) return i;
  p->units = grow(p->arena, p->units, p->num_units, &p->units_capacity, sizeof *p->units);
  p->units[p->num_units] = name;
  return p->num_units++;
}

static const char *fpu_unit(TtArena *arena, MlirOperation op) {
  if (metalium_matmul_tiles_isa(op) || tt_fpu_matmul_init_isa(op))
    return mlirAttributeIsNull(tt_op_attr(op, "transpose_b")) ? "matmul" : "matmul, b transposed";
  if (metalium_copy_tile_isa(op) || metalium_copy_tile_init_isa(op)) return "copy";
  if (metalium_transpose_wh_tile_isa(op) || metalium_transpose_wh_init_short_isa(op)) return "transpose";
  bool reduces = metalium_reduce_tile_isa(op) || tt_fpu_reduce_init_isa(op);
  if (reduces || metalium_binary_dest_reuse_tiles_isa(op) || metalium_binary_dest_reuse_tiles_init_isa(op)) {
    MlirStringRef name = tt_string(tt_op_attr(op, "op"));
    return tt_arena_printf(arena, "%s, %.*s", reduces ? "reduce" : "reuse of DST", (int)name.length, name.data);
  }
  if (tt_fpu_binary_init_isa(op)) return tt_arena_str(arena, tt_string(tt_fpu_binary_init_op(op)));
  return tt_binary_name(op);
}

static void read_startup(Reader *r, MlirOperation op) {
  TtStep *s = step(r, TT_STEP_STARTUP, op);
  bool reverse = tt_str_eq(tt_string(tt_engine_init_common_kind(op)), "matmul");
  intptr_t n = tt_engine_init_common_num_inputs(op);
  int a = cb_index(r, tt_engine_init_common_inputs(op, 0)), b = cb_index(r, tt_engine_init_common_inputs(op, n - 1));
  s->cb[0] = reverse ? b : a, s->cb[1] = reverse ? a : b;
  s->cb[2] = cb_index(r, tt_engine_init_common_out(op));
}

/* One step for each tile that it touches. */
static void read_sfpu(Reader *r, MlirOperation op) {
  intptr_t tiles = metalium_sfpu_tiles_isa(op) ? mlirOperationGetNumOperands(op) : 1;
  for (intptr_t i = 0; i < tiles; ++i) {
    int dst = operand(r, op, i);
    TtStep *s = step(r, TT_STEP_SFPU, op);
    s->unit = unit(r, tt_arena_str(r->p->arena, tt_string(tt_op_attr(op, "op"))));
    s->index[2] = dst;
  }
}

static void read_math(Reader *r, MlirOperation op) {
  int n = tt_tile_sources(op), first = n == 1 ? 1 : 2;
  int index[3] = {operand(r, op, first), n == 1 ? -1 : operand(r, op, first + 1), operand(r, op, first + n)};
  TtStep *s = step(r, TT_STEP_MATH, op);
  set_cbs(r, s, op, n);
  memcpy(s->index, index, sizeof index);
  s->unit = unit(r, fpu_unit(r->p->arena, op));
}

static bool read_engine(Reader *r, MlirOperation op) {
  if (tt_engine_init_common_isa(op)) read_startup(r, op);
  else if (tt_fpu_matmul_init_isa(op) || metalium_copy_tile_init_isa(op) || metalium_transpose_wh_init_short_isa(op) ||
           tt_fpu_reduce_init_isa(op) || tt_fpu_binary_init_isa(op) || metalium_binary_dest_reuse_tiles_init_isa(op))
    step(r, TT_STEP_FPU_INIT, op)->unit = unit(r, fpu_unit(r->p->arena, op));
  else if (metalium_reduce_uninit_isa(op)) step(r, TT_STEP_REDUCE_END, op);
  else if (tt_sfpu_init_isa(op))
    step(r, TT_STEP_SFPU_INIT, op)->unit = unit(r, tt_arena_str(r->p->arena, tt_string(tt_sfpu_init_op(op))));
  else if (metalium_reconfig_data_format_srca_isa(op)) set_cbs(r, step(r, TT_STEP_SRCA, op), op, 1);
  else if (metalium_reconfig_data_format_srcb_isa(op)) set_cbs(r, step(r, TT_STEP_SRCB, op), op, 1);
  else if (tt_pack_init_isa(op)) set_cbs(r, step(r, TT_STEP_PACKER, op), op, 1);
  else if (tt_is_sfpu_tile(op)) read_sfpu(r, op);
  else if (tt_is_tile_math(op)) read_math(r, op);
  else if (metalium_pack_tile_isa(op)) {
    int dst = index_of(r, metalium_pack_tile_dst(op), 0);
    TtStep *s = step(r, TT_STEP_PACK, op);
    s->cb[0] = cb_index(r, metalium_pack_tile_out(op));
    s->index[2] = dst;
  } else return false;
  return true;
}

static bool read_buffer(Reader *r, MlirOperation op) {
  for (size_t i = 0; i < sizeof counted / sizeof *counted; ++i)
    if (tt_op_is(op, counted[i].op)) {
      int n = operand(r, op, 1);
      TtStep *s = step(r, counted[i].kind, op);
      set_cbs(r, s, op, 1);
      s->index[0] = n;
      return true;
    }
  if (metalium_get_write_ptr_isa(op) || metalium_get_read_ptr_isa(op)) {
    TtStep *s = step(r, TT_STEP_POINTER, op);
    set_cbs(r, s, op, 1);
    s->to_read = metalium_get_read_ptr_isa(op);
    s->slot = new_slot(r, mlirOperationGetResult(op, 0));
    return true;
  }
  for (size_t i = 0; i < sizeof transfers / sizeof *transfers; ++i)
    if (tt_op_is(op, transfers[i].op)) {
      read_transfer(r, op, transfers[i].kind, mlirOperationGetOperand(op, transfers[i].address));
      return true;
    }
  for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i)
    if (tt_op_is(op, plain[i].op)) {
      step(r, plain[i].kind, op);
      return true;
    }
  return false;
}

static void read_op(Reader *r, MlirOperation op) {
  if (tt_op_is(op, "scf.for")) read_loop(r, op);
  else if (tt_op_is(op, "scf.if")) read_if(r, op);
  else if (!read_buffer(r, op) && !read_engine(r, op) && mlirOperationGetNumRegions(op) > 0) {
    MlirStringRef name = tt_op_name(op);
    r->ok = tt_error(op, "cannot prove the protocol: %.*s is neither a counted loop nor a branch; use scf.for and "
                         "scf.if", (int)name.length, name.data);
  }
}

static void read_block(Reader *r, MlirBlock block) {
  int top = r->top;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); r->ok && !mlirOperationIsNull(op); op = tt_next(op))
    read_op(r, op);
  r->top = top;
}

/*===- Processes ------------------------------------------------------------------------------------===*/

/* Which processes a step concerns. */
static bool concerns(TtStepKind kind, int process) {
  bool mover = process == TT_READER || process == TT_WRITER;
  switch (kind) {
  case TT_STEP_FOR: case TT_STEP_END_FOR: case TT_STEP_IF: case TT_STEP_ELSE: case TT_STEP_END_IF: return true;
  case TT_STEP_RESERVE: case TT_STEP_PUSH: return mover || process == TT_PACK;
  case TT_STEP_WAIT: case TT_STEP_POP: return mover || process == TT_UNPACK;
  case TT_STEP_STARTUP: return !mover;
  case TT_STEP_FPU_INIT: case TT_STEP_REDUCE_END: case TT_STEP_SRCA: case TT_STEP_SRCB: case TT_STEP_MATH:
    return process == TT_UNPACK || process == TT_MATH;
  case TT_STEP_SFPU_INIT: case TT_STEP_SFPU: case TT_STEP_ACQUIRE: case TT_STEP_COMMIT: return process == TT_MATH;
  case TT_STEP_PACKER: case TT_STEP_PACK: case TT_STEP_DST_WAIT: case TT_STEP_RELEASE: return process == TT_PACK;
  default: return mover;
  }
}

/* The steps of one process, without loops and branches that are empty for it. */
static void keep_steps(TtArena *arena, const TtSteps *all, int process, TtSteps *out) {
  out->data = tt_arena_alloc(arena, (size_t)(all->n + 1) * sizeof *out->data);
  for (int i = 0; i < all->n; ++i) {
    const TtStep *s = &all->data[i];
    TtStepKind last = out->n > 0 ? out->data[out->n - 1].kind : TT_STEP_END_FOR;
    if (!concerns(s->kind, process)) continue;
    if (s->kind == TT_STEP_END_FOR && last == TT_STEP_FOR) --out->n;
    else if (s->kind == TT_STEP_END_IF && last == TT_STEP_ELSE && out->data[out->n - 2].kind == TT_STEP_IF) out->n -= 2;
    else out->data[out->n++] = *s;
  }
}

/* Where loops and branches go on. */
static void link_steps(TtArena *arena, TtSteps *steps) {
  int *open = tt_arena_alloc(arena, (size_t)(steps->n + 1) * sizeof *open), n = 0;
  for (int i = 0; i < steps->n; ++i) {
    TtStep *s = &steps->data[i];
    if (s->kind == TT_STEP_FOR || s->kind == TT_STEP_IF) open[n++] = i;
    if (s->kind == TT_STEP_ELSE) steps->data[open[n - 1]].target = i + 1, open[n - 1] = i;
    if (s->kind == TT_STEP_END_IF) steps->data[open[--n]].target = i;
    if (s->kind == TT_STEP_END_FOR) s->target = open[--n], steps->data[s->target].target = i + 1;
  }
}

TtKernelRole tt_role_of_process(int kind) {
  return kind == TT_READER ? TT_KERNEL_ROLE_READER : kind == TT_WRITER ? TT_KERNEL_ROLE_WRITER : TT_KERNEL_ROLE_COMPUTE;
}

static void read_cbs(TtProtocol *p) {
  TtOps cbs = tt_collect(p->arena, p->program, "tt.circular_buffer");
  p->cbs = tt_arena_alloc(p->arena, (size_t)(cbs.n + 1) * sizeof *p->cbs);
  for (intptr_t i = 0; i < cbs.n; ++i) {
    MlirAttribute config = tt_circular_buffer_config(cbs.data[i]);
    p->cbs[p->num_cbs++] = (TtProtocolCB){tt_arena_str(p->arena, tt_symbol_name(cbs.data[i])),
                                          tt_cb_attr_cb_id(config),
                                          tt_int(tt_circular_buffer_pages(cbs.data[i])),
                                          tt_cb_attr_page_size(config), tt_cb_attr_data_format(config),
                                          !mlirAttributeIsNull(tt_circular_buffer_on_shard(cbs.data[i]))};
  }
}

bool tt_protocol_read(TtArena *arena, MlirOperation program, TtCheckOptions options, TtProtocol *p) {
  *p = (TtProtocol){.arena = arena, .program = program, .options = options};
  read_cbs(p);
  for (int role = 0; role < TT_KERNEL_ROLE_COUNT; ++role) {
    p->funcs[role] = tt_program_function(program, (TtKernelRole)role);
    if (mlirOperationIsNull(p->funcs[role])) continue;
    Reader r = {.p = p, .e = &p->expressions[role], .ok = true};
    read_block(&r, tt_body(p->funcs[role]));
    if (!r.ok) return false;
    for (int process = 0; process < TT_NUM_PROCESSES; ++process) {
      if ((int)tt_role_of_process(process) != role) continue;
      keep_steps(arena, &r.all, process, &p->steps[process]);
      link_steps(arena, &p->steps[process]);
    }
  }
  return true;
}
