/*===- count_same_element.c - steps of a parallel loop that touch one element, counted ----------===
 *
 *   scf.parallel (%i, %j) = … to (64, 4096) { store %x, %Y[%i ori 4, %j] }
 *
 * An index that is a variable alone, as %j here, tells steps apart by itself: what is left is one
 * step of %j, and 64 of %i, of which each notes the element that it touches in a table. The first
 * one that finds the note of another step ends it.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/same_element.h"

#include "Analysis/index_expr.h"
#include "Analysis/index_value.h"
#include "Analysis/made_of.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 1 << 17, TABLE = 1 << 18, MOST_LEVELS = 16 };

/* The element that a step touches; `used` by none before. */
typedef struct Note {
  int64_t element, step[TT_PARALLEL_DIMS];
  bool used;
} Note;

/* What stands between `root` and an access, from the outermost on: loops and branches. */
typedef struct Path {
  MlirOperation access, levels[MOST_LEVELS];
  bool holds[MOST_LEVELS]; /* of a branch: the condition does */
  int n;
} Path;

typedef struct Count {
  TtArena *arena;
  MlirOperation root;
  intptr_t dims;
  int64_t lower[TT_PARALLEL_DIMS], upper[TT_PARALLEL_DIMS], by[TT_PARALLEL_DIMS];
  bool alone[TT_PARALLEL_DIMS]; /* an index is this variable */
  const Path *path;
  Note *table;
  bool notes;        /* what is touched is noted, not just looked for */
  bool unknown, may; /* cannot be counted; a branch may not be taken */
  int64_t steps;
  TtKnown known;
  TtMeets found;
  TtSameElement *same;
} Count;

static bool path_of(MlirOperation root, MlirOperation access, Path *path) {
  *path = (Path){.access = access};
  MlirOperation inner = access, p = tt_parent(access);
  for (; !tt_op_eq(p, root); inner = p, p = tt_parent(p)) {
    if (path->n == MOST_LEVELS || (!tt_op_is(p, "scf.for") && !tt_op_is(p, "scf.if"))) return false;
    path->holds[path->n] = mlirRegionEqual(mlirBlockGetParentRegion(mlirOperationGetBlock(inner)),
                                           mlirOperationGetRegion(p, 0));
    path->levels[path->n++] = p;
  }
  for (int i = 0; i < path->n / 2; ++i) {
    int j = path->n - 1 - i;
    MlirOperation op = path->levels[i];
    bool holds = path->holds[i];
    path->levels[i] = path->levels[j], path->holds[i] = path->holds[j];
    path->levels[j] = op, path->holds[j] = holds;
  }
  return true;
}

/* Constant bounds of variable `d`. */
static bool bounds_of(Count *c, intptr_t d) {
  MlirOperation root = c->root;
  if (tt_op_is(root, "scf.forall")) {
    c->lower[d] = mlirDenseI64ArrayGetElement(tt_op_attr(root, "staticLowerBound"), d);
    c->upper[d] = mlirDenseI64ArrayGetElement(tt_op_attr(root, "staticUpperBound"), d);
    c->by[d] = mlirDenseI64ArrayGetElement(tt_op_attr(root, "staticStep"), d);
    return c->lower[d] != INT64_MIN && c->upper[d] != INT64_MIN && c->by[d] > 0;
  }
  if (tt_op_is(root, "scf.parallel"))
    return tt_constant(mlirOperationGetOperand(root, d), &c->lower[d]) &&
           tt_constant(mlirOperationGetOperand(root, c->dims + d), &c->upper[d]) &&
           tt_constant(mlirOperationGetOperand(root, 2 * c->dims + d), &c->by[d]) && c->by[d] > 0;
  MlirAffineMap maps[2] = {mlirAffineMapAttrGetValue(tt_op_attr(root, "lowerBoundsMap")),
                           mlirAffineMapAttrGetValue(tt_op_attr(root, "upperBoundsMap"))};
  for (int i = 0; i < 2; ++i) {
    if (mlirAffineMapGetNumResults(maps[i]) != c->dims) return false;
    MlirAffineExpr e = mlirAffineMapGetResult(maps[i], d);
    if (!mlirAffineExprIsAConstant(e)) return false;
    *(i ? &c->upper[d] : &c->lower[d]) = mlirAffineConstantExprGetValue(e);
  }
  c->by[d] = tt_int(mlirArrayAttrGetElement(tt_op_attr(root, "steps"), d));
  return c->by[d] > 0;
}

static bool is_made_of(Count *c, MlirValue value, MlirValue iv) {
  return tt_is_made_of(c->arena, value, iv);
}

/* Whether bounds or conditions on the way hang on `iv`, or an index other than number `but`. */
static bool hangs_on(Count *c, const Path *path, MlirValue iv, intptr_t but) {
  for (intptr_t d = 0; d < tt_rank_of_access(path->access); ++d)
    if (d != but && is_made_of(c, tt_index_of_access(path->access, d), iv)) return true;
  for (int i = 0; i < path->n; ++i)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(path->levels[i]); ++k)
      if (is_made_of(c, mlirOperationGetOperand(path->levels[i], k), iv)) return true;
  return false;
}

/* Whether index `d` of both accesses is the same multiple of `iv` alone, plus a constant, and
 * nothing else hangs on that. */
