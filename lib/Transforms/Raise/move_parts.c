/*===- move_parts.c - --tt-move-parts --------------------------------------------------------===
 *
 * Parts of a core's buffers move by themselves, so that ops work on whole buffers:
 *
 *   of what is loaded     copy %A[%m, %k + 32], %t  f(%t)     in the place of a view of %s at [0,
 * 32] of what is stored     f(%x) outs(%t)  copy %t, %C[%m + %i]   where all of %s goes to %C[%m]
 * later of any other buffer   copy %s[0, 32], %t  f(%t)   and   f(%x) outs(%t)  copy %t, %s[0, 32]
 *
 * Requires raised loops and ops of two dimensions. Leaves views of a core's buffers in copies from
 * and to other buffers only.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/kept_dims.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/slices.h"
#include "Transforms/Tile/block.h"
#include "Transforms/Tile/lowering.h"

/* A part of a buffer: a memref.subview of constant size. */
typedef struct Part {
  MlirOperation view;
  MlirValue part, buffer;
  intptr_t rank; /* of the buffer */
  int64_t sizes[TT_MAX_RANK], steps[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK];
} Part;

static bool is_alloc(MlirOperation op) {
  return tt_op_is(op, "memref.alloc") || tt_op_is(op, "memref.alloca");
}

static bool is_part_of(MlirOperation view, Part *p) {
  if (!tt_op_is(view, "memref.subview") || !tt_subview_keeps(view, p->keeps)) return false;
  *p = (Part){.view = view,
              .part = mlirOperationGetResult(view, 0),
              .buffer = mlirOperationGetOperand(view, 0)};
  MlirAttribute sizes = tt_op_attr(view, "static_sizes"),
                strides = tt_op_attr(view, "static_strides");
  p->rank = mlirShapedTypeGetRank(mlirValueGetType(p->buffer));
  for (intptr_t d = 0; d < p->rank; ++d) {
    p->sizes[d] = mlirDenseI64ArrayGetElement(sizes, d);
    p->steps[d] = mlirDenseI64ArrayGetElement(strides, d);
    if (p->sizes[d] == INT64_MIN || p->steps[d] == INT64_MIN) return false;
  }
  return tt_subview_keeps(view, p->keeps) &&
         mlirShapedTypeHasStaticShape(mlirValueGetType(p->buffer));
}

/* The same part of `memref`, which has the shape of the buffer; made at `b`. */
static MlirValue same_part(TtBuilder *b, const Part *p, MlirValue memref) {
  MlirValue at[TT_MAX_RANK];
  for (intptr_t d = 0; d < p->rank; ++d) at[d] = tt_subview_offset(b, p->view, d);
  return tt_strided_subview(b, mlirOperationGetLocation(p->view), memref, at, p->sizes, p->steps,
                            p->keeps);
}

/* Whether it is a part of a buffer of open size, of which it takes all: that is copied as well. */
static bool is_open_part(MlirOperation view, Part *p) {
  if (!tt_op_is(view, "memref.subview") || !tt_subview_keeps(view, p->keeps)) return false;
  *p = (Part){.view = view,
              .part = mlirOperationGetResult(view, 0),
              .buffer = mlirOperationGetOperand(view, 0)};
  MlirAttribute sizes = tt_op_attr(view, "static_sizes");
  MlirType type = mlirValueGetType(p->buffer);
  bool open = false, part = false;
  for (intptr_t d = 0; d < mlirDenseArrayGetNumElements(sizes); ++d) {
    bool all = tt_takes_open_side(view, d);
    int64_t size = mlirDenseI64ArrayGetElement(sizes, d);
    if (!all && size == INT64_MIN) return false;
    open |= all, part |= !all && (size == 1 || size < mlirShapedTypeGetDimSize(type, d));
  }
  return open && part;
}

