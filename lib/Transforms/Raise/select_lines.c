/*===- select_lines.c - --tt-select-lines ----------------------------------------------------===
 *
 * Rows and columns inside of tiles of a core's buffer are put there, and taken from there, by
 * selections over all of the buffer: an engine that works on tiles moves no element to another row.
 *
 *   before  memref.copy %x, %s[%i, 0] [1, 64]                       (%s is 64x64)
 *   after   linalg.generic (r, c) ins(%x: (0, c)) outs(%s: (r, c))
 *             { yield select(r == %i, %x, %s) }
 *
 *   before  memref.copy %s[%i, 0] [1, 64], %x
 *   after   linalg.fill -inf outs(%x)
 *           linalg.generic (r, c) ins(%s: (r, c)) outs(%x: (0, c))  (r is reduced)
 *             { yield maximumf(%x, select(r == %i, %s, -inf)) }
 *
 * So rows that a list names, gathered one after the other, make a block of a product. Each costs
 * what all tiles of the buffer cost, which a remark says.
 *
 * So is a single element, along both dimensions. An index that is none of the buffer's selects
 * nothing, and gives -inf: a choice may read so in steps that do not take it.
 *
 * Several lines that begin or end inside of tiles, as a page of 16 scores, go one after the other:
 *
 *   before  memref.copy %x, %s[%i] [16]
 *   after   for %q = 0 to 16 { %t = alloc   memref.copy %x[%q] [1], %t   memref.copy %t, %s[%i +
 * %q] [1] }
 *
 * Windows, which are less than all along both dimensions, are taken along one after the other
 * (select_windows.c).
 *
 * Requires --tt-move-parts, which leaves no other parts of the core's buffers than in copies.
 * Leaves parts of whole tiles.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/select_lines.h"
#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/kept_dims.h"
#include "Analysis/kernel.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/elements.h"
#include "Transforms/Raise/slices.h"
#include "Transforms/Tile/block.h"

#include "mlir-c/Dialect/Linalg.h"

static const char *const pass = "tt-select-lines";

static bool is_alloc(MlirOperation op) {
  return tt_op_is(op, "memref.alloc") || tt_op_is(op, "memref.alloca");
}

/* The dimension of which the view takes a single step inside of a tile, and in `*other` a second
 * one, or -1; -1 where it takes less than all of another one, or there is none. */
static intptr_t line_dim(MlirOperation view, MlirType buffer, intptr_t *other) {
  MlirAttribute sizes = tt_op_attr(view, "static_sizes"),
                steps = tt_op_attr(view, "static_strides"),
                starts = tt_op_attr(view, "static_offsets");
  intptr_t dim = -1;
  *other = -1;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(buffer); ++d) {
    int64_t size = mlirDenseI64ArrayGetElement(sizes, d),
            start = mlirDenseI64ArrayGetElement(starts, d),
            all = mlirShapedTypeGetDimSize(buffer, d);
    bool last_tile = start % TT_TILE == 0 && all > 0 && start == all - 1;
    if (mlirDenseI64ArrayGetElement(steps, d) != 1) return -1;
    if (size == all && start == 0 && (size >= 0 || tt_takes_open_side(view, d))) continue;
    if (size != 1 || last_tile || *other >= 0) return -1;
    if (dim >= 0) *other = d;
    else dim = d;
  }
  return dim;
}

static bool is_number(MlirType element) {
  return mlirTypeIsAF32(element) || mlirTypeIsABF16(element) || mlirTypeIsAF16(element) ||
         (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 32);
}

bool tt_is_part_of_buffer(MlirOperation copy, TtLine *l) {
  if (!tt_is_copy(copy)) return false;
  for (int i = 0; i < 2; ++i) {
    MlirValue part = mlirOperationGetOperand(copy, i), own = mlirOperationGetOperand(copy, 1 - i);
    MlirOperation view = tt_defining_op(part);
    if (!tt_op_is(view, "memref.subview") || !is_alloc(tt_defining_op(own))) continue;
    *l = (TtLine){.copy = copy, .view = view, .own = own, .writes = i == 1};
    l->buffer = mlirOperationGetOperand(view, 0);
    MlirType type = mlirValueGetType(l->buffer);
    l->element = mlirShapedTypeGetElementType(type), l->rank = mlirShapedTypeGetRank(type);
    if (is_alloc(tt_defining_op(l->buffer)) && l->rank <= 2 && is_number(l->element) &&
        tt_subview_keeps(view, l->keeps) &&
        mlirTypeEqual(l->element, mlirShapedTypeGetElementType(mlirValueGetType(own))))
      return true;
  }
  return false;
}

