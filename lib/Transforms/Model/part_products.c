/*===- part_products.c - --tt-part-products ---------------------------------------------------===
 *
 * A product whose result is taken in parts, several of them by one op element beside element, is a
 * product for each part: then what follows is in the kernel of the products, as with a rotary
 * embedding, which turns the two halves of each head. Two ops that take the same parts are one,
 * with two results.
 *
 *   before  %p = linalg.contract ins(%x, %w) : … -> tensor<256x512xf32>
 *           %e = tensor.expand_shape %p : … into tensor<256x8x64xf32>
 *           %a = tensor.extract_slice %e[0, 0, 0] [256, 8, 32]
 *           %b = tensor.extract_slice %e[0, 0, 32] [256, 8, 32]
 *           %r = linalg.generic ins(%a, %b) …   %s = linalg.generic ins(%b, %a) …
 *   after   %v = tensor.expand_shape %w : … into tensor<8x64x512xbf16>
 *           %a = linalg.contract ins(%x, %v[0, 0, 0] [8, 32, 512]) : … -> tensor<256x8x32xf32>
 *           %b = linalg.contract ins(%x, %v[0, 32, 0] [8, 32, 512]) : …
 *           %r:2 = linalg.generic ins(%a, %b) …
 *
 * Parts are whole tiles, and those of one dimension, which is one of the weights' as well. A core
 * computes all parts of a block of rows. Where these are fewer than a third of the cores, or no
 * lines of cores share what they read, two kernels are faster.
 *
 * Requires --tt-name-contractions and --tt-fuse-maps.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/shapes.h"
#include "Dialect/target.h"
#include "Passes/passes_decl.h"
#include "Transforms/Model/slice.h"

enum { MOST_PARTS = 4, MOST_LOOPS = 12 };

/* A product, `view`, in which its result is seen (or null), and slices of that. Loop `loop` is the
 * dimension of the result of which these are parts, and becomes `n` loops, of which `in` is cut;
 * input `weights` has it as dimension `at`. */
typedef struct Parts {
  MlirOperation product, view, slices[MOST_PARTS];
  TtSlice cuts[MOST_PARTS];
  intptr_t num, loop, n, in, weights, at;
  MlirAffineMap use; /* how ops read parts: they are computed in that order */
} Parts;

static MlirValue seen(const Parts *p) {
  return mlirOperationGetResult(mlirOperationIsNull(p->view) ? p->product : p->view, 0);
}

/* The only dimension that a slice cuts, into whole tiles; or -1. */
static intptr_t cut_dim(const TtSlice *s) {
  MlirType type = mlirValueGetType(s->whole);
  intptr_t dim = -1;
  for (intptr_t d = 0; d < s->rank; ++d) {
    int64_t size = mlirShapedTypeGetDimSize(type, d);
    if (!tt_is_null_value(s->offset[d].value) || !tt_is_null_value(s->size[d].value)) return -1;
    if (s->size[d].number == size) continue;
    if (dim >= 0 || s->offset[d].number % TT_TILE != 0 || s->size[d].number % TT_TILE != 0)
      return -1;
    dim = d;
  }
  return dim;
}

static bool read_slices(Parts *p, intptr_t *dim) {
  for (MlirOpOperand use = mlirValueGetFirstUse(seen(p)); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    TtSlice *cut = &p->cuts[p->num];
    if (p->num == MOST_PARTS || !tt_is_extraction(op) || !tt_slice_read(op, cut)) return false;
    intptr_t of = cut_dim(cut);
    if (of < 0 || (p->num > 0 && of != *dim) ||
        mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(op, 0))) != cut->rank)
      return false;
    *dim = of;
    p->slices[p->num++] = op;
  }
  for (intptr_t i = 0, j = p->num - 1; i < j; ++i, --j) { /* the last use comes first */
    MlirOperation op = p->slices[i];
    TtSlice cut = p->cuts[i];
    p->slices[i] = p->slices[j], p->cuts[i] = p->cuts[j];
    p->slices[j] = op, p->cuts[j] = cut;
  }
  return p->num > 1;
}

/* Which dimension of the product's result dimension `dim` is one of, in how many it is seen there,
 * and which of them `dim` is; others must be seen as they are. */
static bool find_group(Parts *p, intptr_t dim, intptr_t *group) {
  if (mlirOperationIsNull(p->view)) return *group = dim, p->n = 1, p->in = 0, true;
  MlirAttribute groups = tt_op_attr(p->view, "reassociation");
  for (intptr_t g = 0, first = 0; g < mlirArrayAttrGetNumElements(groups); ++g) {
    intptr_t n = mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, g));
    bool own = dim >= first && dim < first + n;
    if (own) *group = g, p->n = n, p->in = dim - first;
    else if (n > 1) return false;
    first += n;
  }
  return true;
}

/* Whether all that take parts are ops on elements that read them in one order, and one of them
 * takes several. */
