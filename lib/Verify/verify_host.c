/*===- verify_host.c - host functions that launch programs -----------------------------------===
 *
 *   func.func @main(%A, %C) attributes {tt.host} {
 *     %t = memref.alloc() : memref<64x64xbf16>
 *     tt.launch @first(%A, %t) : …
 *     tt.launch @second(%t, %C) : …
 *     memref.dealloc %t : …
 *     return
 *   }
 *
 * Straight-line code. All launches see a tensor in one layout, and what they have in L1 fits.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/program.h"
#include "Analysis/shards.h"
#include "Verify/protocol.h"

typedef struct Tensor {
  MlirValue value;
  MlirAttribute buffer;
  bool alive;
} Tensor;

typedef struct Host {
  TtArena *arena;
  MlirOperation func;
  Tensor *tensors;
  intptr_t n;
} Host;

static Tensor *tensor_of(Host *h, MlirValue value) {
  for (intptr_t i = 0; i < h->n; ++i)
    if (tt_value_eq(h->tensors[i].value, value)) return &h->tensors[i];
  return NULL;
}

static bool check_op(MlirOperation op) {
  static const char *const allowed[] = {"memref.alloc", "memref.dealloc", "tt.launch",
                                        "func.return", "arith.constant"};
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed; ++i)
    if (tt_op_is(op, allowed[i])) return true;
  MlirStringRef name = tt_op_name(op);
  return tt_error(
      op,
      "a host function allocates tensors with memref.alloc and calls kernels, one after the "
      "other; %.*s has no form in a host program, so move it into a kernel",
      (int)name.length, name.data);
}

static bool check_argument(Host *h, MlirOperation launch, MlirOperation program, intptr_t i) {
  MlirValue value = mlirOperationGetOperand(launch, i);
  MlirType type =
      mlirFunctionTypeGetInput(mlirTypeAttrGetValue(tt_program_function_type(program)), i);
  char *name = tt_arena_str(h->arena,
                            tt_string(mlirArrayAttrGetElement(tt_get_attr(program, "tt.args"), i)));
  MlirStringRef kernel = tt_symbol_name(program);
  if (!mlirTypeEqual(mlirValueGetType(value), type))
    return tt_error(launch, "argument '%s' of '%.*s' has another type", name, (int)kernel.length,
                    kernel.data);
  if (!tt_is_memref(type)) return true;
  Tensor *t = tensor_of(h, value);
  MlirAttribute buffer = tt_named_attr(program, "buffer", name);
  if (!t)
    return tt_error(launch,
                    "argument '%s' of '%.*s' is neither an argument of the host function nor a "
                    "memref.alloc of it",
                    name, (int)kernel.length, kernel.data);
  if (!t->alive)
    return tt_error(launch, "argument '%s' of '%.*s' was deallocated before", name,
                    (int)kernel.length, kernel.data);
  if (!mlirAttributeIsNull(t->buffer) && !mlirAttributeEqual(t->buffer, buffer))
    return tt_error(launch,
                    "argument '%s' of '%.*s' has another layout than this tensor has in an earlier "
                    "launch; give both the same tt.layout",
                    name, (int)kernel.length, kernel.data);
  t->buffer = buffer;
  return true;
}

static bool check_launch(Host *h, MlirOperation launch) {
  MlirOperation program = tt_launched_program(launch);
  MlirStringRef name = tt_string(tt_launch_program(launch));
  if (mlirOperationIsNull(program))
    return tt_error(launch, "launches '%.*s', which is no program of this module", (int)name.length,
                    name.data);
  intptr_t n =
      mlirFunctionTypeGetNumInputs(mlirTypeAttrGetValue(tt_program_function_type(program)));
  if (n != mlirOperationGetNumOperands(launch))
    return tt_error(launch, "'%.*s' takes %jd arguments, but here are %jd", (int)name.length,
                    name.data, (intmax_t)n, (intmax_t)mlirOperationGetNumOperands(launch));
  MlirAttribute names = tt_get_attr(program, "tt.args");
  if (mlirAttributeIsNull(names) || mlirArrayAttrGetNumElements(names) != n)
    return tt_error(
        program, "tt.args does not name the %jd arguments of '%.*s': run --tt-split-device-kernel",
        (intmax_t)n, (int)name.length, name.data);
  for (intptr_t i = 0; i < n; ++i)
    if (!check_argument(h, launch, program, i)) return false;
  return true;
}

static int64_t cb_bytes(Host *h, MlirOperation program) {
  TtOps cbs = tt_collect(h->arena, program, "tt.circular_buffer");
  int64_t bytes = 0;
  for (intptr_t i = 0; i < cbs.n; ++i) bytes += tt_cb_bytes(cbs.data[i]);
  return bytes;
}

/* Every tensor that is alive takes its part of L1, whether a launch uses it or not. */
static bool check_l1(Host *h, MlirOperation launch) {
  TtTarget target = tt_target_of(h->func);
  int64_t bytes = cb_bytes(h, tt_launched_program(launch));
  for (intptr_t i = 0; i < h->n; ++i)
    if (h->tensors[i].alive)
      bytes += tt_l1_bytes_of(h->tensors[i].buffer, mlirValueGetType(h->tensors[i].value), target);
  if (bytes <= tt_usable_l1(target.chip)) return true;
  return tt_error(launch,
                  "[rule 8] the circular buffers and the tensors in L1 need %jd bytes here, but L1 "
                  "has %jd; keep a tensor in DRAM, or deallocate it earlier",
                  (intmax_t)bytes, (intmax_t)tt_usable_l1(target.chip));
}

static void collect_tensors(Host *h) {
  TtOps allocs = tt_collect(h->arena, h->func, "memref.alloc");
  intptr_t args = tt_num_args(h->func);
  h->tensors = tt_arena_alloc(h->arena, (size_t)(args + allocs.n + 1) * sizeof *h->tensors);
  for (intptr_t i = 0; i < args + allocs.n; ++i)
    h->tensors[h->n++] = (Tensor){
        .value = i < args ? tt_arg(h->func, i) : mlirOperationGetResult(allocs.data[i - args], 0),
        .buffer = {NULL},
        .alive = i < args};
}

bool tt_verify_host(TtArena *arena, MlirOperation func) {
  Host h = {.arena = arena, .func = func};
  if (mlirOperationGetNumRegions(func) == 0 ||
      mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(func, 0))))
    return tt_error(func, "a host function has a body");
  collect_tensors(&h);
  for (int run = 0; run < 2; ++run) { /* layouts are known after the first */
    for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(func)); !mlirOperationIsNull(op);
         op = tt_next(op)) {
      bool alloc = tt_op_is(op, "memref.alloc");
      Tensor *t = alloc ? tensor_of(&h, mlirOperationGetResult(op, 0)) : NULL;
      if (tt_op_is(op, "memref.dealloc")) t = tensor_of(&h, mlirOperationGetOperand(op, 0));
      if (t) t->alive = alloc;
      if (run == 0 && (!check_op(op) || (tt_launch_isa(op) && !check_launch(&h, op)))) return false;
      if (run == 1 && tt_launch_isa(op) && !check_l1(&h, op)) return false;
    }
    for (intptr_t i = tt_num_args(func); i < h.n; ++i) h.tensors[i].alive = false;
  }
  return true;
}
