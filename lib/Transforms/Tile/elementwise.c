/*===- elementwise.c - expressions to tile intrinsics, in one section of DST ----------------===
 *
 *   x + y, both in circular buffers = tt.fpu.add %x, %y, dst = d
 *   x                               = tt.copy_to_dst %x, dst = d
 *   f(e), with a scalar c           = e in tile d, then tt.sfpu.unary f, dst = d scalar = c
 *   e + x, in DST of 16 bits        = e in tile d, then tt.fpu.reuse add, %x, dst = d
 *   f(e, g)                         = e in tile d, g in tile h, then
 *                                     tt.sfpu.combine f, [d, h], dst = d
 *   a constant                      = tt.sfpu.unary fill, dst = d scalar = c
 *
 * A whole expression is computed a tile at a time, without leaving DST. What needs most
 * tiles is computed first; an expression that is used again keeps its tile until its
 * last use. Where DST has too few tiles, the largest part that fits is packed to an
 * intermediate circular buffer before, and comes back as an operand.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Tile/expression.h"

#include <string.h>

enum { MAX_TILES = 16 };

typedef struct Section {
  TtExprs *x;
  TtBuilder b;
  MlirLocation loc;
  MlirType shape; /* circular buffer type of the result */
  int capacity;
  bool busy[MAX_TILES], dirty[MAX_TILES];
  bool full;        /* DST had too few tiles */
  bool dst_is_bf16; /* of 16 bits */
  bool residents;   /* tiles of products come first; others are used for each of them */
} Section;

/*===- Tiles of DST ---------------------------------------------------------------------------===*/

static int take(Section *s, bool clean) {
  for (int t = 0; t < s->capacity; ++t)
    if (!s->busy[t] && !(clean && s->dirty[t])) return s->busy[t] = s->dirty[t] = true, t;
  s->full = true;
  return 0;
}

/* One use of an expression is over. Leaves and constants are made again for each use. */
static bool is_shared(const TtExpr *e) {
  bool made_again = (e->kind == TT_EXPR_LEAF && !e->resident) || e->kind == TT_EXPR_FILL;
  return e->uses > 1 && !made_again;
}

static bool dies(TtExpr *e) { return !is_shared(e) || --e->uses_left == 0; }

static void free_tile(Section *s, int tile) { s->busy[tile] = false; }

/*===- Code -----------------------------------------------------------------------------------===*/

static int compute(Section *s, TtExpr *e, MlirValue out);

static bool is_plain(const TtExpr *e) { return e->access == TT_ACCESS_FULL; }

static bool is_broadcast(const TtExpr *e) {
  TtBcast bcast;
  return tt_access_bcast(e->access, &bcast);
}

static TtSfpu sfpu_of(const TtExpr *e) { return (TtSfpu)(e->function - tt_sfpu_functions); }

/* Subtraction has no form with a broadcast row that all eras of the API know. */
static bool has_fpu_form(const Section *s, const TtExpr *e) {
  bool leaves = !e->exact && e->kind == TT_EXPR_COMBINE && e->in[0]->kind == TT_EXPR_LEAF &&
                e->in[1]->kind == TT_EXPR_LEAF && !e->in[2];
  if (!leaves || e->in[0]->exact || e->in[1]->exact) return false;
  const TtExpr *x = e->in[0], *y = e->in[1];
  TtSfpu function = sfpu_of(e);
  if (x->resident || y->resident || (s->residents && function == TT_SFPU_MUL)) return false;
  bool first = is_plain(x) && (is_plain(y) || is_broadcast(y)),
       second = is_plain(y) && is_broadcast(x);
  if (function == TT_SFPU_SUB) return first && y->access != TT_ACCESS_ROWS;
  bool commutes = function == TT_SFPU_ADD || function == TT_SFPU_MUL;
  return commutes && (first || second);
}

static MlirAttribute bcast_attr(Section *s, const TtExpr *leaf) {
  TtBcast bcast;
  return tt_access_bcast(leaf->access, &bcast) ? tt_i32_attr(s->b.context, (int)bcast)
                                               : mlirAttributeGetNull();
}

