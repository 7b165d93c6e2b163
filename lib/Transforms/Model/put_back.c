/*===- put_back.c - --tt-put-back -------------------------------------------------------------===
 *
 * What --tt-set-aside took out of the module stands in it again, before what has become of the
 * models.
 *
 *   before  module attributes {tt.aside = "…"} { func.func @f(…) attributes {tt.host} { … } }
 *   after   func.func @silu(%x: tensor<…>) -> tensor<…> { … }
 *           func.func @f(…) attributes {tt.host} { … }
 *
 * A kernel or constant that was made meanwhile, and has the name of one that comes back, gets
 * another one.
 *
 * Requires --tt-set-aside; without its attribute nothing changes.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/model.h"

#include "mlir-c/Support.h"

#include <stdlib.h>

enum { ALIGNED = 64 }; /* what bytecode may ask of the memory that it is read from */

static MlirModule read_aside(MlirOperation module, MlirStringRef bytes) {
  size_t room = (bytes.length + ALIGNED) / ALIGNED * ALIGNED;
  char *copy = aligned_alloc(ALIGNED, room);
  MlirModule aside = {NULL};
  if (!copy) return aside;
  memcpy(copy, bytes.data, bytes.length);
  aside =
      mlirModuleCreateParse(mlirOperationGetContext(module), (MlirStringRef){copy, bytes.length});
  free(copy);
  return aside;
}

static bool is_taken(MlirOperation module, const char *name) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(module)); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (tt_str_eq(tt_symbol_name(op), name)) return true;
  return false;
}

/* Whatever in the module has the name of `op` of `aside` is called otherwise from here on. */
static void make_room(TtArena *arena, MlirOperation module, MlirOperation aside, MlirOperation op) {
  MlirStringRef name = tt_symbol_name(op);
  MlirOperation other = mlirBlockGetFirstOperation(tt_body(module));
  while (!mlirOperationIsNull(other) && !mlirStringRefEqual(tt_symbol_name(other), name))
    other = tt_next(other);
  if (name.length == 0 || mlirOperationIsNull(other)) return;
  const char *fresh;
  int n = 1;
  do fresh = tt_arena_printf(arena, "%.*s_%d", (int)name.length, name.data, n++);
  while (is_taken(module, fresh) || is_taken(aside, fresh));
  mlirSymbolTableReplaceAllSymbolUses(name, tt_str(fresh), module);
  mlirOperationSetInherentAttributeByName(other, tt_str("sym_name"),
                                          tt_string_attr(mlirOperationGetContext(module), fresh));
}

bool tt_run_put_back(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  MlirAttribute bytes = tt_get_attr(module, "tt.aside");
  if (mlirAttributeIsNull(bytes)) return true;
  if (!mlirAttributeIsAString(bytes))
    return tt_error(module, "tt.aside is no module in bytecode, as --tt-set-aside writes it");
  MlirModule aside = read_aside(module, mlirStringAttrGetValue(bytes));
  if (mlirModuleIsNull(aside))
    return tt_error(module, "tt.aside is no module in bytecode, as --tt-set-aside writes it");
  TtArena *arena = tt_arena_create();
  MlirBlock from = mlirModuleGetBody(aside);
  MlirOperation next, first = mlirBlockGetFirstOperation(tt_body(module));
  TtBuilder b = {mlirOperationGetContext(module), tt_body(module), first};
  for (MlirOperation op = mlirBlockGetFirstOperation(from); !mlirOperationIsNull(op); op = next) {
    next = tt_next(op);
    make_room(arena, module, mlirModuleGetOperation(aside), op);
    mlirOperationRemoveFromParent(op);
    tt_builder_insert(&b, op);
  }
  tt_remove_attr(module, "tt.aside");
  tt_arena_destroy(arena);
  mlirModuleDestroy(aside);
  return true;
}
