/*===- split_grids.c - --tt-split-grids ----------------------------------------------------===
 *
 * A kernel with several grids, one after the other, becomes a kernel each, and a host function
 * that calls them in order: nothing waits for all cores inside of a kernel.
 *
 *   before  func.func @f(%A, %C) attributes {tt.kernel} {
 *             scf.forall … { … %A … }   scf.forall … { … %A, %C … } }
 *   after   func.func @f_0(%A) attributes {tt.kernel} { scf.forall … }
 *           func.func @f_1(%A, %C) attributes {tt.kernel} { scf.forall … }
 *           func.func @f(%A, %C) attributes {tt.host} { call @f_0(%A)  call @f_1(%A, %C) }
 *
 * Each kernel gets the numbers and index arithmetic around the grids that it uses. A tensor
 * that the function allocates for several grids is one of the device, and so is a constant
 * (memref.get_global), for which a kernel of one grid gets a host function, too. A reshape whose
 * blocks are no boxes of its tensor (moved_views.c) is the host function's. Where a host function
 * of the module calls the kernel, it does itself what the new one would, which goes.
 *
 * Requires raised loops. Leaves at most one grid in a kernel.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Analysis/kernel.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/inline_text.h"
#include "Transforms/Raise/moved_views.h"

typedef struct Split {
  TtArena *arena;
  MlirOperation func;
  MlirContext context;
  TtOps grids, moved; /* views that the host function makes */
} Split;

/* The grids at the top of a kernel. */
static TtOps grids_of(TtArena *arena, MlirOperation func) {
  TtOps grids = {NULL, 0, 0};
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(func)); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (tt_op_is(op, "scf.forall")) tt_ops_add(arena, &grids, op);
  return grids;
}

/* How many grids use `value`, through views of it as well. */
static intptr_t grids_using(const Split *s, MlirValue value) {
  intptr_t n = 0;
  for (intptr_t i = 0; i < s->grids.n; ++i) {
    TtOps ops = tt_collect(s->arena, s->grids.data[i], NULL);
    bool used = false;
    for (intptr_t j = 0; !used && j < ops.n; ++j)
      for (intptr_t k = 0; !used && k < mlirOperationGetNumOperands(ops.data[j]); ++k) {
        MlirValue operand = mlirOperationGetOperand(ops.data[j], k);
        used = tt_is_memref(mlirValueGetType(operand)) && tt_value_eq(tt_view_root(operand), value);
      }
    n += used;
  }
  return n;
}

/* A buffer without a space that several grids use is a tensor of the device. One with a space is
 * each core's own, and each kernel gets one. */
static bool is_shared(const Split *s, MlirOperation op) {
  if (!tt_op_is(op, "memref.alloc")) return false;
  MlirValue buffer = mlirOperationGetResult(op, 0);
  return mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(mlirValueGetType(buffer))) &&
         grids_using(s, buffer) > 1;
}

/* A number that the host function can compute: of arguments, their sizes, and constants. */
static bool is_host_number(const Split *s, MlirValue value, int depth) {
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op))
    return mlirBlockEqual(mlirBlockArgumentGetOwner(value), tt_body(s->func));
  bool computes = tt_op_is(op, "arith.constant") || tt_op_is(op, "memref.dim") ||
                  tt_op_is(op, "affine.apply") || tt_op_is(op, "arith.addi") ||
                  tt_op_is(op, "arith.subi") || tt_op_is(op, "arith.muli");
  if (!computes || depth == 0) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!is_host_number(s, mlirOperationGetOperand(op, i), depth - 1)) return false;
  return true;
}

static bool has_host_sizes(const Split *s, MlirOperation alloc) {
  enum { LONGEST_CHAIN = 8 };
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(alloc); ++i)
    if (!is_host_number(s, mlirOperationGetOperand(alloc, i), LONGEST_CHAIN)) return false;
  return true;
}

