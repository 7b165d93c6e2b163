/*===- vector.c - calls of the vector unit ------------------------------------------------===
 *
 * On tiles of the half of DST that math holds, or the packer. What the functions compute
 * stands in sfpu.c, what they cost in vector.def.
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

enum { FACE_VECTORS = 8 }; /* of 32 lanes */

typedef struct Sfpu {
  ttemu_sfpu_call call;
  DstMode mode;
  uint32_t *in[3], *out;
} Sfpu;

static void do_sfpu(const void *args) {
  const Sfpu *s = args;
  emu_sfpu(&s->call, s->mode, s->in, s->out);
}

/* What the kernel's approximate mode replaces. */
static ttemu_sfpu approximate(ttemu_sfpu op) {
  return op == TTEMU_SQRT ? TTEMU_SQRT_APPROX : op == TTEMU_RSQRT ? TTEMU_RSQRT_APPROX : op;
}

/* A tile of the half of DST that this processor holds. */
static uint32_t *sfpu_tile(Risc *risc, uint32_t index, bool *written) {
  if (risc->role == MATH) return emu_math_tile(risc, index, written);
  if (!risc->core->pack_holds)
    emu_error(risc, 10,
              "the packer's processor computes on DST outside of tile_regs_wait and "
              "tile_regs_release");
  return emu_dst_tile(risc, risc->core->released, index);
}

static uint32_t *input_tile(Risc *risc, const ttemu_sfpu_call *call, uint32_t index) {
  bool written = true, fills = call->op == TTEMU_FILL || call->op == TTEMU_FILL_INT;
  uint32_t *tile = sfpu_tile(risc, index, &written);
  if (!written && !fills)
    emu_warning(risc, 10,
                "%s takes tile %u of DST, which nothing has computed since it was acquired: zeros",
                emu_sfpu_name(call->op), index);
  return tile;
}

/* Its registers are shared, and nothing on the chip keeps two processors from it. */
static void take_vector_unit(Risc *risc, uint64_t clk) {
  Core *core = risc->core;
  int self = risc->role == MATH ? 0 : 1, other = 1 - self;
  core->vector_from[self] = risc->time, core->vector_to[self] = risc->time + clk;
  core->vector_pending |= risc->role == PACK;
  if (core->vector_from[other] < core->vector_to[self] &&
      core->vector_from[self] < core->vector_to[other])
    emu_warning(
        risc, 10,
        "computes on the vector unit while %s does, whose registers it shares; use a half of "
        "DST later, or a semaphore of the engine",
        self == 0 ? "the packer's processor" : "math");
}

void emu_check_packed(Risc *risc) {
  if (!risc->core->vector_pending) return;
  risc->core->vector_pending = false;
  emu_warning(risc, 10,
              "packs what the vector unit may still compute for this processor; put "
              "PACK(TTI_STALLWAIT(p_stall::STALL_PACK, p_stall::WAIT_SFPU)) before it");
}

void ttemu_vector_wait(uint32_t line) {
  Risc *risc = emu_call(line);
  if (risc->role == PACK) risc->core->vector_pending = false;
}

void emu_vector_work(Risc *risc, uint64_t clk) {
  take_vector_unit(risc, clk);
  emu_work(risc, clk);
  if (risc->role == MATH) risc->core->math_busy += clk;
}

/* Of a tile, in proportion to the vectors that it works on. */
static uint64_t vector_clk(const ttemu_sfpu_call *call, bool wide) {
  static const TtVector functions[] = {
#define VECTOR(name, ...) [TTEMU_##name] = TT_VECTOR_##name,
#include "Target/vector.def"
#undef VECTOR
  };
  _Static_assert(TT_NUM_VECTOR == (int)TTEMU_NUM_SFPU, "a row in vector.def for each function");
  uint64_t clk = call->op == TTEMU_TYPECAST
                     ? tt_typecast_clk(emu.costs, call->scalars[0], call->scalars[1])
                     : tt_vector_clk(emu.costs, functions[call->op], wide);
  uint64_t vectors = call->vectors ? (uint64_t)call->vectors : FACE_VECTORS;
  uint64_t faces = call->vector_mode == TTEMU_VECTOR_RC     ? 4
                   : call->vector_mode == TTEMU_VECTOR_NONE ? 1
                                                            : 2;
  return clk * faces * vectors / (4 * FACE_VECTORS);
}

void ttemu_sfpu_run(ttemu_sfpu_call call, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role != (call.by_pack ? PACK : MATH)) return;
  emu_check_sfpu(risc, call.op);
  if (call.op == TTEMU_FILL_INT && emu.chip->fills_step && risc->steps)
    emu_error(risc, 11,
              "fill_tile_int after an init of add, sub or mul fills other rows on this chip: the "
              "init leaves a step behind; initialize a copy before it, or fill zeros and add");
  if (risc->kernel->approx) call.op = approximate(call.op);
  Sfpu s = {.call = call, .mode = emu_mode(risc)};
  for (int i = 0; i < call.inputs; ++i) s.in[i] = input_tile(risc, &call, call.in[i]);
  s.out = sfpu_tile(risc, call.out, NULL);
  LATER(risc, do_sfpu, s);
  uint64_t clk = vector_clk(&call, s.mode.wide);
  emu_trace(risc->core, risc->role, TRACE_SFPU, call.op, 0, risc->time, risc->time + clk);
  emu_vector_work(risc, clk);
}
