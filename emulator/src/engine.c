/*===- engine.c - DST, and how the engine is set up ---------------------------------------===
 *
 * Every function of the compute API runs on unpack, math and pack; each does its own
 * part. Math and pack hand halves of DST to each other. Settings stay until they are
 * changed, and a tile op that needs others is an error.
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

#include <string.h>

Risc *emu_enter(uint32_t line) {
  Risc *risc = emu.running;
  if (line) risc->line = line; /* calls by a pointer have none */
  return risc;
}

static uint32_t halves(const Risc *risc) { return risc->kernel->full_sync ? 1 : 2; }

static uint32_t capacity(const Risc *risc) {
  return (risc->kernel->fp32_dest ? emu.chip->dst_tiles_32 : emu.chip->dst_tiles_16) *
         (risc->kernel->full_sync ? 2u : 1u);
}

/* What Float32 buffers become in source registers, as the vendor's build chooses it from all
 * circular buffers of a core (tt_metal/jit_build/data_format.cpp): Tf32 needs DST of fp32, and
 * either nothing but Float32 or a format with an exponent of 8 bits; integers count as others. */
bool emu_f32_becomes_half(const Core *core, bool wide) {
  bool eight = false, five = false, integers = false;
  for (int c = 0; c < MAX_CBS; ++c) {
    const TtFormat *row = core->cbs[c].used ? tt_format_of_code((int)core->cbs[c].format) : NULL;
    if (!row || core->cbs[c].format == TTEMU_FLOAT32) continue;
    if (!row->is_float) integers = true;
    else if (row->exponent == 5) five = true;
    else eight = true;
  }
  return !eight && (five || integers || !wide);
}

DstMode emu_mode(const Risc *risc) {
  bool as_half = risc->core->f32_as_half[risc->kernel->fp32_dest];
  return (DstMode){.wide = risc->kernel->fp32_dest,
                   .five = risc->srca == TTEMU_FLOAT16 || (risc->srca == TTEMU_FLOAT32 && as_half),
                   .f32_as_half = as_half,
                   .wormhole = emu.chip->odd_sums,
                   .fast = emu.fast};
}

/*===- DST --------------------------------------------------------------------------------===*/

uint32_t *emu_dst_tile(Risc *risc, uint32_t half, uint32_t index) {
  if (index >= capacity(risc))
    emu_error(risc, 9, "DST tile %u: DST has %u tiles in this mode", index, capacity(risc));
  return risc->core->dst[half % halves(risc) * capacity(risc) + index];
}

void emu_check_wide_tile(Risc *risc, uint32_t dst) {
  uint32_t tiles = emu.chip->dst_tiles_32 * (risc->kernel->full_sync ? 2u : 1u);
  if (dst >= tiles)
    emu_error(risc, 9, "DST tile %u: DST has %u tiles of 32 bits, which integers take", dst, tiles);
}

/* The tile that math works on; whether it was computed on before, in `written`. */
uint32_t *emu_math_tile(Risc *risc, uint32_t index, bool *written) {
  const Core *core = risc->core;
  bool is_free = core->committed - core->released < halves(risc);
  if (!core->math_holds)
    (is_free ? emu_forgiven : emu_error)(
        risc, 10, "math writes DST outside of tile_regs_acquire and tile_regs_commit%s",
        is_free ? ", a half that is free" : "");
  uint32_t *tile = emu_dst_tile(risc, risc->core->committed, index);
  if (written) *written = risc->core->written[index] > 0;
  risc->core->written[index] = 4;
  return tile;
}

uint32_t *emu_math_faces(Risc *risc, uint32_t index, int faces, bool *written) {
  uint8_t old = index < MAX_DST ? risc->core->written[index] : 0;
  uint32_t *tile = emu_math_tile(risc, index, written);
  risc->core->written[index] = faces > old ? (uint8_t)faces : old;
  return tile;
}

void ttemu_dst_acquire(uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role != MATH) return;
  Core *core = risc->core;
  if (core->math_holds) emu_error(risc, 10, "tile_regs_acquire twice without tile_regs_commit");
  emu_sync(risc);
  while (core->committed - core->released >= halves(risc)) emu_block(risc, WAIT_DST_FREE, 0, 0);
  emu_race_half(risc, false);
  core->math_holds = true;
  memset(core->written, 0, sizeof core->written);
}

