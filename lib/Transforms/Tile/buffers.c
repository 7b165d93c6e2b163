/*===- buffers.c - which circular buffer holds what ----------------------------------------===
 *
 * A buffer that one op computes is a circular buffer that this op fills. One that is
 * computed step by step keeps its value from one op to the next, and is open all the time:
 *
 *   linalg.fill ins(%zero) outs(%sum)                   fill -> %cb; tt.cb_open %cb
 *   scf.for … {                                         scf.for … {
 *     linalg.generic … outs(%sum)           =             f(%cb) -> %cb; tt.cb_close %cb;
 * tt.cb_open %cb }                                                   } linalg.copy ins(%sum) …
 *                        g(%cb); tt.cb_close %cb
 *
 * It has room for the value before and the one after. A fill next to what overwrites it, or
 * to a sum that starts from it, is no value of its own.
 *
 * A vector lies as a row of tiles in tensors. In the core it lies as the ops on blocks of
 * two dimensions want it; ops on vectors alone keep to what their operands do.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Tile/lowering.h"

#include "Transforms/Tile/block.h"
#include "Transforms/Tile/buffer_uses.h"

#include "mlir-c/Dialect/Linalg.h"

#include <math.h>

/*===- Small things ------------------------------------------------------------------------===*/

TtBuffer *tt_buffer_of(TtLowering *l, MlirValue memref) {
  for (intptr_t i = 0; i < l->n; ++i)
    if (tt_value_eq(l->buffers[i].memref, memref)) return &l->buffers[i];
  return NULL;
}

static TtBuffer *add_buffer(TtLowering *l, MlirValue memref, MlirValue cb) {
  l->buffers[l->n] = (TtBuffer){.memref = memref, .cb = cb};
  return &l->buffers[l->n++];
}

static MlirValue alloc_cb(TtLowering *l, TtBuilder *b, MlirLocation loc, MlirType type,
                          int64_t depth) {
  char *name = tt_arena_printf(l->arena, "cb_intermed%d", l->intermediates++);
  return tt_alloc_cb_cb(tt_alloc_cb_create(b, loc, type, name, tt_i64_attr(b->context, depth)));
}

MlirValue tt_new_cb(TtLowering *l, MlirLocation loc, MlirType type) {
  TtBuilder top = tt_builder_at_start(tt_body(l->func));
  return alloc_cb(l, &top, loc, type, 1);
}

MlirType tt_cb_of_sides(MlirContext context, int64_t rows, int64_t cols, MlirType element) {
  int64_t shape[2] = {rows, cols};
  return tt_cb_type_get(context, 2, shape, element);
}

MlirValue tt_constant_tile(TtLowering *l, MlirLocation loc, double value, MlirType element) {
  for (TtConstantTile *c = l->constants; c; c = c->next)
    if (c->value == value && mlirTypeEqual(c->element, element)) return c->cb;
  TtBuilder top = tt_builder_at_start(tt_body(l->func));
  MlirValue cb = alloc_cb(l, &top, loc, tt_cb_of_sides(top.context, 1, 1, element), 1);
  MlirAttribute scalar = mlirFloatAttrDoubleGet(top.context, mlirF32TypeGet(top.context), value);
  tt_sfpu_unary_create(&top, loc, TT_SFPU_FILL, 0, scalar, cb);
  TtConstantTile *c = tt_arena_alloc(l->arena, sizeof *c);
  *c = (TtConstantTile){value, element, cb, l->constants};
  l->constants = c;
  return cb;
}

MlirValue tt_index_tile(TtLowering *l, MlirLocation loc, int64_t row, int64_t col) {
  for (TtIndexTile *t = l->indices; t; t = t->next)
    if (t->row == row && t->col == col) return t->cb;
  TtBuilder top = tt_builder_at_start(tt_body(l->func));
  MlirType narrow = tt_narrow_float(l->func);
  MlirValue cb = alloc_cb(l, &top, loc, tt_cb_of_sides(top.context, 1, 1, narrow), 1);
  tt_index_to_cb_create(&top, loc, row, col, cb);
  TtIndexTile *t = tt_arena_alloc(l->arena, sizeof *t);
  *t = (TtIndexTile){row, col, cb, l->indices};
  l->indices = t;
  return cb;
}

static bool has(TtOps ops, MlirOperation op) {
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_op_eq(ops.data[i], op)) return true;
  return false;
}

bool tt_is_fresh(const TtBuffer *buffer, MlirOperation op) { return has(buffer->fresh, op); }

bool tt_fill_value(MlirOperation fill, double *value) {
  MlirOperation op = tt_defining_op(mlirOperationGetOperand(fill, 0));
  if (!tt_op_is(op, "arith.constant")) return false;
  MlirAttribute attr = tt_op_attr(op, "value");
  if (mlirAttributeIsAFloat(attr)) *value = mlirFloatAttrGetValueDouble(attr);
  else if (mlirAttributeIsAInteger(attr)) *value = (double)tt_int(attr);
  else return false;
  return true;
}

