/*===- lower_tile_intrinsics.c - C2: --tt-lower-tile-intrinsics ----------------------===
 *
 * Turns structured ops on blocks into tile intrinsics on circular buffers. What
 * an op computes is read from its indexing maps and its body, not from its name:
 *
 *   contraction (m,k) x (k,n) -> (m,n)  = tt.mm.mma, accumulating in DST
 *   contraction (m,k) x (n,k) -> (m,n)  = the same with transpose_b
 *   elementwise body f(x, y)            = tt.fpu.*, tt.sfpu.*, all in one section of DST
 *   copy                                = tt.copy_to_dst
 *
 *   before  linalg.fill ins(%zero) outs(%acc)
 *           scf.for %k = … { linalg.matmul ins(%a, %b) outs(%acc) }
 *           linalg.copy ins(%acc) outs(%c)             (%a, %b, %c: tt.cb_view)
 *   after   scf.for %k = … {
 *             %more = arith.cmpi ne, %k, %lb
 *             tt.mm.mma %cb_a, %cb_b, dst = 0, accumulate = %more
 *           }
 *           tt.pack_to_cb dst = 0 -> %cb_c
 *
 * A fragment that is only copied to a circular buffer is packed there; any other
 * gets an intermediate circular buffer.
 *
 * Requires tt.cb_view (C1). Leaves no linalg op and no memref.alloc, and
 * tt.fp32_dest_acc on the kernel.
 *
 *===----------------------------------------------------------------------===*/

#include "block.h"
#include "elementwise.h"
#include "for_each_kernel.h"
#include "passes_decl.h"
#include "tilewright/verify.h"

#include "mlir-c/Dialect/Linalg.h"

#include <string.h>

/* How a buffer of the core is kept: in circular buffer `cb`. Where `copy` is not
 * null, that copy is what packs it there, and goes away. */
typedef struct Buffer {
  MlirValue memref, cb;
  MlirOperation copy;
} Buffer;

/* Sums over one loop, and how many tiles of DST they take together. */
typedef struct Sums {
  MlirOperation loop;
  int64_t tiles;
  struct Sums *next;
} Sums;

typedef struct Lowering {
  TtArena *arena;
  MlirOperation func;
  Buffer *buffers;
  intptr_t n;
  int intermediates;
  int64_t dst_tiles;
  Sums *sums;
} Lowering;

static bool is_fill(MlirOperation op) { return tt_op_is(op, "linalg.fill"); }

static Buffer *buffer_of(Lowering *l, MlirValue memref) {
  for (intptr_t i = 0; i < l->n; ++i)
    if (tt_value_eq(l->buffers[i].memref, memref)) return &l->buffers[i];
  return NULL;
}

static void add_buffer(Lowering *l, MlirValue memref, MlirValue cb, MlirOperation copy) {
  l->buffers[l->n++] = (Buffer){memref, cb, copy};
}

static MlirValue intermediate_cb(TtBuilder *b, MlirLocation loc, TtArena *arena, int index,
                                 MlirType type) {
  char *name = tt_arena_printf(arena, "cb_intermed%d", index);
  return tt_alloc_cb_cb(tt_alloc_cb_create(b, loc, type, name, tt_i64_attr(b->context, 1)));
}

/*===- Where fragments go -----------------------------------------------------===*/

typedef struct Uses {
  MlirOperation fill, writer, reader; /* one of each */
  int fills, writers, readers;
} Uses;

static bool collect_uses(MlirValue buffer, Uses *uses) {
  *uses = (Uses){{NULL}, {NULL}, {NULL}, 0, 0, 0};
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    unsigned i = mlirOpOperandGetOperandNumber(use);
    bool copy = tt_op_is(op, "memref.copy");
    if (!copy && !tt_is_linalg(op)) {
      MlirStringRef name = tt_op_name(op);
      return tt_error(op, "%.*s works on a buffer of the core; only linalg ops and copies of whole "
                          "buffers can", (int)name.length, name.data);
    }
    bool writes = copy ? i == 1 : i >= tt_linalg_num_inputs(op);
    if (is_fill(op)) uses->fills++, uses->fill = op;
    else if (writes) { /* the last of several */
      bool later =
          uses->writers++ == 0 ||
          !mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(uses->writer)) ||
          tt_is_before(uses->writer, op);
      if (later) uses->writer = op;
    }
    else uses->readers++, uses->reader = op;
  }
  return true;
}