/* A buffer of the part's shape. */
static MlirValue own_buffer(TtBuilder *b, const Part *p) {
  MlirType type = mlirValueGetType(p->part);
  MlirLocation loc = mlirOperationGetLocation(p->view);
  int64_t shape[TT_MAX_RANK];
  int32_t open = 0;
  TtOpState s = tt_op_state("memref.alloc", loc);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    shape[d] = mlirShapedTypeGetDimSize(type, d);
    if (!mlirShapedTypeIsDynamicDim(type, d)) continue;
    tt_op_state_operand(&s, tt_dynamic_size(b, loc, p->part, d)), ++open;
  }
  tt_op_state_attr(&s, b->context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b->context, 2, (int32_t[]){open, 0}));
  tt_op_state_result(&s, mlirMemRefTypeContiguousGet(
                             mlirShapedTypeGetElementType(type), mlirShapedTypeGetRank(type), shape,
                             mlirMemRefTypeGetMemorySpace(mlirValueGetType(p->buffer))));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* A part of what is converted as it moves is converted by itself. */
static MlirOperation copy(TtBuilder *b, MlirLocation loc, MlirValue from, MlirValue to) {
  if (!mlirTypeEqual(mlirShapedTypeGetElementType(mlirValueGetType(from)),
                     mlirShapedTypeGetElementType(mlirValueGetType(to))))
    return tt_linalg_copy(b, loc, from, to);
  TtOpState s = tt_op_state("memref.copy", loc);
  tt_op_state_operand(&s, from);
  tt_op_state_operand(&s, to);
  return tt_builder_insert(b, tt_op_state_finish(&s));
}

static bool is_output(MlirOperation op, intptr_t i) {
  return i >= (tt_is_copy(op) ? 1 : tt_linalg_num_inputs(op));
}

static bool works(MlirOperation op) { return tt_is_linalg(op) || tt_is_copy(op); }

/*===- What is done with a buffer -----------------------------------------------------------===*/

/* The ops on a buffer, through views as well, in order: those that write to it, where `writes`, or
 * else those that read it. `*known` is false where others use it. */
static TtOps users_of(TtArena *arena, MlirOperation kernel, MlirValue buffer, bool writes,
                      bool *known) {
  TtOps all = tt_collect(arena, kernel, NULL), users = {NULL, 0, 0};
  *known = true;
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = all.data[i];
    bool view = mlirOperationGetNumResults(op) == 1 &&
                tt_is_memref(mlirValueGetType(mlirOperationGetResult(op, 0)));
    for (intptr_t j = 0; !view && j < mlirOperationGetNumOperands(op); ++j) {
      MlirValue operand = mlirOperationGetOperand(op, j);
      if (!tt_is_memref(mlirValueGetType(operand)) || !tt_value_eq(tt_view_root(operand), buffer))
        continue;
      if (!works(op)) {
        *known &= tt_op_is(op, "memref.dealloc");
      } else if (is_output(op, j) == writes) {
        tt_ops_add(arena, &users, op);
        break;
      }
    }
  }
  return users;
}

static bool is_tensor(MlirOperation kernel, MlirValue memref) {
  MlirValue root = tt_view_root(memref);
  return mlirValueIsABlockArgument(root) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(root), tt_body(kernel));
}

/* Whether `op` is in a loop or branch that is not around `at`. */
static bool is_around(MlirOperation op, MlirOperation at) {
  return !mlirOperationIsNull(tt_ancestor_in(mlirOperationGetBlock(op), at));
}

/* Whether `writer`, which may run after `load` and before `reader`, is between them: after `load`
 * in the order of the program and before `reader`, or in a loop around `reader` that `load` is not
 * in. */
static bool is_between(MlirOperation load, MlirOperation writer, MlirOperation reader) {
  MlirBlock block = mlirOperationGetBlock(load);
  MlirOperation at = tt_ancestor_in(block, reader), other = tt_ancestor_in(block, writer);
  if (mlirOperationIsNull(other)) return false; /* the load comes anew after it */
  if (tt_op_eq(at, other)) return true;
  return tt_is_before(load, other) && tt_is_before(other, at);
}

