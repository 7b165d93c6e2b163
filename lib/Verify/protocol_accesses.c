/*===- protocol_accesses.c - loads and stores of data movement in the abstract run ------------===
 *
 *   metalium.noc_async_read_part …, %parts       reads to a page of cb_parts
 *   metalium.noc_async_read_barrier              without it, the load below sees what was there
 *   metalium.copy_part %parts[…], …, %block      loads from that page, and stores to one of cb_in0
 *
 * A processor that copies elements, or loads an integer, has the page, and nothing is on its way to
 * it; what it stores to has left. Stores of single elements make no page a written one: who fills
 * the page first does, or reads a tile to it.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/kernel.h"
#include "Verify/protocol_read.h"
#include "Verify/protocol_state.h"

/* The address of an access is a pointer of a circular buffer, and bytes that are added to it. */
static void read_access(TtReader *r, MlirOperation op, TtStepKind kind, MlirValue addr) {
  int bytes = tt_read_address(r, &addr);
  int slot = tt_value_map_get(&r->slots, addr);
  if (slot < 0) return;
  MlirOperation at = tt_defining_op(addr);
  TtStep *s = tt_new_step(r, kind, op);
  s->index[0] = bytes;
  s->slot = slot;
  s->to_read = tt_op_info(at)->does == TT_ACT_READ_POINTER;
  s->cb[0] = tt_cb_index(r, mlirOperationGetOperand(at, 0));
}

void tt_read_copy(TtReader *r, MlirOperation op) {
  bool back = !mlirAttributeIsNull(metalium_copy_part_back(op));
  MlirValue tile = metalium_copy_part_tile(op), block = metalium_copy_part_block(op);
  read_access(r, op, TT_STEP_LOAD, back ? block : tile);
  read_access(r, op, TT_STEP_STORE, back ? tile : block);
}

void tt_read_load(TtReader *r, MlirOperation op) {
  MlirValue addr = tt_operand_at(op, tt_op_info(op)->address);
  if (!mlirValueIsNull(addr)) read_access(r, op, TT_STEP_LOAD, addr);
}

static bool reaches(TtProtocolRun *r, int flag, TtGrowing from, TtGrowing page) {
  return flag && !tt_is_less(r, page, from);
}

/* An integer that steers a kernel is one that somebody has written, read or filled: garbage is no
 * place of a tensor. Elsewhere it is a warning, as check_taken() says. */
static bool check_learned(TtProtocolRun *r, const TtProcess *p, const TtStep *s, TtGrowing page) {
  const TtProtocolCB *cb = &r->p->cbs[s->cb[0]];
  if (tt_op_info(s->op)->does != TT_ACT_LEARN || s->to_read || cb->bound ||
      tt_is_less(r, page, tt_view(p, s->cb[0])->written))
    return true;
  return tt_error(s->op,
                  "[rule 23] loads an integer from page %jd (from 0) of %s, of which %jd are sure "
                  "to be written; read a tile to it before",
                  (intmax_t)page.at, cb->name, (intmax_t)tt_view(p, s->cb[0])->written.at);
}

/* Whether a process writes a circular buffer in ways that do not count: on some paths, or element
 * by element. */
static bool writes_uncounted(const TtProcess *p, int cb) {
  for (int i = 0; i < p->steps->n; ++i) {
    const TtStep *s = &p->steps->data[i];
    bool writes = s->kind == TT_STEP_READ || s->kind == TT_STEP_FILL || s->kind == TT_STEP_FETCH;
    if (s->cb[0] == cb && (s->kind == TT_STEP_STORE || (writes && s->uncounted))) return true;
  }
  return false;
}

/* Elements of pages that a process has reserved are its own: before it has written any page of them
 * they are what was there. */
static TtOutcome check_taken(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  int c = s->cb[0];
  const TtProtocolCB *cb = &r->p->cbs[c];
  bool from_others = cb->bound || p->core->written_remotely[c];
  if (s->to_read || from_others || tt_sign(r, tt_view(p, c)->written) != 0 ||
      writes_uncounted(p, c))
    return TT_GO_ON;
  return tt_untidy(r, s, "[rule 22] takes elements of a page of %s, of which none were written",
                   cb->name);
}

TtOutcome tt_run_access(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  int c = s->cb[0];
  const char *name = r->p->cbs[c].name;
  const TtBufferView *view = tt_view(p, c);
  const TtBufferMarks *marks = tt_marks(p, c);
  bool straddles, loads = s->kind == TT_STEP_LOAD;
  TtGrowing page;
  if (!tt_page_of(r, p, s, &page, &straddles) || tt_check_owned(r, p, s, page) == TT_FAILED ||
      !check_learned(r, p, s, page))
    return TT_FAILED;
  page = tt_grows_add(r, page, s->to_read ? view->popped : view->pushed);
  if (reaches(r, marks->reading, view->reading_from, page))
    return tt_error(
               s->op,
               "[rule 15] %s elements of a page of %s to which a read may still be on its way; "
               "put a noc_async_read_barrier before it",
               loads ? "takes" : "stores to", name),
           TT_FAILED;
  if (!loads && reaches(r, marks->writing, view->writing_from, page))
    return tt_error(
               s->op,
               "[rule 16] stores to elements of a page of %s that may not have left yet; put a "
               "noc_async_writes_flushed before it",
               name),
           TT_FAILED;
  return loads ? check_taken(r, p, s) : TT_GO_ON;
}
