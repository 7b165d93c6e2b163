/*===- protocol_read.c - functions of a program to steps ----------------------------===*/

#include "protocol.h"
#include "tilewright/dims.h"
#include "tilewright/verify.h"

#include <string.h>

typedef struct Reader {
  TtProtocol *p;
  TtSteps *s;
  MlirValue values[256]; /* loop variables, by slot */
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

static int node(Reader *r, TtIndexNode n) {
  r->s->nodes = grow(r->p->arena, r->s->nodes, r->s->num_nodes, &r->s->node_capacity, sizeof n);
  r->s->nodes[r->s->num_nodes] = n;
  return r->s->num_nodes++;
}

static int constant(Reader *r, int64_t value) {
  return node(r, (TtIndexNode){TT_IX_CONST, value, 0, 0});
}

static int index_of(Reader *r, MlirValue value) {
  static const struct {
    const char *name;
    int kind;
  } ops[] = {{"arith.addi", TT_IX_ADD}, {"arith.subi", TT_IX_SUB}, {"arith.muli", TT_IX_MUL},
             {"arith.divui", TT_IX_DIV}, {"arith.remui", TT_IX_REM}, {"arith.cmpi", TT_IX_CMP},
             {"arith.ori", TT_IX_OR}, {"arith.andi", TT_IX_AND},
             {"arith.minui", TT_IX_MIN}, {"arith.minsi", TT_IX_MIN}};
  int64_t c;
  if (tt_constant(value, &c)) return constant(r, c);
  for (int slot = r->s->slots; slot-- > TT_NUM_ARG_SLOTS;)
    if (slot < 256 && tt_value_eq(r->values[slot], value))
      return node(r, (TtIndexNode){TT_IX_SLOT, slot, 0, 0});
  MlirOperation op = tt_defining_op(value);
  if (tt_runtime_arg_isa(op)) {
    MlirStringRef name = tt_string(tt_runtime_arg_name(op));
    for (int slot = 0; slot < (int)tt_num_runtime_arg_names; ++slot)
      if (tt_str_eq(name, tt_runtime_arg_names[slot])) return node(r, (TtIndexNode){TT_IX_SLOT, slot, 0, 0});
    if (tt_is_dim_name(name)) return node(r, (TtIndexNode){TT_IX_SLOT, TT_SLOT_SIZE, 0, 0});
  }
  for (size_t i = 0; !mlirOperationIsNull(op) && i < sizeof ops / sizeof *ops; ++i) {
    if (!tt_op_is(op, ops[i].name)) continue;
    TtIndexNode n = {.value = 0, .a = index_of(r, mlirOperationGetOperand(op, 0)),
                     .b = index_of(r, mlirOperationGetOperand(op, 1))};
    n.kind = ops[i].kind;
    if (n.kind == TT_IX_CMP) n.value = tt_int(tt_op_attr(op, "predicate"));
    return node(r, n);
  }
  if (r->ok)
    r->ok =
        mlirOperationIsNull(op)
            ? tt_error(r->p->funcs[0], "cannot prove the protocol: a count depends on an argument")
            : tt_error(op, "cannot prove the protocol: a count or bound depends on this value");
  return constant(r, 1);
}

static int cb_index(Reader *r, MlirValue cb) {
  MlirOperation decl = tt_cb_decl(r->p->program, cb);
  if (mlirOperationIsNull(decl)) return -1;
  int64_t id = tt_cb_attr_cb_id(tt_circular_buffer_config(decl));
  for (int i = 0; i < r->p->num_cbs; ++i)
    if (r->p->cbs[i].id == id) return i;
  return -1;
}

static TtStep *step(Reader *r, TtStepKind kind, MlirOperation op) {
  r->s->data = grow(r->p->arena, r->s->data, r->s->n, &r->s->capacity, sizeof *r->s->data);
  TtStep *s = &r->s->data[r->s->n++];
  *s = (TtStep){.kind = kind, .op = op, .cb = {-1, -1, -1}, .index = {-1, -1, -1}, .target = -1};
  return s;
}

static void set_cbs(Reader *r, TtStep *s, MlirOperation op, int n) {
  for (int i = 0; i < n; ++i) s->cb[i] = cb_index(r, mlirOperationGetOperand(op, i));
}

/* The circular buffer whose pointer a transfer's L1 address comes from. */
static int transfer_cb(Reader *r, MlirValue addr) {
  MlirOperation op = tt_defining_op(addr);
  while (metalium_l1_offset_isa(op)) op = tt_defining_op(metalium_l1_offset_base(op));
  return mlirOperationIsNull(op) ? -1 : cb_index(r, mlirOperationGetOperand(op, 0));
}

static void read_block(Reader *r, MlirBlock block);

static void read_loop(Reader *r, MlirOperation op) {
  int bounds[3];
  for (int i = 0; i < 3; ++i) bounds[i] = index_of(r, mlirOperationGetOperand(op, i));
  int slot = r->s->slots++, at = r->s->n;
  if (slot >= 256) {
    r->ok =
        tt_error(op, "cannot prove the protocol: loops are nested or repeated more than 256 times");
    return;
  }
  r->values[slot] = tt_for_iv(op);
  TtStep *s = step(r, TT_STEP_FOR, op);
  s->slot = slot;
  memcpy(s->index, bounds, sizeof bounds);
  read_block(r, tt_for_body(op));
  TtStep *end = step(r, TT_STEP_END_FOR, op);
  end->slot = slot, end->target = at;
  memcpy(end->index, bounds, sizeof bounds);
  r->s->data[at].target = r->s->n;
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
  if (only_transfers(tt_body(op)) && (mlirBlockIsNull(other) || only_transfers(other))) {
    read_block(r, tt_body(op)); /* as if all did */
    return;
  }
  int at = r->s->n, condition = index_of(r, mlirOperationGetOperand(op, 0));
  step(r, TT_STEP_IF, op)->index[0] = condition;
  read_block(r, tt_body(op));
  MlirBlock otherwise = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 1));
  int jump = r->s->n;
  step(r, TT_STEP_ELSE, op);
  r->s->data[at].target = r->s->n;
  if (!mlirBlockIsNull(otherwise)) read_block(r, otherwise);
  r->s->data[jump].target = r->s->n;
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
             {"metalium.noc_async_writes_flushed", TT_STEP_WRITE_BARRIER},
             {"tt.dst.acquire", TT_STEP_ACQUIRE}, {"tt.dst.commit", TT_STEP_COMMIT},
             {"tt.dst.wait", TT_STEP_DST_WAIT},   {"tt.dst.release", TT_STEP_RELEASE}};