/* Products add to what is in DST, so they need a tile that is still zero. The second
 * operand is the one that may be broadcast. */
static int compute_on_fpu(Section *s, TtExpr *e, MlirValue out) {
  bool swap = e->in[0]->access != TT_ACCESS_FULL;
  MlirValue x = e->in[swap]->cb, y = e->in[!swap]->cb;
  MlirAttribute bcast = bcast_attr(s, e->in[!swap]);
  TtSfpu function = sfpu_of(e);
  int tile = take(s, function == TT_SFPU_MUL);
  if (s->full) return 0;
  if (function == TT_SFPU_ADD) tt_fpu_add_create(&s->b, s->loc, x, y, bcast, tile, out);
  else if (function == TT_SFPU_SUB) tt_fpu_sub_create(&s->b, s->loc, x, y, bcast, tile, out);
  else tt_fpu_mul_create(&s->b, s->loc, x, y, bcast, tile, out);
  return tile;
}

static void scalar(Section *s, const TtExpr *e, int tile, MlirValue out) {
  bool moves = e->steps[0] || e->steps[1];
  MlirAttribute none = mlirAttributeGetNull();
  tt_sfpu_scalar_create(&s->b, s->loc, sfpu_of(e), e->value,
                        moves ? mlirDenseI64ArrayGet(s->b.context, 2, e->steps) : none,
                        e->limit ? tt_i64_attr(s->b.context, e->limit) : none, tile, out);
}

static void unary(Section *s, const TtExpr *e, int tile, MlirValue out) {
  MlirAttribute scalar = mlirAttributeGetNull();
  if (e->function->scalar)
    scalar = mlirFloatAttrDoubleGet(s->b.context, mlirF32TypeGet(s->b.context), e->scalar);
  tt_sfpu_unary_create(&s->b, s->loc, sfpu_of(e), tile, scalar, out);
}

static void function_of_one(Section *s, const TtExpr *e, int tile, MlirValue out) {
  if (tt_is_null_value(e->value)) unary(s, e, tile, out);
  else scalar(s, e, tile, out);
}

static void combine(Section *s, TtSfpu function, int n, const int *tiles, int dst, MlirValue out) {
  int64_t sources[3];
  for (int i = 0; i < n; ++i) sources[i] = tiles[i];
  tt_sfpu_combine_create(&s->b, s->loc, function, mlirDenseI64ArrayGet(s->b.context, n, sources),
                         dst, out);
}

/* DST of 32 bits may hold integers, so its words are copied. */
static void copy(Section *s, int from, int to) {
  combine(s, tt_dst_is_32bit(s->x->l->func) ? TT_SFPU_COPY_WORDS : TT_SFPU_COPY, 1, &from, to,
          (MlirValue){NULL});
}

static int compute_unary(Section *s, TtExpr *e, MlirValue out) {
  int in = compute(s, e->in[0], (MlirValue){NULL}), tile = in;
  if (!dies(e->in[0])) {
    tile = take(s, false);
    if (s->full) return 0;
    copy(s, in, tile);
  }
  if (!s->full) function_of_one(s, e, tile, out);
  return tile;
}

/* The FPU takes one operand from DST, as bf16, which is all that DST of 16 bits holds: the
 * other needs no tile there. Whether there is that form, and which operand is the other. */
static bool has_reuse_form(const Section *s, const TtExpr *e, int *other, TtReuse *form) {
  static const struct {
    TtSfpu function;
    TtReuse form[2]; /* by which operand is the other */
  } forms[] = {{TT_SFPU_ADD, {TT_REUSE_ADD, TT_REUSE_ADD}},
               {TT_SFPU_MUL, {TT_REUSE_MUL, TT_REUSE_MUL}},
               {TT_SFPU_SUB, {TT_REUSE_RSUB, TT_REUSE_SUB}}};
  if (!s->dst_is_bf16 || e->exact || e->kind != TT_EXPR_COMBINE || !e->in[1] || e->in[2])
    return false;
  for (int i = 0; i < 2; ++i) {
    const TtExpr *block = e->in[i], *tile = e->in[1 - i];
    bool plain =
        block->kind == TT_EXPR_LEAF && is_plain(block) && !block->resident && !block->exact;
    bool goes = !is_shared(tile) || tile->uses_left == 1;
    for (size_t f = 0; plain && goes && tile != block && f < sizeof forms / sizeof *forms; ++f)
      if (sfpu_of(e) == forms[f].function) return *other = i, *form = forms[f].form[i], true;
  }
  return false;
}