void ttemu_dst_commit(uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role != MATH) return;
  Core *core = risc->core;
  bool hollow = !core->math_holds;
  if (hollow)
    emu_forgiven(risc, 10,
                 "tile_regs_commit without tile_regs_acquire: a section of DST with nothing in it");
  emu_work(risc, emu.costs->step[TT_COST_section]);
  emu_sync(risc);
  core->math_holds = false;
  core->hollow[core->committed % 4] = hollow;
  if (hollow) memset(core->written, 0, sizeof core->written);
  memcpy(core->given[core->committed % 2], core->written, sizeof core->written);
  emu_race_half(risc, true);
  ++core->committed;
  ++core->sections;
  emu_wake(core, WAIT_DST_COMMIT, 0, risc->time);
}

void ttemu_dst_wait(uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role != PACK) return;
  Core *core = risc->core;
  if (core->pack_holds) emu_error(risc, 10, "tile_regs_wait twice without tile_regs_release");
  emu_sync(risc);
  if (core->other_half)
    emu_error(risc, 10,
              "tile_regs_wait after a tile_regs_release without one: the packer takes the half of "
              "DST that math works on");
  while (core->committed == core->released) emu_block(risc, WAIT_DST_COMMIT, 0, 0);
  emu_race_half(risc, false);
  core->pack_holds = true;
}

typedef struct Zero {
  uint32_t *dst;
  uint32_t tiles;
} Zero;

static void do_zero(const void *args) {
  const Zero *z = args;
  memset(z->dst, 0, z->tiles * sizeof(uint32_t[TILE]));
}

void ttemu_dst_release(uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role != PACK) return;
  Core *core = risc->core;
  if (!core->pack_holds) emu_sync(risc);
  if (!core->pack_holds && core->committed != core->released && core->hollow[core->released % 4]) {
    ++core->released; /* what math did once too often, too */
    emu_wake(core, WAIT_DST_FREE, 0, risc->time);
    return;
  }
  if (!core->pack_holds) {
    emu_forgiven(risc, 10, "tile_regs_release without tile_regs_wait");
    core->other_half = true;
    return;
  }
  emu_work(risc, emu.costs->step[TT_COST_section]);
  emu_sync(risc);
  Zero zero = {emu_dst_tile(risc, core->released, 0), capacity(risc)};
  emu_later(core, do_zero, &zero, sizeof zero);
  core->pack_holds = false;
  emu_race_half(risc, true);
  ++core->released;
  emu_wake(core, WAIT_DST_FREE, 0, risc->time);
}

/*===- Settings ---------------------------------------------------------------------------===*/

const CB *emu_cb(Risc *risc, uint32_t index) {
  static const CB none = {.format = TTEMU_FLOAT16_B, .tile = {32, 32}};
  if (index == TTEMU_ANY_CB && risc->role != UNPACK) return &none;
  if (index >= emu.chip->cbs || !risc->core->cbs[index].used)
    emu_error(risc, 8, "circular buffer %u is not configured on this core", index);
  emu_check_stray(risc, index);
  return &risc->core->cbs[index];
}

static void set_packer(Risc *risc, uint32_t out) {
  risc->pack = emu_cb(risc, out)->format, risc->pack_tile = emu_cb(risc, out)->tile;
}

/* Math waits until the packer has released all, and both begin with the first half of DST. */
static void restart_halves(Risc *risc) {
  Core *core = risc->core;
  if (risc->role != MATH) return;
  emu_sync(risc);
  while (core->committed != core->released) emu_block(risc, WAIT_DST_FREE, 0, 0);
  if (core->committed % 2 == 0) return;
  ++core->committed, ++core->released;
}

void ttemu_startup(uint32_t a, uint32_t b, uint32_t out, bool reverse, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->started_up) {
    emu_forgiven(risc, 11, "the engine is started up a second time; startup goes once, at the top");
    restart_halves(risc);
  }
  risc->started_up = true;
  emu_work(risc, emu.costs->step[TT_COST_startup]);
  risc->srca = emu_source_format(risc, reverse ? b : a);
  risc->srcb = emu_source_format(risc, reverse ? a : b);
  emu_set_integers(risc, a, b);
  set_packer(risc, out);
}