static bool read_uses(Parts *p) {
  MlirOperation first = {NULL};
  bool common = false;
  for (intptr_t i = 0; i < p->num; ++i)
    for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(p->slices[i], 0));
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      intptr_t operand = mlirOpOperandGetOperandNumber(use);
      if (!tt_op_is(user, "linalg.generic") || operand >= tt_linalg_num_inputs(user)) return false;
      MlirAffineMap map = tt_indexing_map(user, operand);
      if (mlirAffineMapIsNull(p->use)) p->use = map;
      if (!mlirAffineMapIsPermutation(map) || !mlirAffineMapEqual(map, p->use)) return false;
      if (i == 0) first = user;
      common = common || (i > 0 && !mlirOperationIsNull(first) && tt_op_eq(user, first));
    }
  return common;
}

/* The input that has the loop, and no other one: its weights. */
static bool find_weights(Parts *p, intptr_t group) {
  MlirAffineMap out = tt_indexing_map(p->product, 2);
  p->loop = tt_map_loop(out, group), p->weights = -1;
  for (intptr_t i = 0; p->loop >= 0 && i < 2; ++i) {
    MlirAffineMap map = tt_indexing_map(p->product, i);
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
      if (tt_map_loop(map, r) < 0) return false;
      if (tt_map_loop(map, r) != p->loop) continue;
      if (p->weights >= 0) return false;
      p->weights = i, p->at = r;
    }
  }
  MlirType type = mlirValueGetType(mlirOperationGetOperand(p->product, p->weights < 0 ? 0 : 1));
  return p->weights >= 0 && mlirAffineMapGetNumDims(out) + p->n - 1 <= MOST_LOOPS &&
         mlirShapedTypeGetRank(type) + p->n <= TT_SLICE_RANK &&
         mlirAffineMapIsProjectedPermutation(out);
}

/* Whether blocks of rows, of which each has parts, keep a third of the cores busy, and have a line
 * of cores each, which share what they read: matrices beside each other, and their rows. */
static bool has_work(const Parts *p) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(p->slices[0], 0));
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t matrices = 1, rows = 1;
  for (intptr_t r = 0; r < rank; ++r) {
    int64_t size = mlirShapedTypeGetDimSize(type, r);
    intptr_t d = tt_map_loop(p->use, r);
    if (d + 2 < rank) matrices *= size;
    else if (d + 2 == rank) rows = (size + TT_TILE - 1) / TT_TILE;
    else if (size > TT_TILE) matrices *= (size + TT_TILE - 1) / TT_TILE;
  }
  TtTarget target = tt_target_of(p->product);
  int64_t x = target.grid_x, y = target.grid_y;
  bool lines = (matrices <= x && rows <= y) || (matrices <= y && rows <= x);
  return lines && 3 * matrices * rows >= x * y;
}

static bool read(MlirOperation product, Parts *p) {
  *p = (Parts){.product = product};
  MlirValue result = mlirOperationGetResult(product, 0);
  if (!mlirShapedTypeHasStaticShape(mlirValueGetType(result)) ||
      !tt_op_is(tt_defining_op(mlirOperationGetOperand(product, 2)), "linalg.fill"))
    return false;
  for (intptr_t i = 0; i < 2; ++i)
    if (!mlirShapedTypeHasStaticShape(mlirValueGetType(mlirOperationGetOperand(product, i))))
      return false;
  MlirOpOperand use = mlirValueGetFirstUse(result);
  if (!mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)) &&
      tt_op_is(mlirOpOperandGetOwner(use), "tensor.expand_shape"))
    p->view = mlirOpOperandGetOwner(use);
  intptr_t dim = -1, group = -1;
  return read_slices(p, &dim) && find_group(p, dim, &group) && read_uses(p) &&
         find_weights(p, group) && has_work(p);
}

/*===- The products ------------------------------------------------------------------------===*/

/* A map of the product with the loops of the parts. */
static MlirAffineMap with_loops(const Parts *p, MlirAffineMap map) {
  MlirContext context = mlirAffineMapGetContext(map);
  MlirAffineExpr results[TT_SLICE_RANK];
  intptr_t n = 0;
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
    intptr_t loop = tt_map_loop(map, r), more = loop == p->loop ? p->n : 1;
    if (loop > p->loop) loop += p->n - 1;
    for (intptr_t i = 0; i < more; ++i) results[n++] = mlirAffineDimExprGet(context, loop + i);
  }
  return mlirAffineMapGet(context, mlirAffineMapGetNumDims(map) + p->n - 1, 0, n, results);
}

/* The same for the result, in the order in which it is read. */
static MlirAffineMap in_order(const Parts *p, MlirAffineMap out) {
  MlirAffineExpr results[TT_SLICE_RANK];
  intptr_t n = mlirAffineMapGetNumResults(out);
  for (intptr_t r = 0; r < n; ++r) results[tt_map_loop(p->use, r)] = mlirAffineMapGetResult(out, r);
  return mlirAffineMapGet(mlirAffineMapGetContext(out), mlirAffineMapGetNumDims(out), 0, n,
                          results);
}

static MlirType ordered(const Parts *p, MlirType type) {
  int64_t shape[TT_SLICE_RANK];
  intptr_t n = mlirShapedTypeGetRank(type);
  for (intptr_t r = 0; r < n; ++r)
    shape[tt_map_loop(p->use, r)] = mlirShapedTypeGetDimSize(type, r);
  return mlirRankedTensorTypeGet(n, shape, mlirShapedTypeGetElementType(type),
                                 mlirAttributeGetNull());
}