/* The block where the value of a buffer is complete. */
static MlirBlock value_block(const Uses *uses) {
  return mlirOperationGetBlock(tt_is_contraction(uses->writer) && uses->fills ? uses->fill
                                                                           : uses->writer);
}

static bool place(Lowering *l, MlirOperation alloc) {
  MlirValue memref = mlirOperationGetResult(alloc, 0);
  Uses uses;
  if (!collect_uses(memref, &uses)) return false;
  if (uses.writers == 0 || uses.readers == 0)
    return tt_error(alloc, uses.readers ? "this buffer is read, but nothing computes it"
                                        : "this buffer is written, but never read; copy it to a "
                                          "tensor or remove it");
  if (uses.writers > 1)
    return tt_error(uses.writer, "this buffer is computed by %d ops; give each result a buffer of "
                                 "its own", uses.writers);
  MlirOperation copy = uses.reader;
  MlirValue view = uses.readers == 1 && tt_is_copy(copy) ? mlirOperationGetOperand(copy, 1)
                                                         : (MlirValue){NULL};
  if (!tt_is_null_value(view) && tt_cb_view_isa(tt_defining_op(view)) &&
      mlirBlockEqual(mlirOperationGetBlock(copy), value_block(&uses))) {
    add_buffer(l, memref, tt_cb_view_cb(tt_defining_op(view)), copy);
    return true;
  }
  MlirType type, shape = mlirValueGetType(memref);
  if (!tt_cb_type_of(alloc, shape, mlirShapedTypeGetElementType(shape), &type)) return false;
  TtBuilder b = tt_builder_before(alloc);
  MlirLocation loc = mlirOperationGetLocation(alloc);
  add_buffer(l, memref, intermediate_cb(&b, loc, l->arena, l->intermediates++, type),
             (MlirOperation){NULL});
  return true;
}

static bool place_buffers(Lowering *l) {
  TtOps ops = tt_collect(l->arena, l->func, NULL);
  l->buffers = tt_arena_alloc(l->arena, (size_t)(ops.n + 1) * sizeof *l->buffers);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (tt_cb_view_isa(op))
      add_buffer(l, tt_cb_view_view(op), tt_cb_view_cb(op), (MlirOperation){NULL});
    else if ((tt_op_is(op, "memref.alloc") || tt_op_is(op, "memref.alloca")) && !place(l, op))
      return false;
  }
  return true;
}

/*===- Contractions -----------------------------------------------------------===*/

/* The maps of linalg.matmul, (m, n, k) -> (m, k), (k, n), (m, n), or with (n, k). */
static bool is_matmul(MlirOperation op, bool transpose_b) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  const intptr_t expected[3][2] = {{0, 2}, {transpose_b ? 1 : 2, transpose_b ? 2 : 1}, {0, 1}};
  if (mlirAttributeIsNull(maps) || mlirArrayAttrGetNumElements(maps) != 3) return false;
  for (intptr_t i = 0; i < 3; ++i) {
    MlirAffineMap map = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
    if (mlirAffineMapGetNumDims(map) != 3 || mlirAffineMapGetNumResults(map) != 2) return false;
    for (intptr_t j = 0; j < 2; ++j) {
      MlirAffineExpr e = mlirAffineMapGetResult(map, j);
      if (!mlirAffineExprIsADim(e) || mlirAffineDimExprGetPosition(e) != expected[i][j])
        return false;
    }
  }
  return true;
}

static bool is_zero_fill(MlirOperation fill) {
  MlirOperation value = tt_defining_op(mlirOperationGetOperand(fill, 0));
  if (!tt_op_is(value, "arith.constant")) return false;
  MlirAttribute attr = tt_op_attr(value, "value");
  if (mlirAttributeIsAFloat(attr)) return mlirFloatAttrGetValueDouble(attr) == 0.0;
  return mlirAttributeIsAInteger(attr) && tt_int(attr) == 0;
}

