/*===- keep_beside.c - --tt-keep-beside -----------------------------------------------------===
 *
 * A block of open size that is loaded into the corner of a buffer leaves what the buffer holds
 * beside it, as a mask with another value does:
 *
 *   before  linalg.fill ins(%low) outs(%x)                       (%x of 32x128)
 *           memref.copy %A[%m, 0] [32, %w], %x[0, 0] [32, %w]
 *   after   memref.copy %A[%m, 0] [32, %w], %y[0, 0] [32, %w]    (%y of 32x128)
 *           linalg.generic (r, c) ins(%y) outs(%x) { yield select(c < %w, %y, %low) }
 *
 * Where the buffer was not filled right before, the body yields what it holds. Left alone: buffers
 * that no op looks at whole, or that hold nothing before, and such as were filled with the zeros
 * that pad a tensor of the host, too.
 *
 * A corner that is narrower than the buffer, too, is a buffer of its own, from which a part of
 * constant size goes to the other one, and to which one comes where it is stored:
 *
 *   before  memref.copy %b[0, 0] [%h, 70], %A[%m, 0] [%h, 70]    (%b of 32x96)
 *   after   memref.copy %b[0, 0] [32, 70], %y                    (%y of 32x70)
 *           memref.copy %y[0, 0] [%h, 70], %A[%m, 0] [%h, 70]
 *
 * A buffer of which all ops take a corner is as large as that first (corner_buffers.c).
 *
 * Requires matrices, as --tt-step-outer-dims leaves them.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/kernel.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/corner_buffers.h"
#include "Transforms/Raise/slices.h"
#include "Transforms/Tile/block.h"
#include "Transforms/Tile/lowering.h"

typedef struct Load {
  TtArena *arena;
  MlirOperation kernel, copy, view, fill; /* the fill right before; null where there is none */
  MlirValue buffer, given;                /* what is filled in, or null */
  MlirType type;
  intptr_t rank;
  int64_t shape[2]; /* the most that the block may be */
  bool narrow;      /* less than the buffer along a dimension of constant size */
} Load;

/*===- Which loads ----------------------------------------------------------------------------===*/

static int64_t entry(MlirOperation view, const char *name, intptr_t d) {
  return mlirDenseI64ArrayGetElement(tt_op_attr(view, name), d);
}

/* The size along `d`, which is no constant. */
static MlirValue size_of(MlirOperation view, intptr_t d) {
  intptr_t operand = 1; /* all offsets are constant */
  for (intptr_t i = 0; i < d; ++i) operand += entry(view, "static_sizes", i) == INT64_MIN;
  return mlirOperationGetOperand(view, operand);
}

/* Whether the view is the corner of a buffer, and of open size. */
static bool read_corner(Load *l) {
  bool open = false;
  if (mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(l->view, 0))) != l->rank)
    return false;
  for (intptr_t d = 0; d < l->rank; ++d) {
    int64_t size = entry(l->view, "static_sizes", d), all = mlirShapedTypeGetDimSize(l->type, d);
    if (entry(l->view, "static_offsets", d) != 0 || entry(l->view, "static_strides", d) != 1)
      return false;
    open |= size == INT64_MIN, l->narrow |= size != INT64_MIN && size < all;
    l->shape[d] = size == INT64_MIN ? all : size;
  }
  return open;
}

/* Whether operand `i` of a copy is such a corner. */
static bool read_copy(Load *l, MlirOperation copy, intptr_t i) {
  l->copy = copy;
  l->view = tt_defining_op(mlirOperationGetOperand(copy, i));
  if (!tt_op_is(l->view, "memref.subview")) return false;
  l->buffer = mlirOperationGetOperand(l->view, 0);
  MlirOperation alloc = tt_defining_op(l->buffer);
  l->type = mlirValueGetType(l->buffer), l->rank = mlirShapedTypeGetRank(l->type);
  bool buffer = tt_op_is(alloc, "memref.alloc") || tt_op_is(alloc, "memref.alloca");
  return buffer && mlirShapedTypeHasStaticShape(l->type) && l->rank >= 1 && l->rank <= 2 &&
         read_corner(l);
}

/* Whether `op`, or an op in it, takes the buffer or a view of it. */
static bool touches(const Load *l, MlirOperation op) {
  TtOps all = tt_collect(l->arena, op, NULL);
  tt_ops_add(l->arena, &all, op);
  for (intptr_t i = 0; i < all.n; ++i) {
    if (tt_op_is(all.data[i], "memref.subview")) continue;
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(all.data[i]); ++j) {
      MlirValue operand = mlirOperationGetOperand(all.data[i], j);
      if (tt_is_memref(mlirValueGetType(operand)) && tt_value_eq(tt_view_root(operand), l->buffer))
        return true;
    }
  }
  return false;
}

