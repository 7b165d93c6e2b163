/*===- buffer_names.c - buffers that loops carry and branches choose ----------------------------===
 *
 *   scf.for … iter_args(%a = %x, %b = %y) {      %a is %x first, then what is yielded: %x or %y;
 *     …  scf.yield %b, %a }                      %a and %b change places: they are never one
 *   %s = arith.select %c, %x, %y                 %x or %y
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/buffer_names.h"

#include "Analysis/kernel.h"
#include "Analysis/same_block.h"

enum { MAX_NAMES = 32 };

/* What a value may be: arguments of the kernel, and what allocates. */
typedef struct Origins {
  MlirValue seen[MAX_NAMES], bases[MAX_NAMES]; /* that were gone through; at which that ends */
  intptr_t num_seen, n;
  bool any;   /* or something else */
  bool moved; /* or a view of one */
} Origins;

static bool is_in(const MlirValue *values, intptr_t n, MlirValue value) {
  for (intptr_t i = 0; i < n; ++i)
    if (tt_value_eq(values[i], value)) return true;
  return false;
}

static bool is_for(MlirOperation op) { return tt_op_is(op, "scf.for"); }

/* The loop that carries `value`, and as which number; null for other values. */
static MlirOperation carrier_of(MlirValue value, intptr_t *number) {
  bool argument = mlirValueIsABlockArgument(value);
  MlirOperation op = argument ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
                              : tt_defining_op(value);
  *number =
      argument ? mlirBlockArgumentGetArgNumber(value) - 1 : mlirOpResultGetResultNumber(value);
  return is_for(op) && *number >= 0 ? op : (MlirOperation){NULL};
}

static MlirValue first_of(MlirOperation loop, intptr_t number) {
  return mlirOperationGetOperand(loop, number + 3);
}

static MlirValue next_of(MlirOperation loop, intptr_t number) {
  return mlirOperationGetOperand(mlirBlockGetTerminator(tt_body(loop)), number);
}

static void add(Origins *o, MlirValue value) {
  MlirValue root = tt_root_of_view(value);
  o->moved |= !tt_value_eq(root, value);
  if (is_in(o->seen, o->num_seen, root)) return;
  if (o->num_seen == MAX_NAMES) {
    o->any = true;
    return;
  }
  o->seen[o->num_seen++] = root;
  intptr_t number;
  MlirOperation op = tt_defining_op(root), loop = carrier_of(root, &number);
  if (!mlirOperationIsNull(loop)) {
    add(o, first_of(loop, number)), add(o, next_of(loop, number));
  } else if (tt_op_is(op, "arith.select")) {
    add(o, mlirOperationGetOperand(op, 1)), add(o, mlirOperationGetOperand(op, 2));
  } else if (tt_op_is(op, "scf.if")) {
    for (intptr_t r = 0; r < 2; ++r)
      add(o, mlirOperationGetOperand(
                 mlirBlockGetTerminator(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r))),
                 mlirOpResultGetResultNumber(root)));
  } else if (tt_op_is(op, "memref.alloc") || tt_op_is(op, "memref.alloca") ||
             tt_op_is(op, "memref.get_global") ||
             (mlirValueIsABlockArgument(root) &&
              tt_op_is(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(root)),
                       "func.func"))) {
    o->bases[o->n++] = root;
  } else {
    o->any = true;
  }
}

static Origins *origins_of(TtArena *arena, MlirValue value) {
  Origins *o = tt_arena_alloc(arena, sizeof *o);
  add(o, value);
  return o;
}

bool tt_is_own_buffer(TtArena *arena, MlirOperation loop, MlirValue memref) {
  const Origins *o = origins_of(arena, memref);
  for (intptr_t i = 0; i < o->n; ++i)
    if (!tt_is_defined_in(loop, o->bases[i])) return false;
  return !o->any;
}

static bool have_one(const Origins *a, const Origins *b) {
  if (a->any || b->any) return true;
  for (intptr_t i = 0; i < a->n; ++i)
    if (is_in(b->bases, b->n, a->bases[i])) return true;
  return false;
}

/* Whether two that `loop` carries are never one: all that it carries are different at first, and
 * change places. */
static bool change_places(TtArena *arena, MlirOperation loop) {
  intptr_t n = mlirOperationGetNumResults(loop);
  MlirValue next[MAX_NAMES];
  const Origins *first[MAX_NAMES];
  intptr_t buffers = 0;
  for (intptr_t i = 0; i < n; ++i) {
    if (!tt_is_memref(mlirValueGetType(mlirOperationGetResult(loop, i)))) continue;
    if (buffers == MAX_NAMES) return false;
    next[buffers] = next_of(loop, i), first[buffers] = origins_of(arena, first_of(loop, i));
    if (!mlirValueIsABlockArgument(next[buffers]) ||
        !mlirBlockEqual(mlirBlockArgumentGetOwner(next[buffers]), tt_body(loop)) ||
        is_in(next, buffers, next[buffers]))
      return false;
    for (intptr_t j = 0; j < buffers; ++j)
      if (have_one(first[j], first[buffers])) return false;
    ++buffers;
  }
  return true;
}

/* What a value is in the first step of the loops that carry it, itself if none does. */
static MlirValue at_first(MlirValue value) {
  intptr_t number;
  for (MlirOperation loop;
       mlirValueIsABlockArgument(value) && !mlirOperationIsNull(loop = carrier_of(value, &number));)
    value = first_of(loop, number);
  return value;
}

TtMeets tt_are_one_buffer(TtArena *arena, MlirValue a, MlirValue b) {
  intptr_t i, j;
  MlirOperation x = carrier_of(a, &i), y = carrier_of(b, &j);
  if (!mlirOperationIsNull(x) && !mlirOperationIsNull(y) && tt_op_eq(x, y) && i != j &&
      mlirValueIsABlockArgument(a) == mlirValueIsABlockArgument(b) && change_places(arena, x))
    return TT_NEVER_MEET;
  const Origins *from = origins_of(arena, a), *other = origins_of(arena, b);
  if (!have_one(from, other)) return TT_NEVER_MEET;
  if (from->moved || other->moved) return TT_MAY_MEET;
  bool single = !from->any && !other->any && from->n == 1 && other->n == 1,
       first = tt_value_eq(at_first(a), at_first(b)) && !tt_value_eq(a, b);
  return single || first ? TT_MEET : TT_MAY_MEET;
}
