/*===- protocol_cores.c - the runtime arguments of each core
 * ------------------------------------------===
 *
 * As the host program computes them (emit_workload.c).
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Verify/protocol.h"

#include <string.h>

typedef struct Cores {
  const TtProtocol *p;
  const TtSizes *sizes;
  int64_t grid[3]; /* units along x, y, z */
  int64_t n;
} Cores;

static int64_t size_of(const TtSizes *sizes, MlirStringRef name) {
  for (intptr_t i = 0; i < sizes->n; ++i)
    if (tt_str_eq(name, sizes->names[i])) return sizes->sizes[i];
  return sizes->others;
}

static int64_t evaluate(MlirAffineExpr e, MlirAttribute symbols, const TtSizes *sizes) {
  if (mlirAffineExprIsAConstant(e)) return mlirAffineConstantExprGetValue(e);
  if (mlirAffineExprIsADim(e))
    return size_of(sizes,
                   tt_string(mlirArrayAttrGetElement(symbols, mlirAffineDimExprGetPosition(e))));
  int64_t a = evaluate(mlirAffineBinaryOpExprGetLHS(e), symbols, sizes),
          b = evaluate(mlirAffineBinaryOpExprGetRHS(e), symbols, sizes);
  if (mlirAffineExprIsAAdd(e)) return a + b;
  if (mlirAffineExprIsAMul(e)) return a * b;
  if (b <= 0) return 0;
  if (mlirAffineExprIsACeilDiv(e)) return (a + b - 1) / b;
  return mlirAffineExprIsAMod(e) ? a % b : a / b;
}

static bool is_local(const Cores *c) {
  return tt_str_eq(tt_string(tt_get_attr(c->p->program, "tt.partition_mode")), "local_shard");
}

static int64_t element(MlirAttribute array, intptr_t i, int64_t otherwise) {
  return mlirAttributeIsNull(array) ? otherwise : mlirDenseI64ArrayGetElement(array, i);
}

static void find_grid(Cores *c) {
  MlirOperation program = c->p->program;
  MlirAttribute grid = tt_get_attr(program, "tt.grid"), map = tt_get_attr(program, "tt.grid_map");
  for (int axis = 0; axis < 3; ++axis) {
    c->grid[axis] = element(grid, axis, 1);
    if (!mlirAttributeIsNull(map))
      c->grid[axis] = evaluate(mlirAffineMapGetResult(mlirAffineMapAttrGetValue(map), axis),
                               tt_get_attr(program, "tt.grid_symbols"), c->sizes);
  }
}

static void count_cores(Cores *c) {
  MlirOperation program = c->p->program;
  MlirAttribute work = tt_get_attr(program, "tt.work_partition"),
                shards = tt_get_attr(program, "tt.shard_grid");
  TtTarget target = tt_target_of(program);
  int64_t units = c->grid[0] * c->grid[1] * c->grid[2], most = target.grid_x * target.grid_y;
  c->n = mlirAttributeIsNull(work) ? 1 : mlirArrayAttrGetNumElements(work);
  if (c->n > 0) return;
  c->n = is_local(c) ? element(shards, 0, 1) * element(shards, 1, 1) : units < most ? units : most;
}

/* Units of a shard along a side: what is left of the grid there. */
static int64_t units_along(const Cores *c, int side, int64_t shard) {
  MlirAttribute axes = tt_get_attr(c->p->program, "tt.unit_axes");
  int64_t units = 1, most = element(tt_get_attr(c->p->program, "tt.shard_units"), side, 0);
  for (int axis = 0; axis < 3; ++axis)
    if (element(axes, axis, -1) == side) units *= c->grid[axis];
  if (most == 0) return units;
  int64_t rest = units - shard * most;
  return rest < most ? rest : most;
}

static int64_t count_of(const Cores *c, int64_t core, int64_t sy, int64_t sx) {
  MlirAttribute work = tt_get_attr(c->p->program, "tt.work_partition"),
                axes = tt_get_attr(c->p->program, "tt.unit_axes");
  if (mlirAttributeIsNull(work)) return 1;
  if (mlirArrayAttrGetNumElements(work) > 0)
    return tt_work_attr_count(mlirArrayAttrGetElement(work, core));
  if (!is_local(c)) {
    int64_t units = c->grid[0] * c->grid[1] * c->grid[2];
    return units / c->n + (core < units % c->n);
  }
  int64_t count = units_along(c, 0, sy) * units_along(c, 1, sx);
  for (int axis = 0; axis < 3; ++axis)
    if (element(axes, axis, 0) < 0) count *= c->grid[axis];
  return count;
}

