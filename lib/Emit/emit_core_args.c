/*===- emit_core_args.c - tt.core_args as the loop of a host program ----------------------------===
 *
 *   tt.core_args (%x, %y, %A_d0) -> ["start_id", "count"] { … }
 *
 *       const uint32_t each = A_d0 / 2048;               what is alike on all cores
 *       for (const CoreCoord& core : corerange_to_cores(cores)) {
 *           const uint32_t x = core.x, y = core.y;
 *           const uint32_t start_id = (y * 8 + x) * each;
 *           SetRuntimeArgs(program, reader, core, {…, start_id, each});
 *       }
 *
 * Only what a kernel takes is computed.
 *
 *===----------------------------------------------------------------------===*/

#include "Emit/emit_host.h"

#include "Analysis/core_args.h"
#include "Emit/emitter.h"

#include <string.h>

typedef struct Loop {
  TtHost *h;
  TtEmitter e;
  MlirBlock body;
  MlirOperation yield;
  MlirAttribute names;
  TtValueMap needed, place; /* of values: 1 where needed; 1 where it differs among cores */
  const char **constants;   /* the variables of what tt.yield gives to all cores alike, or NULL */
} Loop;

/*===- What is needed -------------------------------------------------------------------------===*/

static void need(Loop *l, MlirValue value) {
  if (tt_value_map_get(&l->needed, value) >= 0) return;
  tt_value_map_set(l->h->arena, &l->needed, value, 1);
  MlirOperation op = tt_defining_op(value);
  for (intptr_t i = 0; !mlirOperationIsNull(op) && i < mlirOperationGetNumOperands(op); ++i)
    need(l, mlirOperationGetOperand(op, i));
}

static bool is_needed(const Loop *l, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (tt_value_map_get(&l->needed, mlirOperationGetResult(op, i)) >= 0) return true;
  return false;
}

static bool differs(const Loop *l, MlirOperation op) {
  if (tt_worker_core_isa(op)) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tt_value_map_get(&l->place, mlirOperationGetOperand(op, i)) >= 0) return true;
  return false;
}

static intptr_t place_of(const Loop *l, MlirStringRef name) {
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(l->names); ++i)
    if (mlirStringRefEqual(tt_string(mlirArrayAttrGetElement(l->names, i)), name)) return i;
  return -1;
}

/* Of what tt.yield gives; a constant has a variable, too, so that arguments have names. */
static void need_value(Loop *l, intptr_t at) {
  MlirValue value = mlirOperationGetOperand(l->yield, at);
  int64_t constant;
  need(l, value);
  if (!tt_constant(value, &constant) || l->constants[at]) return;
  l->constants[at] = tt_names_take(
      &l->e.names, tt_arena_str(l->h->arena, tt_string(mlirArrayAttrGetElement(l->names, at))));
  tt_emit_line(&l->e, "const uint32_t %s = %jd;", l->constants[at], (intmax_t)constant);
}

/* What the kernels on `cores` take. */
static void need_args(Loop *l, MlirOperation cores) {
  for (intptr_t k = 0; k < l->h->kernels.n; ++k) {
    MlirOperation kernel = l->h->kernels.data[k].op;
    MlirAttribute args = tt_get_attr(kernel, "tt.runtime_args");
    if (!tt_op_eq(tt_core_set_of(l->h->program, kernel), cores)) continue;
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(args); ++i) {
      intptr_t at = place_of(l, tt_string(mlirArrayAttrGetElement(args, i)));
      if (at >= 0) need_value(l, at);
    }
  }
}

/*===- Values ---------------------------------------------------------------------------------===*/

/* What tt.yield calls a value, or NULL. */
static const char *yielded_as(Loop *l, MlirValue value) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(l->yield); ++i)
    if (tt_value_eq(mlirOperationGetOperand(l->yield, i), value))
      return tt_arena_str(l->h->arena, tt_string(mlirArrayAttrGetElement(l->names, i)));
  return NULL;
}

static void define(Loop *l, MlirOperation op) {
  if (tt_worker_core_isa(op)) {
    const char *core = tt_names_take(&l->e.names, "noc_core");
    tt_emit_line(&l->e,
                 "const CoreCoord %s = device->worker_core_from_logical_core(CoreCoord(%s, %s));",
                 core, tt_emit_expression(&l->e, tt_worker_core_x(op)),
                 tt_emit_expression(&l->e, tt_worker_core_y(op)));
    for (int i = 0; i < 2; ++i)
      tt_emit_bind_to(&l->e, mlirOperationGetResult(op, i),
                      tt_arena_printf(l->h->arena, "static_cast<uint32_t>(%s.%c)", core, "xy"[i]));
    return;
  }
  MlirValue value = mlirOperationGetResult(op, 0);
  const char *name = yielded_as(l, value);
  if (!name || tt_op_is(op, "arith.constant")) {
    tt_emit_define(&l->e, op);
    return;
  }
  const char *text = tt_emit_expression(&l->e, value);
  tt_emit_line(&l->e, "const uint32_t %s = %s;", tt_emit_bind(&l->e, value, name), text);
}

static void define_all(Loop *l, bool in_loop) {
  for (MlirOperation op = mlirBlockGetFirstOperation(l->body); !tt_yield_isa(op); op = tt_next(op))
    if (is_needed(l, op) && differs(l, op) == in_loop) define(l, op);
}