/*===- Sides of vectors --------------------------------------------------------------------===*/

typedef struct Vectors {
  TtLowering *l;
  TtOps ops; /* linalg ops */
  MlirValue *values;
  int *sides; /* 0: not known, 1: column, 2: row */
  intptr_t n;
} Vectors;

static bool is_vector(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return tt_is_memref(type) && mlirShapedTypeGetRank(type) == 1;
}

static int *side_of(Vectors *v, MlirValue value) {
  value = tt_view_root(value); /* a part lies as the whole does */
  for (intptr_t i = 0; i < v->n; ++i)
    if (tt_value_eq(v->values[i], value)) return &v->sides[i];
  return NULL;
}

/* The loops of the first operand with two sides. */
static bool block_sides(const TtSpace *s, TtSides *sides) {
  intptr_t n = mlirOperationGetNumOperands(s->op);
  for (intptr_t i = n; i-- > 0;) { /* the result first */
    MlirType type = mlirValueGetType(mlirOperationGetOperand(s->op, i));
    if (tt_is_memref(type) && mlirShapedTypeGetRank(type) == 2 && tt_sides_of(s, i, false, sides) &&
        (sides->row >= 0 || sides->col >= 0))
      return true;
  }
  return false;
}

/* What an op says of its vectors; true where that was news. */
static bool hint(Vectors *v, MlirOperation op) {
  TtSpace s;
  TtSides block = {TT_UNIT, TT_UNIT}, own;
  bool news = false;
  if (!tt_space_of(op, &s)) return false;
  bool has_block = block_sides(&s, &block);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !has_block && !tt_is_contraction(op);
       ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    int *side = is_vector(value) ? side_of(v, value) : NULL;
    if (!side || !*side || !tt_sides_of(&s, i, *side == 1, &own)) continue;
    has_block = own.row >= 0 || own.col >= 0;
    block = own;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && has_block; ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    int *side = is_vector(value) ? side_of(v, value) : NULL;
    if (!side || *side || !tt_sides_of(&s, i, true, &own) || own.row < 0) continue;
    *side = own.row == block.row ? 1 : own.row == block.col ? 2 : 0;
    news |= *side != 0;
  }
  return news;
}

/* Decides how each vector lies, from the ops around it. */
static Vectors orient(TtLowering *l, TtOps all) {
  Vectors v = {.l = l};
  v.values = tt_arena_alloc(l->arena, (size_t)(all.n + 1) * sizeof *v.values);
  v.sides = tt_arena_alloc(l->arena, (size_t)(all.n + 1) * sizeof *v.sides);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = all.data[i];
    bool view = tt_cb_view_isa(op);
    bool alloc = view || tt_op_is(op, "memref.alloc") || tt_op_is(op, "memref.alloca");
    if (alloc && is_vector(mlirOperationGetResult(op, 0))) {
      v.values[v.n] = mlirOperationGetResult(op, 0);
      v.sides[v.n++] = view ? 2 : 0; /* as in tensors */
    }
    if (tt_is_linalg(op) && !tt_op_is(op, "linalg.fill") && !tt_is_linalg(tt_parent(op)))
      tt_ops_add(l->arena, &v.ops, op);
  }
  for (bool news = v.n > 0; news;) {
    news = false;
    for (intptr_t i = 0; i < v.ops.n; ++i) news |= hint(&v, v.ops.data[i]);
  }
  return v;
}

/*===- Placement ------------------------------------------------------------------------------===*/

static MlirValue alloc_for(TtLowering *l, MlirOperation alloc, bool column, int64_t depth) {
  MlirValue memref = mlirOperationGetResult(alloc, 0);
  MlirType type, shape = mlirValueGetType(memref);
  if (!tt_cb_type_of(alloc, shape, mlirShapedTypeGetElementType(shape), &type))
    return (MlirValue){NULL};
  if (column)
    type = tt_cb_of_sides(mlirOperationGetContext(alloc), tt_cb_cols(type), tt_cb_rows(type),
                          tt_cb_type_element_type(type));
  TtBuilder b = tt_builder_before(alloc);
  return alloc_cb(l, &b, mlirOperationGetLocation(alloc), type, depth);
}

/* The op in `block` that is or holds `op`, which comes after `first`; else an error. */
static bool reached(MlirOperation first, MlirOperation op, MlirOperation *at) {
  *at = tt_ancestor_in(mlirOperationGetBlock(first), op);
  if (!mlirOperationIsNull(*at) && (tt_op_eq(*at, first) || tt_is_before(first, *at))) return true;
  return tt_error(op, "uses a buffer at a place that the first op which computes it does not reach "
                      "before; compute it in the same block, before the loop");
}