static bool is_line(MlirOperation copy, TtLine *l) {
  if (!tt_is_part_of_buffer(copy, l)) return false;
  l->dim = line_dim(l->view, mlirValueGetType(l->buffer), &l->other);
  return l->dim >= 0;
}

/* Element (r, c) of the buffer is element (0, c) of the line, or (c). */
static MlirAffineMap map_of_line(const TtLine *l, MlirContext context) {
  MlirAffineExpr results[TT_MAX_RANK];
  intptr_t n = 0;
  for (intptr_t d = 0; d < l->rank; ++d) {
    if (!l->keeps[d]) continue;
    results[n++] = d == l->dim || d == l->other ? mlirAffineConstantExprGet(context, 0)
                                                : mlirAffineDimExprGet(context, d);
  }
  return mlirAffineMapGet(context, l->rank, 0, n, results);
}

static MlirValue made(TtBuilder *b, TtOpState *s, MlirType type) {
  tt_op_state_result(s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(s)), 0);
}

/* What is below all numbers, or 0 where they are written over. */
static MlirValue below_all(TtBuilder *b, const TtLine *l) {
  const char *low = mlirTypeIsAF32(l->element)    ? "0xFF800000 : f32"
                    : mlirTypeIsABF16(l->element) ? "0xFF80 : bf16"
                    : mlirTypeIsAF16(l->element)  ? "0xFC00 : f16"
                                                  : "-2147483648 : i32";
  TtOpState s = tt_op_state("arith.constant", mlirOperationGetLocation(l->copy));
  tt_op_state_attr(&s, b->context, "value", mlirAttributeParseGet(b->context, tt_str(low)));
  return made(b, &s, l->element);
}

static MlirValue zero(TtBuilder *b, const TtLine *l) {
  TtOpState s = tt_op_state("arith.constant", mlirOperationGetLocation(l->copy));
  bool integer = mlirTypeIsAInteger(l->element);
  tt_op_state_attr(&s, b->context, "value",
                   integer ? mlirIntegerAttrGet(l->element, 0)
                           : mlirFloatAttrDoubleGet(b->context, l->element, 0));
  return made(b, &s, l->element);
}

static void fill(TtBuilder *b, const TtLine *l, MlirValue value, MlirValue out) {
  tt_named_op(b, mlirOperationGetLocation(l->copy), "linalg.fill", 1, (MlirValue[]){value, out});
}

/* The integer of 32 bits that `index` is made of, or null. */
static MlirValue integer_of(MlirValue index) {
  MlirOperation cast = tt_defining_op(index);
  if (!tt_op_is(cast, "arith.index_cast")) return (MlirValue){NULL};
  MlirValue integer = mlirOperationGetOperand(cast, 0);
  MlirType type = mlirValueGetType(integer);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 32 ? integer
                                                                         : (MlirValue){NULL};
}

/* Whether an element of the body is of the line along `dim`, where that begins. */
static MlirValue is_of_line(TtBuilder *b, const TtLine *l, intptr_t dim, MlirValue at) {
  MlirLocation loc = mlirOperationGetLocation(l->copy);
  MlirValue integer = integer_of(at);
  TtOpState index = tt_op_state("linalg.index", loc);
  tt_op_state_attr(&index, b->context, "dim", tt_i64_attr(b->context, dim));
  MlirValue line = made(b, &index, mlirIndexTypeGet(b->context));
  if (!tt_is_null_value(integer)) /* of a list: it becomes an operand, of the list's type */
    at = integer, line = tt_cast(b, loc, "arith.index_cast", line, mlirValueGetType(integer));
  TtOpState same = tt_op_state("arith.cmpi", loc);
  tt_op_state_operand(&same, line);
  tt_op_state_operand(&same, at);
  tt_op_state_attr(&same, b->context, "predicate", tt_i64_attr(b->context, 0)); /* eq */
  return made(b, &same, mlirIntegerTypeGet(b->context, 1));
}