void ttemu_startup_once(uint32_t a, uint32_t b, uint32_t out, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (!risc->started_up) {
    ttemu_startup(a, b, out, false, line);
    return;
  }
  risc->srca = emu_source_format(risc, a), risc->srcb = emu_source_format(risc, b);
  emu_set_integers(risc, a, b);
  set_packer(risc, out);
}

void ttemu_by_parts(void) { emu.running->by_parts = true; }

void emu_set_fpu(Risc *risc, int fpu, int shape) {
  if (!risc->started_up && !risc->by_parts)
    emu_error(risc, 11, "an op is initialized before the startup of the engine");
  if (risc->reduced != NOT_REDUCED && fpu != FPU_REDUCE)
    emu_error(risc, 14,
              "another op is initialized after a reduction; call reduce_uninit before it");
  if (risc->turns_faces)
    emu_error(risc, 14,
              "another op is initialized after a reduction of blocks, to which unpack is set; call "
              "reduce_block_max_row_uninit before it, which reduce_uninit does not do");
  bool moves = fpu == FPU_TILIZE || fpu == FPU_UNTILIZE;
  if (risc->fpu >= FPU_TILIZE && !moves)
    emu_error(risc, 14, "another op is initialized after %s; call its uninit before it",
              risc->fpu == FPU_TILIZE ? "tilize" : "untilize");
  if (risc->role != PACK) {
    bool matmul = risc->role == MATH && fpu == TTEMU_MATMUL;
    emu_work(risc, emu.costs->step[matmul ? TT_COST_init_matmul : TT_COST_init]);
  }
  /* Products of tiles and reductions leave the mode as it is. */
  if (fpu < (int)TTEMU_MATMUL) risc->steps = true;
  else if (fpu != (int)TTEMU_MATMUL && fpu != FPU_REDUCE) risc->steps = false;
  risc->fpu = fpu;
  risc->shape = shape;
  risc->set_a = risc->set_b = (TileShape){0, 0};
  risc->adds_onto = risc->tilizes_two = risc->transposes = false;
}

void ttemu_binary_init(ttemu_binary op, int shape, uint32_t a, uint32_t b, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (a != TTEMU_ANY_CB) emu_cb(risc, a);
  if (b != TTEMU_ANY_CB) emu_cb(risc, b);
  emu_set_fpu(risc, (int)op, shape);
  emu_set_tiles(risc, a, b);
}

void ttemu_binary_onto(uint32_t line) { emu_enter(line)->adds_onto = true; }

void ttemu_copy_init(uint32_t cb, bool transpose, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (cb != TTEMU_ANY_CB) emu_cb(risc, cb);
  emu_set_fpu(risc, FPU_COPY, transpose ? COPY_TRANSPOSED : 0);
  emu_set_tiles(risc, cb, TTEMU_ANY_CB);
}

void ttemu_transpose_init(uint32_t cb, uint32_t line) {
  Risc *risc = emu_enter(line);
  emu_cb(risc, cb);
  emu_set_fpu(risc, FPU_TRANSPOSE, 0);
  emu_set_tiles(risc, cb, TTEMU_ANY_CB);
}

/* A copy whose rows, columns or element are broadcast. */
void ttemu_unary_bcast_init(ttemu_bcast shape, uint32_t cb, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (cb != TTEMU_ANY_CB) emu_cb(risc, cb);
  emu_set_fpu(risc, FPU_COPY, (int)shape);
  emu_set_tiles(risc, cb, TTEMU_ANY_CB);
}

int emu_reduce_shape(ttemu_pool pool, ttemu_reduce_dim dim) { return 4 * (int)pool + (int)dim; }

void ttemu_reduce_init(ttemu_pool pool, ttemu_reduce_dim dim, uint32_t cb, uint32_t scaler,
                       uint32_t line) {
  Risc *risc = emu_enter(line);
  emu_cb(risc, cb), emu_cb(risc, scaler);
  emu_set_fpu(risc, FPU_REDUCE, emu_reduce_shape(pool, dim));
  emu_set_tiles(risc, cb, TTEMU_ANY_CB);
  risc->reduced = (int)dim;
}

void ttemu_reduce_init_again(ttemu_pool pool, ttemu_reduce_dim dim, uint32_t line) {
  Risc *risc = emu_enter(line);
  emu_set_fpu(risc, FPU_REDUCE, emu_reduce_shape(pool, dim));
  risc->reduced = (int)dim;
}

