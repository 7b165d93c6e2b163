/*===- protocol_engine.c - unpack, math and pack in the abstract run --------------------------===*/

#include "Dialect/op_info.h"
#include "Target/formats.h"
#include "Verify/protocol_state.h"

enum { HALVES = 2, SOURCE_BANKS = 2 };

static int format_of(const TtProtocolRun *r, int cb) {
  return cb < 0 ? -1 : (int)r->p->cbs[cb].format;
}

static const TtProtocolKernel *kernel_of(const TtProtocolRun *r, const TtProcess *p) {
  return &r->p->kernels[p->core->core->kernels[TT_KERNEL_ROLE_COMPUTE]];
}

/* What a source is set to for a circular buffer: Float32 on its way to DST is another format than
 * Float32 that becomes Tf32. */
static int source_format_of(const TtProtocolRun *r, const TtProcess *p, int cb) {
  bool to_dst = cb >= 0 && cb < 64 && kernel_of(r, p)->to_dst >> cb & 1;
  return to_dst ? TT_DATA_FORMAT_COUNT + format_of(r, cb) : format_of(r, cb);
}

static const char *unit_name(const TtProtocolRun *r, int unit) {
  return unit < 0 ? "nothing" : r->p->units[unit];
}

static const char *sfpu_name(const TtProtocolRun *r, const TtStep *s) {
  return tt_arena_str(r->p->arena, tt_attr_word(s->op, "op"));
}

static bool is_integer(const TtProtocolRun *r, int cb) {
  TtDataFormat f = r->p->cbs[cb].format;
  return f == TT_DATA_FORMAT_INT32 || f == TT_DATA_FORMAT_UINT16 || f == TT_DATA_FORMAT_UINT8;
}

/* Most ops of the matrix engine do not know integers. */
static bool check_floats(const TtProtocolRun *r, const TtStep *s) {
  for (int i = 0; i < 2 && !s->integers; ++i)
    if (s->cb[i] >= 0 && is_integer(r, s->cb[i]))
      return tt_error(s->op,
                      "[rule 12] the matrix engine takes no integers here, but %s holds some; copy "
                      "its tiles to "
                      "DST and use the SFPU",
                      r->p->cbs[s->cb[i]].name);
  return true;
}

static bool check_source(const TtProtocolRun *r, const TtProcess *p, const TtStep *s, int set,
                         char source) {
  int read = s->source_of[source - 'A'], a = s->source_of[0];
  bool as_a = read < 0 && a >= 0 && s->cb[a] >= 0 &&
              tt_format_is_byte(tt_format((TtDType)r->p->cbs[s->cb[a]].format));
  int cb = read >= 0 ? s->cb[read] : as_a ? s->cb[a] : -1;
  int needs = source_format_of(r, p, cb);
  if (cb < 0 || set == needs) return true;
  if (set >= 0 && set % TT_DATA_FORMAT_COUNT == needs % TT_DATA_FORMAT_COUNT)
    return tt_error(s->op,
                    "[rule 12] source %c is set to %s on its way to %s, but %s goes to %s; "
                    "reconfigure it",
                    source, tt_data_format_str(set % TT_DATA_FORMAT_COUNT),
                    set < TT_DATA_FORMAT_COUNT ? "the source registers" : "DST", r->p->cbs[cb].name,
                    set < TT_DATA_FORMAT_COUNT ? "DST" : "those registers");
  return tt_error(
      s->op, "[rule 12] source %c is set to another data format than that of %s; reconfigure it",
      source, r->p->cbs[cb].name);
}

/* Whether the matrix engine takes integers. Int32 sets that, too, though it goes to DST past it. */
static bool sets_integers(const TtProtocolRun *r, int cb) {
  return cb >= 0 && tt_format_sets_integers(tt_format((TtDType)r->p->cbs[cb].format));
}

