/*===- protocol_read.c - functions of a program to steps --------------------------------------===
 *
 *   scf.for %i = %c0 to %c4 step %c1 {              FOR      slot 0, from 0 to 4 by 1
 *     metalium.cb_wait_front %in, %c1                 WAIT   cb_in0, 1        unpack alone
 *     tt.dst.acquire                                  ACQUIRE                 math alone
 *   }                                               END_FOR
 *
 * A function is read once; each of its processes keeps the steps that concern it.
 *
 *===----------------------------------------------------------------------===*/

#include "Verify/protocol_read.h"
#include "Analysis/box.h"
#include "Analysis/compute_config.h"
#include "Analysis/shards.h"
#include "Dialect/op_info.h"

#include <limits.h>
#include <string.h>

/*===- Steps ----------------------------------------------------------------------------------===*/

int tt_cb_index(TtReader *r, MlirValue cb) {
  MlirOperation decl = tt_cb_decl(r->p->program, cb);
  if (mlirOperationIsNull(decl)) return -1;
  int64_t id = tt_int(tt_circular_buffer_id(decl));
  for (int i = 0; i < r->p->num_cbs; ++i)
    if (r->p->cbs[i].id == id) return i;
  return -1;
}

TtStep *tt_new_step(TtReader *r, TtStepKind kind, MlirOperation op) {
  r->all.data = tt_grow(r->p->arena, r->all.data, r->all.n, &r->all.capacity, sizeof *r->all.data);
  TtStep *s = &r->all.data[r->all.n++];
  *s = (TtStep){.kind = kind,
                .op = op,
                .cb = {-1, -1, -1},
                .index = {-1, -1, -1},
                .slot = -1,
                .link = -1,
                .corner = {-1, -1, -1, -1},
                .dests = -1,
                .semaphore = -1,
                .source = -1,
                .to_slot = -1,
                .target = -1,
                .unit = -1,
                .level = r->level,
                .warned = tt_arena_alloc(r->p->arena, sizeof(bool))};
  return s;
}

void tt_set_cbs(TtReader *r, TtStep *s, MlirOperation op, int n) {
  for (int i = 0; i < n; ++i) s->cb[i] = tt_cb_index(r, mlirOperationGetOperand(op, i));
}

static void read_block(TtReader *r, MlirBlock block);

static void read_loop(TtReader *r, MlirOperation op) {
  int bounds[3], slot;
  for (int i = 0; i < 3; ++i) bounds[i] = tt_read_operand(r, op, i);
  TtStep *s = tt_new_step(r, TT_STEP_FOR, op);
  memcpy(s->index, bounds, sizeof bounds);
  s->slot = slot = tt_new_slot(r, tt_for_iv(op));
  ++r->level;
  read_block(r, tt_for_body(op));
  --r->level;
  s = tt_new_step(r, TT_STEP_END_FOR, op);
  memcpy(s->index, bounds, sizeof bounds);
  s->slot = slot;
  r->top = slot;
}

/* Whether a branch only decides which tiles move. */
static bool only_transfers(MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    const TtOpInfo *info = tt_op_info(op);
    bool moves = info->does == TT_ACT_READ || info->does == TT_ACT_WRITE ||
                 info->does == TT_ACT_FILL || info->does == TT_ACT_COPY ||
                 info->does == TT_ACT_OFFSET;
    if (!moves && (mlirOperationGetNumRegions(op) > 0 || info->level == TT_LEVEL_PROTOCOL))
      return false;
  }
  return true;
}

/* Leaves as many writes of pages in steps [from, to) as `most`; returns how many there were. */
static int count_writes(TtReader *r, int from, int to, int most) {
  int n = 0;
  for (int i = from; i < to; ++i) {
    TtStep *s = &r->all.data[i];
    if ((s->kind != TT_STEP_READ && s->kind != TT_STEP_FILL) || s->uncounted) continue;
    s->uncounted = n++ >= most;
  }
  return n;
}

/* Of two branches one runs: what both write counts once, and what one of them writes does not. */
static void count_branches(TtReader *r, int then, int otherwise, int end) {
  int n = count_writes(r, then, otherwise, INT_MAX), m = count_writes(r, otherwise, end, 0);
  count_writes(r, then, otherwise, n < m ? n : m);
}

