/*===- slice_steps.c - slices that take every n-th element -------------------------------------===
 *
 * A slice in steps is one of a tensor whose dimension is seen as two: groups of as many elements as
 * a step has, and the place in a group, which is one for all.
 *
 *   before  %y = tensor.extract_slice %x[0, 1] [64, 16] [1, 2] : tensor<64x32xf32> to …
 *   after   %v = tensor.expand_shape %x [[0], [1, 2]] : … into tensor<64x16x2xf32>
 *           %y = tensor.extract_slice %v[0, 0, 1] [64, 16, 1] : … to tensor<64x16xf32>
 *
 * What is put in steps into what is one number everywhere, as the image of a transposed
 * convolution, comes with that number around each of its elements:
 *
 *   before  %y = tensor.insert_slice %x into %zeros[2] [6] [2] : tensor<6xf32> into tensor<15xf32>
 *   after   %v = tensor.pad (tensor.expand_shape %x …) high[0, 1] : tensor<6x1xf32> to …<6x2xf32>
 *           %y = tensor.pad (tensor.collapse_shape %v …) low[2] high[1] : … to tensor<15xf32>
 *
 * Put into another tensor, it is chosen in its places, and what that holds in the others, by an op
 * on elements. Where sizes are open, it is put into the groups of what that holds.
 *
 * A tensor that ends inside of a group lies in a longer one, whose end nobody reads.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Model/slice.h"

/* A slice in steps, and the same of the tensor in groups, of `shape`; `groups` say which dimensions
 * of that are one of the tensor, whose groups end at `end`. */
typedef struct Steps {
  TtSlice slice, seen, shape;
  TtSize steps[TT_SLICE_RANK];
  int64_t end[TT_SLICE_RANK];
  bool longer; /* than the tensor */
  MlirAttribute groups;
} Steps;

static bool is_number(TtSize size) { return tt_is_null_value(size.value); }

/* Groups of dimension `d`, of which each has one element of the slice. */
static bool add_groups(Steps *s, intptr_t d, int64_t extent) {
  TtSize offset = s->slice.offset[d], size = s->slice.size[d];
  int64_t step = s->steps[d].number;
  intptr_t at = s->seen.rank;
  if (step < 1 || !is_number(offset) || !is_number(size) || extent < 0 || at + 2 > TT_SLICE_RANK)
    return false;
  int64_t n = (extent + step - 1) / step;
  s->end[d] = n * step;
  s->longer = s->longer || s->end[d] > extent;
  s->seen.offset[at].number = offset.number / step;
  s->seen.offset[at + 1].number = offset.number % step;
  s->seen.size[at] = size;
  s->seen.size[at + 1].number = 1;
  s->shape.size[at].number = n, s->shape.size[at + 1].number = step;
  s->seen.rank += 2;
  return true;
}

static bool add_dim(TtBuilder *b, MlirLocation loc, Steps *s, intptr_t d, MlirAttribute *groups) {
  MlirAttribute members[2] = {tt_i64_attr(b->context, s->seen.rank),
                              tt_i64_attr(b->context, s->seen.rank + 1)};
  int64_t extent = mlirShapedTypeGetDimSize(mlirValueGetType(s->slice.whole), d);
  intptr_t at = s->seen.rank;
  if (!is_number(s->steps[d]) || at == TT_SLICE_RANK) return false;
  groups[d] = mlirArrayAttrGet(b->context, s->steps[d].number == 1 ? 1 : 2, members);
  s->end[d] = extent;
  if (s->steps[d].number != 1) return add_groups(s, d, extent);
  s->seen.offset[at] = s->slice.offset[d];
  s->seen.size[at] = s->slice.size[d];
  s->shape.size[at].number = extent;
  if (extent < 0) s->shape.size[at].value = tt_tensor_dim(b, loc, s->slice.whole, d);
  ++s->seen.rank;
  return true;
}

