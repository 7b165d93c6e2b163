/*===- set_aside.c - --tt-set-aside -----------------------------------------------------------===
 *
 * Functions that are no models, and what else a module holds, stay as they are while upstream's
 * passes make buffers of the models' tensors: until --tt-put-back they are not there.
 *
 *   before  func.func @silu(%x: tensor<…>) -> tensor<…> { … }   func.func @f(…) { … }   (a model)
 *   after   module attributes {tt.aside = "…"} { func.func @f(…) { … } }
 *
 * `tt.aside` is the others as a module in MLIR's bytecode, locations and weights included (of which
 * those in resources may come back under another name). Host functions (tt.host) that call models
 * stay, with what they call; calls of models elsewhere are refused, since a model takes memrefs
 * then.
 *
 * Requires --tt-inline-calls: what models call stands in them.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Support/text.h"
#include "Transforms/Model/model.h"

static bool has(MlirOperation op, const char *attr) {
  return !mlirAttributeIsNull(tt_get_attr(op, attr));
}

static bool holds(const TtOps *ops, MlirOperation op) {
  for (intptr_t i = 0; i < ops->n; ++i)
    if (tt_op_eq(ops->data[i], op)) return true;
  return false;
}

static MlirOperation named(MlirOperation module, MlirStringRef name) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(module)); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (name.length > 0 && mlirStringRefEqual(tt_symbol_name(op), name)) return op;
  return (MlirOperation){NULL};
}

/* What `op` calls in the module; null where it calls nothing there. */
static MlirOperation callee_of(MlirOperation module, MlirOperation op) {
  return named(module, tt_string(tt_op_attr(op, "callee")));
}

/* Whether `func` calls a model, or what does. */
static bool calls_models(TtArena *arena, MlirOperation module, MlirOperation func, int depth) {
  TtOps calls = tt_collect(arena, func, "func.call");
  for (intptr_t i = 0; i < calls.n && depth > 0; ++i) {
    MlirOperation callee = callee_of(module, calls.data[i]);
    if (mlirOperationIsNull(callee)) continue;
    if (has(callee, "tt.model") || calls_models(arena, module, callee, depth - 1)) return true;
  }
  return false;
}

static void keep(TtArena *arena, MlirOperation module, MlirOperation op, TtOps *kept) {
  if (mlirOperationIsNull(op) || holds(kept, op)) return;
  tt_ops_add(arena, kept, op);
  TtOps all = tt_collect(arena, op, NULL);
  for (intptr_t i = 0; i < all.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumAttributes(all.data[i]); ++j) {
      MlirAttribute value = mlirOperationGetAttribute(all.data[i], j).attribute;
      if (mlirAttributeIsAFlatSymbolRef(value))
        keep(arena, module, named(module, tt_string(value)), kept);
    }
}

/* Models, host functions that call them, what these refer to, and schedules. */
static TtOps find_kept(TtArena *arena, MlirOperation module) {
  enum { DEPTH = 16 }; /* host functions that call host functions */
  TtOps kept = {NULL, 0, 0};
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(module)); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    MlirStringRef name = tt_op_name(op);
    bool schedule = name.length > 10 && strncmp(name.data, "transform.", 10) == 0;
    bool host = has(op, "tt.host") && calls_models(arena, module, op, DEPTH);
    if (schedule || host || has(op, "tt.model")) keep(arena, module, op, &kept);
  }
  return kept;
}

/* What is set aside refers to nothing that stays: its types change. */
static bool check_calls(TtArena *arena, MlirOperation module, MlirOperation func,
                        const TtOps *kept) {
  TtOps calls = tt_collect(arena, func, "func.call");
  for (intptr_t i = 0; i < calls.n; ++i) {
    MlirOperation callee = callee_of(module, calls.data[i]);
    if (mlirOperationIsNull(callee) || !has(callee, "tt.model")) continue;
    MlirStringRef name = tt_symbol_name(callee);
    return holds(kept, callee) &&
           tt_error(calls.data[i],
                    "calls the model @%.*s, which becomes a host function that takes memrefs, from "
                    "a function that stays as it is; give that one tt.host, or tt.model and call a "
                    "plain function",
                    (int)name.length, name.data);
  }
  return true;
}

static void append(MlirStringRef part, void *text) {
  tt_text_append((TtText *)text, part.data, part.length);
}

static bool set_aside(TtArena *arena, MlirOperation module) {
  TtOps kept = find_kept(arena, module), others = {NULL, 0, 0};
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(module)); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (!holds(&kept, op) && !tt_is_terminator(op)) tt_ops_add(arena, &others, op);
  if (kept.n == 0 || others.n == 0) return true;
  for (intptr_t i = 0; i < others.n; ++i)
    if (!check_calls(arena, module, others.data[i], &kept)) return false;
  MlirModule aside = mlirModuleCreateEmpty(mlirOperationGetLocation(module));
  TtBuilder b = tt_builder_at_end(mlirModuleGetBody(aside));
  for (intptr_t i = 0; i < others.n; ++i) {
    mlirOperationRemoveFromParent(others.data[i]);
    tt_builder_insert(&b, others.data[i]);
  }
  TtText text = {NULL, 0, 0};
  mlirOperationWriteBytecode(mlirModuleGetOperation(aside), append, &text);
  tt_set_attr(
      module, "tt.aside",
      mlirStringAttrGet(mlirOperationGetContext(module), (MlirStringRef){text.data, text.n}));
  tt_text_free(&text);
  mlirModuleDestroy(aside);
  return true;
}

bool tt_run_set_aside(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  TtArena *arena = tt_arena_create();
  bool ok = set_aside(arena, module);
  tt_arena_destroy(arena);
  return ok;
}
