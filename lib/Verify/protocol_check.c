/*===- protocol_check.c - the runs that prove a program ---------------------------------------===
 *
 * One run with nobody late, and one for each process that speaks to other cores, in which it is as
 * late as it can be (protocol_run.c).
 *
 *===----------------------------------------------------------------------===*/

#include "Verify/protocol.h"

/* Whether it fills what other cores read. */
static bool fills_for_others(const TtProtocol *p, const TtStep *s) {
  bool fills = s->kind == TT_STEP_PUSH || s->kind == TT_STEP_READ || s->kind == TT_STEP_FILL;
  return fills && s->cb[0] >= 0 && p->cbs[s->cb[0]].fetched;
}

/* Whether a process of a core can be too late for another core. Links behind branches that the
 * core does not take are none of its. A port that only adds to semaphores cannot: nobody sees them
 * before they arrive. */
static bool speaks(const TtNetwork *network, int64_t core, int kind) {
  const TtProtocol *p = network->p;
  int kernel = network->cores->cores[core].kernels[tt_role_of_process(kind)];
  if (kernel < 0 || kind == TT_UNPACK || kind == TT_MATH) return false;
  const TtSteps *steps = &p->kernels[kernel].steps[kind];
  for (int i = 0; i < steps->n; ++i) {
    const TtStep *s = &steps->data[i];
    bool carries = tt_is_port(kind) || tt_is_way(kind);
    if (s->link >= 0) {
      bool unseen = tt_is_port(kind) && s->kind == TT_STEP_INC;
      if (!unseen && tt_network_takes(network, s->link, core)) return true;
    } else if (!carries && (s->semaphore >= 0 || fills_for_others(p, s))) {
      return true;
    }
  }
  return false;
}

/* The runs over one set of classes: brief ones, and full ones where those find something. */
typedef struct TtRuns {
  TtArena *arena;
  const TtNetwork *network;
  const TtPartition *partition;
  TtProtocolRun *brief, *full;
} TtRuns;

/* What other cores read is told apart by more than circular buffers. */
static bool may_be_brief(const TtProtocol *p) {
  bool fetches = false;
  for (int i = 0; i < p->num_cbs; ++i) fetches |= p->cbs[i].fetched;
  return !fetches && !p->options.exhaustive;
}

/* With this process as late as it can be: briefly, and in full where that finds something, to see
 * whether it is so, and to say it. */
static bool run_with_late(TtRuns *runs, TtLate late) {
  if (may_be_brief(runs->network->p)) {
    if (!runs->brief)
      runs->brief = tt_prepare_runs(runs->arena, runs->network, runs->partition, true);
    bool before = tt_silence(true), ok = tt_protocol_run(runs->brief, late);
    tt_silence(before);
    if (ok) return true;
  }
  if (!runs->full) runs->full = tt_prepare_runs(runs->arena, runs->network, runs->partition, false);
  return tt_protocol_run(runs->full, late);
}

/* Each process that speaks, as late as it can be. */
static bool run_late(const TtNetwork *network) {
  TtArena *scratch = tt_arena_create();
  TtPartition all = tt_network_late(network, scratch);
  bool ok = true;
  for (int c = 0; ok && c < all.n; ++c) {
    int64_t core = all.classes[c].core;
    TtArena *arena = tt_arena_create();
    TtPartition partition = tt_network_classes(network, arena, core);
    TtRuns runs = {arena, network, &partition, NULL, NULL};
    int number = 0;
    while (partition.classes[number].core != core) ++number;
    for (int kind = 0; ok && kind < TT_NUM_PROCESSES; ++kind)
      if (speaks(network, core, kind)) ok = run_with_late(&runs, (TtLate){number, kind});
    tt_arena_destroy(arena);
  }
  tt_arena_destroy(scratch);
  return ok;
}

/* With nobody late. */
static bool run_once(const TtNetwork *network, const TtPartition *partition) {
  TtArena *arena = tt_arena_create();
  bool ok = tt_protocol_run(tt_prepare_runs(arena, network, partition, false), (TtLate){-1, -1});
  tt_arena_destroy(arena);
  return ok;
}

bool tt_protocol_check(TtArena *arena, MlirOperation program, TtCheckOptions options,
                       const TtSizes *sizes) {
  TtProtocol protocol;
  TtNetwork network;
  if (!tt_protocol_read(arena, program, options, &protocol)) return false;
  protocol.try = sizes->loaded;
  TtCoreArgs cores;
  if (!tt_core_args(&protocol, sizes, &cores)) return false;
  tt_mark_transfers(&protocol, sizes, &cores);
  if (!tt_network_build(&network, &protocol, &cores)) return false;
  TtPartition all = tt_network_classes(&network, arena, -1);
  if (protocol.num_links > 0) return run_once(&network, &all) && run_late(&network);
  for (int i = 0; i < all.n; ++i) /* each by itself */
    if (!run_once(&network, &(TtPartition){&all.classes[i], 1, NULL, NULL})) return false;
  return true;
}
