/*===- lower_shared_to_cb.c - C1: --tt-lower-shared-to-cb ---------------------------===
 *
 * Turns the buffers that tensors are copied to and from into circular buffers,
 * and the copies into abstract reads and writes. Compute still works on memrefs:
 * a tt.cb_view shows a block as one.
 *
 *   before  %s = memref.alloc() : memref<128x32xbf16, #gpu.address_space<workgroup>>
 *           %a = memref.subview %A[%m, %k] [128, 32] [1, 1] : …
 *           memref.copy %a, %s
 *   after   %cb = tt.alloc_cb "cb_in0" depth = 3 : !tt.cb<4x1xbf16>
 *           %s = tt.cb_view %cb : !tt.cb<4x1xbf16> -> memref<128x32xbf16, …>
 *           tt.read_to_cb %A[%m, %k], %cb : memref<1024x256xbf16>, !tt.cb<4x1xbf16>
 *
 *   before  linalg.copy ins(%frag) outs(%c)          (%c views argument C)
 *   after   linalg.copy ins(%frag) outs(%view)       (%view shows circular buffer %cb)
 *           tt.write_from_cb %cb, %C[%m, %n]
 *
 * Blocks whose size is known when the kernel runs only have whole circular buffers: partial.c.
 *
 *   tt.read_to_cb %A[%m, %k], %cb partial       what is behind the end of A is zero
 *
 * Requires tt.cb.* (A2) and no grid (B2). Leaves no copy from or to a tensor.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Dialect/verify.h"
#include "Passes/passes_decl.h"
#include "Transforms/Tile/block.h"
#include "Transforms/Tile/partial.h"

typedef struct Lowering {
  TtArena *arena;
  MlirOperation func;
  TtArgs args;
  const TtSizes *sizes;
  int inputs, outputs;
} Lowering;

/*===- Ops that use tensors directly ------------------------------------------===
 *
 *   op ins(view of A) outs(view of C)
 * = copy A to s; op ins(s) outs(t); copy t to C
 */

static void copy(TtBuilder *b, MlirLocation loc, MlirValue from, MlirValue to) {
  TtOpState s = tt_op_state("memref.copy", loc);
  tt_op_state_operand(&s, from);
  tt_op_state_operand(&s, to);
  tt_builder_insert(b, tt_op_state_finish(&s));
}

static bool buffer_operand(Lowering *l, MlirOperation op, intptr_t i) {
  MlirValue value = mlirOperationGetOperand(op, i);
  TtArg *arg = tt_arg_of(l->args, value);
  if (!arg || !arg->is_tensor) return true;
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirType cb;
  if (!tt_cb_type_of(op, mlirValueGetType(value),
                     mlirShapedTypeGetElementType(mlirValueGetType(value)), &cb))
    return false;
  bool output = i >= tt_linalg_num_inputs(op);
  TtBuilder before = tt_builder_before(op), after = tt_builder_after(op);
  MlirValue buffer = tt_block_buffer(&before, loc, mlirValueGetType(value));
  if (output) copy(&after, loc, buffer, value);
  else copy(&before, loc, value, buffer);
  mlirOperationSetOperand(op, i, buffer);
  return true;
}

static bool buffer_tensors(Lowering *l) {
  TtOps ops = tt_collect(l->arena, l->func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    bool copies = tt_is_copy(op);
    bool both = copies && tt_arg_of(l->args, mlirOperationGetOperand(op, 0)) &&
                tt_arg_of(l->args, mlirOperationGetOperand(op, 1));
    if (both) { /* tensor to tensor */
      TtBuilder b = tt_builder_before(op);
      MlirValue from = mlirOperationGetOperand(op, 0);
      MlirType cb, type = mlirValueGetType(from);
      if (!tt_cb_type_of(op, type, mlirShapedTypeGetElementType(type), &cb)) return false;
      MlirValue buffer = tt_block_buffer(&b, mlirOperationGetLocation(op), type);
      copy(&b, mlirOperationGetLocation(op), from, buffer);
      mlirOperationSetOperand(op, 0, buffer);
    } else if (tt_is_linalg(op) && !copies) {
      for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j)
        if (!buffer_operand(l, op, j)) return false;
    }
  }
  return true;
}

/*===- Circular buffers -------------------------------------------------------===*/