static int compute_on_dst(Section *s, TtExpr *e, TtReuse form, int other, MlirValue out) {
  int tile = compute(s, e->in[1 - other], (MlirValue){NULL});
  dies(e->in[1 - other]);
  if (!s->full) tt_fpu_reuse_create(&s->b, s->loc, form, e->in[other]->cb, tile, out);
  return tile;
}

static int compute_combination(Section *s, TtExpr *e, MlirValue out) {
  int n = e->function->inputs, tiles[3] = {-1, -1, -1}, dst = -1;
  for (int done = 0; done < n && !s->full; ++done) { /* what needs most comes first */
    int next = -1;
    for (int i = 0; i < n; ++i)
      if (tiles[i] < 0 && (next < 0 || e->in[i]->need > e->in[next]->need)) next = i;
    tiles[next] = compute(s, e->in[next], (MlirValue){NULL});
  }
  if (s->full) return 0;
  for (int i = 0; i < n; ++i) {
    if (!dies(e->in[i])) continue;
    if (dst < 0) dst = tiles[i];
    else if (tiles[i] != dst) free_tile(s, tiles[i]);
  }
  if (dst < 0) dst = take(s, false);
  if (!s->full) combine(s, sfpu_of(e), n, tiles, dst, out);
  return dst;
}

static void load(Section *s, const TtExpr *leaf, int tile, MlirValue out) {
  MlirAttribute unit = mlirUnitAttrGet(s->b.context), none = mlirAttributeGetNull();
  if (is_broadcast(leaf)) {
    MlirType element = tt_cb_type_element_type(mlirValueGetType(leaf->cb));
    MlirValue zeros = tt_constant_tile(s->x->l, s->loc, 0, element);
    TtBcast bcast = TT_BCAST_ROWS;
    tt_access_bcast(leaf->access, &bcast);
    tt_bcast_to_dst_create(&s->b, s->loc, leaf->cb, bcast, zeros, tile, out);
  } else {
    tt_copy_to_dst_create(&s->b, s->loc, leaf->cb, leaf->access == TT_ACCESS_TURNED ? unit : none,
                          leaf->access == TT_ACCESS_CONSTANT ? unit : none, tile, out);
  }
}

static int compute(Section *s, TtExpr *e, MlirValue out) {
  if (s->full) return 0;
  if (is_shared(e) && e->tile >= 0) return e->tile;
  bool fpu = has_fpu_form(s, e);
  if (e->resident) return e->tile = e->resident - 1;
  int tile, other = 0;
  TtReuse reuse;
  if (fpu) tile = compute_on_fpu(s, e, out);
  else if (has_reuse_form(s, e, &other, &reuse)) tile = compute_on_dst(s, e, reuse, other, out);
  else if (e->kind == TT_EXPR_UNARY) tile = compute_unary(s, e, out);
  else if (e->kind == TT_EXPR_COMBINE) tile = compute_combination(s, e, out);
  else {
    tile = take(s, false);
    if (s->full) return 0;
    if (e->kind == TT_EXPR_FILL) function_of_one(s, e, tile, out);
    else load(s, e, tile, out);
  }
  return e->tile = tile;
}

/*===- Sections ---------------------------------------------------------------------------===*/

static void count_uses(TtExpr *e) {
  for (int i = 0; i < 3 && e->in[i]; ++i)
    if (e->in[i]->uses++ == 0) count_uses(e->in[i]);
}