/* Finds the fill right before. */
static void find_fill(Load *l) {
  TtOps before = {NULL, 0, 0};
  l->fill = (MlirOperation){NULL}, l->given = (MlirValue){NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(l->copy));
       !tt_op_eq(op, l->copy); op = tt_next(op))
    if (touches(l, op)) tt_ops_add(l->arena, &before, op);
  MlirOperation last = before.n ? before.data[before.n - 1] : l->fill;
  if (before.n == 0 || !tt_op_is(last, "linalg.fill") ||
      !tt_value_eq(mlirOperationGetOperand(last, 1), l->buffer))
    return;
  l->fill = last, l->given = mlirOperationGetOperand(last, 0);
}

/* Whether ops look at all of the buffer, or another part, and other ops than this one give it
 * something. */
static bool is_seen_whole(const Load *l) {
  bool seen = false, held = false;
  for (MlirOpOperand use = mlirValueGetFirstUse(l->buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool copy = tt_is_copy(op), part = tt_op_is(op, "memref.subview");
    seen |= part && mlirShapedTypeHasStaticShape(mlirValueGetType(mlirOperationGetResult(op, 0)));
    if (!copy && !tt_is_linalg(op)) continue;
    intptr_t at = mlirOpOperandGetOperandNumber(use), inputs = copy ? 1 : tt_linalg_num_inputs(op);
    held |= at >= inputs;
    seen |= at < inputs ||
            (!copy && !tt_op_is(op, "linalg.fill") &&
             (tt_is_contraction(op) || tt_is_reduction(op) || tt_reads_output(op, at - inputs)));
  }
  return seen && held;
}

static bool pads_alike(const Load *l) {
  double value;
  MlirValue tensor = tt_view_root(mlirOperationGetOperand(l->copy, 0));
  return !mlirOperationIsNull(l->fill) && tt_fill_value(l->fill, &value) && value == 0 &&
         mlirValueIsABlockArgument(tensor) && tt_is_filled_by_host(l->arena, l->kernel, tensor);
}

/*===- A buffer of its own ------------------------------------------------------------------===*/

static MlirValue made(TtBuilder *b, TtOpState *s, MlirType type) {
  tt_op_state_result(s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(s)), 0);
}

/* Whether an element lies in the block. */
static MlirValue is_inside(const Load *l, TtBuilder *b) {
  enum { SLT = 2 };
  MlirLocation loc = mlirOperationGetLocation(l->copy);
  MlirType flag = mlirIntegerTypeGet(b->context, 1);
  MlirValue all = {NULL};
  for (intptr_t d = 0; d < l->rank; ++d) {
    if (entry(l->view, "static_sizes", d) != INT64_MIN) continue;
    TtOpState index = tt_op_state("linalg.index", loc), less = tt_op_state("arith.cmpi", loc);
    tt_op_state_attr(&index, b->context, "dim", tt_i64_attr(b->context, d));
    tt_op_state_operand(&less, made(b, &index, mlirIndexTypeGet(b->context)));
    tt_op_state_operand(&less, size_of(l->view, d));
    tt_op_state_attr(&less, b->context, "predicate", tt_i64_attr(b->context, SLT));
    MlirValue in = made(b, &less, flag);
    if (tt_is_null_value(all)) {
      all = in;
      continue;
    }
    TtOpState both = tt_op_state("arith.andi", loc);
    tt_op_state_operand(&both, all);
    tt_op_state_operand(&both, in);
    all = made(b, &both, flag);
  }
  return all;
}

/* %to = select(inside, %own, what it holds) */
static void put_into(const Load *l, TtBuilder *b, MlirValue own, MlirValue to) {
  MlirLocation loc = mlirOperationGetLocation(l->copy);
  MlirType element = mlirShapedTypeGetElementType(l->type);
  MlirAttribute same = mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(b->context, l->rank)),
                maps[2] = {same, same}, kinds[2];
  for (intptr_t d = 0; d < l->rank; ++d)
    kinds[d] = mlirAttributeParseGet(b->context, tt_str("#linalg.iterator_type<parallel>"));
  TtOpState s = tt_op_state("linalg.generic", loc);
  tt_op_state_operand(&s, own);
  tt_op_state_operand(&s, to);
  tt_op_state_attr(&s, b->context, "indexing_maps", mlirArrayAttrGet(b->context, 2, maps));
  tt_op_state_attr(&s, b->context, "iterator_types", mlirArrayAttrGet(b->context, l->rank, kinds));
  tt_op_state_attr(&s, b->context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b->context, 2, (int32_t[]){1, 1}));
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = mlirBlockCreate(2, (MlirType[]){element, element}, (MlirLocation[]){loc, loc});
  mlirRegionAppendOwnedBlock(region, body);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  tt_builder_insert(b, tt_op_state_finish(&s));
  TtBuilder in = tt_builder_at_end(body);
  TtOpState select = tt_op_state("arith.select", loc), yield = tt_op_state("linalg.yield", loc);
  tt_op_state_operand(&select, is_inside(l, &in));
  tt_op_state_operand(&select, mlirBlockGetArgument(body, 0));
  tt_op_state_operand(&select,
                      tt_is_null_value(l->given) ? mlirBlockGetArgument(body, 1) : l->given);
  tt_op_state_operand(&yield, made(&in, &select, element));
  tt_builder_insert(&in, tt_op_state_finish(&yield));
}