static void reconfigure(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  int *source = s->kind == TT_STEP_SRCA ? &p->marks->srca : &p->marks->srcb;
  *source = source_format_of(r, p, s->cb[0]);
  if (kernel_of(r, p)->tells) p->marks->takes_integers = sets_integers(r, s->cb[0]);
}

/* To DST of 16 bits floats are moved, not added to zeros as elsewhere; what goes past the source
 * registers, and integers of 16 bits, are moved always. */
static bool check_integers(const TtProtocolRun *r, const TtProcess *p, const TtStep *s) {
  const TtProtocolKernel *kernel = kernel_of(r, p);
  bool bytes = false;
  for (int i = 0; i < 2; ++i) {
    int cb = s->source_of[i] < 0 ? -1 : s->cb[s->source_of[i]];
    if (cb < 0) continue;
    bool is_byte = tt_format_is_byte(tt_format((TtDType)r->p->cbs[cb].format)),
         copied = s->integers && s->source_of[1 - i] < 0;
    if (!is_byte && copied &&
        (!kernel->wide || is_integer(r, cb) || (cb < 64 && kernel->to_dst >> cb & 1)))
      return true;
    bytes |= is_byte;
  }
  return p->marks->takes_integers == bytes ||
         tt_error(s->op,
                  "[rule 12] the matrix engine takes what the source registers hold for %s, as "
                  "circular buffers were that they were set to; %s",
                  bytes ? "floats" : "integers",
                  kernel->wide ? "reconfigure source A last"
                               : "with DST of 16 bits that stays as the startup has it, so "
                                 "ask for tt.fp32_dest_acc");
}

static bool check_settings(const TtProtocolRun *r, const TtProcess *p, const TtStep *s) {
  if (!p->marks->started_up)
    return tt_error(s->op, "[rule 11] a tile op runs before the startup of the engine");
  if (p->marks->fpu != s->unit)
    return tt_error(s->op, "[rule 11] %s runs, but the engine is initialized for %s",
                    unit_name(r, s->unit), unit_name(r, p->marks->fpu));
  return check_source(r, p, s, p->marks->srca, 'A') && check_source(r, p, s, p->marks->srcb, 'B') &&
         check_floats(r, s) && check_integers(r, p, s);
}

static bool check_dst(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  int64_t capacity = kernel_of(r, p)->dst_tiles;
  TtGrowing dst = tt_evaluate(r, p, s->index[2]);
  if (tt_sign(r, dst) >= 0) dst = tt_grows_add(r, dst, tt_grows_const(s->last[2]));
  return (tt_sign(r, dst) >= 0 && tt_is_less(r, dst, tt_grows_const(capacity))) ||
         tt_error(s->op, "[rule 9] DST tile %jd, but DST has %jd in this mode", (intmax_t)dst.at,
                  (intmax_t)capacity);
}

/* The tiles of DST that a step computes, or packs, a bit each. */
static int dst_tiles(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  int64_t first = tt_evaluate(r, p, s->index[2]).at;
  int tiles = 0;
  for (int64_t t = first; t <= first + s->last[2] && t < 31; ++t) tiles |= 1 << t;
  return tiles;
}

/* Whether the first run has shown what a core does by itself: who is late changes nothing of that.
 */
static bool is_shown(const TtProtocolRun *r) { return r->late != NULL; }

/* What is left of an op of the engine then: unpack fills a source, and math takes it. */
static TtOutcome hand_over(TtProcess *p) {
  TtSharedMarks *m = p->core->shared;
  if (m->filled == (p->kind == TT_MATH ? 0 : SOURCE_BANKS)) return TT_BLOCKED;
  m->filled += p->kind == TT_MATH ? -1 : 1;
  if (p->kind == TT_MATH) m->written = 1;
  return TT_GO_ON;
}