/* Before code for `root` is made: how often each expression in it is used. */
static void prepare(Section *s, TtExpr *root) {
  for (intptr_t i = 0; i < s->x->n; ++i) {
    TtExpr *e = s->x->data[i];
    e->tile = -1, e->uses = 0, e->seen = false;
  }
  count_uses(root);
  for (intptr_t i = 0; i < s->x->n; ++i) s->x->data[i]->uses_left = s->x->data[i]->uses;
}

/* Whether `e` fits DST: a first run, whose ops are thrown away. */
static bool fits(Section *s, TtExpr *e) {
  Section trial = *s;
  MlirBlock scratch = mlirBlockCreate(0, NULL, NULL);
  prepare(s, e);
  trial.b = (TtBuilder){s->b.context, scratch, {NULL}};
  compute(&trial, e, (MlirValue){NULL});
  mlirBlockDestroy(scratch);
  return !trial.full;
}

/* The largest part of `e` that needs no more tiles than there are, and is no whole. */
static TtExpr *part_to_spill(Section *s, TtExpr *e, TtExpr *whole) {
  TtExpr *best = NULL;
  if (e->seen || e->kind == TT_EXPR_LEAF || e->kind == TT_EXPR_FILL) return NULL;
  e->seen = true;
  if (e != whole && e->need <= s->capacity) best = e;
  for (int i = 0; i < 3 && e->in[i]; ++i) {
    TtExpr *part = part_to_spill(s, e->in[i], whole);
    if (part && (!best || part->size > best->size)) best = part;
  }
  return best;
}

bool tt_expr_is_integer(const TtExpr *e) {
  if (e->kind == TT_EXPR_LEAF)
    return mlirTypeIsAInteger(tt_cb_type_element_type(mlirValueGetType(e->cb)));
  return strstr(e->function->name, "_int") || strstr(e->function->name, "to_i32");
}

/* What holds a part of an expression in between: all of its bits, where they count. */
static MlirType spilled(Section *s, const TtExpr *part) {
  bool wide = false;
  for (intptr_t i = 0; i < s->x->n; ++i)
    wide |= s->x->data[i]->exact || tt_expr_is_integer(s->x->data[i]);
  if (tt_expr_is_integer(part)) return mlirIntegerTypeGet(s->b.context, 32);
  if (wide && tt_dst_is_32bit(s->x->l->func)) return mlirF32TypeGet(s->b.context);
  return tt_cb_type_element_type(s->shape);
}

static bool make_section(Section *s, TtExpr *e, MlirValue out) {
  while (!fits(s, e)) {
    TtExpr *part = part_to_spill(s, e, e);
    for (intptr_t i = 0; !part && i < s->x->n; ++i) { /* what is spilled needs one tile now */
      s->x->data[i]->seen = false;
      tt_expr_know(s->x->data[i]);
    }
    if (!part) part = part_to_spill(s, e, e);
    if (!part) return tt_error(s->x->op, "this expression needs more tiles of DST than there are");
    MlirType type =
        tt_cb_of_sides(s->b.context, tt_cb_rows(s->shape), tt_cb_cols(s->shape), spilled(s, part));
    MlirValue cb = tt_new_cb(s->x->l, s->loc, type);
    if (!make_section(s, part, cb)) return false;
    *part = (TtExpr){.kind = TT_EXPR_LEAF, .cb = cb, .number = part->number};
    tt_expr_know(part);
    s->x->known = (TtValueMap){0};
  }
  prepare(s, e);
  Section section = *s;
  compute(&section, e, out);
  s->b = section.b;
  return true;
}

/*===- Ops ------------------------------------------------------------------------------------===*/

/* DST of 16 bits holds what source A is set to: bf16, unless the kernel has any f16. */
static bool dst_is_bf16(TtLowering *l) {
  bool half = tt_dst_is_32bit(l->func);
  for (intptr_t i = 0; i < l->n; ++i)
    half |= mlirTypeIsAF16(tt_cb_type_element_type(mlirValueGetType(l->buffers[i].cb)));
  return !half;
}