/* The copy from a tensor whose values `reader` finds in the buffer; null where there is no one. */
static MlirOperation load_of(MlirOperation kernel, TtOps writers, MlirValue buffer,
                             MlirOperation reader) {
  MlirOperation load = {NULL};
  for (intptr_t i = 0; i < writers.n; ++i) {
    MlirOperation op = writers.data[i];
    MlirOperation at = tt_ancestor_in(mlirOperationGetBlock(op), reader);
    bool before = is_around(op, reader) && !tt_op_eq(at, op) && tt_is_before(op, at);
    bool whole = tt_is_copy(op) && tt_value_eq(mlirOperationGetOperand(op, 1), buffer) &&
                 is_tensor(kernel, mlirOperationGetOperand(op, 0));
    if (before && whole) load = op;
  }
  for (intptr_t i = 0; !mlirOperationIsNull(load) && i < writers.n; ++i)
    if (!tt_op_eq(writers.data[i], load) && is_between(load, writers.data[i], reader))
      return (MlirOperation){NULL};
  return load;
}

/*===- Parts of what is loaded --------------------------------------------------------------===*/

static bool is_only_read(MlirValue part) {
  for (MlirOpOperand use = mlirValueGetFirstUse(part); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!works(mlirOpOperandGetOwner(use)) ||
        is_output(mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use)))
      return false;
  return tt_has_uses(part);
}

/* The load that all readers of the part see. */
static MlirOperation common_load(TtArena *arena, MlirOperation kernel, const Part *p) {
  MlirOperation load = {NULL}, none = {NULL};
  bool known;
  TtOps writers = users_of(arena, kernel, p->buffer, true, &known);
  if (!known) return none;
  for (MlirOpOperand use = mlirValueGetFirstUse(p->part); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation own = load_of(kernel, writers, p->buffer, mlirOpOperandGetOwner(use));
    if (mlirOperationIsNull(own) || (!mlirOperationIsNull(load) && !tt_op_eq(own, load)))
      return none;
    load = own;
  }
  return load;
}

/* A buffer of which only parts were read is not loaded any more. */
static void drop_loads(TtArena *arena, MlirOperation kernel, MlirValue buffer) {
  bool known;
  TtOps readers = users_of(arena, kernel, buffer, false, &known);
  TtOps writers = users_of(arena, kernel, buffer, true, &known);
  for (intptr_t i = 0; i < writers.n && readers.n == 0; ++i)
    if (tt_is_copy(writers.data[i]) &&
        tt_value_eq(mlirOperationGetOperand(writers.data[i], 1), buffer))
      mlirOperationDestroy(writers.data[i]);
}

static void load_part(TtArena *arena, MlirOperation kernel, const Part *p) {
  if (!is_only_read(p->part)) return;
  MlirOperation load = common_load(arena, kernel, p);
  if (mlirOperationIsNull(load)) return;
  /* Behind the load and where the place of the part is known. */
  MlirOperation at = tt_ancestor_in(mlirOperationGetBlock(load), p->view);
  bool fixed = mlirOperationGetNumOperands(p->view) == 1;
  bool later = !fixed && !mlirOperationIsNull(at) && tt_is_before(load, at);
  TtBuilder b = later ? tt_builder_before(p->view) : tt_builder_after(load);
  if (!fixed && !later && (mlirOperationIsNull(at) || !tt_is_before(at, load))) return;
  MlirValue own = own_buffer(&b, p);
  copy(&b, mlirOperationGetLocation(p->view), same_part(&b, p, mlirOperationGetOperand(load, 0)),
       own);
  tt_replace(p->view, own);
  drop_loads(arena, kernel, p->buffer);
}

/*===- Parts of what is stored --------------------------------------------------------------===*/

/* Whether `value` is there before `op` runs, through the views that it is made of. */
static bool is_known_before(MlirValue value, MlirOperation op) {
  MlirOperation def = tt_defining_op(value);
  if (mlirOperationIsNull(def)) { /* an argument of a block around */
    MlirBlock owner = mlirBlockArgumentGetOwner(value);
    return !mlirOperationIsNull(tt_ancestor_in(owner, op));
  }
  MlirOperation at = tt_ancestor_in(mlirOperationGetBlock(def), op);
  return !mlirOperationIsNull(at) && !tt_op_eq(at, def) && tt_is_before(def, at);
}

