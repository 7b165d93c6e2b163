/*===- separate_buffers.c - --tt-separate-buffers ------------------------------------------===
 *
 * Gives each value of a core's buffer that has nothing to do with the one before a buffer of its
 * own, and each buffer a value before it is looked at.
 *
 *   loaded again        for … { copy %a, %s  f(%s) }  for … { copy %b, %s'  g(%s') }
 *   filled in branches,
 *   or in a loop and    linalg.fill 0 outs(%s)  if %c { copy %a, %s } else { copy %b, %s }  f(%s)
 *   read after it
 *   filled by a choice
 *   by indices          the same, where it begins as that: a triangle that loops over elements make
 *   never read          dropped, with a warning
 *
 * Requires raised loops. Leaves buffers whose first op, in the innermost block around all ops on
 * them, gives them a value.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/kernel.h"
#include "Passes/passes_decl.h"
#include "Transforms/Tile/block.h"
#include "Transforms/Tile/lowering.h"

typedef struct Use {
  MlirOperation op;
  bool reads, writes;
} Use;

typedef struct Uses {
  Use *data;
  intptr_t n;
  bool known; /* no other ops */
} Uses;

/*===- What ops do ----------------------------------------------------------------------------===*/

static bool uses_value(MlirOperation op, MlirValue buffer) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (tt_is_memref(mlirValueGetType(operand)) && tt_value_eq(tt_view_root(operand), buffer))
      return true;
  }
  return false;
}

/* What a linalg op or a copy does with `buffer`; `writes` only where it gives all of it. */
static Use use_of(MlirOperation op, MlirValue buffer) {
  Use use = {op, false, false};
  bool copy = tt_is_copy(op);
  intptr_t inputs = copy ? 1 : tt_linalg_num_inputs(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!tt_is_memref(mlirValueGetType(operand)) || !tt_value_eq(tt_view_root(operand), buffer))
      continue;
    if (i < inputs) use.reads = true;
    else {
      use.writes = true;
      bool plain = copy || tt_op_is(op, "linalg.fill");
      use.reads |= !tt_value_eq(operand, buffer) || tt_is_contraction(op) ||
                   (!plain && (mlirOperationGetNumRegions(op) != 1 || tt_is_reduction(op) ||
                               tt_reads_output(op, i - inputs)));
    }
  }
  return use;
}

/* The ops on a buffer, through views as well, in order. */
static Uses uses_of(TtArena *arena, MlirOperation kernel, MlirValue buffer) {
  TtOps all = tt_collect(arena, kernel, NULL);
  Uses uses = {tt_arena_alloc(arena, (size_t)(all.n + 1) * sizeof(Use)), 0, true};
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = all.data[i];
    MlirValue result =
        mlirOperationGetNumResults(op) == 1 ? mlirOperationGetResult(op, 0) : (MlirValue){NULL};
    bool view = !tt_is_null_value(result) && tt_is_memref(mlirValueGetType(result)) &&
                !tt_value_eq(tt_view_root(result), result); /* loops and choices are none */
    if (view || !uses_value(op, buffer)) continue;
    if (tt_is_copy(op) || tt_is_linalg(op)) uses.data[uses.n++] = use_of(op, buffer);
    else uses.known = tt_op_is(op, "memref.dealloc") && uses.known;
  }
  return uses;
}

/* The innermost block that holds all uses. */
static MlirBlock block_of(const Uses *uses) {
  MlirBlock block = mlirOperationGetBlock(uses->data[0].op);
  for (intptr_t i = 1; i < uses->n; ++i)
    while (mlirOperationIsNull(tt_ancestor_in(block, uses->data[i].op)))
      block = mlirOperationGetBlock(mlirBlockGetParentOperation(block));
  return block;
}

static TtOps allocs_of(TtArena *arena, MlirOperation kernel) {
  TtOps allocs = tt_collect(arena, kernel, "memref.alloc");
  TtOps more = tt_collect(arena, kernel, "memref.alloca");
  for (intptr_t i = 0; i < more.n; ++i) tt_ops_add(arena, &allocs, more.data[i]);
  return allocs;
}

/*===- Buffers that nobody reads --------------------------------------------------------------===*/

/* Drops a buffer that is never read but to compute itself, and what is computed for it alone. False
 * where it stays. */
