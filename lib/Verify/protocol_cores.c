/*===- protocol_cores.c - what each core has, and what its arguments decide -------------------===
 *
 *   if %sends != 0      on core (0, 0), which has sends = 1: known, 1
 *     for %i = 0 to 8   0 and 8 are known everywhere, %i nowhere
 *
 * What only the arguments of a core decide is calculated once, for all runs. Of it, what steps look
 * at is the core's color: cores of different colors are never alike.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Dialect/members.h"
#include "Verify/protocol.h"

#include <string.h>

/*===- Kernels, buffers and arguments -------------------------------------------------------===*/

/* Which of `n` cores have a circular buffer, a semaphore or a kernel. */
static void find_owners(const TtProtocol *p, MlirOperation member, const TtCore *cores, int64_t n,
                        bool *has) {
  MlirOperation set = tt_core_set_of(p->program, member);
  for (int64_t c = 0; c < n; ++c)
    has[c] = !mlirOperationIsNull(set) && tt_core_set_has(set, cores[c]);
}

static void find_members(const TtProtocol *p, TtProtocolCore *out, const TtCore *cores, int64_t n) {
  TtArena *scratch = tt_arena_create();
  bool *has = tt_arena_alloc(scratch, (size_t)n + 1);
  for (int64_t c = 0; c < n; ++c)
    out[c] = (TtProtocolCore){.x = cores[c].x, .y = cores[c].y, .kernels = {-1, -1, -1}};
  for (int k = 0; k < p->num_kernels; ++k) {
    find_owners(p, p->kernels[k].op, cores, n, has);
    for (int64_t c = 0; c < n; ++c)
      if (has[c]) out[c].kernels[p->kernels[k].role] = k;
  }
  for (int i = 0; i < p->num_cbs; ++i) {
    find_owners(p, p->cbs[i].op, cores, n, has);
    for (int64_t c = 0; c < n; ++c) out[c].cbs |= (uint64_t)has[c] << i;
  }
  for (int i = 0; i < p->num_semaphores; ++i) {
    find_owners(p, p->semaphores[i].op, cores, n, has);
    for (int64_t c = 0; c < n; ++c) out[c].semaphores |= (uint64_t)has[c] << i;
  }
  tt_arena_destroy(scratch);
}

bool tt_core_args(const TtProtocol *p, const TtSizes *sizes, TtCoreArgs *out) {
  TtCoreTable table;
  if (!tt_core_table(p->arena, p->program, sizes, &table)) return false;
  *out = (TtCoreArgs){
      tt_arena_alloc(p->arena, ((size_t)table.n + 1) * sizeof(TtProtocolCore)),
      tt_arena_alloc(p->arena, ((size_t)table.n * (size_t)p->num_args + 1) * sizeof(int64_t)),
      table.n};
  find_members(p, out->cores, table.cores, table.n);
  for (int i = 0; i < p->num_args; ++i) {
    MlirStringRef name = tt_str(p->args[i].name);
    intptr_t column = tt_core_table_column(&table, name);
    if (column < 0 && !tt_is_dim_name(name) && !tt_has_size(sizes, name))
      return tt_error(p->program,
                      "cannot prove the protocol: a kernel reads runtime argument '%s', which "
                      "tt.core_args does not give",
                      p->args[i].name);
    for (int64_t core = 0; core < table.n; ++core)
      out->values[core * p->num_args + i] =
          column < 0 ? tt_size_named(sizes, name) : table.values[core * table.num_names + column];
  }
  return true;
}

/*===- Values that a core's arguments decide ------------------------------------------------===*/

bool tt_calculate(const TtIndexNode *x, int64_t a, int64_t b, int64_t *value) {
  switch (x->kind) {
  case TT_IX_ADD: return !__builtin_add_overflow(a, b, value);
  case TT_IX_SUB: return !__builtin_sub_overflow(a, b, value);
  case TT_IX_MUL: return !__builtin_mul_overflow(a, b, value);
  case TT_IX_DIV: /* rounded down, as in a loop (protocol_values.c) */
    *value = b <= 0 ? 0 : a >= 0 ? a / b : -1 - (-1 - a) / b;
    return true;
  case TT_IX_REM: *value = b <= 0 ? a : a >= 0 ? a % b : b - 1 - (-1 - a) % b; return true;
  case TT_IX_OR: *value = a | b; return true;
  case TT_IX_AND: *value = a & b; return true;
  case TT_IX_XOR: *value = a ^ b; return true;
  case TT_IX_MIN: *value = a < b ? a : b; return true;
  case TT_IX_MAX: *value = a < b ? b : a; return true;
  default: *value = tt_holds(x->value, (a > b) - (a < b)); return true;
  }
}