static void read_if(TtReader *r, MlirOperation op) {
  MlirBlock other = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 1));
  bool moves = only_transfers(tt_body(op)) && (mlirBlockIsNull(other) || only_transfers(other));
  if (!moves) { /* else as if both did */
    int condition = tt_read_operand(r, op, 0);
    tt_new_step(r, TT_STEP_IF, op)->index[0] = condition;
  }
  bool guarded = r->guarded;
  int then = r->all.n;
  r->guarded |= moves;
  read_block(r, tt_body(op));
  int otherwise = r->all.n;
  if (!moves) tt_new_step(r, TT_STEP_ELSE, op);
  if (!mlirBlockIsNull(other)) read_block(r, other);
  r->guarded = guarded;
  if (moves) count_branches(r, then, otherwise, r->all.n);
  if (!moves) tt_new_step(r, TT_STEP_END_IF, op);
}

/* What is a step by what it does alone. */
static const TtStepKind step_of[] = {[TT_ACT_RESERVE] = TT_STEP_RESERVE,
                                     [TT_ACT_PUSH] = TT_STEP_PUSH,
                                     [TT_ACT_WAIT] = TT_STEP_WAIT,
                                     [TT_ACT_POP] = TT_STEP_POP,
                                     [TT_ACT_READ] = TT_STEP_READ,
                                     [TT_ACT_WRITE] = TT_STEP_WRITE,
                                     [TT_ACT_FILL] = TT_STEP_FILL,
                                     [TT_ACT_READ_BARRIER] = TT_STEP_READ_BARRIER,
                                     [TT_ACT_WRITE_BARRIER] = TT_STEP_WRITE_BARRIER,
                                     [TT_ACT_FLUSH] = TT_STEP_FLUSH,
                                     [TT_ACT_DST_ACQUIRE] = TT_STEP_ACQUIRE,
                                     [TT_ACT_DST_COMMIT] = TT_STEP_COMMIT,
                                     [TT_ACT_DST_WAIT] = TT_STEP_DST_WAIT,
                                     [TT_ACT_DST_RELEASE] = TT_STEP_RELEASE};
/* The circular buffer's page and the tensor's tile have the same bytes. */
static bool check_bytes(TtReader *r, const TtStep *s) {
  MlirOperation accessor = tt_defining_op(mlirOperationGetOperand(s->op, 1));
  if (s->cb[0] < 0 || !metalium_tensor_accessor_isa(accessor)) return true;
  MlirOperation func = accessor;
  while (!mlirOperationIsNull(func) && !tt_is_function(func)) func = tt_parent(func);
  char *name = tt_arena_str(r->p->arena, tt_string(metalium_tensor_accessor_name(accessor)));
  MlirAttribute a = tt_named_attr(func, "tensor_accessor", name);
  if (!tt_tensor_accessor_attr_isa(a) || tt_tensor_accessor_attr_type(a) != TT_ACCESSOR_KIND_BOUND)
    return true;
  int64_t bytes =
      tt_runtime_binding_attr_tile_size_bytes(tt_tensor_accessor_attr_runtime_binding(a));
  const TtProtocolCB *cb = &r->p->cbs[s->cb[0]];
  bool rows = metalium_noc_async_read_rows_isa(s->op) || metalium_noc_async_write_rows_isa(s->op);
  if (rows != tt_lies_in_rows(r->p->arena, metalium_tensor_accessor_tensor(accessor)))
    return tt_error(s->op, "[rule 8] %s is stored %s; transfers of it are noc_async_%s", name,
                    rows ? "as tiles" : "row by row",
                    rows ? "read_tile and the like" : "read_rows");
  if (rows) bytes = TT_TILE * tt_int(tt_op_attr(s->op, "bytes")); /* a tile of it, in L1 */
  return bytes == cb->page_bytes ||
         tt_error(s->op, "[rule 8] a tile of %s has %jd bytes, but a page of %s has %jd", name,
                  (intmax_t)bytes, cb->name, (intmax_t)cb->page_bytes);
}

int tt_read_address(TtReader *r, MlirValue *address) {
  int bytes = -1;
  MlirOperation at = tt_defining_op(*address);
  for (; tt_op_info(at)->does == TT_ACT_OFFSET; at = tt_defining_op(*address)) {
    int more = tt_read_operand(r, at, 1);
    bytes = bytes < 0 ? more : tt_read_sum(r, more, bytes);
    *address = tt_operand_at(at, tt_op_info(at)->address);
  }
  return bytes;
}