static TtOutcome run_math(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  if (is_shown(r)) return hand_over(p);
  if (!check_settings(r, p, s)) return TT_FAILED;
  if (p->kind == TT_MATH) {
    if (!p->core->shared->math_holds)
      return tt_error(s->op, "[rule 10] math writes DST outside of acquire and commit"), TT_FAILED;
    if (!check_dst(r, p, s)) return TT_FAILED;
    if (p->core->shared->filled == 0) return TT_BLOCKED;
    --p->core->shared->filled;
    p->core->shared->written |= dst_tiles(r, p, s);
    return TT_GO_ON;
  }
  for (int i = 0; i < 2 && s->index[i] >= 0; ++i) {
    TtGrowing tile = tt_grows_add(r, tt_evaluate(r, p, s->index[i]), tt_grows_const(s->last[i])),
              waited = s->cb[i] < 0 ? tile : tt_view(p, s->cb[i])->waited;
    if (s->cb[i] >= 0 && (tt_sign(r, tile) < 0 || !tt_is_less(r, tile, waited)))
      return tt_error(s->op, "[rule 21] reads tile %jd of %s, of which %jd were waited for",
                      (intmax_t)tile.at, r->p->cbs[s->cb[i]].name, (intmax_t)waited.at),
             TT_FAILED;
  }
  if (p->core->shared->filled == SOURCE_BANKS) return TT_BLOCKED;
  ++p->core->shared->filled;
  return TT_GO_ON;
}

/* Whether DST and the packer are ready for a tile. */
static bool check_pack(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  int c = s->cb[0];
  if (!p->marks->started_up)
    return tt_error(s->op, "[rule 11] packs before the startup of the engine");
  if (!p->core->shared->pack_holds)
    return tt_error(s->op, "[rule 10] packs outside of wait and release");
  if (!check_dst(r, p, s)) return false;
  if (dst_tiles(r, p, s) & ~p->core->shared->given[0])
    return tt_error(s->op,
                    "[rule 10] packs DST tile %jd, which nothing has computed since it was "
                    "acquired; the chip packs zeros",
                    (intmax_t)tt_evaluate(r, p, s->index[2]).at);
  if (c < 0) return true;
  if (p->marks->packer != format_of(r, c))
    return tt_error(
        s->op, "[rule 12] the packer is set to another data format than that of %s; reconfigure it",
        r->p->cbs[c].name);
  return !p->marks->onto_l1 || r->p->cbs[c].format == TT_DATA_FORMAT_FLOAT32 ||
         r->p->cbs[c].format == TT_DATA_FORMAT_BFLOAT16 ||
         tt_error(s->op,
                  "[rule 13] the packer adds to L1 in float32 and bfloat16 only, but %s "
                  "has another format",
                  r->p->cbs[c].name);
}

static TtOutcome run_pack(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  int c = s->cb[0];
  if (!is_shown(r) && !check_pack(r, p, s)) return TT_FAILED;
  if (c < 0) return TT_GO_ON;
  TtBufferView *view = tt_view(p, c);
  TtGrowing page = s->index[0] < 0 ? view->packed : tt_evaluate(r, p, s->index[0]);
  if (tt_sign(r, page) < 0 || !tt_is_less(r, page, view->reserved))
    return tt_error(s->op, "[rule 21] packs page %jd of %s, of which %jd are reserved",
                    (intmax_t)page.at + 1, r->p->cbs[c].name, (intmax_t)view->reserved.at),
           TT_FAILED;
  if (!tt_check_unfetched(r, p->core, s, tt_grows_add(r, view->pushed, page), 1)) return TT_FAILED;
  page = tt_grows_add(r, page, tt_grows_const(1));
  if (tt_is_less(r, view->packed, page)) view->packed = page;
  return TT_GO_ON;
}

