/*===- insert_compute_init.c - D4: --tt-insert-compute-init ---------------------------------===
 *
 * Inserts what the compute engine must be told before it works: the startup,
 * once, at the top; and the setting of each unit before the loop that needs it,
 * again only after another setting.
 *
 *   before  for { matmul_tiles %a, %b, … }
 *   after   tt.engine.init_common matmul, %a, %b -> %out
 *           tt.fpu.matmul_init %a, %b, %out
 *           for { matmul_tiles %a, %b, … }
 *
 * A unit has one setting at a time: the FPU (which op, on which circular
 * buffers), the SFPU (which function), the formats of source A and of source B
 * (Float32 on its way to DST is another one than Float32 that an op of the FPU takes, as Tf32),
 * and the format of the packer. An op needs a setting of some of them. A loop
 * whose ops all need the same setting of a unit gets it once, in front; any
 * other starts from an unknown setting, because its last step may have left one.
 *
 * Requires D3. Leaves tt.engine.init_common first in every compute kernel.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/compute_config.h"
#include "Analysis/for_each_kernel.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"

#include <string.h>

/* A setting of a unit; settings with one key are the same. NULL key: unknown. */
typedef struct Setting {
  const char *key;
  MlirOperation user; /* an op that needs it */
} Setting;

typedef struct Inserter {
  TtArena *arena;
  MlirOperation program, func;
  MlirValue out; /* the circular buffer that is packed first */
  TtOps to_dst;  /* circular buffers whose tiles go past the source registers */
  TtUnit unit;
} Inserter;

static const char *cb_name(Inserter *in, MlirValue cb) {
  return tt_arena_str(in->arena, tt_string(tt_get_cb_name(tt_defining_op(cb))));
}

static const char *format_of(Inserter *in, MlirValue cb) {
  return tt_data_format_str((int)tt_cb_format(tt_cb_decl(in->program, cb)));
}

/* The same, and whether it is that of DST: Float32 of other circular buffers becomes Tf32. */
static const char *source_format_of(Inserter *in, MlirValue cb) {
  MlirOperation decl = tt_cb_decl(in->program, cb);
  for (intptr_t i = 0; i < in->to_dst.n; ++i)
    if (tt_op_eq(in->to_dst.data[i], decl) && tt_cb_format(decl) == TT_DATA_FORMAT_FLOAT32)
      return tt_arena_printf(in->arena, "%s to DST", format_of(in, cb));
  return format_of(in, cb);
}

/* The circular buffer to whose format an op wants a source set; null where it does not care. */
static MlirValue source(Inserter *in, MlirOperation op, TtUnit unit) {
  int read = tt_source_read(op, unit), a = tt_source_read(op, TT_UNIT_SOURCE_A);
  if (read >= 0) return tt_op_reads(op, read);
  if (a < 0) return (MlirValue){NULL};
  TtDataFormat format = tt_cb_format(tt_cb_decl(in->program, tt_op_reads(op, a)));
  return tt_format_is_byte(tt_format((TtDType)format)) ? tt_op_reads(op, a) : (MlirValue){NULL};
}

/* The key of the setting of the FPU: what it is set to, on which circular buffers. */
static const char *fpu_key(Inserter *in, MlirOperation op) {
  const char *key = tt_setting(in->arena, op);
  for (int i = 0; i < tt_op_info(op)->num_reads; ++i)
    key = tt_arena_printf(in->arena, "%s %s", key, cb_name(in, tt_op_reads(op, i)));
  return key;
}

/* The key of the setting of `unit` that `op` needs; NULL where it needs none. */
static const char *needed(Inserter *in, MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  if (in->unit == info->unit && info->does == TT_ACT_PACK_BLOCK)
    return format_of(in, tt_op_fills(op));
  if (info->does != TT_ACT_MATH) return NULL;
  if (in->unit == TT_UNIT_SOURCE_A || in->unit == TT_UNIT_SOURCE_B) {
    MlirValue cb = source(in, op, in->unit);
    return tt_is_null_value(cb) ? NULL : source_format_of(in, cb);
  }
  if (in->unit != info->unit) return NULL;
  return in->unit == TT_UNIT_SFPU ? tt_setting(in->arena, op) : fpu_key(in, op);
}

static void create_init(Inserter *in, TtBuilder *b, MlirOperation user) {
  MlirLocation loc = mlirOperationGetLocation(user);
  if (in->unit == TT_UNIT_SOURCE_A)
    metalium_reconfig_data_format_srca_create(b, loc, source(in, user, in->unit));
  else if (in->unit == TT_UNIT_SOURCE_B)
    metalium_reconfig_data_format_srcb_create(b, loc, source(in, user, in->unit));
  else tt_create_init(b, user, in->out);
}

/* What ends the setting of a unit: a reduction has no successor but its end. */
static bool ends_setting(Inserter *in, MlirOperation op) {
  return tt_op_info(op)->does == TT_ACT_END && tt_op_info(op)->unit == in->unit;
}

/*===- Placement --------------------------------------------------------------------===*/

/* The one setting that all ops in `op` need; `many` where they differ. */
static Setting only_setting(Inserter *in, MlirOperation op, bool *many) {
  TtOps ops = tt_collect(in->arena, op, NULL);
  Setting one = {NULL, {NULL}};
  for (intptr_t i = 0; i < ops.n; ++i) {
    const char *key = needed(in, ops.data[i]);
    if (ends_setting(in, ops.data[i])) *many = true;
    if (!key) continue;
    if (!one.key) one = (Setting){key, ops.data[i]};
    else if (strcmp(one.key, key) != 0) *many = true;
  }
  return one;
}