static const char *unit_of(TtArena *arena, MlirOperation op) {
  if (metalium_matmul_tiles_isa(op) || tt_fpu_matmul_init_isa(op))
    return mlirAttributeIsNull(tt_op_attr(op, "transpose_b")) ? "matmul" : "matmul, b transposed";
  if (metalium_copy_tile_isa(op) || metalium_copy_tile_init_isa(op)) return "copy";
  if (metalium_transpose_wh_tile_isa(op) || metalium_transpose_wh_init_short_isa(op))
    return "transpose";
  bool reduces = metalium_reduce_tile_isa(op) || tt_fpu_reduce_init_isa(op);
  if (reduces || metalium_binary_dest_reuse_tiles_isa(op) ||
      metalium_binary_dest_reuse_tiles_init_isa(op)) {
    MlirStringRef name = tt_string(tt_op_attr(op, "op"));
    return tt_arena_printf(arena, "%s, %.*s", reduces ? "reduce" : "reuse of DST", (int)name.length,
                           name.data);
  }
  if (tt_fpu_binary_init_isa(op)) return tt_arena_str(arena, tt_string(tt_fpu_binary_init_op(op)));
  return tt_binary_name(op);
}

static bool read_engine(Reader *r, MlirOperation op) {
  TtArena *arena = r->p->arena;
  if (tt_engine_init_common_isa(op)) {
    TtStep *s = step(r, TT_STEP_STARTUP, op);
    bool reverse = tt_str_eq(tt_string(tt_engine_init_common_kind(op)), "matmul");
    intptr_t n = tt_engine_init_common_num_inputs(op);
    int a = cb_index(r, tt_engine_init_common_inputs(op, 0)),
        b = cb_index(r, tt_engine_init_common_inputs(op, n - 1));
    s->cb[0] = reverse ? b : a, s->cb[1] = reverse ? a : b;
    s->cb[2] = cb_index(r, tt_engine_init_common_out(op));
  } else if (tt_fpu_matmul_init_isa(op) || metalium_copy_tile_init_isa(op) ||
             metalium_transpose_wh_init_short_isa(op) || tt_fpu_reduce_init_isa(op) ||
             tt_fpu_binary_init_isa(op) || metalium_binary_dest_reuse_tiles_init_isa(op)) {
    step(r, TT_STEP_FPU_INIT, op)->unit = unit_of(arena, op);
  } else if (metalium_reduce_uninit_isa(op)) {
    step(r, TT_STEP_REDUCE_END, op);
  } else if (tt_sfpu_init_isa(op)) {
    step(r, TT_STEP_SFPU_INIT, op)->unit = tt_arena_str(arena, tt_string(tt_sfpu_init_op(op)));
  } else if (metalium_reconfig_data_format_srca_isa(op)) {
    set_cbs(r, step(r, TT_STEP_SRCA, op), op, 1);
  } else if (metalium_reconfig_data_format_srcb_isa(op)) {
    set_cbs(r, step(r, TT_STEP_SRCB, op), op, 1);
  } else if (tt_pack_init_isa(op)) {
    set_cbs(r, step(r, TT_STEP_PACKER, op), op, 1);
  } else if (metalium_sfpu_tile_isa(op) || metalium_sfpu_scalar_tile_isa(op)) {
    int dst = index_of(r, mlirOperationGetOperand(op, 0));
    TtStep *s = step(r, TT_STEP_SFPU, op);
    s->unit = tt_arena_str(arena, tt_string(tt_op_attr(op, "op")));
    s->index[2] = dst;
  } else if (metalium_sfpu_tiles_isa(op)) { /* one step for each tile that it touches */
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      int dst = index_of(r, mlirOperationGetOperand(op, i));
      TtStep *s = step(r, TT_STEP_SFPU, op);
      s->unit = tt_arena_str(arena, tt_string(tt_op_attr(op, "op")));
      s->index[2] = dst;
    }
  } else if (tt_is_tile_math(op)) {
    bool copy = tt_tile_sources(op) == 1;
    int ia = index_of(r, mlirOperationGetOperand(op, copy ? 1 : 2)),
        ib = copy ? -1 : index_of(r, mlirOperationGetOperand(op, 3)),
        dst = index_of(r, mlirOperationGetOperand(op, copy ? 2 : 4));
    TtStep *s = step(r, TT_STEP_MATH, op);
    set_cbs(r, s, op, copy ? 1 : 2);
    s->index[0] = ia, s->index[1] = ib, s->index[2] = dst;
    s->unit = unit_of(arena, op);
  } else if (metalium_pack_tile_isa(op)) {
    int dst = index_of(r, metalium_pack_tile_dst(op));
    TtStep *s = step(r, TT_STEP_PACK, op);
    s->cb[0] = cb_index(r, metalium_pack_tile_out(op));
    s->index[2] = dst;
  } else {
    return false;
  }
  return true;
}

