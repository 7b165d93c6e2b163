/*===- emit_launches.c - what a host function launches ----------------------------------------===
 *
 *   tt.launch @scale(%A, %t) : …       static void run_scale(device, cq, A, t) { … }
 *
 * Each program that is launched has a function; the buffers between the launches stay on the
 * device.
 *
 *===----------------------------------------------------------------------===*/

#include "Emit/emit_host.h"

#include "Dialect/verify.h"

#include <string.h>

/*===- Tensors -------------------------------------------------------------------------------===*/

/* What launch `op` does with the tensors that it takes. */
static void note_launch(TtArena *arena, TtTensors tensors, const TtHostValues *values,
                        MlirOperation op) {
  MlirOperation program = tt_launched_program(op);
  TtTensors params = tt_program_tensors(arena, program);
  for (intptr_t i = 0; i < params.n; ++i) {
    intptr_t at = tt_host_tensor(values, mlirOperationGetOperand(op, i));
    if (at < 0 || params.data[i].scalar) continue;
    tensors.data[values->data[at].same].buffer = params.data[i].buffer;
    for (; at >= 0; at = tt_host_source(values, at)) {
      TtTensor *t = &tensors.data[values->data[at].same];
      t->read |= params.data[i].read, t->written |= params.data[i].written;
      t->launched = true;
    }
  }
}

/* A tensor that no launch takes lies as one does of which nothing is said. */
static void lay_out_unused(TtTensor *t) {
  int64_t tile[2] = {TT_TILE, TT_TILE};
  TtDType dtype = TT_D_TYPE_FP32;
  if (t->scalar || !mlirAttributeIsNull(t->buffer)) return;
  tt_dtype_of(mlirShapedTypeGetElementType(t->type), &dtype);
  t->buffer = tt_buffer_attr_get(mlirTypeGetContext(t->type), TT_MEMORY_DRAM, TT_LAYOUT_INTERLEAVED,
                                 2, tile, dtype, mlirAttributeGetNull(), mlirAttributeGetNull());
}

static char *tensor_name(TtArena *arena, MlirOperation func, const TtHostTensor *t, intptr_t i) {
  if (t->kind == TT_HOST_ARGUMENT) return tt_arg_name(arena, func, i);
  MlirOperation op = tt_defining_op(t->value);
  MlirAttribute name = tt_get_attr(op, "tt.name");
  if (!mlirAttributeIsNull(name)) return tt_arena_str(arena, tt_string(name));
  if (t->kind == TT_HOST_GLOBAL) return tt_arena_str(arena, tt_string(tt_op_attr(op, "name")));
  return tt_arena_printf(arena, t->kind == TT_HOST_ALLOC   ? "tmp"
                                : t->kind == TT_HOST_MOVED ? "view"
                                                           : "current");
}

TtTensors tt_host_tensors(TtArena *arena, MlirOperation func, TtHostValues *values) {
  TtOps launches = tt_collect(arena, func, "tt.launch");
  *values = tt_host_values(arena, func);
  TtTensors tensors = {NULL, values->n};
  TtNames names = {.arena = arena};
  intptr_t allocs = 0;
  tensors.data = tt_arena_alloc(arena, (size_t)(tensors.n + 1) * sizeof *tensors.data);
  for (intptr_t i = 0; i < tensors.n; ++i) {
    TtTensor *t = &tensors.data[i];
    t->type = mlirValueGetType(values->data[i].value);
    t->scalar = !tt_is_memref(t->type);
    char *name = tensor_name(arena, func, &values->data[i], i);
    MlirAttribute file = values->data[i].kind == TT_HOST_ARGUMENT ? tt_arg_attr(func, i, "tt.file")
                                                                  : mlirAttributeGetNull();
    if (!mlirAttributeIsNull(file)) t->file = mlirTypeAttrGetValue(file);
    if (values->data[i].kind == TT_HOST_ALLOC) {
      if (strcmp(name, "tmp") == 0) name = tt_arena_printf(arena, "tmp%jd", (intmax_t)allocs);
      ++allocs;
    }
    t->name = values->data[i].kind == TT_HOST_ARGUMENT && tt_names_add(&names, name)
                  ? name
                  : tt_names_take(&names, name);
  }
  for (intptr_t i = 0; i < launches.n; ++i) note_launch(arena, tensors, values, launches.data[i]);
  for (intptr_t i = 0; i < tensors.n; ++i) {
    TtTensor *t = &tensors.data[i], *same = &tensors.data[values->data[i].same];
    t->buffer = same->buffer, t->read = same->read, t->written = same->written;
    t->launched = same->launched;
    lay_out_unused(t);
    t->on_host |= values->data[i].kind == TT_HOST_ARGUMENT
                      ? t->read || t->written
                      : values->data[i].kind == TT_HOST_GLOBAL && t->launched;
    if (values->data[i].kind != TT_HOST_MOVED || !t->launched) continue;
    t->on_host = true;
    tensors.data[tt_host_source(values, i)].on_host = true;
  }
  return tensors;
}

/*===- Functions ---------------------------------------------------------------------------===*/

static const char *function_name(TtHost *h, MlirOperation program) {
  return tt_arena_printf(h->arena, "run_%s",
                         tt_arena_identifier(h->arena, tt_symbol_name(program)));
}

/* Sizes that must be equal for the kernel to make sense. */
static void emit_size_checks(TtHost *h) {
  for (intptr_t i = 0; i < h->dims.n; ++i) {
    const char *size = h->dims.variables[i], *first = h->dims.variables[h->dims.same[i]];
    if (size == first) continue;
    tt_text_printf(h->out,
                   "    if (%s != %s) {\n"
                   "        std::fprintf(stderr, \"%s: %s is %%u, but %s is %%u\\n\", %s, %s);\n"
                   "        std::exit(1);\n"
                   "    }\n",
                   size, first, tt_arena_identifier(h->arena, tt_symbol_name(h->program)), size,
                   first, size, first);
  }
  tt_emit_least_sizes(h);
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
  h.num_args = h.tensors.n;
  tt_name_host_dims(&h);
  for (intptr_t i = 0; i < h.dims.n; ++i)
    tt_text_printf(h.out, ", uint32_t %s", h.dims.variables[i]);
  tt_text_printf(h.out, ") {\n");
  emit_size_checks(&h);
  tt_emit_range_checks(&h);
  tt_emit_block_ends(&h);
  tt_text_printf(h.out, "    Program program = CreateProgram();\n");
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