/* Outside of the grids there may be what computes numbers, and buffers. */
static bool check_outside(Split *s) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(s->func)); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    bool works = tt_is_linalg(op) || tt_op_is(op, "memref.copy") || tt_op_is(op, "scf.for") ||
                 tt_op_is(op, "scf.if") || tt_op_is(op, "memref.store") ||
                 tt_op_is(op, "memref.load");
    if (works)
      return tt_error(op, "this runs between two grids, on no particular core; move it into one of "
                          "them, or into an scf.forall of its own");
    if (!is_shared(s, op)) continue;
    if (!has_host_sizes(s, op))
      return tt_error(op, "two grids share this buffer, which is a tensor of the device then, but "
                          "its size is none that the host can compute of its arguments; make it "
                          "an argument of the kernel");
  }
  return true;
}

/* A constant, or a view of one, which the host program loads. */
static bool is_weight(MlirOperation op) {
  bool view = tt_op_is(op, "memref.collapse_shape") || tt_op_is(op, "memref.expand_shape") ||
              tt_op_is(op, "memref.cast");
  return tt_op_is(op, "memref.get_global") ||
         (view && is_weight(tt_defining_op(mlirOperationGetOperand(op, 0))));
}

static bool is_moved(const Split *s, MlirOperation op) {
  for (intptr_t i = 0; i < s->moved.n; ++i)
    if (tt_op_eq(s->moved.data[i], op)) return true;
  return false;
}

/* Those buffers, constants and views, which become arguments of the kernels. */
static TtOps shared_buffers(Split *s) {
  TtOps shared = {NULL, 0, 0};
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(s->func)); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (is_shared(s, op) || is_weight(op) || is_moved(s, op)) tt_ops_add(s->arena, &shared, op);
  return shared;
}

static bool has_weights(MlirOperation func) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(func)); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (is_weight(op)) return true;
  return false;
}

/* A copy of the function in which only grid `keep` is left; `used` says which arguments it has.
 * Its name. */
static const char *make_kernel(Split *s, intptr_t keep, char *name, bool *used) {
  TtBuilder b = tt_builder_before(s->func);
  MlirOperation kernel = tt_builder_insert(&b, mlirOperationClone(s->func));
  TtOps grids = grids_of(s->arena, kernel);
  name = tt_take_grid_notes(s->arena, grids.data[keep], kernel, name);
  for (intptr_t i = 0; i < grids.n; ++i)
    if (i != keep) mlirOperationDestroy(grids.data[i]);
  tt_erase_dead(kernel);
  TtOps allocs = tt_collect(s->arena, kernel, "memref.alloc");
  for (intptr_t i = 0; i < allocs.n; ++i)
    if (!tt_has_uses(mlirOperationGetResult(allocs.data[i], 0)))
      mlirOperationDestroy(allocs.data[i]);
  mlirOperationSetInherentAttributeByName(kernel, tt_str("sym_name"),
                                          tt_string_attr(s->context, name));
  MlirBlock body = tt_body(kernel);
  MlirAttribute attrs = tt_op_attr(kernel, "arg_attrs");
  intptr_t n = mlirBlockGetNumArguments(body), kept = 0;
  MlirAttribute *left = tt_arena_alloc(s->arena, (size_t)(n + 1) * sizeof *left);
  MlirType *types = tt_arena_alloc(s->arena, (size_t)(n + 1) * sizeof *types);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue arg = mlirBlockGetArgument(body, kept);
    used[i] = tt_has_uses(arg);
    if (!used[i]) {
      mlirBlockEraseArgument(body, (unsigned)kept);
      continue;
    }
    types[kept] = mlirValueGetType(arg);
    left[kept++] = mlirAttributeIsNull(attrs) ? mlirDictionaryAttrGet(s->context, 0, NULL)
                                              : mlirArrayAttrGetElement(attrs, i);
  }
  MlirType type = mlirFunctionTypeGet(s->context, kept, types, 0, NULL);
  mlirOperationSetInherentAttributeByName(kernel, tt_str("function_type"), mlirTypeAttrGet(type));
  mlirOperationSetInherentAttributeByName(kernel, tt_str("arg_attrs"),
                                          mlirArrayAttrGet(s->context, kept, left));
  tt_keep_known_dims(s->arena, kernel);
  return name;
}