static MlirValue alloc_cb(Lowering *l, TtBuilder *b, MlirLocation loc, const TtArg *arg,
                          bool output, MlirType type) {
  MlirAttribute geometry = tt_named_attr(l->func, "cb", arg->name);
  const char *name = output ? tt_arena_printf(l->arena, "cb_out%d", l->outputs++)
                            : tt_arena_printf(l->arena, "cb_in%d", l->inputs++);
  return tt_alloc_cb_cb(
      tt_alloc_cb_create(b, loc, type, name, tt_i64_attr(b->context, tt_cb_attr_depth(geometry))));
}

/* The circular buffer that a value shows, or null. */
static MlirValue shown_cb(MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  return tt_cb_view_isa(op) ? tt_cb_view_cb(op) : (MlirValue){NULL};
}

/* Replaces the buffer `root` by a view of a new circular buffer. */
static bool to_cb(Lowering *l, MlirOperation user, MlirValue root, const TtArg *arg, bool output,
                  MlirValue *cb) {
  MlirOperation alloc = tt_defining_op(root);
  if (!tt_op_is(alloc, "memref.alloc") && !tt_op_is(alloc, "memref.alloca"))
    return tt_error(user,
                    "copies between tensor '%s' and something that is no memref.alloc of "
                    "this kernel",
                    arg->name);
  MlirType memref = mlirValueGetType(root), type;
  if (!mlirTypeEqual(mlirShapedTypeGetElementType(memref), mlirShapedTypeGetElementType(arg->type)))
    return tt_error(user,
                    "converts elements while it copies tensor '%s'; copy first, then convert "
                    "in a linalg.generic",
                    arg->name);
  if (!tt_cb_type_of(user, memref, mlirShapedTypeGetElementType(memref), &type)) return false;
  TtBuilder b = tt_builder_before(alloc);
  *cb = alloc_cb(l, &b, mlirOperationGetLocation(alloc), arg, output, type);
  MlirOperation view = tt_cb_view_create(&b, mlirOperationGetLocation(alloc), memref, *cb);
  tt_replace(alloc, tt_cb_view_view(view));
  return true;
}

/* Whether ops compute in a buffer that `move` fills. */
static bool is_written(MlirOperation move, MlirValue buffer) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    intptr_t inputs = tt_is_copy(op) ? 1 : tt_is_linalg(op) ? tt_linalg_num_inputs(op) : 0;
    bool writes = (tt_is_linalg(op) || tt_is_copy(op)) &&
                  (intptr_t)mlirOpOperandGetOperandNumber(use) >= inputs;
    if (writes && !tt_op_eq(op, move)) return true;
    bool part = tt_op_is(op, "memref.subview");
    if (part && is_written(move, mlirOperationGetResult(op, 0))) return true;
  }
  return false;
}

/* A buffer that is filled and then computed in, or of other elements than the tensor, takes its
 * block from one that is only filled. */
static void split_buffer(MlirOperation move) {
  MlirValue target = mlirOperationGetOperand(move, 1);
  MlirLocation loc = mlirOperationGetLocation(move);
  MlirType type = mlirValueGetType(target),
           element =
               mlirShapedTypeGetElementType(mlirValueGetType(mlirOperationGetOperand(move, 0)));
  if (!is_written(move, target) && mlirTypeEqual(mlirShapedTypeGetElementType(type), element))
    return;
  TtBuilder before = tt_builder_before(move), after = tt_builder_after(move);
  MlirValue filled = tt_static_alloc(&before, loc, tt_block_type(type, element));
  mlirOperationSetOperand(move, 1, filled);
  tt_linalg_copy(&after, loc, filled, target);
}

/* Whether a block of tiles that is marked as partial may have tiles behind the tensor's last ones:
 * blocks of 64 of 200 rows, but not blocks of 32, the last of which has whole tiles as stored. */
static bool hangs_over(Lowering *l, TtBuilder *b, MlirOperation op, MlirType tensor,
                       const TtBlock *block) {
  for (intptr_t d = block->rank < 2 ? 0 : block->rank - 2; d < block->rank; ++d) {
    int64_t size = block->sizes[d];
    if (size == 1) continue;
    if (mlirShapedTypeIsDynamicDim(tensor, d) ||
        tt_tiles(mlirShapedTypeGetDimSize(tensor, d)) * TT_TILE % size != 0 ||
        tt_is_null_value(
            tt_exact_quotient(l->arena, b, mlirOperationGetLocation(op), block->offsets[d], size)))
      return true;
  }
  return false;
}

static MlirAttribute partial_mark(Lowering *l, TtBuilder *b, MlirOperation op, MlirValue view,
                                  const TtBlock *block) {
  MlirType tensor = mlirValueGetType(tt_view_root(view));
  if (!tt_is_partial(view) || (!block->boxed && !hangs_over(l, b, op, tensor, block)))
    return mlirAttributeGetNull();
  return mlirUnitAttrGet(mlirTypeGetContext(tensor));
}