/* select(index == at, x, y) in a body; of a single element along both dimensions. */
static MlirValue choose(TtBuilder *b, const TtLine *l, const MlirValue at[2], MlirValue x,
                        MlirValue y) {
  MlirLocation loc = mlirOperationGetLocation(l->copy);
  MlirValue is = is_of_line(b, l, l->dim, at[0]);
  if (l->other >= 0) {
    MlirValue also = is_of_line(b, l, l->other, at[1]);
    TtOpState both = tt_op_state("arith.andi", loc);
    tt_op_state_operand(&both, is);
    tt_op_state_operand(&both, also);
    is = made(b, &both, mlirIntegerTypeGet(b->context, 1));
  }
  TtOpState select = tt_op_state("arith.select", loc);
  tt_op_state_operand(&select, is);
  tt_op_state_operand(&select, x);
  tt_op_state_operand(&select, y);
  return made(b, &select, l->element);
}

static MlirValue larger(TtBuilder *b, const TtLine *l, MlirValue x, MlirValue y) {
  TtOpState s = tt_op_state(mlirTypeIsAInteger(l->element) ? "arith.maxsi" : "arith.maximumf",
                            mlirOperationGetLocation(l->copy));
  tt_op_state_operand(&s, x);
  tt_op_state_operand(&s, y);
  return made(b, &s, l->element);
}

/* linalg.generic over all of the buffer: of `in` to `out`, of which one is the line. */
static MlirBlock generic(TtBuilder *b, const TtLine *l, MlirValue in, MlirValue out) {
  MlirLocation loc = mlirOperationGetLocation(l->copy);
  MlirContext context = b->context;
  MlirAttribute all = mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(context, l->rank)),
                line = mlirAffineMapAttrGet(map_of_line(l, context)), kinds[TT_MAX_RANK];
  for (intptr_t d = 0; d < l->rank; ++d)
    kinds[d] = mlirAttributeParseGet(context, tt_str((d == l->dim || d == l->other) && !l->writes
                                                         ? "#linalg.iterator_type<reduction>"
                                                         : "#linalg.iterator_type<parallel>"));
  TtOpState s = tt_op_state("linalg.generic", loc);
  tt_op_state_operand(&s, in);
  tt_op_state_operand(&s, out);
  MlirAttribute maps[] = {l->writes ? line : all, l->writes ? all : line};
  tt_op_state_attr(&s, context, "indexing_maps", mlirArrayAttrGet(context, 2, maps));
  tt_op_state_attr(&s, context, "iterator_types", mlirArrayAttrGet(context, l->rank, kinds));
  tt_op_state_attr(&s, context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(context, 2, (int32_t[]){1, 1}));
  MlirRegion region = mlirRegionCreate();
  MlirBlock body =
      mlirBlockCreate(2, (MlirType[]){l->element, l->element}, (MlirLocation[]){loc, loc});
  mlirRegionAppendOwnedBlock(region, body);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  tt_builder_insert(b, tt_op_state_finish(&s));
  return body;
}

/* Nothing says that all lines are written: the others are zero. */
void tt_fill_at_first(const TtLine *l) {
  TtBuilder b = tt_builder_after(tt_defining_op(l->buffer));
  MlirOperation next = tt_next(tt_defining_op(l->buffer));
  bool is_filled = false;
  for (; !mlirOperationIsNull(next) && !is_filled; next = tt_next(next)) {
    if (tt_op_is(next, "linalg.fill"))
      is_filled = tt_value_eq(mlirOperationGetOperand(next, 1), l->buffer);
    else if (mlirOperationGetNumRegions(next) > 0) break;
  }
  if (!is_filled) fill(&b, l, zero(&b, l), l->buffer);
}

/* Has an op that takes elements of the core's buffers take copies of them, which are lines as well.
 */
static void copy_elements(MlirOperation op) {
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue part = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(part);
    if (!tt_op_is(tt_defining_op(part), "memref.subview") || mlirShapedTypeGetRank(type) != 0 ||
        !is_alloc(tt_defining_op(tt_view_root(part))))
      continue;
    TtOpState s = tt_op_state("memref.alloc", loc);
    tt_op_state_result(&s, mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), 0, NULL,
                                                       mlirMemRefTypeGetMemorySpace(type)));
    tt_op_state_attr(&s, b.context, "operandSegmentSizes",
                     mlirDenseI32ArrayGet(b.context, 2, (int32_t[]){0, 0}));
    MlirValue own = mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0);
    TtOpState copy = tt_op_state("memref.copy", loc);
    tt_op_state_operand(&copy, part);
    tt_op_state_operand(&copy, own);
    tt_builder_insert(&b, tt_op_state_finish(&copy));
    mlirOperationSetOperand(op, i, own);
  }
}

