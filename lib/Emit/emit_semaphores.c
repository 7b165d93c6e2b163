/*===- emit_semaphores.c - semaphores of a kernel -----------------------------------------===
 *
 *   const uint32_t a_ready = get_semaphore(get_compile_time_arg_val(0));
 *   auto* const a_ready_word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(a_ready);
 *
 * The word is what this core looks at, the address what goes to others. Their numbers are the
 * first compile-time arguments: the host has them from CreateSemaphore.
 *
 *===----------------------------------------------------------------------===*/

#include "Emit/emit_host.h"
#include "Emit/emitter.h"

/* Whether the kernel sets it here, or waits for it. */
static bool is_looked_at(TtOps ops, MlirStringRef name) {
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (!metalium_noc_semaphore_set_isa(op) && !metalium_noc_semaphore_wait_isa(op) &&
        !metalium_noc_semaphore_wait_min_isa(op))
      continue;
    MlirOperation get = tt_defining_op(mlirOperationGetOperand(op, 0));
    if (metalium_get_semaphore_isa(get) &&
        mlirStringRefEqual(tt_string(metalium_get_semaphore_name(get)), name))
      return true;
  }
  return false;
}

static const char *word_of(TtEmitter *e, const char *semaphore) {
  return tt_arena_printf(e->arena, "%s_word", semaphore);
}

void tt_emit_semaphores(TtEmitter *e) {
  TtOps semaphores = tt_kernel_semaphores(e->arena, e->program, e->func),
        uses = tt_collect(e->arena, e->func, "metalium.get_semaphore"),
        ops = tt_collect(e->arena, e->func, NULL);
  for (intptr_t i = 0; i < semaphores.n; ++i) {
    MlirStringRef symbol = tt_symbol_name(semaphores.data[i]);
    const char *name =
        tt_names_take(&e->names, tt_arena_identifier(e->arena, tt_symbol_name(semaphores.data[i])));
    tt_emit_line(e, "const uint32_t %s = get_semaphore(get_compile_time_arg_val(%jd));", name,
                 (intmax_t)i);
    for (intptr_t j = 0; j < uses.n; ++j)
      if (mlirStringRefEqual(tt_string(metalium_get_semaphore_name(uses.data[j])), symbol))
        tt_emit_bind_to(e, metalium_get_semaphore_addr(uses.data[j]), name);
    if (!is_looked_at(ops, symbol)) continue;
    tt_names_take(&e->names, word_of(e, name));
    tt_emit_line(e, "auto* const %s = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(%s);",
                 word_of(e, name), name);
  }
}

const char *tt_emit_word(TtEmitter *e, MlirValue address) {
  const char *name = tt_emit_bound(e, address);
  return name && metalium_get_semaphore_isa(tt_defining_op(address)) ? word_of(e, name) : NULL;
}

/*===- The host program -------------------------------------------------------------------===*/

void tt_emit_host_semaphores(TtHost *h) {
  TtOps semaphores = tt_collect(h->arena, h->program, "tt.semaphore");
  for (intptr_t i = 0; i < semaphores.n; ++i)
    tt_text_printf(h->out, "    const uint32_t %s = CreateSemaphore(program, %s, %jd);\n",
                   tt_arena_identifier(h->arena, tt_symbol_name(semaphores.data[i])),
                   tt_host_cores(h, semaphores.data[i]),
                   (intmax_t)tt_int(tt_semaphore_init(semaphores.data[i])));
}

const char *tt_host_semaphore_args(TtHost *h, MlirOperation kernel) {
  TtOps semaphores = tt_kernel_semaphores(h->arena, h->program, kernel);
  const char *list = "";
  for (intptr_t i = 0; i < semaphores.n; ++i)
    list = tt_arena_printf(h->arena, "%s%s%s", list, i ? ", " : "",
                           tt_arena_identifier(h->arena, tt_symbol_name(semaphores.data[i])));
  return semaphores.n ? tt_arena_printf(h->arena, " = {%s}", list) : "";
}
