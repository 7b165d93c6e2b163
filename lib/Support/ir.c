/*===- ir.c - asking and changing IR from C -----------------------------------===*/

#include "tilewright/ir.h"
#include "tilewright/dialects.h"

#include "mlir-c/Dialect/Func.h"

#include <string.h>

MlirStringRef tt_op_name(MlirOperation op) { return mlirIdentifierStr(mlirOperationGetName(op)); }

MlirAttribute tt_get_attr(MlirOperation op, const char *name) {
  return mlirOperationGetDiscardableAttributeByName(op, tt_str(name));
}

void tt_set_attr(MlirOperation op, const char *name, MlirAttribute attr) {
  mlirOperationSetDiscardableAttributeByName(op, tt_str(name), attr);
}

void tt_remove_attr(MlirOperation op, const char *name) {
  mlirOperationRemoveDiscardableAttributeByName(op, tt_str(name));
}

int64_t tt_int(MlirAttribute attr) { return mlirIntegerAttrGetValueInt(attr); }

MlirStringRef tt_string(MlirAttribute attr) {
  if (mlirAttributeIsNull(attr)) return (MlirStringRef){"", 0};
  return mlirAttributeIsAString(attr) ? mlirStringAttrGetValue(attr)
                                      : mlirFlatSymbolRefAttrGetValue(attr);
}

bool tt_is_null_value(MlirValue value) { return mlirValueIsNull(value); }

MlirOperation tt_parent(MlirOperation op) { return mlirOperationGetParentOperation(op); }

MlirOperation tt_defining_op(MlirValue value) {
  if (!mlirValueIsAOpResult(value)) return (MlirOperation){NULL};
  return mlirOpResultGetOwner(value);
}

MlirBlock tt_body(MlirOperation op) {
  if (mlirOperationGetNumRegions(op) == 0) return (MlirBlock){NULL};
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
}

MlirOperation tt_next(MlirOperation op) { return mlirOperationGetNextInBlock(op); }

MlirOperation tt_previous(MlirOperation op) {
  MlirOperation before = {NULL};
  for (MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op)); !tt_op_eq(at, op);
       at = tt_next(at))
    before = at;
  return before;
}

bool tt_is_terminator(MlirOperation op) {
  return tt_op_is(op, "scf.yield") || tt_op_is(op, "func.return") || tt_op_is(op, "tt.return") ||
         tt_op_is(op, "tt.yield") || tt_op_is(op, "scf.forall.in_parallel") ||
         tt_op_is(op, "linalg.yield");
}

bool tt_is_defined_in(MlirOperation op, MlirValue value) {
  MlirBlock block = mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetOwner(value)
                                                     : mlirOperationGetBlock(tt_defining_op(value));
  MlirOperation at = mlirBlockGetParentOperation(block);
  while (!mlirOperationIsNull(at) && !tt_op_eq(at, op)) at = tt_parent(at);
  return !mlirOperationIsNull(at);
}

MlirOperation tt_ancestor_in(MlirBlock block, MlirOperation op) {
  while (!mlirOperationIsNull(op) && !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = tt_parent(op);
  return op;
}

bool tt_is_before(MlirOperation a, MlirOperation b) { return mlirOperationIsBeforeInBlock(a, b); }

bool tt_value_eq(MlirValue a, MlirValue b) { return mlirValueEqual(a, b); }

bool tt_op_eq(MlirOperation a, MlirOperation b) { return mlirOperationEqual(a, b); }

bool tt_has_uses(MlirValue value) { return !mlirOpOperandIsNull(mlirValueGetFirstUse(value)); }

bool tt_constant(MlirValue value, int64_t *out) {
  MlirOperation op = tt_defining_op(value);
  if (!tt_op_is(op, "arith.constant")) return false;
  MlirAttribute attr = tt_op_attr(op, "value");
  if (!mlirAttributeIsAInteger(attr)) return false;
  return *out = tt_int(attr), true;
}

/*===- Walking --------------------------------------------------------------===*/

typedef struct Collection {
  TtArena *arena;
  const char *name; /* NULL: all */
  size_t length;
  MlirOperation root;
  bool outside; /* of functions */
  TtOps ops;
} Collection;

/* Whether such ops are functions, or stand beside them: no function has one inside. */
static bool stands_outside(const char *name) {
  static const char *const names[] = {"func.func",          "tt.program",   "tt.kernel",
                                      "tt.circular_buffer", "tt.semaphore", "tt.core_set"};
  for (size_t i = 0; name && i < sizeof names / sizeof *names; ++i)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

static MlirWalkResult collect(MlirOperation op, void *data) {
  Collection *c = data;
  if (tt_op_eq(op, c->root)) return MlirWalkResultAdvance;
  if (!c->name || tt_op_is_named(op, c->name, c->length)) tt_ops_add(c->arena, &c->ops, op);
  return c->outside && tt_is_function(op) ? MlirWalkResultSkip : MlirWalkResultAdvance;
}

TtOps tt_collect(TtArena *arena, MlirOperation root, const char *name) {
  Collection c = {.arena = arena, .name = name, .root = root};
  c.length = name ? strlen(name) : 0, c.outside = stands_outside(name);
  mlirOperationWalk(root, collect, &c, MlirWalkPreOrder);
  return c.ops;
}

static void erase_dead_in(MlirBlock block) {
  TtArena *arena = tt_arena_create();
  TtOps ops = {NULL, 0, 0};
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = tt_next(op))
    tt_ops_add(arena, &ops, op);
  for (intptr_t i = ops.n; i-- > 0;) { /* users before what they use */
    tt_erase_dead(ops.data[i]);
    if (tt_is_trivially_dead(ops.data[i])) mlirOperationDestroy(ops.data[i]);
  }
  tt_arena_destroy(arena);
}

void tt_erase_dead(MlirOperation root) {
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(root); ++i)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(root, i));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      erase_dead_in(block);
}