static void select_line(TtArena *arena, MlirOperation kernel, const TtLine *l) {
  TtBuilder b = tt_builder_before(l->copy);
  MlirLocation loc = mlirOperationGetLocation(l->copy);
  MlirValue at[2] = {tt_subview_offset(&b, l->view, l->dim), {NULL}}, low = {NULL};
  if (l->other >= 0) at[1] = tt_subview_offset(&b, l->view, l->other);
  if (!l->writes) fill(&b, l, low = below_all(&b, l), l->own);
  else tt_fill_at_first(l);
  MlirBlock body =
      l->writes ? generic(&b, l, l->own, l->buffer) : generic(&b, l, l->buffer, l->own);
  TtBuilder in = tt_builder_at_end(body);
  MlirValue x = mlirBlockGetArgument(body, 0), old = mlirBlockGetArgument(body, 1), result;
  if (l->writes) result = choose(&in, l, at, x, old);
  else result = larger(&in, l, old, choose(&in, l, at, x, low));
  TtOpState yield = tt_op_state("linalg.yield", loc);
  tt_op_state_operand(&yield, result);
  tt_builder_insert(&in, tt_op_state_finish(&yield));
  tt_take_elements(arena, kernel, mlirBlockGetParentOperation(body));
  copy_elements(mlirBlockGetParentOperation(body));
  tt_remark(l->copy, TT_REMARK_PASSED, pass,
            "a line inside of tiles is selected among all of its buffer, at the cost of all tiles");
  mlirOperationDestroy(l->copy);
}

/*===- Several lines ------------------------------------------------------------------------===*/

/* The one dimension along which the view takes several lines that are no whole tiles; else -1.
 * `*first`: they begin where a tile does, of a buffer of constant size. */
static intptr_t lines_dim(TtArena *arena, MlirOperation view, MlirType buffer, bool *first) {
  MlirAttribute sizes = tt_op_attr(view, "static_sizes"),
                steps = tt_op_attr(view, "static_strides"),
                starts = tt_op_attr(view, "static_offsets");
  intptr_t dim = -1;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(buffer); ++d) {
    int64_t size = mlirDenseI64ArrayGetElement(sizes, d),
            start = mlirDenseI64ArrayGetElement(starts, d),
            all = mlirShapedTypeGetDimSize(buffer, d);
    if (size < 0 && tt_takes_open_side(view, d)) continue;
    if (size < 0 || mlirDenseI64ArrayGetElement(steps, d) == INT64_MIN) return -1;
    if (size == all && start == 0) continue;
    TtBuilder b = tt_builder_before(view);
    bool begins = start != INT64_MIN
                      ? start % TT_TILE == 0
                      : tt_is_multiple(arena, &b, tt_subview_offset(&b, view, d), TT_TILE),
         ends = size % TT_TILE == 0 || (start != INT64_MIN && start + size == all);
    begins &= mlirDenseI64ArrayGetElement(steps, d) == 1 && mlirShapedTypeHasStaticShape(buffer);
    if (size < 2 || (begins && ends) || dim >= 0) return -1;
    dim = d, *first = begins;
  }
  return dim;
}

/* The size of dimension `d` of a buffer, where that is open; else null. */
static MlirValue open_size(MlirValue buffer, intptr_t d) {
  MlirType type = mlirValueGetType(buffer);
  intptr_t of = 0;
  if (!mlirShapedTypeIsDynamicDim(type, d)) return (MlirValue){NULL};
  for (intptr_t i = 0; i < d; ++i) of += mlirShapedTypeIsDynamicDim(type, i);
  return mlirOperationGetOperand(tt_defining_op(buffer), of);
}

/* `count` lines of `memref`, which has those dimensions of the buffer that the view `keeps`, or
 * all. */
static MlirValue lines_of(TtBuilder *b, const TtLine *l, MlirValue memref, MlirValue at,
                          int64_t count, bool buffer) {
  MlirType type = mlirValueGetType(memref);
  MlirValue from[TT_MAX_RANK], given[TT_MAX_RANK];
  int64_t sizes[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK];
  intptr_t n = 0;
  for (intptr_t d = 0; d < l->rank; ++d) {
    if (!buffer && !l->keeps[d]) continue;
    from[n] = d == l->dim ? at : (MlirValue){NULL};
    sizes[n] = d == l->dim ? count : mlirShapedTypeGetDimSize(type, n);
    given[n] = open_size(memref, n);
    keeps[n++] = l->keeps[d];
  }
  return tt_open_subview(b, mlirOperationGetLocation(l->copy), memref, from, sizes, given, keeps);
}