/* Makes shared buffers arguments of the function, at its end. */
static void pass_in(Split *s, TtOps shared) {
  intptr_t before = tt_num_args(s->func), n = before + shared.n;
  MlirType *types = tt_arena_alloc(s->arena, (size_t)(n + 1) * sizeof *types);
  MlirAttribute attrs = tt_op_attr(s->func, "arg_attrs"),
                *all = tt_arena_alloc(s->arena, (size_t)(n + 1) * sizeof *all);
  MlirBlock body = tt_body(s->func);
  intptr_t weights = 0, between = 0, views = 0;
  for (intptr_t i = 0; i < n; ++i) {
    all[i] = mlirAttributeIsNull(attrs) || i >= before ? mlirDictionaryAttrGet(s->context, 0, NULL)
                                                       : mlirArrayAttrGetElement(attrs, i);
    if (i >= before) {
      MlirOperation alloc = shared.data[i - before];
      MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
      bool moved = is_moved(s, alloc), weight = !moved && !tt_op_is(alloc, "memref.alloc");
      MlirNamedAttribute name = {
          mlirIdentifierGet(s->context, tt_str("tt.name")),
          tt_string_attr(s->context, tt_arena_printf(s->arena,
                                                     weight  ? "weight%jd"
                                                     : moved ? "view%jd"
                                                             : "between%jd",
                                                     (intmax_t)(weight  ? weights++
                                                                : moved ? views++
                                                                        : between++)))};
      all[i] = mlirDictionaryAttrGet(s->context, 1, &name);
      MlirValue arg = mlirBlockAddArgument(body, type, mlirOperationGetLocation(alloc));
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(alloc, 0), arg);
    }
    types[i] = mlirValueGetType(mlirBlockGetArgument(body, i));
  }
  MlirType type = mlirFunctionTypeGet(s->context, n, types, 0, NULL);
  mlirOperationSetInherentAttributeByName(s->func, tt_str("function_type"), mlirTypeAttrGet(type));
  mlirOperationSetInherentAttributeByName(s->func, tt_str("arg_attrs"),
                                          mlirArrayAttrGet(s->context, n, all));
}

static void call(Split *s, TtBuilder *b, const char *name, const bool *used, const MlirValue *args,
                 intptr_t n) {
  TtOpState c = tt_op_state("func.call", mlirOperationGetLocation(s->func));
  tt_op_state_attr(&c, s->context, "callee", mlirFlatSymbolRefAttrGet(s->context, tt_str(name)));
  for (intptr_t i = 0; i < n; ++i)
    if (used[i]) tt_op_state_operand(&c, args[i]);
  tt_builder_insert(b, tt_op_state_finish(&c));
}

/* `value`, a number of the function, computed before `in` of the host function that has `args`. */
static MlirValue copy_number(TtBuilder *in, MlirValue value, const MlirValue *args) {
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op)) return args[mlirBlockArgumentGetArgNumber(value)];
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i, copy_number(in, mlirOperationGetOperand(op, i), args));
  return mlirOperationGetResult(tt_builder_insert(in, copy), 0);
}

/* The host function: the arguments of the kernel and the shared buffers, which go to `args`; its
 * calls are made before its end. */
static MlirOperation make_host(Split *s, TtOps shared, MlirValue *args) {
  TtBuilder after = tt_builder_after(s->func);
  MlirOperation host = tt_builder_insert(&after, mlirOperationClone(s->func));
  MlirBlock body = tt_body(host);
  MlirOperation end = mlirBlockGetTerminator(body);
  TtOps old = {NULL, 0, 0};
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !tt_op_eq(op, end); op = tt_next(op))
    tt_ops_add(s->arena, &old, op);
  for (intptr_t i = old.n; i-- > 0;) mlirOperationDestroy(old.data[i]);
  intptr_t own = tt_num_args(s->func);
  TtBuilder in = tt_builder_before(end);
  for (intptr_t i = 0; i < own; ++i) args[i] = mlirBlockGetArgument(body, i);
  for (intptr_t i = 0; i < shared.n; ++i) {
    args[own + i] = (MlirValue){NULL};
    if (is_moved(s, shared.data[i])) continue; /* when what it is of has been written */
    MlirOperation copy = mlirOperationClone(shared.data[i]);
    for (intptr_t j = 0; tt_op_is(copy, "memref.alloc") && j < mlirOperationGetNumOperands(copy);
         ++j)
      mlirOperationSetOperand(copy, j, copy_number(&in, mlirOperationGetOperand(copy, j), args));
    tt_builder_insert(&in, copy);
    args[own + i] = mlirOperationGetResult(copy, 0);
    for (intptr_t j = 0; j < i; ++j) /* what a view is of */
      if (mlirOperationGetNumOperands(copy) > 0 &&
          tt_value_eq(mlirOperationGetOperand(copy, 0), mlirOperationGetResult(shared.data[j], 0)))
        mlirOperationSetOperand(copy, 0, args[own + j]);
  }
  for (intptr_t i = mlirOperationGetNumDiscardableAttributes(host); i-- > 0;) {
    MlirStringRef key = mlirIdentifierStr(mlirOperationGetDiscardableAttribute(host, i).name);
    mlirOperationRemoveDiscardableAttributeByName(host, key);
  }
  tt_set_attr(host, "tt.host", mlirUnitAttrGet(s->context));
  return host;
}