static void require(Inserter *in, MlirOperation at, const char *key, MlirOperation user,
                    const char **current) {
  if (*current && strcmp(*current, key) == 0) return;
  TtBuilder b = tt_builder_before(at);
  create_init(in, &b, user);
  *current = key;
}

static const char *insert_in_block(Inserter *in, MlirBlock block, const char *current) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next; !mlirOperationIsNull(op);
       op = next) {
    next = tt_next(op);
    const char *key = needed(in, op);
    if (key) require(in, op, key, op, &current);
    if (ends_setting(in, op)) current = NULL;
    if (mlirOperationGetNumRegions(op) == 0) continue;
    bool many = false;
    Setting one = only_setting(in, op, &many);
    if (!one.key) continue;
    if (!many && tt_op_is(op, "scf.for")) {
      require(in, op, one.key, one.user, &current);
      continue;
    }
    const char *before = tt_op_is(op, "scf.for") ? NULL : current;
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
      MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
      if (!mlirBlockIsNull(body)) insert_in_block(in, body, before);
    }
    current = NULL;
  }
  return current;
}

/*===- Startup ------------------------------------------------------------------------===*/

/* A reload of partial sums, say, is not what a kernel starts with, where it does anything else. */
static bool is_conditional(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !tt_op_is(op, "scf.if")) op = tt_parent(op);
  return !mlirOperationIsNull(op);
}

static bool find_first(Inserter *in, MlirOperation *math, MlirOperation *pack) {
  TtOps ops = tt_collect(in->arena, in->func, NULL);
  *math = *pack = (MlirOperation){NULL};
  /* What it may start with: ops on circular buffers, on DST alone, and those under conditions. */
  MlirOperation first[4] = {{NULL}};
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    TtAct does = tt_op_info(op)->does;
    if (does == TT_ACT_STARTUP) return tt_error(op, "the compute kernel has its startup already");
    if (tt_is_block_compute(op) && does != TT_ACT_PACK_BLOCK)
      return tt_error(op, "this works on blocks: run --tt-lower-cb-intrinsics first");
    if (tt_is_tile_math(op) || tt_is_sfpu_tile(op)) {
      MlirOperation *kind = &first[2 * is_conditional(op) + tt_is_sfpu_tile(op)];
      if (mlirOperationIsNull(*kind)) *kind = op;
    }
    if (mlirOperationIsNull(*pack) && does == TT_ACT_PACK_BLOCK) *pack = op;
  }
  for (size_t i = 0; i < 4 && mlirOperationIsNull(*math); ++i) *math = first[i];
  if (!mlirOperationIsNull(*math) && !mlirOperationIsNull(*pack)) return true;
  return tt_error(in->func, "the compute kernel %s",
                  mlirOperationIsNull(*math) ? "computes nothing" : "packs no result");
}

/* Startup comes first, right after the handles of circular buffers. */
static void insert_startup(Inserter *in, MlirOperation math) {
  MlirOperation at = mlirBlockGetFirstOperation(tt_body(in->func));
  TtOps handles = tt_collect(in->arena, in->func, "tt.get_cb");
  for (intptr_t i = 0; i < handles.n; ++i) {
    if (tt_op_eq(handles.data[i], at)) at = tt_next(at);
    else mlirOperationMoveBefore(handles.data[i], at);
  }
  TtBuilder b = tt_builder_before(at);
  MlirValue inputs[TT_MAX_READS];
  int n = tt_op_info(math)->num_reads;
  for (int i = 0; i < n; ++i) inputs[i] = tt_op_reads(math, i);
  TtStartup kind = n ? tt_startup(math) : TT_STARTUP_COPY;
  if (n == 0) inputs[n++] = in->out; /* a fill, which reads nothing */
  tt_engine_init_common_create(&b, mlirOperationGetLocation(math), kind, n, inputs, in->out);
}

static bool insert_in_kernel(TtArena *arena, MlirOperation program, MlirOperation func) {
  MlirOperation math, pack;
  Inserter in = {
      .arena = arena, .program = program, .func = func, .to_dst = tt_unpacked_to_dst(arena, func)};
  if (!find_first(&in, &math, &pack)) return false;
  in.out = tt_op_fills(pack);
  const char *start[TT_NUM_UNITS] = {NULL}; /* what startup sets */
  for (in.unit = TT_UNIT_SOURCE_A; in.unit <= TT_UNIT_SOURCE_B; ++in.unit) {
    MlirValue cb = source(&in, math, in.unit);
    if (tt_is_null_value(cb)) /* startup sets both alike */
      cb = tt_op_info(math)->num_reads ? tt_op_reads(math, 0) : in.out;
    start[in.unit] = source_format_of(&in, cb);
  }
  start[TT_UNIT_PACKER] = format_of(&in, in.out);
  for (int unit = TT_UNIT_NONE + 1; unit < TT_NUM_UNITS; ++unit) {
    in.unit = (TtUnit)unit;
    insert_in_block(&in, tt_body(func), start[unit]);
  }
  insert_startup(&in, math);
  return true;
}

static bool insert(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t i = 0; i < kernels.n; ++i)
    if (!insert_in_kernel(arena, program, kernels.data[i])) return false;
  return true;
}

bool tt_run_insert_compute_init(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, insert);
}