/* Elements that share an exponent with others, or are less than a byte, do not move alone. */
static bool check_boxed(Lowering *l, MlirOperation op, const TtBlock *block, const TtArg *arg) {
  MlirAttribute buffer = tt_named_attr(l->func, "buffer", arg->name);
  TtDType stored = TT_D_TYPE_BF16;
  if (tt_buffer_attr_isa(buffer)) stored = tt_buffer_attr_dtype(buffer);
  const TtFormat *format = tt_format(stored);
  if (!block->boxed || format->tile_bytes * 8 == format->datum_bits * TT_TILE * TT_TILE)
    return true;
  return tt_error(op,
                  "moves parts of tiles of tensor '%s', but elements of %s cannot be moved alone; "
                  "move whole tiles, 32 x 32 from multiples of 32 on, or store it as bf16",
                  arg->name, tt_d_type_str((int)stored));
}

/* What a move of a block goes by: its offsets, and, where it has sizes of its own, these. */
typedef struct Operands {
  MlirValue data[2 * TT_MAX_RANK];
  intptr_t n;
} Operands;

static bool block_of(Lowering *l, TtBuilder *b, MlirOperation op, MlirValue view, const TtArg *arg,
                     TtBlock *block, Operands *operands) {
  MlirValue sizes[TT_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(arg->type);
  MlirLocation loc = mlirOperationGetLocation(op);
  *block = (TtBlock){0};
  block->sized = rank <= TT_MAX_RANK && tt_block_sizes(l->sizes, view, rank, sizes);
  if (!tt_block_of(l->arena, b, op, view, block) || !check_boxed(l, op, block, arg)) return false;
  operands->n = block->sized ? 2 * rank : block->rank;
  for (intptr_t d = 0; d < block->rank; ++d) operands->data[d] = block->offsets[d];
  for (intptr_t d = 0; block->sized && d < rank; ++d)
    operands->data[rank + d] =
        tt_is_null_value(sizes[d]) ? tt_index(b, loc, block->sizes[d]) : sizes[d];
  return true;
}

static bool lower_read(Lowering *l, MlirOperation op, const TtArg *arg) {
  MlirValue cb = shown_cb(mlirOperationGetOperand(op, 1));
  if (!tt_check_block_rank(op, mlirValueGetType(mlirOperationGetOperand(op, 1)))) return false;
  if (tt_is_null_value(cb)) split_buffer(op);
  MlirValue source = mlirOperationGetOperand(op, 0), target = mlirOperationGetOperand(op, 1);
  TtBlock block;
  Operands at;
  if (tt_is_null_value(cb) && !to_cb(l, op, target, arg, false, &cb)) return false;
  TtBuilder b = tt_builder_before(op);
  if (!block_of(l, &b, op, source, arg, &block, &at)) return false;
  tt_read_to_cb_create(&b, mlirOperationGetLocation(op), tt_view_root(source), at.n, at.data, cb,
                       partial_mark(l, &b, op, source, &block), tt_block_attr(&block, block.sizes),
                       tt_block_attr(&block, block.rows), tt_block_attr(&block, block.cols),
                       tt_is_strided(&block) ? tt_block_attr(&block, block.strides)
                                             : mlirAttributeGetNull(),
                       mlirAttributeGetNull(), mlirAttributeGetNull());
  mlirOperationDestroy(op);
  return true;
}

/* A shared buffer that one op in the block of its copy computes whole is the
 * output circular buffer itself. */
static bool is_output_buffer(MlirOperation op, MlirValue buffer, const TtArg *arg) {
  intptr_t writers = 0;
  MlirType type = mlirValueGetType(buffer);
  if (mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type))) return false;
  if (!mlirTypeEqual(mlirShapedTypeGetElementType(type), mlirShapedTypeGetElementType(arg->type)))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tt_op_eq(user, op)) continue;
    if (!tt_is_linalg(user) || tt_is_contraction(user) || tt_op_is(user, "linalg.fill") ||
        mlirOpOperandGetOperandNumber(use) < tt_linalg_num_inputs(user) ||
        !mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(op)))
      return false;
    ++writers;
  }
  return writers == 1;
}

/* Whether blocks that are read to `cb` are stored as tensor `arg` is, so that they may go there
 * as they are. */