/* A buffer as large as the block may be, beside the other one. */
static MlirValue own_buffer(const Load *l) {
  MlirOperation alloc = tt_defining_op(l->buffer);
  TtBuilder b = tt_builder_after(alloc);
  if (!l->narrow)
    return mlirOperationGetResult(tt_builder_insert(&b, mlirOperationClone(alloc)), 0);
  TtOpState s = tt_op_state("memref.alloc", mlirOperationGetLocation(alloc));
  tt_op_state_attr(&s, b.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b.context, 2, (int32_t[]){0, 0}));
  return made(&b, &s,
              mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(l->type), l->rank, l->shape,
                                          mlirMemRefTypeGetMemorySpace(l->type)));
}

/* The block as a part of `own`, before the copy. */
static MlirValue corner_of(const Load *l, MlirValue own) {
  TtBuilder b = tt_builder_before(l->copy);
  MlirType type = mlirValueGetType(own);
  MlirOperation view = mlirOperationClone(l->view);
  int64_t shape[2],
      strides[2] = {l->rank == 2 ? mlirShapedTypeGetDimSize(type, l->rank - 1) : 1, 1};
  for (intptr_t d = 0; d < l->rank; ++d) shape[d] = entry(l->view, "static_sizes", d);
  mlirOperationSetOperand(view, 0, own);
  mlirValueSetType(mlirOperationGetResult(view, 0),
                   mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), l->rank, shape,
                                     mlirStridedLayoutAttrGet(b.context, 0, l->rank, strides),
                                     mlirMemRefTypeGetMemorySpace(type)));
  return mlirOperationGetResult(tt_builder_insert(&b, view), 0);
}

static void copy(const Load *l, TtBuilder *b, MlirValue from, MlirValue to) {
  TtOpState s = tt_op_state("memref.copy", mlirOperationGetLocation(l->copy));
  tt_op_state_operand(&s, from);
  tt_op_state_operand(&s, to);
  tt_builder_insert(b, tt_op_state_finish(&s));
}

/* What the block takes of the buffer where it is as large as it may be. */
static MlirValue part_of_buffer(const Load *l, TtBuilder *b) {
  return tt_subview(b, mlirOperationGetLocation(l->copy), l->buffer, (MlirValue[2]){{NULL}, {NULL}},
                    l->shape, (bool[2]){true, true});
}

static void load_apart(const Load *l, bool held) {
  MlirValue own = own_buffer(l), to = l->buffer;
  mlirOperationSetOperand(l->copy, 1, corner_of(l, own));
  TtBuilder after = tt_builder_after(l->copy);
  if (l->narrow && held) {
    to = own_buffer(l);
    if (tt_is_null_value(l->given)) copy(l, &after, part_of_buffer(l, &after), to);
  }
  if (held) put_into(l, &after, own, to);
  if (l->narrow) copy(l, &after, held ? to : own, part_of_buffer(l, &after));
  else if (!mlirOperationIsNull(l->fill)) mlirOperationDestroy(l->fill);
}

static void store_apart(const Load *l) {
  MlirValue own = own_buffer(l);
  TtBuilder b = tt_builder_before(l->copy);
  copy(l, &b, part_of_buffer(l, &b), own);
  mlirOperationSetOperand(l->copy, 0, corner_of(l, own));
}

static bool run(TtArena *arena, MlirOperation kernel) {
  tt_shrink_corner_buffers(arena, kernel);
  TtOps all = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    if (!tt_is_copy(all.data[i])) continue;
    Load l = {.arena = arena, .kernel = kernel}, store = l;
    if (read_copy(&l, all.data[i], 1)) {
      bool held = is_seen_whole(&l);
      find_fill(&l);
      if (l.narrow || (held && !pads_alike(&l))) load_apart(&l, held && !pads_alike(&l));
    } else if (read_copy(&store, all.data[i], 0) && store.narrow) {
      store_apart(&store);
    }
  }
  tt_erase_dead(kernel);
  return true;
}

bool tt_run_keep_beside(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, run);
}