static bool tells_apart(Count *c, const Path paths[2], intptr_t d, MlirValue iv) {
  MlirAffineMap map[2];
  const MlirValue *leaves;
  intptr_t n;
  for (int i = 0; i < 2; ++i) {
    MlirValue index = tt_index_of_access(paths[i].access, d);
    int64_t factor;
    if (!tt_index_map(c->arena, &index, 1, &map[i], &leaves, &n) || n != 1 ||
        !tt_value_eq(leaves[0], iv) || !tt_index_factor(c->arena, index, iv, &factor) ||
        factor == 0 || hangs_on(c, &paths[i], iv, d))
      return false;
  }
  return mlirAffineExprEqual(mlirAffineMapGetResult(map[0], 0), mlirAffineMapGetResult(map[1], 0));
}

/* The place of an element in its memref; false where it is outside of that, or not known. */
static bool place_of(const Count *c, int64_t *element, int64_t *place) {
  MlirOperation access = c->path->access;
  MlirType type =
      mlirValueGetType(mlirOperationGetOperand(access, tt_op_is(access, "memref.store")));
  *place = 0;
  for (intptr_t d = 0; d < tt_rank_of_access(access); ++d) {
    int64_t size = mlirShapedTypeGetDimSize(type, d);
    if (mlirShapedTypeIsDynamicDim(type, d) ||
        !tt_index_value(&c->known, tt_index_of_access(access, d), &element[d]) || element[d] < 0 ||
        element[d] >= size)
      return false;
    *place = *place * size + element[d];
  }
  return true;
}

static void touch(Count *c) {
  int64_t element[TT_MAX_RANK], place;
  if (!place_of(c, element, &place)) {
    c->unknown = true;
    return;
  }
  Note *note = &c->table[((uint64_t)place * 0x9E3779B97F4A7C15u) >> 46];
  while (note->used && note->element != place)
    if (++note == c->table + TABLE) note = c->table;
  bool same = true;
  for (intptr_t d = 0; d < c->dims && note->used; ++d) same &= note->step[d] == c->known.at[d];
  if (note->used && !same) {
    c->found = c->may ? TT_MAY_MEET : TT_MEET;
    memcpy(c->same->step[0], note->step, sizeof note->step);
    memcpy(c->same->step[1], c->known.at, sizeof note->step);
    memcpy(c->same->element, element, sizeof element);
  } else if (!note->used && c->notes) {
    *note = (Note){.element = place, .used = true};
    memcpy(note->step, c->known.at, sizeof note->step);
  }
}

static void walk(Count *c, int level);

static void walk_loop(Count *c, int level) {
  MlirOperation loop = c->path->levels[level];
  int64_t bound[3];
  for (int i = 0; i < 3; ++i)
    if (!tt_index_value(&c->known, mlirOperationGetOperand(loop, i), &bound[i])) c->unknown = true;
  if (c->unknown || bound[2] <= 0 || c->known.n == TT_MAX_KNOWN) {
    c->unknown = true;
    return;
  }
  int at = c->known.n++;
  c->known.values[at] = tt_for_iv(loop);
  for (int64_t x = bound[0]; x < bound[1] && !c->unknown && c->found != TT_MEET; x += bound[2]) {
    c->known.at[at] = x;
    walk(c, level + 1);
  }
  c->known.n = at;
}

static void walk(Count *c, int level) {
  if (++c->steps > MOST_STEPS) c->unknown = true;
  if (c->unknown || c->found == TT_MEET) return;
  if (level == c->path->n) {
    touch(c);
    return;
  }
  if (tt_op_is(c->path->levels[level], "scf.for")) {
    walk_loop(c, level);
    return;
  }
  int64_t condition;
  bool may = c->may;
  if (!tt_index_value(&c->known, mlirOperationGetOperand(c->path->levels[level], 0), &condition))
    c->may = true;
  else if ((condition != 0) != c->path->holds[level]) return;
  walk(c, level + 1);
  c->may = may;
}

static void walk_root(Count *c, intptr_t d) {
  if (d == c->dims) {
    walk(c, 0);
    return;
  }
  for (int64_t x = c->lower[d]; x < c->upper[d] && !c->unknown && c->found != TT_MEET;
       x += c->by[d]) {
    c->known.at[d] = x;
    walk_root(c, d + 1);
    if (c->alone[d]) break;
  }
}

TtMeets tt_count_same_element(TtArena *arena, MlirOperation root, MlirOperation a, MlirOperation b,
                              TtSameElement *same) {
  Count c = {.arena = arena, .root = root, .found = TT_NEVER_MEET, .same = same, .notes = true};
  Path paths[2];
  c.dims = mlirBlockGetNumArguments(tt_body(root));
  if (!path_of(root, a, &paths[0]) || !path_of(root, b, &paths[1])) return TT_MAY_MEET;
  bool all = true;
  for (intptr_t d = 0; d < c.dims; ++d) {
    MlirValue iv = mlirBlockGetArgument(tt_body(root), d);
    if (!bounds_of(&c, d)) return TT_MAY_MEET;
    c.known.values[d] = iv;
    for (intptr_t i = 0; i < tt_rank_of_access(a); ++i) c.alone[d] |= tells_apart(&c, paths, i, iv);
    all &= c.alone[d];
  }
  if (all) return TT_NEVER_MEET;
  c.known.n = (int)c.dims;
  c.table = calloc(TABLE, sizeof *c.table);
  if (!c.table) return TT_MAY_MEET;
  c.path = &paths[0];
  walk_root(&c, 0);
  if (!tt_op_eq(a, b) && c.found != TT_MEET) {
    c.found = TT_NEVER_MEET, c.path = &paths[1], c.notes = false, c.steps = 0;
    walk_root(&c, 0);
  }
  free(c.table);
  return c.unknown ? TT_MAY_MEET : c.found;
}