static bool drop_unread(TtArena *arena, MlirOperation kernel, MlirOperation alloc, bool warns) {
  MlirValue buffer = mlirOperationGetResult(alloc, 0);
  Uses uses = uses_of(arena, kernel, buffer);
  if (!uses.known) return false;
  for (intptr_t i = 0; i < uses.n; ++i) {
    MlirOperation op = uses.data[i].op;
    intptr_t inputs = tt_is_copy(op) ? 1 : tt_linalg_num_inputs(op);
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j) {
      MlirValue operand = mlirOperationGetOperand(op, j);
      bool own =
          tt_is_memref(mlirValueGetType(operand)) && tt_value_eq(tt_view_root(operand), buffer);
      if (j >= inputs && !own) return false; /* another one is written, perhaps of it */
    }
  }
  if (uses.n > 0 && warns)
    tt_warning(alloc, "this buffer is written, but never read; it is dropped, and what is computed "
                      "for it");
  for (intptr_t i = 0; i < uses.n; ++i) mlirOperationDestroy(uses.data[i].op);
  tt_erase_dead(kernel);
  TtOps left = allocs_of(arena, kernel);
  for (intptr_t i = 0; i < left.n; ++i) {
    if (!tt_op_eq(left.data[i], alloc)) continue;
    if (tt_has_uses(buffer)) return false;
    mlirOperationDestroy(alloc);
    break;
  }
  return true;
}

/*===- Values of their own --------------------------------------------------------------------===*/

static MlirValue alloc_like(MlirOperation alloc, MlirOperation before) {
  TtBuilder b = tt_builder_before(before);
  MlirOperation copy = tt_builder_insert(&b, mlirOperationClone(alloc));
  return mlirOperationGetResult(copy, 0);
}

/* Whether a use gives the buffer a value that does not come from the one before. */
static bool is_start(const Use *use) { return use->writes && !use->reads; }

/* Whether child `at` of the common block starts with a value of its own: the op itself, or the
 * first one right in the body of a loop. */
static bool starts(MlirOperation at, const Use *first) {
  if (!is_start(first)) return false;
  if (tt_op_eq(at, first->op)) return true;
  return tt_op_is(at, "scf.for") &&
         mlirBlockEqual(mlirOperationGetBlock(first->op), tt_for_body(at));
}

static bool loads_tensor(MlirOperation kernel, MlirOperation op) {
  if (!tt_is_copy(op)) return false;
  MlirValue root = tt_view_root(mlirOperationGetOperand(op, 0));
  return mlirValueIsABlockArgument(root) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(root), tt_body(kernel));
}

/* Later values go to buffers of their own, where the block starts with one. */
static void separate(TtArena *arena, MlirOperation kernel, MlirOperation alloc) {
  MlirValue buffer = mlirOperationGetResult(alloc, 0), own = buffer;
  Uses uses = uses_of(arena, kernel, buffer);
  intptr_t loads = 0;
  for (intptr_t i = 0; i < uses.n; ++i)
    loads += uses.data[i].writes && loads_tensor(kernel, uses.data[i].op);
  if (!uses.known || loads < 2 || mlirOperationGetNumOperands(alloc) > 0) return;
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!tt_is_linalg(mlirOpOperandGetOwner(use)) && !tt_is_copy(mlirOpOperandGetOwner(use)))
      return; /* views of it */
  MlirBlock block = block_of(&uses);
  MlirOperation last = {NULL};
  for (intptr_t i = 0; i < uses.n; ++i) {
    MlirOperation at = tt_ancestor_in(block, uses.data[i].op);
    bool next = !tt_op_eq(at, last), fresh = next && starts(at, &uses.data[i]);
    if (i == 0 && !fresh) return;
    if (i > 0 && fresh) own = alloc_like(alloc, at);
    last = at;
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(uses.data[i].op); ++j)
      if (tt_value_eq(mlirOperationGetOperand(uses.data[i].op, j), buffer))
        mlirOperationSetOperand(uses.data[i].op, j, own);
  }
}

/* Whether two views of one buffer are of the same part. */
static bool same_part(MlirOperation a, MlirOperation b) {
  static const char *const fields[] = {"static_offsets", "static_sizes", "static_strides"};
  intptr_t n = mlirOperationGetNumOperands(a);
  bool same = tt_op_is(b, "memref.subview") && mlirOperationGetNumOperands(b) == n;
  for (size_t i = 0; same && i < sizeof fields / sizeof *fields; ++i)
    same = mlirAttributeEqual(tt_op_attr(a, fields[i]), tt_op_attr(b, fields[i]));
  for (intptr_t i = 0; same && i < n; ++i)
    same = tt_value_eq(mlirOperationGetOperand(a, i), mlirOperationGetOperand(b, i));
  return same;
}

/* Whether a copy gives a part of a buffer its value, of which others see more than that: what is
 * ragged is seen through one view, or several of the same part. */