/* Has ops read `part` as it is computed. */
static void give_part(MlirOperation slice, MlirValue part) {
  MlirValue old = mlirOperationGetResult(slice, 0);
  MlirAffineMap whole = mlirAffineMapMultiDimIdentityGet(
      mlirOperationGetContext(slice), mlirShapedTypeGetRank(mlirValueGetType(part)));
  for (MlirOpOperand use = mlirValueGetFirstUse(old); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    tt_set_indexing_map(mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use), whole);
  tt_replace(slice, part);
}

/* The weights, with as many dimensions as the result is seen in. */
static MlirValue expand_weights(TtBuilder *b, const Parts *p) {
  MlirValue value = mlirOperationGetOperand(p->product, p->weights);
  MlirType type = mlirValueGetType(value), of = mlirValueGetType(seen(p));
  if (p->n == 1) return value;
  MlirAttribute groups[TT_SLICE_RANK];
  int64_t shape[TT_SLICE_RANK];
  intptr_t n = 0, rank = mlirShapedTypeGetRank(type), first = 0;
  MlirAttribute seen_as = tt_op_attr(p->view, "reassociation");
  for (intptr_t g = 0; mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(seen_as, g)) == 1; ++g)
    ++first;
  for (intptr_t d = 0; d < rank; ++d) {
    MlirAttribute members[TT_SLICE_RANK];
    intptr_t more = d == p->at ? p->n : 1;
    for (intptr_t i = 0; i < more; ++i) {
      members[i] = tt_i64_attr(b->context, n);
      shape[n++] =
          d == p->at ? mlirShapedTypeGetDimSize(of, first + i) : mlirShapedTypeGetDimSize(type, d);
    }
    groups[d] = mlirArrayAttrGet(b->context, more, members);
  }
  return tt_reshape(
      b, mlirOperationGetLocation(p->product), value,
      mlirRankedTensorTypeGet(n, shape, mlirShapedTypeGetElementType(type), mlirAttributeGetNull()),
      mlirArrayAttrGet(b->context, rank, groups), true, NULL);
}

static MlirValue part_of(TtBuilder *b, const Parts *p, MlirValue weights, intptr_t i) {
  MlirLocation loc = mlirOperationGetLocation(p->product);
  MlirType type = mlirValueGetType(weights),
           result = ordered(p, mlirValueGetType(mlirOperationGetResult(p->slices[i], 0)));
  TtSlice cut = {.whole = weights, .rank = mlirShapedTypeGetRank(type)};
  int64_t shape[TT_SLICE_RANK];
  intptr_t dim = cut_dim(&p->cuts[i]);
  for (intptr_t d = 0; d < cut.rank; ++d) {
    bool own = d == p->at + p->in;
    cut.size[d].number = own ? p->cuts[i].size[dim].number : mlirShapedTypeGetDimSize(type, d);
    if (own) cut.offset[d] = p->cuts[i].offset[dim];
    shape[d] = cut.size[d].number;
  }
  MlirValue part =
      tt_slice_create(b, loc, "tensor.extract_slice", &cut,
                      mlirRankedTensorTypeGet(cut.rank, shape, mlirShapedTypeGetElementType(type),
                                              mlirAttributeGetNull()));
  MlirOperation fill = mlirOperationClone(tt_defining_op(mlirOperationGetOperand(p->product, 2))),
                product = mlirOperationClone(p->product);
  mlirOperationSetOperand(fill, 1, tt_empty(b, loc, result));
  mlirValueSetType(mlirOperationGetResult(fill, 0), result);
  tt_builder_insert(b, fill);
  mlirOperationSetOperand(product, p->weights, part);
  mlirOperationSetOperand(product, 2, mlirOperationGetResult(fill, 0));
  mlirValueSetType(mlirOperationGetResult(product, 0), result);
  MlirAttribute maps[3];
  for (intptr_t k = 0; k < 3; ++k) {
    MlirAffineMap map = with_loops(p, tt_indexing_map(p->product, k));
    maps[k] = mlirAffineMapAttrGet(k == 2 ? in_order(p, map) : map);
  }
  mlirOperationSetInherentAttributeByName(product, tt_str("indexing_maps"),
                                          mlirArrayAttrGet(b->context, 3, maps));
  return mlirOperationGetResult(tt_builder_insert(b, product), 0);
}

static bool part_products(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "linalg.contract");
  for (intptr_t i = 0; i < ops.n; ++i) {
    Parts p;
    if (!read(ops.data[i], &p)) continue;
    TtBuilder b = tt_builder_before(ops.data[i]);
    MlirValue weights = expand_weights(&b, &p), parts[MOST_PARTS];
    for (intptr_t k = 0; k < p.num; ++k) {
      parts[k] = part_of(&b, &p, weights, k);
      give_part(p.slices[k], parts[k]);
    }
    tt_merge_users(arena, parts[0]);
  }
  tt_erase_dead(func);
  return true;
}

bool tt_run_part_products(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, part_products);
}