/* False in the first step of all loops between `block` and `op`, else true. */
static bool accumulate_flag(TtBuilder *b, MlirOperation op, MlirBlock block, MlirValue *flag) {
  MlirLocation loc = mlirOperationGetLocation(op);
  *flag = (MlirValue){NULL};
  for (MlirOperation p = op; !mlirBlockEqual(mlirOperationGetBlock(p), block);) {
    p = tt_parent(p);
    if (!tt_op_is(p, "scf.for"))
      return tt_error(op, "accumulates under a condition; only counted loops may stand between the "
                          "start of a sum and its terms");
    MlirValue more = tt_ne(b, loc, tt_for_iv(p), mlirOperationGetOperand(p, 0));
    *flag = tt_is_null_value(*flag) ? more : tt_or(b, loc, *flag, more);
  }
  if (tt_is_null_value(*flag)) *flag = tt_bool(b, loc, false);
  return true;
}

/* The first DST tile of a sum over the loop `top`. Sums over one loop stand side by side. */
static int64_t place_sum(Lowering *l, MlirOperation top, MlirType block) {
  int64_t tiles = tt_tiles(mlirShapedTypeGetDimSize(block, 0)) *
                  tt_tiles(mlirShapedTypeGetDimSize(block, 1));
  for (Sums *s = l->sums; s; s = s->next) {
    if (!tt_op_eq(s->loop, top)) continue;
    s->tiles += tiles;
    return s->tiles - tiles;
  }
  Sums *s = tt_arena_alloc(l->arena, sizeof *s);
  *s = (Sums){top, tiles, l->sums};
  l->sums = s;
  return 0;
}

static bool lower_contraction(Lowering *l, MlirOperation op) {
  bool transpose_b = is_matmul(op, true);
  if (!transpose_b && !is_matmul(op, false))
    return tt_error(op, "this contraction is neither (m, k) x (k, n) -> (m, n) nor (m, k) x (n, k) "
                        "-> (m, n), the products that the engine computes; store its operands so");
  Buffer *a = buffer_of(l, mlirOperationGetOperand(op, 0)),
         *b_buffer = buffer_of(l, mlirOperationGetOperand(op, 1)),
         *out = buffer_of(l, mlirOperationGetOperand(op, 2));
  if (!a || !b_buffer || !out)
    return tt_error(op, "works on something that is no buffer of the core");
  Uses uses;
  if (!collect_uses(mlirOperationGetOperand(op, 2), &uses)) return false;
  if (uses.fills != 1 || !is_zero_fill(uses.fill))
    return tt_error(op, "accumulates in a buffer that does not start from zero; put a linalg.fill "
                        "with 0 before the loop");
  MlirBlock block = mlirOperationGetBlock(uses.fill);
  MlirOperation top = tt_ancestor_in(block, op);
  if (mlirOperationIsNull(top) || !tt_is_before(uses.fill, top))
    return tt_error(op, "the linalg.fill of the accumulator does not come before it");
  MlirLocation loc = mlirOperationGetLocation(op);
  TtBuilder b = tt_builder_before(op);
  MlirValue flag, none = {NULL};
  if (!accumulate_flag(&b, op, block, &flag)) return false;
  int64_t dst = tt_op_eq(top, op)
                    ? 0 : place_sum(l, top, mlirValueGetType(mlirOperationGetOperand(op, 2)));
  tt_mm_mma_create(&b, loc, a->cb, b_buffer->cb, dst, flag, none, mlirAttributeGetNull(),
                   transpose_b ? mlirUnitAttrGet(b.context) : mlirAttributeGetNull());
  TtBuilder end =
      mlirOperationIsNull(out->copy) ? tt_builder_after(top) : tt_builder_before(out->copy);
  tt_pack_to_cb_create(&end,
                       mlirOperationGetLocation(mlirOperationIsNull(out->copy) ? op : out->copy),
                       dst, mlirAttributeGetNull(), out->cb);
  mlirOperationDestroy(op);
  return true;
}

/*===- Everything -------------------------------------------------------------===*/

static MlirValue cb_of(void *data, MlirValue memref) {
  Buffer *buffer = buffer_of(data, memref);
  return buffer ? buffer->cb : (MlirValue){NULL};
}

static MlirValue new_cb(void *data, TtBuilder *b, MlirLocation loc, MlirType type) {
  Lowering *l = data;
  TtBuilder top = tt_builder_at_start(tt_body(l->func));
  (void)b;
  return intermediate_cb(&top, loc, l->arena, l->intermediates++, type);
}