/* False where a step, or what it is taken of, is no constant. */
static bool read(TtBuilder *b, MlirOperation op, Steps *s) {
  *s = (Steps){.longer = false};
  if (!tt_slice_read_steps(op, &s->slice, s->steps)) return false;
  MlirAttribute groups[TT_SLICE_RANK];
  for (intptr_t d = 0; d < s->slice.rank; ++d)
    if (!add_dim(b, mlirOperationGetLocation(op), s, d, groups)) return false;
  s->shape.rank = s->seen.rank;
  s->groups = mlirArrayAttrGet(b->context, s->slice.rank, groups);
  return !s->longer || mlirShapedTypeHasStaticShape(mlirValueGetType(s->slice.whole));
}

static MlirType type_of(const TtSlice *shape, MlirType like) {
  int64_t sizes[TT_SLICE_RANK];
  for (intptr_t d = 0; d < shape->rank; ++d)
    sizes[d] = is_number(shape->size[d]) ? shape->size[d].number : mlirShapedTypeGetDynamicSize();
  return mlirRankedTensorTypeGet(shape->rank, sizes, mlirShapedTypeGetElementType(like),
                                 mlirAttributeGetNull());
}

/* All of a tensor of constant sizes, as a part of `whole`. */
static TtSlice all_of(MlirValue whole, MlirType type) {
  TtSlice slice = {.whole = whole, .rank = mlirShapedTypeGetRank(type)};
  for (intptr_t d = 0; d < slice.rank; ++d)
    slice.size[d].number = mlirShapedTypeGetDimSize(type, d);
  return slice;
}

/*===- Into what is one number everywhere ---------------------------------------------------===*/

/* tensor.pad of `value` with `number`, to `type`: so many elements before each dimension. */
static MlirValue pad(TtBuilder *b, MlirLocation loc, MlirValue value, MlirValue number,
                     const int64_t *low, MlirType type) {
  MlirType from = mlirValueGetType(value), index = mlirIndexTypeGet(b->context);
  int64_t high[TT_SLICE_RANK];
  MlirType types[TT_SLICE_RANK];
  MlirLocation locs[TT_SLICE_RANK];
  intptr_t rank = mlirShapedTypeGetRank(from);
  for (intptr_t d = 0; d < rank; ++d) {
    high[d] = mlirShapedTypeGetDimSize(type, d) - mlirShapedTypeGetDimSize(from, d) - low[d];
    types[d] = index, locs[d] = loc;
  }
  TtOpState s = tt_op_state("tensor.pad", loc), end = tt_op_state("tensor.yield", loc);
  tt_op_state_operand(&s, value);
  tt_op_state_attr(&s, b->context, "static_low", mlirDenseI64ArrayGet(b->context, rank, low));
  tt_op_state_attr(&s, b->context, "static_high", mlirDenseI64ArrayGet(b->context, rank, high));
  tt_op_state_attr(&s, b->context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b->context, 3, (int32_t[]){1, 0, 0}));
  tt_op_state_result(&s, type);
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = mlirBlockCreate(rank, types, locs);
  mlirRegionAppendOwnedBlock(region, body);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  tt_op_state_operand(&end, number);
  mlirBlockAppendOwnedOperation(body, tt_op_state_finish(&end));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* The slice's own elements, in groups of one and then of a step. */
static MlirValue in_groups(TtBuilder *b, MlirLocation loc, const Steps *s, MlirValue number) {
  int64_t none[TT_SLICE_RANK] = {0}, ends[TT_SLICE_RANK];
  MlirType type = mlirValueGetType(s->slice.whole);
  TtSlice ones = s->seen, groups = s->seen;
  for (intptr_t d = 0, at = 0; d < s->slice.rank; ++d, ++at) {
    ends[d] = s->slice.size[d].number * s->steps[d].number;
    if (s->steps[d].number != 1) groups.size[++at].number = s->steps[d].number;
  }
  MlirValue part = tt_reshape(b, loc, s->slice.part, type_of(&ones, type), s->groups, true, &ones);
  part = pad(b, loc, part, number, none, type_of(&groups, type));
  MlirType flat = mlirRankedTensorTypeGet(s->slice.rank, ends, mlirShapedTypeGetElementType(type),
                                          mlirAttributeGetNull());
  return tt_reshape(b, loc, part, flat, s->groups, false, NULL);
}