static void know(const TtNetwork *n, const TtIndexNode *x, int64_t core, TtKnown *v, int i) {
  int64_t *value = &v->values[i];
  switch (x->kind) {
  case TT_IX_SLOT: return;
  case TT_IX_CONST: *value = x->value, v->known[i] = true; return;
  case TT_IX_ARG:
    *value = n->cores->values[core * n->p->num_args + x->value], v->known[i] = true;
    return;
  case TT_IX_CORE:
    *value = tt_coordinate(&n->cores->cores[core], (TtCoreCoordinate)x->value);
    v->known[i] = true;
    return;
  default: break;
  }
  if (!v->known[x->a] || !v->known[x->b]) return;
  if (x->kind != TT_IX_SELECT) {
    v->known[i] = tt_calculate(x, v->values[x->a], v->values[x->b], value);
  } else if (v->known[x->c]) {
    *value = v->values[v->values[x->a] ? x->b : x->c];
    v->known[i] = true;
  }
}

/* The nodes of a kernel, as far as they depend on the arguments of the core only. */
static TtKnown known_of(const TtNetwork *n, int kernel, int64_t core) {
  const TtExpressions *e = &n->p->kernels[kernel].expressions;
  TtKnown v = {tt_arena_alloc(n->p->arena, (size_t)(e->n + 1) * sizeof *v.values),
               tt_arena_alloc(n->p->arena, (size_t)e->n + 1)};
  for (int i = 0; i < e->n; ++i) know(n, &e->nodes[i], core, &v, i);
  return v;
}

const TtKnown *tt_known_on(const TtNetwork *n, int64_t core, TtKernelRole role) {
  return &n->known[core * TT_KERNEL_ROLE_COUNT + role];
}

/*===- Colors -------------------------------------------------------------------------------===*/

/* What of a node the core's arguments decide: where it depends on loops as well, of its operands.
 */
static uint64_t color_of(const TtExpressions *e, const TtKnown *v, bool *seen, int node,
                         uint64_t color) {
  if (node < 0 || seen[node]) return color;
  const TtIndexNode *n = &e->nodes[node];
  seen[node] = true;
  if (v->known[node]) return tt_mix(color, (uint64_t)v->values[node]);
  if (n->kind < TT_IX_ADD) return color;
  color = color_of(e, v, seen, n->a, color);
  color = color_of(e, v, seen, n->b, color);
  return n->kind == TT_IX_SELECT ? color_of(e, v, seen, n->c, color) : color;
}

/* What steps of a kernel see of a core. Which cores it sends to does not count: see the classes. */
static uint64_t color_of_kernel(const TtNetwork *n, TtArena *arena, int kernel, int64_t core) {
  const TtProtocolKernel *k = &n->p->kernels[kernel];
  const TtKnown *v = tt_known_on(n, core, k->role);
  bool *seen = tt_arena_alloc(arena, (size_t)k->expressions.n + 1);
  uint64_t color = (uint64_t)kernel + 1;
  for (int i = 0; i < TT_NUM_PROCESSES; ++i)
    for (int j = 0; j < k->steps[i].n; ++j) {
      const TtStep *s = &k->steps[i].data[j];
      bool transfer = s->kind == TT_STEP_READ || s->kind == TT_STEP_WRITE;
      for (int x = 0; x < 3; ++x)
        if (x != 1 || !transfer || s->check_tile)
          color = color_of(&k->expressions, v, seen, s->index[x], color);
      color = color_of(&k->expressions, v, seen, s->dests, color);
    }
  return tt_mix(tt_mix(color, n->cores->cores[core].cbs), n->cores->cores[core].semaphores);
}

void tt_find_known(TtNetwork *n) {
  size_t cores = (size_t)n->cores->n;
  n->known = tt_arena_alloc(n->p->arena, (cores * TT_KERNEL_ROLE_COUNT + 1) * sizeof *n->known);
  n->colors = tt_arena_alloc(n->p->arena, (cores + 1) * sizeof *n->colors);
  for (int64_t c = 0; c < n->cores->n; ++c) {
    TtArena *scratch = tt_arena_create();
    for (int role = 0; role < TT_KERNEL_ROLE_COUNT; ++role) {
      int kernel = n->cores->cores[c].kernels[role];
      if (kernel >= 0) n->known[c * TT_KERNEL_ROLE_COUNT + role] = known_of(n, kernel, c);
      n->colors[c] = tt_mix(n->colors[c], kernel < 0 ? 0 : color_of_kernel(n, scratch, kernel, c));
    }
    tt_arena_destroy(scratch);
  }
}