static Section new_section(TtExprs *x, MlirValue out) {
  Section s = {.x = x,
               .b = tt_builder_before(x->op),
               .loc = mlirOperationGetLocation(x->op),
               .shape = mlirValueGetType(out),
               .capacity = (int)x->l->dst_tiles,
               .dst_is_bf16 = dst_is_bf16(x->l)};
  if (s.capacity > MAX_TILES) s.capacity = MAX_TILES;
  return s;
}

bool tt_expr_to_cb(TtExprs *x, TtExpr *e, MlirValue out) {
  Section s = new_section(x, out);
  return make_section(&s, e, out);
}

bool tt_resident_expr_to_cb(TtExprs *x, TtExpr *e, const TtResidents *residents, MlirValue out) {
  Section s = new_section(x, out);
  s.residents = true;
  for (int64_t t = 0; t < residents->end && t < MAX_TILES; ++t) s.busy[t] = s.dirty[t] = true;
  if (residents->end > s.capacity || !fits(&s, e)) return false;
  prepare(&s, e);
  int tile = compute(&s, e, (MlirValue){NULL});
  bool in_place = false;
  for (int i = 0; i < residents->n; ++i) in_place |= residents->buffers[i]->resident - 1 == tile;
  if (!in_place) { /* all tiles of the result are packed at the end */
    int first = residents->buffers[0]->resident - 1;
    copy(&s, tile, first);
    tile = first;
  }
  tt_pack_to_cb_create(&s.b, s.loc, tile, mlirAttributeGetNull(), out, (MlirValue){NULL});
  return true;
}

typedef enum Outcome { DONE, REFUSED, FAILED } Outcome;

/* The one result of an op, computed on products that are still in DST: refused where DST is
 * too small, or something must be computed before. */
static Outcome lower_on_residents(TtLowering *l, MlirOperation op, const TtSpace *space,
                                  TtResidents *residents, MlirValue out) {
  TtExprs x = {.l = l, .op = op, .space = space, .in_section = true};
  for (int i = 0; i < residents->n; ++i)
    residents->buffers[i]->resident =
        1 + (int)tt_int(tt_pack_to_cb_dst(residents->buffers[i]->pack));
  TtExpr *result = tt_expr_of(&x, mlirOperationGetOperand(mlirBlockGetTerminator(tt_body(op)), 0));
  result = tt_expr_whole(&x, result);
  bool done = result && tt_resident_expr_to_cb(&x, result, residents, out);
  for (int i = 0; i < residents->n; ++i) {
    residents->buffers[i]->resident = 0;
    if (done) mlirOperationDestroy(residents->buffers[i]->pack);
  }
  return done ? DONE : result || x.refused ? REFUSED : FAILED;
}

bool tt_lower_elementwise(TtLowering *l, MlirOperation op) {
  TtSpace space;
  if (!tt_space_of(op, &space)) return false;
  intptr_t inputs = tt_linalg_num_inputs(op);
  for (intptr_t i = inputs; i < mlirOperationGetNumOperands(op); ++i) {
    TtBuffer *out = tt_buffer_of(l, mlirOperationGetOperand(op, i));
    if (!out) return tt_error(op, "writes something that is no buffer of the core");
    if (!tt_sides_of(&space, i, out->column, &space.sides)) return false;
    TtResidents residents = tt_find_residents(l, &space, out);
    Outcome outcome =
        residents.n > 0 ? lower_on_residents(l, op, &space, &residents, out->cb) : REFUSED;
    if (outcome == FAILED) return false;
    if (outcome == DONE) break;
    TtExprs x = {.l = l, .op = op, .space = &space};
    TtExpr *result =
        tt_expr_of(&x, mlirOperationGetOperand(mlirBlockGetTerminator(tt_body(op)), i - inputs));
    MlirType element = tt_cb_type_element_type(mlirValueGetType(out->cb));
    result = tt_expr_stored_integer(&x, result, element, out->cb);
    if (result) result = tt_expr_narrow(&x, result, mlirValueGetType(out->cb));
    result = tt_expr_whole(&x, result);
    if (!result || !tt_expr_to_cb(&x, result, out->cb)) return false;
  }
  tt_release_scratch(l, op);
  mlirOperationDestroy(op);
  return true;
}