void ttemu_reduce_uninit(uint32_t line) { emu_enter(line)->reduced = NOT_REDUCED; }

void ttemu_sfpu_init(ttemu_sfpu op, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role == MATH) emu_work(risc, emu.costs->step[TT_COST_init_vector]);
  risc->sfpu = (int)op;
  if (!emu_sfpu_init_is_shared(emu_sfpu_init_of(op))) risc->sfpu_kept = (int)op;
}

void ttemu_reconfig_pack(uint32_t cb, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->onto_l1)
    emu_error(risc, 13,
              "pack_reconfig_data_format while the packer adds to L1; call it before "
              "pack_reconfig_l1_acc(1)");
  if (risc->role == PACK) emu_work(risc, emu.costs->step[TT_COST_reconfig_pack]);
  risc->pack = emu_cb(risc, cb)->format;
  if (!risc->pack_tile.rows) risc->pack_tile = emu_cb(risc, cb)->tile; /* no startup has */
}

void ttemu_pack_tile_shape(uint32_t cb, uint32_t line) {
  Risc *risc = emu_enter(line);
  risc->pack_tile = emu_cb(risc, cb)->tile;
}

void ttemu_pack_relu(bool on, uint32_t line) { emu_enter(line)->relu = on; }

void ttemu_pack_onto_l1(bool on, uint32_t line) { emu_enter(line)->onto_l1 = on; }

/* Beside the values of ttemu_bcast. */
int emu_reuse_shape(bool source_a) { return 4 + source_a; }

void ttemu_reuse_init(ttemu_binary op, bool source_a, uint32_t cb, uint32_t line) {
  Risc *risc = emu_enter(line);
  emu_cb(risc, cb);
  emu_set_fpu(risc, (int)op, emu_reuse_shape(source_a));
  emu_set_tiles(risc, cb, TTEMU_ANY_CB);
}

const char *emu_fpu_name(int fpu) {
  static const char *const names[] = {"add",       "sub",    "mul",    "matmul",  "copy",
                                      "transpose", "reduce", "tilize", "untilize"};
  return fpu < 0 ? "nothing" : names[fpu];
}

void emu_check_settings(Risc *risc, int fpu, int shape) {
  if (!risc->started_up) emu_error(risc, 11, "a tile op runs before the startup of the engine");
  bool two = fpu < (int)TTEMU_MATMUL && risc->fpu >= 0 && risc->fpu < (int)TTEMU_MATMUL;
  if (risc->fpu != fpu && !(risc->role == UNPACK && two)) /* it does not know the op */
    emu_error(risc, 11, "%s runs, but the engine is initialized for %s", emu_fpu_name(fpu),
              emu_fpu_name(risc->fpu));
  if (risc->shape != shape)
    emu_error(risc, 11,
              "%s runs, but its init was for another broadcast, transposition or "
              "reduction",
              emu_fpu_name(fpu));
}

void emu_check_sfpu(Risc *risc, ttemu_sfpu op) {
  if (risc->sfpu < 0)
    emu_error(risc, 11, "the SFPU function %s runs without an init", emu_sfpu_name(op));
  ttemu_sfpu needs = emu_sfpu_init_of(op), last = (ttemu_sfpu)risc->sfpu;
  if (emu_sfpu_init_of(last) == needs) return;
  const bool kept = risc->sfpu_kept >= 0 && risc->sfpu_kept < TTEMU_NUM_SFPU &&
                    emu_sfpu_init_of((ttemu_sfpu)risc->sfpu_kept) == needs;
  if (kept) {
    emu_forgiven(
        risc, 11,
        "the SFPU function %s runs after the init of %s, which leaves what its own has set "
        "up",
        emu_sfpu_name(op), emu_sfpu_name(last));
    return;
  }
  if (!emu_sfpu_init_is_shared(needs))
    emu_error(risc, 11, "the SFPU function %s runs, but the last init was for %s",
              emu_sfpu_name(op), emu_sfpu_name(last));
  emu_forgiven(risc, 11,
               "the SFPU function %s runs after the init of %s, which sets up what its own would",
               emu_sfpu_name(op), emu_sfpu_name(last));
}