/* Whether all sizes and places are known, and the part has all dimensions. */
static bool is_known(const Steps *s) {
  MlirType type = mlirValueGetType(s->slice.whole), from = mlirValueGetType(s->slice.part);
  for (intptr_t d = 0; d < s->slice.rank; ++d)
    if (!is_number(s->slice.offset[d])) return false;
  return mlirShapedTypeHasStaticShape(type) && mlirShapedTypeHasStaticShape(from) &&
         mlirShapedTypeGetRank(from) == s->slice.rank;
}

/* The part in its places of a tensor that is `number` elsewhere. */
static MlirValue spread(TtBuilder *b, MlirLocation loc, const Steps *s, MlirValue number) {
  MlirType type = mlirValueGetType(s->slice.whole);
  MlirValue part = in_groups(b, loc, s, number);
  int64_t low[TT_SLICE_RANK];
  for (intptr_t d = 0; d < s->slice.rank; ++d) low[d] = s->slice.offset[d].number;
  TtSlice kept = all_of(part, mlirValueGetType(part));
  bool cuts = false;
  for (intptr_t d = 0; d < s->slice.rank; ++d) {
    int64_t room = mlirShapedTypeGetDimSize(type, d) - low[d];
    if (kept.size[d].number <= room) continue;
    kept.size[d].number = room, cuts = true;
  }
  if (cuts) part = tt_slice_create(b, loc, "tensor.extract_slice", &kept, type_of(&kept, type));
  return pad(b, loc, part, number, low, type);
}

/*===- Into what is computed -----------------------------------------------------------------===*/

/* Whether place `i` along dimension `d` is one of the slice; null where all are. */
static MlirValue is_place(TtBuilder *b, MlirLocation loc, const Steps *s, intptr_t d) {
  enum { EQ = 0, UGE = 9 }; /* of arith::CmpIPredicate */
  int64_t step = s->steps[d].number, first = s->slice.offset[d].number,
          end = first + (s->slice.size[d].number - 1) * step + 1,
          extent = mlirShapedTypeGetDimSize(mlirValueGetType(s->slice.whole), d);
  MlirValue all = {NULL};
  TtOpState index = tt_op_state("linalg.index", loc);
  tt_op_state_attr(&index, b->context, "dim", tt_i64_attr(b->context, d));
  tt_op_state_result(&index, mlirIndexTypeGet(b->context));
  MlirValue i = mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&index)), 0),
            conditions[3];
  int n = 0;
  if (step > 1)
    conditions[n++] = tt_cmpi(b, loc, EQ, tt_rem(b, loc, i, tt_index(b, loc, step)),
                              tt_index(b, loc, first % step));
  if (first >= step) conditions[n++] = tt_cmpi(b, loc, UGE, i, tt_index(b, loc, first));
  if (end + step - 1 < extent) conditions[n++] = tt_less(b, loc, i, tt_index(b, loc, end));
  for (int k = 0; k < n; ++k) all = k ? tt_and(b, loc, all, conditions[k]) : conditions[k];
  return all;
}