static bool is_stored_alike(Lowering *l, MlirValue cb, const TtArg *arg) {
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation read = mlirOpOperandGetOwner(use);
    const TtArg *from =
        tt_read_to_cb_isa(read) ? tt_arg_of(l->args, tt_read_to_cb_tensor(read)) : NULL;
    if (!from) continue;
    return tt_buffer_attr_dtype(tt_named_attr(l->func, "buffer", from->name)) ==
           tt_buffer_attr_dtype(tt_named_attr(l->func, "buffer", arg->name));
  }
  return true;
}

/* Whether ops besides `op` take what `buffer` shows, or parts of it. */
static bool is_taken_besides(MlirOperation op, MlirValue buffer) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!tt_op_eq(mlirOpOperandGetOwner(use), op)) return true;
  return false;
}

static bool lower_write(Lowering *l, MlirOperation op, const TtArg *arg) {
  MlirValue source = mlirOperationGetOperand(op, 0), target = mlirOperationGetOperand(op, 1);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue cb = shown_cb(source);
  TtBlock block;
  Operands at;
  /* A block that the writer sends as it was read is for it alone. */
  if (!tt_is_null_value(cb) && (!is_stored_alike(l, cb, arg) || is_taken_besides(op, source)))
    cb = (MlirValue){NULL};
  if (tt_is_null_value(cb) && is_output_buffer(op, source, arg)) {
    if (!to_cb(l, op, source, arg, true, &cb)) return false;
  } else if (tt_is_null_value(cb)) {
    MlirType memref = mlirValueGetType(source), type;
    if (!tt_cb_type_of(op, memref, mlirShapedTypeGetElementType(arg->type), &type)) return false;
    TtBuilder top = tt_builder_at_start(tt_body(l->func));
    cb = alloc_cb(l, &top, loc, arg, true, type);
    MlirType view_type = tt_block_type(memref, mlirShapedTypeGetElementType(arg->type));
    MlirOperation view = tt_cb_view_create(&top, loc, view_type, cb);
    TtBuilder b = tt_builder_before(op);
    tt_linalg_copy(&b, loc, source, tt_cb_view_view(view));
  }
  TtBuilder b = tt_builder_before(op);
  if (!block_of(l, &b, op, target, arg, &block, &at)) return false;
  tt_write_from_cb_create(
      &b, loc, cb, tt_view_root(target), at.n, at.data, partial_mark(l, &b, op, target, &block),
      tt_block_attr(&block, block.sizes), tt_block_attr(&block, block.rows),
      tt_block_attr(&block, block.cols),
      tt_is_strided(&block) ? tt_block_attr(&block, block.strides) : mlirAttributeGetNull(),
      mlirAttributeGetNull());
  mlirOperationDestroy(op);
  return true;
}

static TtOps collect_copies(TtArena *arena, MlirOperation func) {
  TtOps all = tt_collect(arena, func, NULL), copies = {NULL, 0, 0};
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_is_copy(all.data[i])) tt_ops_add(arena, &copies, all.data[i]);
  return copies;
}

static bool lower(TtArena *arena, MlirOperation func) {
  TtSizes sizes = {NULL};
  Lowering l = {arena, func, tt_kernel_args(arena, func), &sizes, 0, 0};
  if (tt_collect(arena, func, "scf.forall").n > 0 ||
      mlirAttributeIsNull(tt_get_attr(func, "tt.partition_mode")))
    return tt_error(func, "the kernel is not partitioned: run --tt-stage-b "
                          "(--tt-grid-to-core-grid) first");
  for (intptr_t i = 0; i < l.args.n; ++i)
    if (l.args.data[i].is_tensor && !tt_cb_attr_isa(tt_named_attr(func, "cb", l.args.data[i].name)))
      return tt_error(func, "tensor '%s' has no tt.cb.%s: run --tt-propagate-layout first",
                      l.args.data[i].name, l.args.data[i].name);
  tt_expand_affine(arena, func);
  if (!tt_fix_sizes(arena, func, &sizes) || !tt_buffer_tensor_sums(arena, func, l.args) ||
      !buffer_tensors(&l))
    return false;
  TtOps ops = collect_copies(arena, func);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    const TtArg *from = tt_arg_of(l.args, mlirOperationGetOperand(op, 0));
    if (from && !lower_read(&l, op, from)) return false;
  }
  ops = collect_copies(arena, func);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    const TtArg *to = tt_arg_of(l.args, mlirOperationGetOperand(op, 1));
    if (to && !lower_write(&l, op, to)) return false;
  }
  tt_show_sizes(&sizes);
  tt_erase_dead(func);
  return true;
}

bool tt_run_lower_shared_to_cb(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, lower);
}
