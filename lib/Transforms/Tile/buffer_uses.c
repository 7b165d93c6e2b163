/*===- buffer_uses.c - what ops do with a buffer of the core ------------------------------------===
 *
 *   linalg.fill ins(%zero) outs(%sum)                    fills
 *   linalg.matmul ins(%a, %b) outs(%sum)                 writes, sums
 *   linalg.generic … ins(%sum) outs(%sum)                reads, writes
 *   memref.copy %sum, %view                              reads
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Tile/buffer_uses.h"

#include <stdlib.h>

static bool is_fill(MlirOperation op) { return tt_op_is(op, "linalg.fill"); }

/* `part`: the operand is a part of the buffer. */
static bool note_use(MlirOperation op, unsigned i, bool part, TtUse *use) {
  bool copy = tt_op_is(op, "memref.copy");
  if (!copy && !tt_is_linalg(op)) {
    MlirStringRef name = tt_op_name(op);
    if (tt_op_is(op, "memref.load") || tt_op_is(op, "memref.store"))
      return tt_error(op,
                      "a single element of a buffer of the core is %s in a loop that became no op "
                      "on blocks, since it carries numbers that other elements need in the same "
                      "step, or its loads have places of several loops; split it into loops that "
                      "each fill, copy, map or sum all elements of a row, with what goes on from "
                      "one to the next in a buffer",
                      tt_op_is(op, "memref.load") ? "loaded" : "stored");
    return tt_error(op,
                    "%.*s works on a buffer of the core; only linalg ops and copies of whole "
                    "buffers can",
                    (int)name.length, name.data);
  }
  intptr_t inputs = copy ? 1 : tt_linalg_num_inputs(op);
  bool writes = (intptr_t)i >= inputs;
  use->op = op;
  use->reads |= !writes || part, use->writes |= writes, use->fills |= is_fill(op);
  if (writes && !copy && !is_fill(op)) {
    use->sums |= tt_is_contraction(op) || tt_is_reduction(op);
    use->reads |= !use->sums && tt_reads_output(op, (intptr_t)i - inputs);
  }
  return true;
}

/* One operand that is a buffer. */
typedef struct RawUse {
  MlirOperation op;
  unsigned operand;
  int place; /* of the op, in program order */
  bool part; /* the operand is a part of the buffer */
} RawUse;

/* Notes the uses of a buffer, or of a part of it, from raw[n] on; returns how many there are then.
 * `raw` may be null. */
static intptr_t raw_uses(const TtOpMap *places, MlirValue value, bool part, RawUse *raw,
                         intptr_t n) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!part && tt_op_is(op, "memref.subview")) {
      n = raw_uses(places, mlirOperationGetResult(op, 0), true, raw, n);
      continue;
    }
    if (raw)
      raw[n] = (RawUse){op, mlirOpOperandGetOperandNumber(use), tt_op_map_get(places, op), part};
    ++n;
  }
  return n;
}

static int by_place(const void *a, const void *b) {
  const RawUse *x = a, *y = b;
  return x->place != y->place ? (x->place < y->place ? -1 : 1)
                              : (x->operand > y->operand) - (x->operand < y->operand);
}

bool tt_collect_uses(TtLowering *l, const TtOpMap *places, MlirValue buffer, TtUses *uses) {
  intptr_t n = raw_uses(places, buffer, false, NULL, 0);
  RawUse *raw = tt_arena_alloc(l->arena, (size_t)(n + 1) * sizeof *raw);
  raw_uses(places, buffer, false, raw, 0);
  qsort(raw, (size_t)n, sizeof *raw, by_place);
  uses->data = tt_arena_alloc(l->arena, (size_t)(n + 1) * sizeof *uses->data);
  uses->n = 0, uses->fresh = (TtOps){NULL, 0, 0};
  for (intptr_t i = 0; i < n; ++i) {
    if (i == 0 || !tt_op_eq(raw[i].op, raw[i - 1].op))
      uses->data[uses->n++] = (TtUse){.op = raw[i].op};
    if (!note_use(raw[i].op, raw[i].operand, raw[i].part, &uses->data[uses->n - 1])) return false;
  }
  return true;
}

static bool same_block(const TtUse *a, const TtUse *b) {
  return mlirBlockEqual(mlirOperationGetBlock(a->op), mlirOperationGetBlock(b->op));
}

/* Whether a sum may start from the fill before it: products from 0, others from a constant. */
static bool starts_from(const TtUse *fill, const TtUse *sum) {
  double value;
  return tt_fill_value(fill->op, &value) && (value == 0 || !tt_is_contraction(sum->op));
}

void tt_absorb_fills(TtLowering *l, TtUses *uses) {
  intptr_t kept = 0;
  for (intptr_t i = 0; i < uses->n; ++i) {
    TtUse *use = &uses->data[i], *next = i + 1 < uses->n ? use + 1 : NULL;
    bool absorbed = use->fills && next && next->writes && !next->reads && same_block(use, next) &&
                    (!next->sums || starts_from(use, next));
    if (absorbed && next->sums) {
      tt_ops_add(l->arena, &uses->fresh, next->op);
      next->sums = false;
    }
    if (absorbed) tt_ops_add(l->arena, &l->dead, use->op);
    else uses->data[kept++] = *use;
  }
  uses->n = kept;
}

MlirOperation tt_fill_before(MlirOperation op, MlirValue buffer) {
  MlirOperation fill = {NULL}, at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  for (; !mlirOperationIsNull(at) && !tt_op_eq(at, op); at = tt_next(at))
    if (is_fill(at) && tt_value_eq(mlirOperationGetOperand(at, 1), buffer)) fill = at;
  return fill;
}
