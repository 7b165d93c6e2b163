/*===- emit_launches.c - what a host function does
 * ------------------------------------------------===
 *
 *   %t = memref.alloc() : …            auto tmp0 = make_buffer(…);
 *   tt.launch @scale(%A, %t) : …       run_scale(device, cq, A, tmp0);
 *   memref.dealloc %t                  tmp0->deallocate();
 *
 * Each program that is launched has a function; the buffers between the launches stay on the
 * device.
 *
 *===----------------------------------------------------------------------===*/

#include "Emit/emit_host.h"

#include "Dialect/verify.h"

#include <string.h>

/*===- Values ----------------------------------------------------------------------------===*/

static intptr_t index_of(TtTensors tensors, const MlirValue *values, MlirValue value) {
  for (intptr_t i = 0; i < tensors.n; ++i)
    if (tt_value_eq(values[i], value)) return i;
  return -1;
}

/* What launch `op` does with the tensors that it takes. */
static void note_launch(TtArena *arena, TtTensors tensors, const MlirValue *values,
                        MlirOperation op) {
  MlirOperation program = tt_launched_program(op);
  TtTensors params = tt_program_tensors(arena, program);
  for (intptr_t i = 0; i < params.n; ++i) {
    intptr_t at = index_of(tensors, values, mlirOperationGetOperand(op, i));
    if (at < 0 || params.data[i].scalar) continue;
    TtTensor *t = &tensors.data[at];
    t->buffer = params.data[i].buffer;
    t->read |= params.data[i].read, t->written |= params.data[i].written;
  }
}

/* A tensor that no launch takes lies as one does of which nothing is said. */
static void lay_out_unused(TtTensor *t) {
  int64_t tile[2] = {TT_TILE, TT_TILE};
  TtDType dtype = TT_D_TYPE_FP32;
  if (t->scalar || !mlirAttributeIsNull(t->buffer)) return;
  tt_dtype_of(mlirShapedTypeGetElementType(t->type), &dtype);
  t->buffer = tt_buffer_attr_get(mlirTypeGetContext(t->type), TT_MEMORY_DRAM, TT_LAYOUT_INTERLEAVED,
                                 2, tile, dtype, mlirAttributeGetNull());
}

TtTensors tt_host_tensors(TtArena *arena, MlirOperation func, MlirValue **values) {
  TtOps allocs = tt_collect(arena, func, "memref.alloc"),
        launches = tt_collect(arena, func, "tt.launch");
  intptr_t args = tt_num_args(func);
  TtTensors tensors = {NULL, args + allocs.n};
  tensors.data = tt_arena_alloc(arena, (size_t)(tensors.n + 1) * sizeof *tensors.data);
  *values = tt_arena_alloc(arena, (size_t)(tensors.n + 1) * sizeof **values);
  for (intptr_t i = 0; i < tensors.n; ++i) {
    TtTensor *t = &tensors.data[i];
    (*values)[i] = i < args ? tt_arg(func, i) : mlirOperationGetResult(allocs.data[i - args], 0);
    t->type = mlirValueGetType((*values)[i]);
    t->scalar = !tt_is_memref(t->type);
    MlirAttribute name =
        i < args ? mlirAttributeGetNull() : tt_get_attr(allocs.data[i - args], "tt.name");
    if (i < args) t->name = tt_arg_name(arena, func, i);
    else if (mlirAttributeIsNull(name))
      t->name = tt_arena_printf(arena, "tmp%jd", (intmax_t)(i - args));
    else t->name = tt_arena_str(arena, tt_string(name));
  }
  for (intptr_t i = 0; i < launches.n; ++i) note_launch(arena, tensors, *values, launches.data[i]);
  for (intptr_t i = 0; i < tensors.n; ++i) lay_out_unused(&tensors.data[i]);
  return tensors;
}

/*===- Functions ---------------------------------------------------------------------------===*/

static const char *function_name(TtHost *h, MlirOperation program) {
  return tt_arena_printf(h->arena, "run_%s",
                         tt_arena_identifier(h->arena, tt_symbol_name(program)));
}

static bool emit_function(TtHost *main, MlirOperation program) {
  TtHost h = {.arena = main->arena, .program = program, .api = main->api, .out = main->out};
  h.folder = tt_arena_printf(h.arena, "%s/", tt_arena_identifier(h.arena, tt_symbol_name(program)));
  h.names = tt_names_with_api(h.arena);
  h.tensors = tt_program_tensors(h.arena, program);
  h.buffers = tt_arena_alloc(h.arena, (size_t)(h.tensors.n + 1) * sizeof *h.buffers);
  tt_text_printf(
      h.out,
      "// Runs %s.\nstatic void %s(const std::shared_ptr<distributed::MeshDevice>& device, "
      "distributed::MeshCommandQueue& cq",
      tt_arena_identifier(h.arena, tt_symbol_name(program)), function_name(main, program));
  for (intptr_t i = 0; i < h.tensors.n; ++i) {
    const TtTensor *t = &h.tensors.data[i];
    h.buffers[i] = tt_names_take(&h.names, t->name);
    tt_text_printf(h.out, ",\n    %s %s",
                   t->scalar ? tt_host_scalar_type(t->type)
                             : "const std::shared_ptr<distributed::MeshBuffer>&",
                   h.buffers[i]);
  }
  tt_text_printf(h.out, ") {\n    Program program = CreateProgram();\n");
  if (!tt_emit_workload(&h)) return false;
  tt_text_printf(h.out, "}\n\n");
  return true;
}

bool tt_emit_run_functions(TtHost *h) {
  TtOps programs = tt_launched_programs(h->arena, h->program);
  for (intptr_t i = 0; i < programs.n; ++i)
    if (!emit_function(h, programs.data[i])) return false;
  return true;
}

/*===- main --------------------------------------------------------------------------------===*/

static const char *argument(TtHost *h, MlirValue value) {
  intptr_t i = index_of(h->tensors, h->values, value);
  if (i >= 0) return h->buffers[i];
  MlirAttribute constant = tt_op_attr(tt_defining_op(value), "value");
  if (mlirAttributeIsAFloat(constant))
    return tt_arena_printf(h->arena, "%.9g", mlirFloatAttrGetValueDouble(constant));
  return tt_arena_printf(h->arena, "%jd", (intmax_t)tt_int(constant));
}

static void emit_launch(TtHost *h, MlirOperation op) {
  tt_text_printf(h->out, "    %s(device, cq", function_name(h, tt_launched_program(op)));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    tt_text_printf(h->out, ", %s", argument(h, mlirOperationGetOperand(op, i)));
  tt_text_printf(h->out, ");\n");
}

void tt_emit_launches(TtHost *h) {
  tt_text_printf(h->out, "\n");
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(h->program)); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    if (tt_launch_isa(op)) emit_launch(h, op);
    bool dealloc = tt_op_is(op, "memref.dealloc");
    if (!dealloc && !tt_op_is(op, "memref.alloc")) continue;
    intptr_t i = index_of(h->tensors, h->values,
                          dealloc ? mlirOperationGetOperand(op, 0) : mlirOperationGetResult(op, 0));
    if (i < h->num_args || mlirAttributeIsNull(h->tensors.data[i].buffer)) continue;
    if (dealloc) tt_text_printf(h->out, "    %s->deallocate();\n", h->buffers[i]);
    else tt_emit_buffer(h, i);
  }
}