static void read_op(Reader *r, MlirOperation op) {
  if (tt_op_is(op, "scf.for")) {
    read_loop(r, op);
    return;
  }
  if (tt_op_is(op, "scf.if")) {
    read_if(r, op);
    return;
  }
  for (size_t i = 0; i < sizeof counted / sizeof *counted; ++i)
    if (tt_op_is(op, counted[i].op)) {
      int n = index_of(r, mlirOperationGetOperand(op, 1));
      TtStep *s = step(r, counted[i].kind, op);
      set_cbs(r, s, op, 1);
      s->index[0] = n;
      return;
    }
  for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i)
    if (tt_op_is(op, plain[i].op)) {
      step(r, plain[i].kind, op);
      return;
    }
  bool read = metalium_noc_async_read_tile_isa(op);
  if (read || metalium_noc_async_write_tile_isa(op)) {
    int cb = transfer_cb(r, mlirOperationGetOperand(op, 2));
    step(r, read ? TT_STEP_READ : TT_STEP_WRITE, op)->cb[0] = cb;
    return;
  }
  if (read_engine(r, op)) return;
  if (mlirOperationGetNumRegions(op) > 0) {
    MlirStringRef name = tt_op_name(op);
    r->ok = tt_error(op, "cannot prove the protocol: %.*s is neither a counted loop nor a branch",
                     (int)name.length, name.data);
  }
}

static void read_block(Reader *r, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); r->ok && !mlirOperationIsNull(op);
       op = tt_next(op))
    read_op(r, op);
}

static void read_cbs(TtProtocol *p) {
  TtOps cbs = tt_collect(p->arena, p->program, "tt.circular_buffer");
  p->cbs = tt_arena_alloc(p->arena, (size_t)(cbs.n + 1) * sizeof *p->cbs);
  for (intptr_t i = 0; i < cbs.n; ++i) {
    MlirAttribute config = tt_circular_buffer_config(cbs.data[i]);
    p->cbs[p->num_cbs++] = (TtProtocolCB){tt_arena_str(p->arena, tt_symbol_name(cbs.data[i])),
                                          tt_cb_attr_cb_id(config),
                                          tt_int(tt_circular_buffer_pages(cbs.data[i])),
                                          tt_cb_attr_data_format(config)};
  }
}

bool tt_protocol_read(TtArena *arena, MlirOperation program, TtProtocol *p) {
  *p = (TtProtocol){.arena = arena, .program = program};
  p->args[TT_SLOT_COUNT] = 1;
  read_cbs(p);
  for (int role = 0; role < TT_KERNEL_ROLE_COUNT; ++role) {
    MlirOperation func = tt_program_function(program, (TtKernelRole)role);
    p->funcs[role] = func;
    if (mlirOperationIsNull(func)) continue;
    Reader *r = tt_arena_alloc(arena, sizeof *r);
    r->p = p, r->s = &p->steps[role], r->ok = true;
    r->s->slots = TT_NUM_ARG_SLOTS;
    read_block(r, tt_body(func));
    if (!r->ok) return false;
  }
  return true;
}