void tt_replace(MlirOperation op, MlirValue with) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), with);
  mlirOperationDestroy(op);
}

void tt_replace_in(TtArena *arena, MlirOperation op, MlirValue value, MlirValue with) {
  TtOps all = tt_collect(arena, op, NULL);
  tt_ops_add(arena, &all, op);
  for (intptr_t i = 0; i < all.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(all.data[i]); ++j)
      if (tt_value_eq(mlirOperationGetOperand(all.data[i], j), value))
        mlirOperationSetOperand(all.data[i], j, with);
}

/*===- Functions ------------------------------------------------------------===*/

bool tt_is_function(MlirOperation op) { return tt_op_is(op, "func.func") || tt_kernel_isa(op); }

bool tt_is_kernel(MlirOperation op) {
  return tt_op_is(op, "func.func") && !mlirAttributeIsNull(tt_get_attr(op, "tt.kernel")) &&
         !mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
}

TtOps tt_kernels(TtArena *arena, MlirOperation module) {
  TtOps all = tt_collect(arena, module, "func.func"), kernels = {NULL, 0, 0};
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_is_kernel(all.data[i])) tt_ops_add(arena, &kernels, all.data[i]);
  return kernels;
}

TtOps tt_hosts(TtArena *arena, MlirOperation module) {
  TtOps all = tt_collect(arena, module, "func.func"), hosts = {NULL, 0, 0};
  for (intptr_t i = 0; i < all.n; ++i)
    if (!mlirAttributeIsNull(tt_get_attr(all.data[i], "tt.host")))
      tt_ops_add(arena, &hosts, all.data[i]);
  return hosts;
}

intptr_t tt_num_args(MlirOperation func) { return mlirBlockGetNumArguments(tt_body(func)); }

MlirValue tt_arg(MlirOperation func, intptr_t i) { return mlirBlockGetArgument(tt_body(func), i); }

MlirAttribute tt_arg_attr(MlirOperation func, intptr_t i, const char *name) {
  MlirAttribute all = tt_op_attr(func, "arg_attrs");
  if (mlirAttributeIsNull(all) || i >= mlirArrayAttrGetNumElements(all))
    return mlirAttributeGetNull();
  return mlirDictionaryAttrGetElementByName(mlirArrayAttrGetElement(all, i), tt_str(name));
}

void tt_set_arg_attr(MlirOperation func, intptr_t i, const char *name, MlirAttribute attr) {
  mlirFuncSetArgAttr(func, i, tt_str(name), attr);
}

char *tt_arg_name(TtArena *arena, MlirOperation func, intptr_t i) {
  MlirAttribute name = tt_arg_attr(func, i, "tt.name");
  if (!mlirAttributeIsNull(name) && mlirAttributeIsAString(name))
    return tt_arena_str(arena, tt_string(name));
  return tt_arena_printf(arena, "arg%jd", (intmax_t)i);
}

MlirStringRef tt_symbol_name(MlirOperation op) { return tt_string(tt_op_attr(op, "sym_name")); }

MlirAttribute tt_named_attr(MlirOperation op, const char *kind, const char *name) {
  TtArena *arena = tt_arena_create();
  MlirAttribute attr = tt_get_attr(op, tt_arena_printf(arena, "tt.%s.%s", kind, name));
  tt_arena_destroy(arena);
  return attr;
}

void tt_set_named_attr(MlirOperation op, const char *kind, const char *name, MlirAttribute attr) {
  TtArena *arena = tt_arena_create();
  tt_set_attr(op, tt_arena_printf(arena, "tt.%s.%s", kind, name), attr);
  tt_arena_destroy(arena);
}

bool tt_is_memref(MlirType type) { return mlirTypeIsAMemRef(type); }

static void to_file(MlirStringRef text, void *file) { fwrite(text.data, 1, text.length, file); }

void tt_print(FILE *file, MlirOperation op) {
  mlirOperationPrint(op, to_file, file);
  fputc('\n', file);
}