/* `view` as it is before `op`: made again there, where it is made later; null where it cannot. */
static MlirValue view_before(MlirValue view, MlirOperation op) {
  MlirValue none = {NULL};
  if (is_known_before(view, op)) return view;
  MlirOperation def = tt_defining_op(view);
  if (!tt_op_is(def, "memref.subview") && !tt_op_is(def, "memref.cast")) return none;
  MlirValue source = view_before(mlirOperationGetOperand(def, 0), op);
  if (tt_is_null_value(source)) return none;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(def); ++i)
    if (!is_known_before(mlirOperationGetOperand(def, i), op)) return none;
  TtBuilder b = tt_builder_before(op);
  MlirOperation again = tt_builder_insert(&b, mlirOperationClone(def));
  mlirOperationSetOperand(again, 0, source);
  return mlirOperationGetResult(again, 0);
}

/* The one copy of all of a buffer, to a tensor, that is the only op which reads it and comes after
 * all that write to it; null where there is none. */
static MlirOperation store_of(TtArena *arena, MlirOperation kernel, MlirValue buffer) {
  MlirOperation none = {NULL};
  bool known;
  TtOps readers = users_of(arena, kernel, buffer, false, &known);
  if (!known || readers.n != 1 || !tt_is_copy(readers.data[0])) return none;
  MlirOperation store = readers.data[0];
  if (!tt_value_eq(mlirOperationGetOperand(store, 0), buffer) ||
      !is_tensor(kernel, mlirOperationGetOperand(store, 1)) ||
      !mlirTypeEqual(
          mlirShapedTypeGetElementType(mlirValueGetType(buffer)),
          mlirShapedTypeGetElementType(mlirValueGetType(mlirOperationGetOperand(store, 1)))))
    return none;
  TtOps writers = users_of(arena, kernel, buffer, true, &known);
  for (intptr_t i = 0; i < writers.n; ++i) {
    MlirOperation at = tt_ancestor_in(mlirOperationGetBlock(store), writers.data[i]);
    if (mlirOperationIsNull(at) || !tt_is_before(at, store)) return none;
  }
  return store;
}

/* Whether op `op` needs what is in `value` before: it reads an output. */
static bool reads_outputs(MlirOperation op) {
  if (tt_is_copy(op) || tt_op_is(op, "linalg.fill")) return false;
  if (tt_is_contraction(op) || tt_is_reduction(op) || mlirOperationGetNumRegions(op) != 1)
    return true;
  intptr_t inputs = tt_linalg_num_inputs(op), n = mlirOperationGetNumOperands(op);
  for (intptr_t i = inputs; i < n; ++i)
    if (tt_reads_output(op, i - inputs)) return true;
  return false;
}

/* All that `buffer` is for is to be stored: what writes parts of it writes to the tensor. */
static bool store_parts(TtArena *arena, MlirOperation kernel, MlirOperation alloc) {
  MlirValue buffer = mlirOperationGetResult(alloc, 0);
  MlirOperation store = store_of(arena, kernel, buffer);
  TtOps views = {NULL, 0, 0};
  if (mlirOperationIsNull(store)) return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation view = mlirOpOperandGetOwner(use);
    Part p;
    if (tt_op_eq(view, store)) continue;
    if (!is_part_of(view, &p)) return false;
    for (MlirOpOperand by = mlirValueGetFirstUse(p.part); !mlirOpOperandIsNull(by);
         by = mlirOpOperandGetNextUse(by))
      if (!works(mlirOpOperandGetOwner(by)) || reads_outputs(mlirOpOperandGetOwner(by)))
        return false;
    tt_ops_add(arena, &views, view);
  }
  if (views.n == 0) return false;
  MlirValue target = view_before(mlirOperationGetOperand(store, 1), alloc);
  if (tt_is_null_value(target)) return false;
  for (intptr_t i = 0; i < views.n; ++i) {
    Part p;
    TtBuilder b = tt_builder_before(views.data[i]);
    if (is_part_of(views.data[i], &p)) tt_replace(p.view, same_part(&b, &p, target));
  }
  mlirOperationDestroy(store);
  return true;
}