static bool fills_part(const Use *use, MlirValue buffer) {
  if (!use->writes || !tt_is_copy(use->op)) return false;
  MlirOperation view = tt_defining_op(mlirOperationGetOperand(use->op, 1));
  if (!tt_op_is(view, "memref.subview")) return false;
  for (MlirOpOperand other = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(other);
       other = mlirOpOperandGetNextUse(other))
    if (!same_part(view, mlirOpOperandGetOwner(other))) return true;
  return false;
}

/* Whether `value`, in a body, is made of the indices of loops alone. */
static bool is_of_indices(MlirBlock body, MlirValue value, int depth) {
  enum { DEEPEST = 12 };
  if (mlirValueIsABlockArgument(value))
    return !mlirBlockEqual(mlirBlockArgumentGetOwner(value), body);
  MlirOperation op = tt_defining_op(value);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), body)) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (depth == DEEPEST || !is_of_indices(body, mlirOperationGetOperand(op, i), depth + 1))
      return false;
  return true;
}

/* Whether an op gives a region of the buffer its value, as a triangle of it, by a choice between
 * that and what it holds: what lies outside may be anything. */
static bool fills_region(const Use *use, MlirValue buffer) {
  MlirOperation op = use->op;
  if (!use->writes || !tt_is_linalg(op) || mlirOperationGetNumRegions(op) != 1 ||
      tt_is_reduction(op))
    return false;
  MlirBlock body = tt_body(op);
  MlirOperation yield = mlirBlockGetTerminator(body);
  intptr_t inputs = tt_linalg_num_inputs(op), n = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!tt_value_eq(operand, buffer)) continue;
    if (i < inputs) return false;
    MlirValue old = mlirBlockGetArgument(body, i),
              made = mlirOperationGetOperand(yield, i - inputs);
    MlirOpOperand one = mlirValueGetFirstUse(old);
    MlirOperation choice = tt_defining_op(made);
    if (mlirOpOperandIsNull(one) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(one)) ||
        !tt_op_is(choice, "arith.select") || !tt_op_eq(mlirOpOperandGetOwner(one), choice) ||
        mlirOpOperandGetOperandNumber(one) == 0 ||
        !is_of_indices(body, mlirOperationGetOperand(choice, 0), 0))
      return false;
  }
  return true;
}

/* A buffer whose first value comes in a loop or branch, and that is looked at outside of it, or in
 * parts, or only in a region, holds zeros before. */
static void start_with_zeros(TtArena *arena, MlirOperation kernel, MlirOperation alloc) {
  MlirValue buffer = mlirOperationGetResult(alloc, 0);
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(buffer));
  Uses uses = uses_of(arena, kernel, buffer);
  if (!uses.known || uses.n < 2 || mlirOperationGetNumOperands(alloc) > 0) return;
  bool any = false; /* else it is an error, which is said later */
  for (intptr_t i = 0; i < uses.n; ++i) any |= uses.data[i].writes;
  if (!any) return;
  MlirBlock block = block_of(&uses);
  MlirOperation first = tt_ancestor_in(block, uses.data[0].op);
  bool inside = !tt_op_eq(first, uses.data[0].op) || fills_part(&uses.data[0], buffer) ||
                fills_region(&uses.data[0], buffer);
  if (!inside || (!mlirTypeIsAFloat(element) && !mlirTypeIsAInteger(element))) return;
  TtBuilder b = tt_builder_before(first);
  MlirLocation loc = mlirOperationGetLocation(alloc);
  tt_named_op(&b, loc, "linalg.fill", 1, (MlirValue[]){tt_zero(&b, loc, element), buffer});
}

static void drop_all_unread(TtArena *arena, MlirOperation kernel, bool warns) {
  for (bool again = true; again;) { /* what a dropped one was computed of may be unread now */
    TtOps allocs = allocs_of(arena, kernel);
    again = false;
    for (intptr_t i = 0; i < allocs.n && !again; ++i)
      again = drop_unread(arena, kernel, allocs.data[i], warns);
  }
}

static bool run(TtArena *arena, MlirOperation kernel) {
  drop_all_unread(arena, kernel, true);
  TtOps allocs = allocs_of(arena, kernel);
  for (intptr_t i = 0; i < allocs.n; ++i) separate(arena, kernel, allocs.data[i]);
  allocs = allocs_of(arena, kernel);
  for (intptr_t i = 0; i < allocs.n; ++i) start_with_zeros(arena, kernel, allocs.data[i]);
  return true;
}

bool tt_run_separate_buffers(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, run);
}