static int64_t start_of(const Cores *c, int64_t core) {
  MlirAttribute work = tt_get_attr(c->p->program, "tt.work_partition");
  if (mlirAttributeIsNull(work) || is_local(c)) return 0;
  if (mlirArrayAttrGetNumElements(work) > 0)
    return tt_work_attr_start_id(mlirArrayAttrGetElement(work, core));
  int64_t units = c->grid[0] * c->grid[1] * c->grid[2], more = units % c->n;
  return core * (units / c->n) + (core < more ? core : more);
}

static int64_t value_of(const Cores *c, int64_t core, const char *name) {
  MlirOperation program = c->p->program;
  MlirAttribute tiles = tt_get_attr(program, "tt.grid_tiles"),
                shards = tt_get_attr(program, "tt.shard_grid"), kt = tt_get_attr(program, "tt.kt");
  int64_t across = element(shards, 1, 1), sy = core / across, sx = core % across;
  if (strcmp(name, "start_id") == 0) return start_of(c, core);
  if (strcmp(name, "count") == 0) return count_of(c, core, sy, sx);
  if (strcmp(name, "sy") == 0) return sy;
  if (strcmp(name, "sx") == 0) return sx;
  if (strcmp(name, "gx") == 0) return c->grid[0];
  if (strcmp(name, "gy") == 0) return c->grid[1];
  if (strcmp(name, "Mt") == 0) return element(tiles, 0, 0);
  if (strcmp(name, "Nt") == 0) return element(tiles, 1, 0);
  if (strcmp(name, "Kt") == 0) return mlirAttributeIsNull(kt) ? 0 : tt_int(kt);
  return size_of(c->sizes, tt_str(name));
}

bool tt_is_on(const TtProtocol *p, MlirOperation member, const TtProtocolCore *core) {
  MlirStringRef name = tt_string(tt_op_attr(member, "cores"));
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(p->program)); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    if (!tt_core_set_isa(op) || !mlirStringRefEqual(tt_symbol_name(op), name)) continue;
    MlirAttribute ranges = tt_core_set_ranges(op);
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(ranges); ++i) {
      MlirAttribute r = mlirArrayAttrGetElement(ranges, i);
      if (core->x >= tt_core_range_attr_start(r, 0) && core->x <= tt_core_range_attr_end(r, 0) &&
          core->y >= tt_core_range_attr_start(r, 1) && core->y <= tt_core_range_attr_end(r, 1))
        return true;
    }
  }
  return false;
}

int64_t tt_cb_address(const TtProtocol *p, int cb, const TtProtocolCore *core) {
  int64_t at = 0;
  for (int i = 0; i < cb; ++i)
    if (!p->cbs[i].bound && tt_is_on(p, p->cbs[i].op, core))
      at += p->cbs[i].pages * p->cbs[i].page_bytes;
  return at;
}

static TtProtocolCore core_of(const Cores *c, int64_t i) {
  MlirAttribute work = tt_get_attr(c->p->program, "tt.work_partition");
  int64_t width = tt_target_of(c->p->program).grid_x;
  TtProtocolCore core = {.x = i % width, .y = i / width, .kernels = {-1, -1, -1}};
  if (!mlirAttributeIsNull(work) && mlirArrayAttrGetNumElements(work) > i) {
    core.x = tt_work_attr_core(mlirArrayAttrGetElement(work, i), 0);
    core.y = tt_work_attr_core(mlirArrayAttrGetElement(work, i), 1);
  }
  for (int k = 0; k < c->p->num_kernels; ++k)
    if (tt_is_on(c->p, c->p->kernels[k].op, &core)) core.kernels[c->p->kernels[k].role] = k;
  return core;
}

TtCoreArgs tt_core_args(const TtProtocol *p, const TtSizes *sizes) {
  Cores c = {.p = p, .sizes = sizes};
  find_grid(&c);
  count_cores(&c);
  TtCoreArgs out = {
      tt_arena_alloc(p->arena, ((size_t)c.n + 1) * sizeof(TtProtocolCore)),
      tt_arena_alloc(p->arena, ((size_t)c.n * (size_t)p->num_args + 1) * sizeof(int64_t)), c.n};
  for (int64_t core = 0; core < c.n; ++core) out.cores[core] = core_of(&c, core);
  for (int64_t core = 0; core < c.n; ++core)
    for (int i = 0; i < p->num_args; ++i)
      out.values[core * p->num_args + i] = value_of(&c, core, p->args[i].name);
  return out;
}