static TtOutcome run_math_dst(TtProcess *p, const TtStep *s) {
  TtSharedMarks *m = p->core->shared;
  if (s->kind == TT_STEP_ACQUIRE) {
    if (m->math_holds)
      return tt_error(s->op, "[rule 10] acquires DST twice without a commit"), TT_FAILED;
    if (m->committed == HALVES) return TT_BLOCKED;
    m->math_holds = 1, m->written = 0;
    return TT_GO_ON;
  }
  if (!m->math_holds)
    return tt_error(s->op, "[rule 10] commits DST without acquiring it"), TT_FAILED;
  if (!m->written)
    return tt_error(s->op, "[rule 10] commits DST, but nothing has computed in it since it was "
                           "acquired; remove the section, or compute what it is for"),
           TT_FAILED;
  m->math_holds = 0;
  m->given[m->committed++] = m->written;
  return TT_GO_ON;
}

static TtOutcome run_pack_dst(TtProcess *p, const TtStep *s) {
  TtSharedMarks *m = p->core->shared;
  if (s->kind == TT_STEP_DST_WAIT) {
    if (m->pack_holds)
      return tt_error(s->op, "[rule 10] waits for DST twice without a release"), TT_FAILED;
    if (m->committed == 0) return TT_BLOCKED;
    m->pack_holds = 1;
    return TT_GO_ON;
  }
  if (!m->pack_holds)
    return tt_error(s->op, "[rule 10] releases DST without waiting for it"), TT_FAILED;
  m->pack_holds = 0;
  --m->committed;
  m->given[0] = m->given[1], m->given[1] = 0;
  return TT_GO_ON;
}

static TtOutcome run_startup(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  TtProcessMarks *m = p->marks;
  if (m->started_up)
    return tt_error(s->op, "[rule 11] a second startup; it goes once, at the top"), TT_FAILED;
  m->started_up = 1;
  m->srca = source_format_of(r, p, s->cb[0]), m->srcb = source_format_of(r, p, s->cb[1]),
  m->packer = format_of(r, s->cb[2]);
  m->takes_integers = sets_integers(r, s->cb[0]) || sets_integers(r, s->cb[1]);
  return TT_GO_ON;
}

/* What a reduction is of that has not been ended. */
enum { NO_REDUCTION, OF_TILES, OF_BLOCKS };

static TtOutcome run_fpu_init(TtProcess *p, const TtStep *s) {
  if (!p->marks->started_up)
    return tt_error(s->op, "[rule 11] an op is initialized before the startup of the engine"),
           TT_FAILED;
  int reduction = tt_op_info(s->op)->does != TT_ACT_SET_TO_END    ? NO_REDUCTION
                  : metalium_reduce_block_max_row_init_isa(s->op) ? OF_BLOCKS
                                                                  : OF_TILES;
  if (p->marks->reducing != NO_REDUCTION && p->marks->reducing != reduction)
    return tt_error(s->op, "[rule 14] another op is initialized after a reduction; put its "
                           "uninit before it"),
           TT_FAILED;
  p->marks->fpu = s->unit;
  p->marks->reducing = reduction;
  return TT_GO_ON;
}

/* Reductions of blocks set unpack as well, which the end of the others leaves so. */
static TtOutcome run_reduce_end(TtProcess *p, const TtStep *s) {
  bool of_blocks = metalium_reduce_block_max_row_uninit_isa(s->op);
  if (p->marks->reducing == (of_blocks ? OF_TILES : OF_BLOCKS))
    return tt_error(s->op,
                    "[rule 14] this ends reductions of %s, but those before it are of %s; "
                    "take metalium.%s",
                    of_blocks ? "blocks" : "tiles", of_blocks ? "tiles" : "blocks",
                    of_blocks ? "reduce_uninit" : "reduce_block_max_row_uninit"),
           TT_FAILED;
  p->marks->reducing = NO_REDUCTION, p->marks->fpu = -1;
  return TT_GO_ON;
}

