/*===- inline_text.c - ops whose meaning is written as text --------------------------------===
 *
 *   %r = math.clampf %x to [%l, %h] : f32
 * with the text  func.func @f(%x: f32, %l: f32, %h: f32) -> f32 { … return %b : f32 }
 * = %a = arith.maximumf %x, %l : f32    %r = arith.minimumf %a, %h : f32
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/inline_text.h"

#include "Support/text.h"

static void to_text(MlirStringRef part, void *text) {
  tt_text_printf(text, "%.*s", (int)part.length, part.data);
}

const char *tt_type_text(TtArena *arena, MlirType type) {
  TtText text = {NULL, 0, 0};
  mlirTypePrint(type, to_text, &text);
  const char *copy = tt_arena_str(arena, (MlirStringRef){text.data, text.n});
  tt_text_free(&text);
  return copy;
}

void tt_inline_body(MlirOperation op, MlirBlock body) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, i), mlirOperationGetOperand(op, i));
  MlirOperation end = mlirBlockGetTerminator(body);
  for (MlirOperation at = mlirBlockGetFirstOperation(body), next; !tt_op_eq(at, end); at = next) {
    next = tt_next(at);
    mlirOperationMoveBefore(at, op);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirOperationGetOperand(end, i));
  mlirOperationDestroy(op);
}

bool tt_inline_text(TtArena *arena, MlirOperation op, const char *text) {
  MlirModule module = mlirModuleCreateParse(mlirOperationGetContext(op), tt_str(text));
  if (mlirModuleIsNull(module)) return false;
  TtOps ops = tt_collect(arena, mlirModuleGetOperation(module), NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    mlirOperationSetLocation(ops.data[i], mlirOperationGetLocation(op));
  tt_inline_body(op,
                 tt_body(tt_collect(arena, mlirModuleGetOperation(module), "func.func").data[0]));
  mlirModuleDestroy(module);
  return true;
}