static void bind_sizes(Loop *l) {
  intptr_t n;
  const char **sizes = tt_core_arg_sizes(l->h->arena, l->h->program, &n);
  for (intptr_t i = 0; i < n; ++i)
    tt_emit_bind_to(&l->e, mlirBlockGetArgument(l->body, 2 + i), tt_host_dim(l->h, sizes[i]));
  for (MlirOperation op = mlirBlockGetFirstOperation(l->body); !tt_yield_isa(op); op = tt_next(op))
    for (intptr_t i = 0; differs(l, op) && i < mlirOperationGetNumResults(op); ++i)
      tt_value_map_set(l->h->arena, &l->place, mlirOperationGetResult(op, i), 1);
}

/* x and y, as far as they are needed. */
static void define_place(Loop *l) {
  const char *text = NULL;
  for (int i = 0; i < 2; ++i) {
    MlirValue side = mlirBlockGetArgument(l->body, i);
    if (tt_value_map_get(&l->needed, side) < 0) continue;
    char letter[] = {"xy"[i], '\0'};
    const char *one =
        tt_arena_printf(l->h->arena, "%s = core.%s", tt_emit_bind(&l->e, side, letter), letter);
    text = text ? tt_arena_printf(l->h->arena, "%s, %s", text, one) : one;
  }
  if (text) tt_emit_line(&l->e, "const uint32_t %s;", text);
}

/*===- Arguments ------------------------------------------------------------------------------===*/

/* The value of runtime argument `name`, in C++, for the core of the loop. */
static const char *arg_value(Loop *l, const char *name) {
  TtHost *h = l->h;
  intptr_t at = place_of(l, tt_str(name));
  if (at >= 0 && l->constants[at]) return l->constants[at];
  if (at >= 0) return tt_emit_expression(&l->e, mlirOperationGetOperand(l->yield, at));
  for (intptr_t i = 0; i < h->tensors.n; ++i) {
    const TtTensor *t = &h->tensors.data[i];
    if (!t->scalar && strcmp(name, tt_arena_printf(h->arena, "%s_addr", t->name)) == 0)
      return tt_arena_printf(h->arena, "static_cast<uint32_t>(%s->address())", h->buffers[i]);
    if (t->scalar && strcmp(name, t->name) == 0)
      return tt_arena_printf(h->arena, "%s<uint32_t>(%s)",
                             mlirTypeIsAFloat(t->type) ? "std::bit_cast" : "static_cast",
                             h->buffers[i]);
  }
  return tt_host_dim(h, name);
}

static void set_args(Loop *l, MlirOperation cores) {
  TtHost *h = l->h;
  for (intptr_t k = 0; k < h->kernels.n; ++k) {
    MlirAttribute names = tt_get_attr(h->kernels.data[k].op, "tt.runtime_args");
    if (!tt_op_eq(tt_core_set_of(h->program, h->kernels.data[k].op), cores) ||
        mlirArrayAttrGetNumElements(names) == 0)
      continue;
    const char *values = "";
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(names); ++i)
      values = tt_arena_printf(
          h->arena, "%s%s%s", values, i ? ", " : "",
          arg_value(l, tt_arena_str(h->arena, tt_string(mlirArrayAttrGetElement(names, i)))));
    tt_emit_line(&l->e, "SetRuntimeArgs(program, %s, core, {%s});", h->handles[k], values);
  }
}

static bool takes_any(TtHost *h, MlirOperation cores) {
  for (intptr_t k = 0; k < h->kernels.n; ++k)
    if (tt_op_eq(tt_core_set_of(h->program, h->kernels.data[k].op), cores) &&
        mlirArrayAttrGetNumElements(tt_get_attr(h->kernels.data[k].op, "tt.runtime_args")) > 0)
      return true;
  return false;
}

/* The loop over one set; what stands before it, is in a scope of its own where there are more. */
static bool emit_loop(TtHost *h, MlirOperation cores, const char *variable, bool own_scope) {
  MlirOperation args = tt_program_core_args(h->program);
  Loop l = {.h = h};
  l.e = (TtEmitter){.arena = h->arena,
                    .program = h->program,
                    .func = args,
                    .api = h->api,
                    .out = h->out,
                    .names = h->names,
                    .indent = own_scope ? 2 : 1,
                    .ok = true};
  tt_text_printf(h->out, "\n    // What each core gets.\n%s", own_scope ? "    {\n" : "");
  size_t scope = tt_names_enter(&l.e.names);
  l.names = mlirArrayAttrGet(mlirOperationGetContext(h->program), 0, NULL);
  if (!mlirOperationIsNull(args)) {
    l.body = tt_body(args), l.yield = mlirBlockGetTerminator(l.body);
    l.names = tt_core_args_names(args);
    l.constants = tt_arena_alloc(h->arena, ((size_t)mlirArrayAttrGetNumElements(l.names) + 1) *
                                               sizeof *l.constants);
    for (int i = 0; i < 2; ++i)
      tt_value_map_set(h->arena, &l.place, mlirBlockGetArgument(l.body, i), 1);
    bind_sizes(&l);
    need_args(&l, cores);
    define_all(&l, false);
  }
  tt_emit_line(&l.e, "for (const CoreCoord& core : corerange_to_cores(%s)) {", variable);
  ++l.e.indent;
  if (!mlirOperationIsNull(args)) {
    define_place(&l);
    define_all(&l, true);
  }
  set_args(&l, cores);
  --l.e.indent;
  tt_emit_line(&l.e, "}");
  if (own_scope) tt_text_printf(h->out, "    }\n");
  tt_names_leave(&l.e.names, scope);
  h->names = l.e.names;
  return l.e.ok;
}

bool tt_emit_core_args(TtHost *h) {
  bool ok = true;
  for (intptr_t i = 0; i < h->core_sets.n; ++i)
    if (takes_any(h, h->core_sets.data[i]))
      ok = emit_loop(h, h->core_sets.data[i], h->core_set_names[i], h->core_sets.n > 1) && ok;
  return ok;
}