/* A buffer with several values: open from its first value to its last use. */
static bool keep_open(const TtUses *uses, MlirValue cb) {
  MlirOperation first = uses->data[0].op, last = first, at;
  for (intptr_t i = 0; i < uses->n; ++i) {
    if (!reached(first, uses->data[i].op, &at)) return false;
    if (tt_is_before(last, at)) last = at;
  }
  TtBuilder end = tt_builder_after(last);
  MlirOperation close = tt_cb_close_create(&end, mlirOperationGetLocation(last), cb);
  for (intptr_t i = 0; i < uses->n; ++i) {
    MlirOperation op = uses->data[i].op;
    if (!uses->data[i].writes) continue;
    TtBuilder b = tt_op_eq(op, last) ? tt_builder_before(close) : tt_builder_after(op);
    if (i > 0) tt_cb_close_create(&b, mlirOperationGetLocation(op), cb);
    tt_cb_open_create(&b, mlirOperationGetLocation(op), cb);
  }
  return true;
}

/* Where the one reader of a buffer copies it to an output, next to where its value is
 * complete, it is packed there; null else. */
static MlirOperation copy_out(const TtUses *uses, MlirOperation writer, bool sums) {
  MlirOperation none = {NULL};
  const TtUse *reader = &uses->data[uses->n - 1];
  intptr_t readers = 0;
  for (intptr_t i = 0; i < uses->n; ++i) readers += uses->data[i].reads;
  if (readers != 1 || !reader->reads || !tt_is_copy(reader->op)) return none;
  MlirValue from = mlirOperationGetOperand(reader->op, 0),
            view = mlirOperationGetOperand(reader->op, 1);
  MlirOperation show = tt_defining_op(view);
  MlirBlock block = mlirOperationGetBlock(sums ? uses->data[0].op : writer);
  bool two_sides = mlirShapedTypeGetRank(mlirValueGetType(from)) == 2 &&
                   !tt_op_is(tt_defining_op(from), "memref.subview");
  bool whole =
      two_sides && tt_cb_view_isa(show) && mlirBlockEqual(mlirOperationGetBlock(reader->op), block);
  return whole ? reader->op : none;
}

static bool is_inside(MlirOperation op, MlirOperation loop) {
  while (!mlirOperationIsNull(op) && !tt_op_eq(op, loop)) op = tt_parent(op);
  return !mlirOperationIsNull(op);
}

/* Whether a product is one of each step of `loop`, which fills what it adds to. */
static bool starts_in(MlirOperation product, MlirOperation loop) {
  MlirValue out = mlirOperationGetOperand(product, 2);
  bool filled = false;
  for (MlirOpOperand use = mlirValueGetFirstUse(out); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!tt_op_is(op, "linalg.fill")) continue;
    if (is_inside(op, loop)) return true;
    filled = true;
  }
  return !filled;
}

/* Whether steps of `loop` make other products after `sum`, and pack them: which packs end a sum is
 * told by their tiles of DST, and those of such a product are the sum's. */
static bool is_interrupted(TtArena *arena, MlirOperation sum, MlirOperation loop) {
  for (MlirOperation at = sum; !tt_op_eq(at, loop); at = tt_parent(at))
    for (MlirOperation op = tt_next(at); !mlirOperationIsNull(op); op = tt_next(op)) {
      TtOps all = tt_collect(arena, op, NULL);
      if (tt_is_contraction(op)) tt_ops_add(arena, &all, op);
      for (intptr_t i = 0; i < all.n; ++i)
        if (tt_is_contraction(all.data[i]) && starts_in(all.data[i], loop)) return true;
    }
  return false;
}

/* A product that sums from a fill with zero on, in loops, and is read after them only. */
static bool is_sum_in_dst(TtArena *arena, const TtUses *uses) {
  MlirOperation fill = uses->data[0].op, sum = uses->data[1].op;
  double zero;
  if (!uses->data[0].fills || !uses->data[1].sums || !tt_is_contraction(sum) ||
      !tt_fill_value(fill, &zero) || zero != 0)
    return false;
  MlirOperation loop = tt_ancestor_in(mlirOperationGetBlock(fill), sum);
  for (intptr_t i = 2; i < uses->n; ++i) {
    MlirOperation at = tt_ancestor_in(mlirOperationGetBlock(fill), uses->data[i].op);
    if (mlirOperationIsNull(loop) || mlirOperationIsNull(at) || !tt_is_before(loop, at))
      return false;
  }
  return mlirOperationIsNull(loop) || !is_interrupted(arena, sum, loop);
}