/* Makes views that a kernel is the first to take. Their tensors are arguments of the function now.
 */
static void make_views(Split *s, TtBuilder *b, TtOps shared, const bool *used, MlirValue *args) {
  intptr_t own = tt_num_args(s->func) - shared.n;
  for (intptr_t i = 0; i < shared.n; ++i) {
    if (!used[own + i] || !mlirValueIsNull(args[own + i])) continue;
    MlirValue of = mlirOperationGetOperand(shared.data[i], 0);
    MlirOperation copy = tt_builder_insert(b, mlirOperationClone(shared.data[i]));
    mlirOperationSetOperand(copy, 0, args[mlirBlockArgumentGetArgNumber(of)]);
    args[own + i] = mlirOperationGetResult(copy, 0);
  }
}

/* Has host functions that call `host` do what it does: none calls another. */
static void put_into_callers(TtArena *arena, MlirOperation module, MlirOperation host) {
  TtOps calls = tt_collect(arena, module, "func.call");
  bool called = false;
  for (intptr_t i = 0; i < calls.n; ++i) {
    MlirOperation call = calls.data[i];
    if (!tt_str_eq(tt_string(tt_op_attr(call, "callee")),
                   tt_arena_str(arena, tt_symbol_name(host))))
      continue;
    MlirOperation copy = mlirOperationClone(host);
    tt_inline_body(call, tt_body(copy));
    mlirOperationDestroy(copy);
    called = true;
  }
  if (called) mlirOperationDestroy(host);
}

static bool split(TtArena *arena, MlirOperation func) {
  Split s = {.arena = arena, .func = func, .context = mlirOperationGetContext(func)};
  s.grids = grids_of(arena, func);
  s.moved = tt_moved_views(arena, func, s.grids);
  if (s.grids.n < 2 && (s.grids.n == 0 || (!has_weights(func) && s.moved.n == 0))) return true;
  if (!check_outside(&s)) return false;
  TtOps shared = shared_buffers(&s);
  char *name = tt_arena_str(arena, tt_symbol_name(func));
  intptr_t n = tt_num_args(func) + shared.n;
  MlirValue *args = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *args);
  bool *used = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *used);
  MlirOperation host = make_host(&s, shared, args);
  TtBuilder in = tt_builder_at_terminator(tt_body(host));
  pass_in(&s, shared);
  for (intptr_t i = 0; i < s.grids.n; ++i) {
    char *otherwise = tt_arena_printf(arena, "%s_%jd", name, (intmax_t)i);
    const char *kernel = make_kernel(&s, i, otherwise, used);
    make_views(&s, &in, shared, used, args);
    call(&s, &in, kernel, used, args, n);
  }
  tt_erase_dead(host);
  MlirOperation module = tt_parent(func);
  mlirOperationDestroy(func);
  put_into_callers(arena, module, host);
  return true;
}

bool tt_run_split_grids(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  TtArena *arena = tt_arena_create();
  TtOps kernels = tt_kernels(arena, module);
  bool ok = true;
  for (intptr_t i = 0; ok && i < kernels.n; ++i) ok = split(arena, kernels.data[i]);
  tt_arena_destroy(arena);
  return ok;
}