/*===- Parts of other buffers ---------------------------------------------------------------===*/

/* A copy between a part and a whole buffer of the core. */
static bool is_plain(MlirOperation op, MlirValue part) {
  if (!tt_is_copy(op)) return false;
  MlirValue other = mlirOperationGetOperand(op, tt_value_eq(mlirOperationGetOperand(op, 0), part));
  return is_alloc(tt_defining_op(other)) &&
         mlirTypeEqual(mlirShapedTypeGetElementType(mlirValueGetType(other)),
                       mlirShapedTypeGetElementType(mlirValueGetType(part)));
}

/* Gives `op` a buffer for the part, which is copied before and after it. */
static void copy_part(const Part *p, MlirOperation op) {
  TtBuilder before = tt_builder_before(op), after = tt_builder_after(op);
  MlirLocation loc = mlirOperationGetLocation(p->view);
  MlirValue own = own_buffer(&before, p);
  bool reads = false, writes = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (!tt_value_eq(mlirOperationGetOperand(op, i), p->part)) continue;
    writes |= is_output(op, i), reads |= !is_output(op, i) || reads_outputs(op);
    mlirOperationSetOperand(op, i, own);
  }
  if (reads) copy(&before, loc, p->part, own);
  if (writes) copy(&after, loc, own, p->part);
}

static void copy_parts(TtArena *arena, MlirOperation kernel, const Part *p) {
  TtOps all = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = all.data[i];
    bool uses = false;
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j)
      uses |= tt_value_eq(mlirOperationGetOperand(op, j), p->part);
    if (uses && works(op) && !is_plain(op, p->part)) copy_part(p, op);
  }
}

/* A part of a part is a part of the buffer. */
static void compose(MlirOperation view) {
  Part outer, inner;
  if (!is_part_of(view, &outer) || !is_part_of(tt_defining_op(outer.buffer), &inner)) return;
  if (!is_alloc(tt_defining_op(tt_view_root(outer.buffer)))) return;
  TtBuilder b = tt_builder_before(view);
  MlirLocation loc = mlirOperationGetLocation(view);
  MlirValue at[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK];
  for (intptr_t d = 0, own = 0; d < inner.rank; ++d) {
    at[d] = tt_subview_offset(&b, inner.view, d), keeps[d] = false;
    if (!inner.keeps[d]) continue;
    MlirValue more = tt_subview_offset(&b, view, own), step = tt_index(&b, loc, inner.steps[d]);
    at[d] = tt_add(&b, loc, at[d], tt_mul(&b, loc, more, step));
    inner.sizes[d] = outer.sizes[own], inner.steps[d] *= outer.steps[own];
    keeps[d] = outer.keeps[own], ++own;
  }
  tt_replace(view, tt_strided_subview(&b, loc, inner.buffer, at, inner.sizes, inner.steps, keeps));
}

static bool run(TtArena *arena, MlirOperation kernel) {
  TtOps views = tt_collect(arena, kernel, "memref.subview");
  for (intptr_t i = 0; i < views.n; ++i) compose(views.data[i]);
  tt_erase_dead(kernel);
  TtOps allocs = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < allocs.n; ++i)
    if (is_alloc(allocs.data[i])) store_parts(arena, kernel, allocs.data[i]);
  views = tt_collect(arena, kernel, "memref.subview");
  for (int step = 0; step < 2; ++step, views = tt_collect(arena, kernel, "memref.subview"))
    for (intptr_t i = 0; i < views.n; ++i) {
      Part p;
      bool part = is_part_of(views.data[i], &p);
      if (!part && !(step == 1 && is_open_part(views.data[i], &p))) continue;
      if (!is_alloc(tt_defining_op(p.buffer))) continue;
      if (step == 0) load_part(arena, kernel, &p);
      else copy_parts(arena, kernel, &p);
    }
  tt_erase_dead(kernel);
  return true;
}

bool tt_run_move_parts(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, run);
}
