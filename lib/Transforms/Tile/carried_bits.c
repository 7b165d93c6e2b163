/*===- carried_bits.c - f32 that the steps of a loop make of itself -----------------------------===
 *
 *   scf.for … {                       mean' = mean + (x - mean) / n
 *     linalg.generic … ins(%x, %mean, %n) outs(%mean)
 *   }
 *
 * The sources of the FPU hold 11 bits of a significand. Each step would cut what it is given to
 * these, and always towards zero: after twenty products of a running product 2 percent are gone. So
 * what a loop carries through ops on elements keeps its bits, by the vector unit (exact.c). Where
 * products of blocks of the same loop enter it, as in flash attention, it has no more bits than
 * these, and stays with the FPU, which takes no copies; and so it does where reductions enter a
 * loop of few steps. In one of many, such as attention token by token, what is cut adds up all the
 * same.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Tile/lowering.h"

/* Op by op of a loop: the value of buffer `from` is needed for that of `to`. */
typedef struct Edge {
  intptr_t from, to;
} Edge;

typedef struct Steps {
  TtLowering *l;
  Edge *edges;
  intptr_t n;
  bool *summed;  /* by buffer: a product of blocks enters it, or any sum of few steps */
  bool *reduced; /* by buffer: a product or a reduction of the loop writes it */
} Steps;

static intptr_t buffer_number(TtLowering *l, MlirValue memref) {
  TtBuffer *b = tt_buffer_of(l, memref);
  return b ? b - l->buffers : -1;
}

static bool is_f32(const TtBuffer *b) {
  return mlirTypeIsAF32(mlirShapedTypeGetElementType(mlirValueGetType(b->memref)));
}

static void add_output(Steps *s, MlirOperation op, intptr_t out, bool few) {
  intptr_t inputs = tt_linalg_num_inputs(op),
           to = buffer_number(s->l, mlirOperationGetOperand(op, inputs + out));
  if (to < 0) return;
  bool sums = tt_is_contraction(op) || tt_is_reduction(op),
       block = mlirShapedTypeGetRank(mlirValueGetType(s->l->buffers[to].memref)) > 1;
  s->reduced[to] |= sums;
  s->summed[to] |= sums && (few || (tt_is_contraction(op) && block));
  for (intptr_t i = 0; i < inputs; ++i) {
    intptr_t from = buffer_number(s->l, mlirOperationGetOperand(op, i));
    if (from >= 0) s->edges[s->n++] = (Edge){from, to};
  }
  bool reads = !mlirBlockIsNull(tt_body(op)) && tt_reads_output(op, out);
  if (reads) s->edges[s->n++] = (Edge){to, to};
}

/* Which buffers depend on those in `reached`. */
static void spread(const Steps *s, bool *reached) {
  for (bool news = true; news;) {
    news = false;
    for (intptr_t e = 0; e < s->n; ++e)
      if (reached[s->edges[e].from] && !reached[s->edges[e].to])
        reached[s->edges[e].to] = news = true;
  }
}

static bool needs_itself(const Steps *s, intptr_t buffer) {
  bool *reached = tt_arena_alloc(s->l->arena, (size_t)s->l->n * sizeof *reached);
  for (intptr_t e = 0; e < s->n; ++e)
    if (s->edges[e].from == buffer) reached[s->edges[e].to] = true;
  spread(s, reached);
  return reached[buffer];
}

static bool has_body(MlirOperation op) {
  return tt_is_linalg(op) && !tt_is_linalg(tt_parent(op)) && mlirOperationGetNumRegions(op) == 1;
}

/* Whether a loop has so few steps that what they cut off does not matter. */
static bool has_few_steps(MlirOperation loop) {
  enum { FEW = 8 };
  int64_t lower, upper, step;
  return tt_constant(mlirOperationGetOperand(loop, 0), &lower) &&
         tt_constant(mlirOperationGetOperand(loop, 1), &upper) &&
         tt_constant(mlirOperationGetOperand(loop, 2), &step) && step > 0 &&
         upper - lower <= FEW * step;
}

static void mark_in_loop(TtLowering *l, MlirOperation loop) {
  TtOps all = tt_collect(l->arena, loop, NULL);
  intptr_t most = 0;
  for (intptr_t i = 0; i < all.n; ++i) {
    if (!has_body(all.data[i])) continue;
    intptr_t n = mlirOperationGetNumOperands(all.data[i]);
    most += (n + 1) * n;
  }
  Steps s = {l, tt_arena_alloc(l->arena, (size_t)(most + 1) * sizeof *s.edges), 0,
             tt_arena_alloc(l->arena, (size_t)l->n * sizeof *s.summed),
             tt_arena_alloc(l->arena, (size_t)l->n * sizeof *s.reduced)};
  bool few = has_few_steps(loop);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = all.data[i];
    if (!has_body(op)) continue;
    intptr_t outs = mlirOperationGetNumOperands(op) - tt_linalg_num_inputs(op);
    for (intptr_t o = 0; o < outs; ++o) add_output(&s, op, o, few);
  }
  spread(&s, s.summed);
  for (intptr_t b = 0; b < l->n; ++b)
    if (!s.summed[b] && !s.reduced[b] && !l->buffers[b].exact && is_f32(&l->buffers[b]) &&
        needs_itself(&s, b))
      l->buffers[b].exact = true;
}

void tt_mark_carried(TtLowering *l) {
  TtOps loops = tt_collect(l->arena, l->func, "scf.for");
  for (intptr_t i = 0; i < loops.n; ++i) mark_in_loop(l, loops.data[i]);
}