/* Its address is a pointer of a circular buffer, and bytes that are added to it. */
static void read_transfer(TtReader *r, MlirOperation op, TtStepKind kind) {
  MlirValue addr = tt_operand_at(op, tt_op_info(op)->address);
  int bytes = tt_read_address(r, &addr);
  MlirOperation at = tt_defining_op(addr);
  int id =
      kind == TT_STEP_FILL || r->guarded ? -1 : tt_try_index(r, mlirOperationGetOperand(op, 0));
  TtStep *s = tt_new_step(r, kind, op);
  s->index[0] = bytes, s->index[1] = id;
  if (metalium_noc_async_read_run_isa(op)) { /* 0 of the first row of a tile alone */
    s->index[2] = tt_read_sum(r, tt_read_operand(r, op, 5), tt_read_operand(r, op, 6));
    s->uncounted = !mlirAttributeIsNull(tt_get_attr(op, TT_PAGE_FILLED));
  }
  s->slot = tt_value_map_get(&r->slots, addr);
  if (s->slot < 0) return;
  s->to_read = tt_op_info(at)->does == TT_ACT_READ_POINTER;
  s->cb[0] = tt_cb_index(r, mlirOperationGetOperand(at, 0));
  if (kind != TT_STEP_FILL && r->ok) r->ok = check_bytes(r, s);
}

static void read_pointer(TtReader *r, MlirOperation op) {
  TtStep *s = tt_new_step(r, TT_STEP_POINTER, op);
  tt_set_cbs(r, s, op, 1);
  s->to_read = tt_op_info(op)->does == TT_ACT_READ_POINTER;
  s->slot = tt_new_slot(r, mlirOperationGetResult(op, 0));
}

/* Its value, and how many of its kind came before, are slots that keep what they have. */
static void read_learned(TtReader *r, MlirOperation op) {
  tt_read_load(r, op);
  TtStep *s = tt_new_step(r, TT_STEP_LEARN, op);
  s->range[0] = tt_int(tt_op_attr(op, "lo")), s->range[1] = tt_int(tt_op_attr(op, "hi"));
  s->load = (int)tt_int(tt_op_attr(op, "id"));
  if (metalium_read_tile_value_isa(op)) s->cb[0] = tt_cb_index(r, metalium_read_tile_value_cb(op));
  s->slot = r->kept;
  r->kept += 2;
  tt_value_map_set(r->p->arena, &r->slots, mlirOperationGetResult(op, 0), s->slot);
}

static void read_count(TtReader *r, MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  int n = tt_read_operand(r, op, tt_operand_number(op, info->count));
  TtStep *s = tt_new_step(r, step_of[info->does], op);
  tt_set_cbs(r, s, op, 1);
  s->index[0] = n;
}

/* False for ops that have no part in the protocol. */
static bool read_step(TtReader *r, MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  switch (info->does) {
  case TT_ACT_RESERVE:
  case TT_ACT_PUSH:
  case TT_ACT_WAIT:
  case TT_ACT_POP: read_count(r, op); return true;
  case TT_ACT_WRITE_POINTER:
  case TT_ACT_READ_POINTER: read_pointer(r, op); return true;
  case TT_ACT_READ:
  case TT_ACT_WRITE:
  case TT_ACT_FILL: read_transfer(r, op, step_of[info->does]); return true;
  case TT_ACT_READ_BARRIER:
  case TT_ACT_WRITE_BARRIER:
  case TT_ACT_FLUSH:
  case TT_ACT_DST_ACQUIRE:
  case TT_ACT_DST_COMMIT:
  case TT_ACT_DST_WAIT:
  case TT_ACT_DST_RELEASE: tt_new_step(r, step_of[info->does], op); return true;
  case TT_ACT_COPY: tt_read_copy(r, op); return true;
  case TT_ACT_LEARN: read_learned(r, op); return true;
  default: return tt_read_engine(r, op);
  }
}

/* Ops without a part in the protocol: arithmetic, terminators, and the program's structure. */
static bool is_neutral(MlirOperation op) {
  MlirStringRef name = tt_op_name(op), arith = tt_str("arith.");
  return tt_is_terminator(op) || tt_op_info(op)->level != TT_LEVEL_OTHER ||
         (name.length > arith.length && memcmp(name.data, arith.data, arith.length) == 0);
}

static void read_op(TtReader *r, MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  if (tt_op_is(op, "scf.for") && mlirOperationGetNumResults(op) == 0) read_loop(r, op);
  else if (tt_op_is(op, "scf.if") && mlirOperationGetNumResults(op) == 0) read_if(r, op);
  else if (mlirOperationGetNumRegions(op) > 0)
    r->ok = tt_error(op,
                     "cannot prove the protocol: %.*s is neither a counted loop nor a branch, "
                     "without results; use "
                     "scf.for and scf.if",
                     (int)name.length, name.data);
  else if (!read_step(r, op) && !tt_read_remote(r, op) && !is_neutral(op))
    r->ok = tt_error(op, "cannot prove the protocol: nothing is known of what %.*s does to it",
                     (int)name.length, name.data);
}