static TtOutcome run_sfpu(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  if (p->marks->sfpu != s->unit)
    return tt_error(s->op, "[rule 11] %s runs, but the SFPU is initialized for %s", sfpu_name(r, s),
                    unit_name(r, p->marks->sfpu)),
           TT_FAILED;
  if (!p->core->shared->math_holds)
    return tt_error(s->op, "[rule 10] the SFPU writes DST outside of acquire and commit"),
           TT_FAILED;
  if (!check_dst(r, p, s)) return TT_FAILED;
  int tiles = dst_tiles(r, p, s), *written = &p->core->shared->written;
  if (s->takes_dst && !is_shown(r) && (tiles & ~*written) &&
      tt_untidy(
          r, s,
          "[rule 10] %s takes DST tile %jd, which nothing has computed since it was acquired: "
          "zeros",
          sfpu_name(r, s), (intmax_t)tt_evaluate(r, p, s->index[2]).at) == TT_FAILED)
    return TT_FAILED;
  *written |= tiles;
  return TT_GO_ON;
}

/* Rule 13: what the packer adds to has the format that was set before. */
static TtOutcome run_packer(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  if (s->kind == TT_STEP_L1_ACC) {
    p->marks->onto_l1 = tt_exact(r, tt_evaluate(r, p, s->index[0])) != 0;
    return TT_GO_ON;
  }
  if (p->marks->onto_l1)
    return tt_error(s->op, "[rule 13] the packer's format changes while it adds to L1; put this "
                           "before metalium.pack_reconfig_l1_acc"),
           TT_FAILED;
  p->marks->packer = format_of(r, s->cb[0]);
  return TT_GO_ON;
}

TtOutcome tt_run_engine_step(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  switch (s->kind) {
  case TT_STEP_MATH: return run_math(r, p, s);
  case TT_STEP_PACK: return run_pack(r, p, s);
  case TT_STEP_SFPU: return run_sfpu(r, p, s);
  case TT_STEP_ACQUIRE:
  case TT_STEP_COMMIT: return run_math_dst(p, s);
  case TT_STEP_DST_WAIT:
  case TT_STEP_RELEASE: return run_pack_dst(p, s);
  case TT_STEP_STARTUP: return run_startup(r, p, s);
  case TT_STEP_FPU_INIT: return run_fpu_init(p, s);
  case TT_STEP_REDUCE_END: return run_reduce_end(p, s);
  case TT_STEP_SFPU_INIT: p->marks->sfpu = s->unit; return TT_GO_ON;
  case TT_STEP_SRCA:
  case TT_STEP_SRCB: reconfigure(r, p, s); return TT_GO_ON;
  default: return run_packer(r, p, s);
  }
}

bool tt_check_engine_at_end(TtProtocolRun *r, const TtCoreState *core) {
  const TtProcess *math = &core->processes[TT_MATH];
  int kernel = core->core->kernels[TT_KERNEL_ROLE_COMPUTE];
  if (kernel < 0) return true;
  MlirOperation compute = r->p->kernels[kernel].op;
  if (core->shared->math_holds || core->shared->pack_holds)
    return tt_error(compute, "[rule 10] the compute kernel ends with DST not %s",
                    core->shared->math_holds ? "committed" : "released");
  const TtStep *commit = NULL, *adds = NULL;
  const TtProcess *pack = &core->processes[TT_PACK];
  for (int i = 0; pack->marks->onto_l1 && i < pack->steps->n; ++i)
    if (pack->steps->data[i].kind == TT_STEP_L1_ACC) adds = &pack->steps->data[i];
  if (adds && tt_untidy(r, adds,
                        "[rule 13] the compute kernel ends while the packer adds to L1; end with "
                        "metalium.pack_reconfig_l1_acc false") == TT_FAILED)
    return false;
  for (int i = 0; core->shared->committed && i < math->steps->n; ++i)
    if (math->steps->data[i].kind == TT_STEP_COMMIT) commit = &math->steps->data[i];
  return !commit ||
         tt_untidy(r, commit,
                   "[rule 10] the compute kernel ends with DST committed that nobody packs") !=
             TT_FAILED;
}