/* Element by element, that of `spread` in the places of the slice, or else that of the whole. */
static MlirValue choose(TtBuilder *b, MlirLocation loc, const Steps *s, MlirValue spread) {
  MlirContext context = b->context;
  MlirType type = mlirValueGetType(s->slice.whole), element = mlirShapedTypeGetElementType(type);
  intptr_t rank = s->slice.rank;
  MlirValue out = tt_empty(b, loc, type);
  MlirAttribute kinds[TT_SLICE_RANK], maps[3];
  for (intptr_t d = 0; d < rank; ++d)
    kinds[d] = mlirAttributeParseGet(context, tt_str("#linalg.iterator_type<parallel>"));
  for (int i = 0; i < 3; ++i)
    maps[i] = mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(context, rank));
  TtOpState op = tt_op_state("linalg.generic", loc), end = tt_op_state("linalg.yield", loc),
            select = tt_op_state("arith.select", loc);
  tt_op_state_operand(&op, spread);
  tt_op_state_operand(&op, s->slice.whole);
  tt_op_state_operand(&op, out);
  tt_op_state_attr(&op, context, "indexing_maps", mlirArrayAttrGet(context, 3, maps));
  tt_op_state_attr(&op, context, "iterator_types", mlirArrayAttrGet(context, rank, kinds));
  tt_op_state_attr(&op, context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(context, 2, (int32_t[]){2, 1}));
  tt_op_state_result(&op, type);
  MlirBlock body =
      mlirBlockCreate(3, (MlirType[]){element, element, element}, (MlirLocation[]){loc, loc, loc});
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  mlirOperationStateAddOwnedRegions(&op, 1, &region);
  MlirOperation generic = tt_builder_insert(b, tt_op_state_finish(&op));
  TtBuilder in = tt_builder_at_start(body);
  MlirValue all = {NULL};
  for (intptr_t d = 0; d < rank; ++d) {
    MlirValue one = is_place(&in, loc, s, d);
    if (!tt_is_null_value(one)) all = tt_is_null_value(all) ? one : tt_and(&in, loc, all, one);
  }
  tt_op_state_operand(&select, all);
  for (int i = 0; i < 2; ++i) tt_op_state_operand(&select, mlirBlockGetArgument(body, i));
  tt_op_state_result(&select, element);
  MlirOperation chosen = tt_builder_insert(&in, tt_op_state_finish(&select));
  tt_op_state_operand(&end, mlirOperationGetResult(chosen, 0));
  mlirBlockAppendOwnedOperation(body, tt_op_state_finish(&end));
  return mlirOperationGetResult(generic, 0);
}

/* Replaces an insertion of which all is known. */
static void put(TtBuilder *b, MlirOperation op, const Steps *s) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirOperation from = tt_defining_op(s->slice.whole);
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(s->slice.whole));
  bool fill = tt_op_is(from, "linalg.fill");
  MlirValue number = fill ? mlirOperationGetOperand(from, 0) : tt_zero(b, loc, element),
            all = spread(b, loc, s, number);
  if (!fill && !tt_op_is(from, "tensor.empty")) all = choose(b, loc, s, all);
  tt_replace(op, all);
}

/*===- Into and out of others ---------------------------------------------------------------===*/

static void split(TtBuilder *b, MlirOperation op, Steps *s) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirType type = mlirValueGetType(s->slice.whole), longer = type;
  MlirValue whole = s->slice.whole;
  if (s->longer) {
    longer = mlirRankedTensorTypeGet(s->slice.rank, s->end, mlirShapedTypeGetElementType(type),
                                     mlirAttributeGetNull());
    TtSlice own = all_of(tt_empty(b, loc, longer), type);
    own.part = whole;
    whole = tt_slice_create(b, loc, "tensor.insert_slice", &own, longer);
  }
  MlirType seen = type_of(&s->shape, type);
  s->seen.whole = tt_reshape(b, loc, whole, seen, s->groups, true, &s->shape);
  if (tt_is_extraction(op)) {
    tt_replace(op, tt_slice_create(b, loc, "tensor.extract_slice", &s->seen,
                                   mlirValueGetType(mlirOperationGetResult(op, 0))));
    return;
  }
  s->seen.part = s->slice.part;
  MlirValue put = tt_slice_create(b, loc, "tensor.insert_slice", &s->seen, seen),
            result = tt_reshape(b, loc, put, longer, s->groups, false, NULL);
  if (s->longer) {
    TtSlice own = all_of(result, type);
    result = tt_slice_create(b, loc, "tensor.extract_slice", &own, type);
  }
  tt_replace(op, result);
}

bool tt_split_steps(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    TtSlice plain;
    Steps s;
    if (!tt_op_is(op, "tensor.insert_slice") && !tt_is_extraction(op)) continue;
    if (tt_slice_read(op, &plain)) continue;
    TtBuilder b = tt_builder_before(op);
    if (!read(&b, op, &s))
      return tt_error(op, "takes elements in steps, and a step is no constant, or what it is taken "
                          "of has no constant size and place; give it these, or take the elements "
                          "with a linalg.generic");
    if (!tt_is_extraction(op) && is_known(&s)) put(&b, op, &s);
    else split(&b, op, &s);
  }
  return true;
}