static void read_block(TtReader *r, MlirBlock block) {
  int top = r->top;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); r->ok && !mlirOperationIsNull(op);
       op = tt_next(op))
    read_op(r, op);
  r->top = top;
}

/*===- Processes ------------------------------------------------------------------------------===*/

static void read_cbs(TtProtocol *p) {
  TtOps cbs = tt_collect(p->arena, p->program, "tt.circular_buffer");
  p->cbs = tt_arena_alloc(p->arena, (size_t)(cbs.n + 1) * sizeof *p->cbs);
  for (intptr_t i = 0; i < cbs.n; ++i)
    p->cbs[p->num_cbs++] =
        (TtProtocolCB){.name = tt_arena_str(p->arena, tt_symbol_name(cbs.data[i])),
                       .id = tt_int(tt_circular_buffer_id(cbs.data[i])),
                       .pages = tt_int(tt_circular_buffer_pages(cbs.data[i])),
                       .page_bytes = tt_int(tt_circular_buffer_page_bytes(cbs.data[i])),
                       .format = tt_cb_format(cbs.data[i]),
                       .bound = !mlirAttributeIsNull(tt_circular_buffer_on_shard(cbs.data[i])),
                       .op = cbs.data[i]};
}

static void read_semaphores(TtProtocol *p) {
  TtOps ops = tt_collect(p->arena, p->program, "tt.semaphore");
  p->semaphores = tt_arena_alloc(p->arena, (size_t)(ops.n + 1) * sizeof *p->semaphores);
  for (intptr_t i = 0; i < ops.n; ++i)
    p->semaphores[p->num_semaphores++] =
        (TtProtocolSemaphore){tt_arena_str(p->arena, tt_symbol_name(ops.data[i])), ops.data[i],
                              tt_int(tt_semaphore_init(ops.data[i]))};
}

/* Float32 that goes past the source registers, a bit for each circular buffer. */
static uint64_t floats_to_dst(TtProtocol *p, MlirOperation kernel) {
  TtOps to_dst = tt_unpacked_to_dst(p->arena, kernel);
  uint64_t bits = 0;
  for (intptr_t i = 0; i < to_dst.n; ++i)
    for (int cb = 0; cb < p->num_cbs && cb < 64; ++cb)
      if (tt_op_eq(p->cbs[cb].op, to_dst.data[i]) && p->cbs[cb].format == TT_DATA_FORMAT_FLOAT32)
        bits |= UINT64_C(1) << cb;
  return bits;
}

static bool read_kernel(TtProtocol *p, MlirOperation op, TtKernelRole role) {
  TtProtocolKernel *kernel = &p->kernels[p->num_kernels];
  *kernel = (TtProtocolKernel){.op = op, .role = role, .dst_tiles = tt_kernel_dst_capacity(op)};
  if (role == TT_KERNEL_ROLE_COMPUTE) {
    kernel->to_dst = floats_to_dst(p, op);
    kernel->wide = tt_compute_config_attr_fp32_dest_acc(tt_config_of(op));
    kernel->tells = tt_tells_integers(p->arena, op);
  }
  TtReader r = {.p = p, .e = &kernel->expressions, .kernel = p->num_kernels++, .ok = true};
  int links = p->num_links;
  TtOps learned = tt_collect(p->arena, op, NULL);
  for (intptr_t i = 0; i < learned.n; ++i)
    if (tt_op_info(learned.data[i])->does == TT_ACT_LEARN) r.top += 2;
  kernel->expressions.slots = r.top;
  read_block(&r, tt_body(op));
  if (!r.ok) return false;
  for (int process = 0; process < TT_NUM_PROCESSES; ++process) {
    bool carries = tt_is_port(process) || tt_is_way(process);
    if (tt_role_of_process(process) != role || (carries && p->num_links == links)) continue;
    tt_keep_steps(p, &r.all, process, &kernel->steps[process]);
  }
  return true;
}

bool tt_protocol_read(TtArena *arena, MlirOperation program, TtCheckOptions options,
                      TtProtocol *p) {
  *p = (TtProtocol){
      .arena = arena, .program = program, .chip = tt_target_of(program).chip, .options = options};
  TtOps kernels = tt_program_kernels(arena, program);
  read_cbs(p);
  read_semaphores(p);
  p->kernels = tt_arena_alloc(arena, (size_t)(kernels.n + 1) * sizeof *p->kernels);
  for (intptr_t i = 0; i < kernels.n; ++i)
    if (!read_kernel(p, kernels.data[i], tt_role_of(kernels.data[i]))) return false;
  tt_shorten_steps(p);
  return true;
}