void tt_copy_part(TtBuilder *b, const TtLine *l, MlirValue from, MlirValue to) {
  TtOpState s = tt_op_state("memref.copy", mlirOperationGetLocation(l->copy));
  tt_op_state_operand(&s, from);
  tt_op_state_operand(&s, to);
  tt_builder_insert(b, tt_op_state_finish(&s));
}

MlirValue tt_alloc_between(TtBuilder *b, const TtLine *l, intptr_t rank, const int64_t *shape) {
  TtOpState s = tt_op_state("memref.alloc", mlirOperationGetLocation(l->copy));
  int32_t open = 0;
  for (intptr_t d = 0; d < rank; ++d)
    if (shape[d] == INT64_MIN) tt_op_state_operand(&s, open_size(l->own, d)), ++open;
  tt_op_state_attr(&s, b->context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b->context, 2, (int32_t[]){open, 0}));
  MlirAttribute space = mlirMemRefTypeGetMemorySpace(mlirValueGetType(l->own));
  return made(b, &s, mlirMemRefTypeContiguousGet(l->element, rank, shape, space));
}

/* Moves `n` lines, line `at` of the whole one from or to line `start` + `at` of the buffer, or
 * every so many of them. */
static void move_lines(TtBuilder *b, const TtLine *l, MlirValue at, MlirValue start, int64_t n) {
  MlirLocation loc = mlirOperationGetLocation(l->copy);
  MlirValue own = lines_of(b, l, l->own, at, n, false),
            step = tt_index(
                b, loc, mlirDenseI64ArrayGetElement(tt_op_attr(l->view, "static_strides"), l->dim)),
            to = tt_add(b, loc, start, tt_mul(b, loc, at, step)),
            part = lines_of(b, l, l->buffer, to, n, true);
  MlirType type = mlirValueGetType(own);
  int64_t shape[TT_MAX_RANK];
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    shape[d] = mlirShapedTypeGetDimSize(type, d);
  MlirValue between = tt_alloc_between(b, l, mlirShapedTypeGetRank(type), shape);
  tt_copy_part(b, l, l->writes ? own : part, between);
  tt_copy_part(b, l, between, l->writes ? part : own);
}

/* A copy of several lines, one after the other; those of whole tiles go first, at once. */
static void step_lines(TtArena *arena, MlirOperation op) {
  TtLine l;
  bool begins = false;
  if (!tt_is_part_of_buffer(op, &l)) return;
  l.dim = lines_dim(arena, l.view, mlirValueGetType(l.buffer), &begins);
  if (l.dim < 0 || !l.keeps[l.dim] || (begins && !l.writes)) return;
  MlirLocation loc = mlirOperationGetLocation(op);
  TtBuilder b = tt_builder_before(op);
  if (l.writes) tt_fill_at_first(&l);
  int64_t n = mlirDenseI64ArrayGetElement(tt_op_attr(l.view, "static_sizes"), l.dim),
          whole = begins ? n / TT_TILE * TT_TILE : 0;
  MlirValue start = tt_subview_offset(&b, l.view, l.dim);
  if (whole > 0) move_lines(&b, &l, tt_index(&b, loc, 0), start, whole);
  MlirOperation loop =
      tt_for(&b, loc, tt_index(&b, loc, whole), tt_index(&b, loc, n), tt_index(&b, loc, 1), NULL);
  TtBuilder in = tt_builder_at_terminator(tt_for_body(loop));
  move_lines(&in, &l, tt_for_iv(loop), start, 1);
  mlirOperationDestroy(op);
}

static bool run(TtArena *arena, MlirOperation kernel) {
  tt_split_windows(arena, kernel);
  TtOps copies = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < copies.n; ++i)
    if (tt_is_copy(copies.data[i])) step_lines(arena, copies.data[i]);
  for (bool any = true; any;) { /* a selection may take an element that is one itself */
    TtOps all = tt_collect(arena, kernel, NULL);
    any = false;
    for (intptr_t i = 0; i < all.n; ++i) {
      TtLine l;
      if (!is_line(all.data[i], &l)) continue;
      select_line(arena, kernel, &l);
      any = true;
    }
  }
  tt_erase_dead(kernel);
  return true;
}

bool tt_run_select_lines(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, run);
}