static bool place(TtLowering *l, const TtOpMap *places, MlirOperation alloc, bool column) {
  MlirValue memref = mlirOperationGetResult(alloc, 0);
  TtUses uses;
  intptr_t writers = 0, readers = 0, in_place = 0;
  if (!tt_collect_uses(l, places, memref, &uses)) return false;
  tt_absorb_fills(l, &uses);
  MlirOperation writer = {NULL};
  for (intptr_t i = 0; i < uses.n; ++i) {
    readers += uses.data[i].reads;
    if (uses.data[i].writes) ++writers, writer = uses.data[i].op;
    in_place += uses.data[i].writes && (uses.data[i].reads || uses.data[i].sums);
  }
  if (writers == 0 || readers == 0)
    return tt_error(alloc, readers ? "this buffer is read, but nothing computes it"
                                   : "this buffer is written, but never read; copy it to a "
                                     "tensor or remove it");
  if (!uses.data[0].writes || uses.data[0].reads || uses.data[0].sums)
    return tt_error(uses.data[0].op, "this reads a buffer that nothing has computed before; put a "
                                     "linalg.fill before it");
  bool sums = writers == 2 && is_sum_in_dst(l->arena, &uses);
  MlirOperation fill = sums ? uses.data[0].op : (MlirOperation){NULL};
  if (sums) tt_ops_add(l->arena, &l->dead, fill);
  bool state = !sums && (writers > 1 || in_place > 0);
  MlirOperation copy = state ? (MlirOperation){NULL} : copy_out(&uses, writer, sums);
  if (!mlirOperationIsNull(copy)) {
    TtBuffer *b =
        add_buffer(l, memref, tt_cb_view_cb(tt_defining_op(mlirOperationGetOperand(copy, 1))));
    b->copy = copy, b->fill = fill, b->fresh = uses.fresh, b->readers = readers, b->writer = writer;
    return true;
  }
  MlirValue cb = alloc_for(l, alloc, column, state ? 2 : 1);
  if (tt_is_null_value(cb)) return false;
  TtBuffer *b = add_buffer(l, memref, cb);
  b->column = column, b->fill = fill, b->fresh = uses.fresh, b->readers = state ? 0 : readers;
  return !state || keep_open(&uses, cb);
}

bool tt_is_dead(const TtLowering *l, MlirOperation op) {
  for (intptr_t i = 0; i < l->n; ++i)
    if (!mlirOperationIsNull(l->buffers[i].copy) && tt_op_eq(l->buffers[i].copy, op)) return true;
  for (intptr_t i = 0; i < l->dead.n; ++i)
    if (tt_op_eq(l->dead.data[i], op)) return true;
  return false;
}

/* Whether something between a product and the copy that would pack it needs DST, too. */
static bool is_overwritten(const TtLowering *l, const TtBuffer *b) {
  MlirOperation top = tt_ancestor_in(mlirOperationGetBlock(b->copy), b->writer);
  for (MlirOperation op = tt_next(top); !tt_op_eq(op, b->copy); op = tt_next(op)) {
    TtOps ops = tt_collect(l->arena, op, NULL);
    tt_ops_add(l->arena, &ops, op);
    for (intptr_t i = 0; i < ops.n; ++i)
      if (tt_is_linalg(ops.data[i]) && !tt_is_dead(l, ops.data[i])) return true;
  }
  return false;
}

/* A product that would be packed after DST has another one is packed into a buffer of its own. */
static bool keep_products(TtLowering *l) {
  for (intptr_t i = 0; i < l->n; ++i) {
    TtBuffer *b = &l->buffers[i];
    if (mlirOperationIsNull(b->copy) || !tt_is_contraction(b->writer) || !is_overwritten(l, b))
      continue;
    b->cb = alloc_for(l, tt_defining_op(b->memref), false, 1);
    if (tt_is_null_value(b->cb)) return false;
    b->copy = (MlirOperation){NULL};
    i = -1; /* its copy needs DST now */
  }
  return true;
}

bool tt_place_buffers(TtLowering *l) {
  TtOps order = tt_collect(l->arena, l->func, NULL);
  l->buffers = tt_arena_alloc(l->arena, (size_t)(order.n + 1) * sizeof *l->buffers);
  Vectors vectors = orient(l, order);
  TtOpMap places = {NULL, 0, 0};
  for (intptr_t i = 0; i < order.n; ++i) tt_op_map_set(l->arena, &places, order.data[i], (int)i);
  for (intptr_t i = 0; i < order.n; ++i) {
    MlirOperation op = order.data[i];
    if (tt_cb_view_isa(op)) {
      add_buffer(l, tt_cb_view_view(op), tt_cb_view_cb(op));
    } else if (tt_op_is(op, "memref.alloc") || tt_op_is(op, "memref.alloca")) {
      int *side = side_of(&vectors, mlirOperationGetResult(op, 0));
      if (!place(l, &places, op, side && *side == 1)) return false;
    }
  }
  return keep_products(l);
}