static bool lower_op(Lowering *l, MlirOperation op) {
  if (tt_is_contraction(op)) return lower_contraction(l, op);
  TtElementwise e = {l->arena, l, l->dst_tiles, cb_of, new_cb};
  return tt_lower_elementwise(&e, op);
}

static bool is_replaced_copy(Lowering *l, MlirOperation op) {
  for (intptr_t i = 0; i < l->n; ++i)
    if (!mlirOperationIsNull(l->buffers[i].copy) && tt_op_eq(l->buffers[i].copy, op)) return true;
  return false;
}

/* What is left must be tile intrinsics, counted loops and index arithmetic. */
static bool check_rest(TtArena *arena, MlirOperation func) {
  static const char *const allowed[] = {"arith.", "affine.", "scf.for", "scf.if", "scf.yield",
                                        "func.return", "memref.dim"};
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirStringRef name = tt_op_name(ops.data[i]);
    bool known = tt_op_info(ops.data[i]).level != TT_LEVEL_OTHER;
    for (size_t j = 0; j < sizeof allowed / sizeof *allowed; ++j)
      known |= name.length >= strlen(allowed[j]) &&
               memcmp(name.data, allowed[j], strlen(allowed[j])) == 0;
    if (!known)
      return tt_error(ops.data[i],
                      "%.*s cannot stand in a kernel; kernels hold linalg ops, copies of "
                      "blocks, counted loops and index arithmetic",
                      (int)name.length, name.data);
  }
  return true;
}

/* Reads of blocks that no op uses. */
static void erase_unused_reads(TtArena *arena, MlirOperation func) {
  TtOps reads = tt_collect(arena, func, "tt.read_to_cb");
  for (intptr_t i = 0; i < reads.n; ++i) {
    MlirOpOperand use = mlirValueGetFirstUse(tt_read_to_cb_cb(reads.data[i]));
    if (mlirOpOperandIsNull(mlirOpOperandGetNextUse(use))) mlirOperationDestroy(reads.data[i]);
  }
}

static bool lower(TtArena *arena, MlirOperation func) {
  Lowering l = {arena, func, NULL, 0, 0, tt_dst_capacity(func), NULL};
  TtArgs args = tt_kernel_args(arena, func);
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    for (intptr_t j = 0; (tt_is_linalg(ops.data[i]) || tt_is_copy(ops.data[i])) &&
                         j < mlirOperationGetNumOperands(ops.data[i]); ++j) {
      TtArg *arg = tt_arg_of(args, mlirOperationGetOperand(ops.data[i], j));
      if (arg && arg->is_tensor)
        return tt_error(ops.data[i],
                        "works on tensor '%s' itself: run --tt-lower-shared-to-cb first",
                        arg->name);
    }
  MlirAttribute wide = mlirBoolAttrGet(mlirOperationGetContext(func), tt_dst_is_32bit(func));
  if (!place_buffers(&l)) return false;
  ops = tt_collect(arena, func, NULL);
  TtOps work = {NULL, 0, 0}, dead = {NULL, 0, 0};
  for (intptr_t i = 0; i < ops.n; ++i) { /* what is in a linalg body goes with it */
    bool structured = tt_is_linalg(ops.data[i]) || tt_is_copy(ops.data[i]);
    if (structured && !tt_is_linalg(tt_parent(ops.data[i]))) tt_ops_add(arena, &work, ops.data[i]);
  }
  for (intptr_t i = 0; i < work.n; ++i) {
    MlirOperation op = work.data[i];
    if (is_fill(op) || is_replaced_copy(&l, op)) tt_ops_add(arena, &dead, op);
    else if (!lower_op(&l, op)) return false;
  }
  for (intptr_t i = 0; i < dead.n; ++i) mlirOperationDestroy(dead.data[i]);
  tt_set_attr(func, "tt.fp32_dest_acc", wide);
  tt_erase_dead(func); /* views first: they use the buffers, too */
  erase_unused_reads(arena, func);
  tt_erase_dead(func);
  return check_rest(arena, func);
}

bool tt_run_lower_tile_intrinsics(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, lower);
}
