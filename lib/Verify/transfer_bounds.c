/*===- transfer_bounds.c - whether transfers stay inside of their tensors ---------------------===
 *
 *   %id = %by * 32 + %k       by in [0, 3], k in [0, 31]: id in [0, 127], and the tensor has 128
 * tiles
 *
 * Intervals of loop variables and of a core's arguments tell it for most kernels at once. Where
 * they are too wide, the transfer is marked, and the abstract run looks at each tile.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Dialect/target.h"
#include "Verify/protocol.h"

#include <string.h>

typedef struct Interval {
  int64_t least, most;
  bool known, loaded; /* loaded: made of integers of a tensor */
} Interval;

typedef struct Bounds {
  const TtExpressions *e;
  const TtProtocolCore *core;
  const int64_t *args;
  Interval *slots, *nodes; /* of this core */
  bool *done;              /* nodes that are computed */
} Bounds;

static Interval interval(int64_t least, int64_t most) {
  return (Interval){least, most, least <= most, false};
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static Interval sum(Interval a, Interval b) {
  Interval s = {.known = true};
  if (__builtin_add_overflow(a.least, b.least, &s.least)) return (Interval){0};
  return __builtin_add_overflow(a.most, b.most, &s.most) ? (Interval){0} : s;
}

static Interval difference(Interval a, Interval b) {
  Interval s = {.known = true};
  if (__builtin_sub_overflow(a.least, b.most, &s.least)) return (Interval){0};
  return __builtin_sub_overflow(a.most, b.least, &s.most) ? (Interval){0} : s;
}

static Interval product(Interval a, Interval b) {
  int64_t x[4];
  for (int i = 0; i < 4; ++i)
    if (__builtin_mul_overflow(i & 1 ? a.most : a.least, i & 2 ? b.most : b.least, &x[i]))
      return (Interval){0};
  Interval p = interval(x[0], x[0]);
  for (int i = 1; i < 4; ++i) p = interval(smaller(p.least, x[i]), larger(p.most, x[i]));
  return p;
}

static Interval of_node(Bounds *b, int node);

static Interval compute(Bounds *b, const TtIndexNode *n) {
  if (n->kind == TT_IX_CONST) return interval(n->value, n->value);
  if (n->kind == TT_IX_ARG) return interval(b->args[n->value], b->args[n->value]);
  if (n->kind == TT_IX_SLOT) return b->slots[n->value];
  if (n->kind == TT_IX_CORE) {
    int64_t at = tt_coordinate(b->core, (TtCoreCoordinate)n->value);
    return interval(at, at);
  }
  Interval x = of_node(b, n->a), y = of_node(b, n->b),
           z = n->kind == TT_IX_SELECT ? of_node(b, n->c) : y;
  if (n->kind == TT_IX_CMP || n->kind == TT_IX_OR || n->kind == TT_IX_AND || n->kind == TT_IX_XOR)
    return interval(0, 1);
  if (!x.known || !y.known || !z.known) return (Interval){0};
  switch (n->kind) {
  case TT_IX_ADD: return sum(x, y);
  case TT_IX_SUB: return difference(x, y);
  case TT_IX_MUL: return product(x, y);
  case TT_IX_DIV:
    return x.least < 0 || y.least <= 0 ? (Interval){0}
                                       : interval(x.least / y.most, x.most / y.least);
  case TT_IX_REM:
    if (x.least < 0 || y.least <= 0) return (Interval){0};
    if (y.least == y.most && x.least / y.least == x.most / y.least)
      return interval(x.least % y.least, x.most % y.least);
    return interval(0, smaller(x.most, y.most - 1));
  case TT_IX_MIN: return interval(smaller(x.least, y.least), smaller(x.most, y.most));
  case TT_IX_MAX: return interval(larger(x.least, y.least), larger(x.most, y.most));
  default: return interval(smaller(y.least, z.least), larger(y.most, z.most)); /* a select */
  }
}

/* Whether what a node is made of comes from a tensor. */
static bool is_loaded(Bounds *b, const TtIndexNode *n) {
  if (n->kind == TT_IX_CONST || n->kind == TT_IX_ARG || n->kind == TT_IX_CORE) return false;
  if (n->kind == TT_IX_SLOT) return b->slots[n->value].loaded;
  return of_node(b, n->a).loaded || of_node(b, n->b).loaded ||
         (n->kind == TT_IX_SELECT && of_node(b, n->c).loaded);
}

static Interval of_node(Bounds *b, int node) {
  if (!b->done[node]) {
    b->nodes[node] = compute(b, &b->e->nodes[node]);
    b->nodes[node].loaded = is_loaded(b, &b->e->nodes[node]);
    b->done[node] = true;
  }
  return b->nodes[node];
}

/* A loop's variable: from its lower bound to what is before the upper one. */
static void enter_loop(Bounds *b, const TtStep *s) {
  Interval from = of_node(b, s->index[0]), to = of_node(b, s->index[1]);
  b->slots[s->slot] = from.known && to.known ? interval(from.least, to.most - 1) : (Interval){0};
  b->slots[s->slot].loaded = from.loaded || to.loaded;
}

/* Tiles of the tensor of a transfer, -1 where that is not known. */
static int64_t tiles_of(const TtProtocol *p, const TtStep *s, const TtSizes *sizes) {
  MlirOperation accessor = tt_defining_op(mlirOperationGetOperand(s->op, 1));
  if (!metalium_tensor_accessor_isa(accessor)) return -1;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(accessor, 0));
  char *name = tt_arena_str(p->arena, tt_string(metalium_tensor_accessor_name(accessor)));
  int64_t tiles = 1;
  for (intptr_t d = 0, rank = mlirShapedTypeGetRank(type); d < rank; ++d) {
    int64_t size = sizes->others;
    char *dim = tt_dim_name(p->arena, name, d);
    for (intptr_t i = 0; i < sizes->n; ++i)
      if (strcmp(sizes->names[i], dim) == 0) size = sizes->sizes[i];
    if (!mlirShapedTypeIsDynamicDim(type, d)) size = mlirShapedTypeGetDimSize(type, d);
    if (d + 2 >= rank) size = (size + TT_TILE - 1) / TT_TILE;
    if (__builtin_mul_overflow(tiles, size, &tiles)) return -1;
  }
  return tiles;
}

