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
 * Loops and branches, numbers, allocations and views. All launches see a tensor in one layout, and
 * what they have in L1 fits.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/host_ops.h"
#include "Analysis/host_values.h"
#include "Analysis/program.h"
#include "Analysis/shards.h"
#include "Analysis/weights.h"
#include "Verify/protocol.h"

typedef struct Host {
  TtArena *arena;
  MlirOperation func;
  TtHostValues values;
  MlirAttribute *buffers; /* of each tensor: its layout, once a launch has it */
  bool *alive;
} Host;

static intptr_t tensor_of(Host *h, MlirValue value) { return tt_host_tensor(&h->values, value); }

static MlirAttribute *buffer_of(Host *h, intptr_t i) { return &h->buffers[h->values.data[i].same]; }

/* Of a view that is expanded, at most one size in a group may be dynamic. */
static bool check_view(MlirOperation op) {
  MlirAttribute groups = tt_op_attr(op, "reassociation");
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  for (intptr_t g = 0;
       tt_op_is(op, "memref.expand_shape") && g < mlirArrayAttrGetNumElements(groups); ++g) {
    MlirAttribute group = mlirArrayAttrGetElement(groups, g);
    int dynamic = 0;
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(group); ++i)
      dynamic +=
          mlirShapedTypeIsDynamicDim(type, (intptr_t)tt_int(mlirArrayAttrGetElement(group, i)));
    if (dynamic > 1)
      return tt_error(op,
                      "expands one dimension to %d dynamic ones; a host program takes one of "
                      "them to be what the others leave, so make the others constant",
                      dynamic);
  }
  return true;
}

/* Sizes that a loop or a branch would change. */
static bool check_carried(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    if (tt_op_is(op, "scf.if") && tt_is_memref(type) && !mlirShapedTypeHasStaticShape(type))
      return tt_error(op, "gives a tensor of dynamic size, which has no name in a host program; "
                          "call the kernels in the branches");
  }
  return true;
}

static bool check_op(MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  if (!tt_is_host_op(op))
    return tt_error(
        op,
        "a host function allocates tensors, computes numbers, loops and branches on them, and "
        "calls kernels; %.*s has no form in a host program, so move it into a kernel",
        (int)name.length, name.data);
  if (tt_op_is(op, "memref.dim")) {
    int64_t d;
    if (!tt_constant(mlirOperationGetOperand(op, 1), &d) || d < 0 ||
        d >= mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetOperand(op, 0))))
      return tt_error(op, "asks for a dimension that is no constant below the tensor's rank");
  }
  if (tt_op_is(op, "func.return") && mlirOperationGetNumOperands(op) > 0)
    return tt_error(op, "a host function returns nothing once --tt-return-by-argument has run");
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    if (tt_is_memref(type) && !mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type)))
      return tt_error(op, "a tensor of a host function has no memory space; say where it lies by "
                          "tt.layout");
  }
  const char *data;
  size_t n, times;
  if (tt_op_is(op, "memref.get_global") && !tt_weight_data(op, &data, &n, &times)) return false;
  return check_view(op) && check_carried(op);
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
  intptr_t t = tensor_of(h, value);
  MlirAttribute buffer = tt_named_attr(program, "buffer", name);
  if (t < 0)
    return tt_error(launch,
                    "argument '%s' of '%.*s' is neither an argument of the host function nor made "
                    "by it",
                    name, (int)kernel.length, kernel.data);
  if (!h->alive[t])
    return tt_error(launch, "argument '%s' of '%.*s' was deallocated before", name,
                    (int)kernel.length, kernel.data);
  MlirAttribute *known = buffer_of(h, t);
  if (!mlirAttributeIsNull(*known) && !mlirAttributeEqual(*known, buffer))
    return tt_error(launch,
                    "argument '%s' of '%.*s' has another layout than this tensor has in an earlier "
                    "launch; give both the same tt.layout",
                    name, (int)kernel.length, kernel.data);
  *known = buffer;
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
  for (intptr_t i = 0; i < h->values.n; ++i)
    if (h->alive[i] && h->values.data[i].kind != TT_HOST_CARRIED)
      bytes += tt_l1_bytes_of(*buffer_of(h, i), mlirValueGetType(h->values.data[i].value), target);
  if (bytes <= tt_usable_l1(target.chip)) return true;
  return tt_error(launch,
                  "[rule 8] the circular buffers and the tensors in L1 need %jd bytes here, but L1 "
                  "has %jd; keep a tensor in DRAM, or deallocate it earlier",
                  (intmax_t)bytes, (intmax_t)tt_usable_l1(target.chip));
}

static bool check_block(Host *h, MlirBlock block, int run);

/* A loop runs twice: what it frees is not there the second time. */
static bool check_regions(Host *h, MlirOperation op, int run) {
  bool loop = tt_op_is(op, "scf.for");
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    for (int step = 0; !mlirBlockIsNull(block) && step < (loop ? 2 : 1); ++step)
      if (!check_block(h, block, run)) return false;
  }
  return true;
}

static void set_alive(Host *h, MlirValue value, bool alive) {
  intptr_t t = tensor_of(h, value);
  if (t >= 0) h->alive[t] = alive;
}

static bool check_block(Host *h, MlirBlock block, int run) {
  bool *before = tt_arena_alloc(h->arena, (size_t)(h->values.n + 1) * sizeof *before);
  for (intptr_t i = 0; i < h->values.n; ++i) before[i] = h->alive[i];
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    if (run == 0 && !check_op(op)) return false;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      if (!tt_is_host_view(op) || tensor_of(h, mlirOperationGetResult(op, i)) !=
                                      tensor_of(h, mlirOperationGetOperand(op, 0)))
        set_alive(h, mlirOperationGetResult(op, i), true);
    if (tt_op_is(op, "memref.dealloc")) set_alive(h, mlirOperationGetOperand(op, 0), false);
    if (tt_launch_isa(op) && !(run == 0 ? check_launch(h, op) : check_l1(h, op))) return false;
    if (!check_regions(h, op, run)) return false;
  }
  /* What a block makes ends with it. */
  for (intptr_t i = 0; i < h->values.n; ++i) h->alive[i] &= before[i];
  return true;
}

bool tt_verify_host(TtArena *arena, MlirOperation func) {
  Host h = {.arena = arena, .func = func};
  if (mlirOperationGetNumRegions(func) == 0 ||
      mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(func, 0))))
    return tt_error(func, "a host function has a body");
  h.values = tt_host_values(arena, func);
  size_t n = (size_t)h.values.n + 1;
  h.buffers = tt_arena_alloc(arena, n * sizeof *h.buffers);
  h.alive = tt_arena_alloc(arena, n * sizeof *h.alive);
  for (int run = 0; run < 2; ++run) { /* layouts are known after the first */
    for (intptr_t i = 0; i < h.values.n; ++i)
      h.alive[i] = h.values.data[i].kind == TT_HOST_ARGUMENT ||
                   (run == 1 && h.values.data[i].kind == TT_HOST_GLOBAL);
    if (!check_block(&h, tt_body(func), run)) return false;
  }
  return true;
}