static bool is_transfer(const TtStep *s) {
  return s->kind == TT_STEP_READ || s->kind == TT_STEP_WRITE;
}

static void mark_on_core(const TtSteps *steps, Bounds *b) {
  memset(b->done, 0, (size_t)b->e->n);
  for (int i = 0; i < steps->n; ++i) {
    TtStep *s = &steps->data[i];
    /* No node sees two variables of one slot: those of loops that follow each other are nodes of
     * their own. */
    if (s->kind == TT_STEP_FOR) enter_loop(b, s);
    if (s->kind == TT_STEP_LEARN) {
      b->slots[s->slot] = interval(s->range[0], s->range[1]);
      b->slots[s->slot].loaded = true;
    }
    if (!is_transfer(s) || s->index[1] < 0 || s->check_tile || s->tiles < 0) continue;
    Interval tile = of_node(b, s->index[1]);
    s->check_tile = !tile.known || tile.least < 0 || tile.most >= s->tiles;
    s->loaded_tile = tile.loaded;
  }
}

static void mark_kernel(const TtProtocol *p, int kernel, const TtSizes *sizes,
                        const TtCoreArgs *cores) {
  TtProtocolKernel *k = &p->kernels[kernel];
  const TtSteps *steps = &k->steps[k->role == TT_KERNEL_ROLE_READER ? TT_READER : TT_WRITER];
  Bounds b = {.e = &k->expressions};
  b.slots = tt_arena_alloc(p->arena, ((size_t)b.e->slots + 1) * sizeof *b.slots);
  b.nodes = tt_arena_alloc(p->arena, ((size_t)b.e->n + 1) * sizeof *b.nodes);
  b.done = tt_arena_alloc(p->arena, (size_t)b.e->n + 1);
  for (int i = 0; i < steps->n; ++i)
    if (is_transfer(&steps->data[i])) steps->data[i].tiles = tiles_of(p, &steps->data[i], sizes);
  for (int64_t core = 0; core < cores->n; ++core) {
    if (cores->cores[core].kernels[k->role] != kernel) continue;
    b.core = &cores->cores[core];
    b.args = cores->values + core * p->num_args;
    mark_on_core(steps, &b);
  }
}

void tt_mark_transfers(const TtProtocol *p, const TtSizes *sizes, const TtCoreArgs *cores) {
  for (int k = 0; k < p->num_kernels; ++k)
    if (p->kernels[k].role != TT_KERNEL_ROLE_COMPUTE) mark_kernel(p, k, sizes, cores);
}
