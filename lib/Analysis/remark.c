/*===- remark.c - what remarks are about -------------------------------------------------------===
 *
 *   tt.read_to_cb %A[%m, %k], %cb            "A: a block is read in 4 parts"
 *   tt.mm.mma %cb_a, %cb_b -> %cb_c          "A, B -> C: 1 x 4 tiles are a product of blocks"
 *   scf.for %k                               "loop over %k: 8 steps are made 4"
 *
 * An op is said by its operands: tensors by their names, and blocks that stay on a core by those of
 * their circular buffers. A remark that begins with that says it already.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/kernel.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NAMES = 4 /* of inputs; others are left out */ };

typedef struct Subject {
  TtArena *arena;
  MlirOperation function, program; /* around the op; the latter is null on level 2 */
} Subject;

static const char *tensor_name(const Subject *s, MlirValue value) {
  const TtArg *arg = tt_arg_of(tt_kernel_args(s->arena, s->function), value);
  return arg ? arg->name : NULL;
}

/* The circular buffer whose blocks a relay brings to another one. */
static MlirOperation relayed_from(const Subject *s, MlirOperation decl) {
  TtOps relays = tt_collect(s->arena, s->program, "tt.relay");
  for (intptr_t i = 0; i < relays.n; ++i)
    if (tt_op_eq(tt_cb_decl(s->program, tt_relay_to(relays.data[i])), decl))
      return tt_cb_decl(s->program, tt_relay_from(relays.data[i]));
  return decl;
}

/* The tensor that a circular buffer of a program is for, or its own name. */
static const char *name_of_decl(const Subject *s, MlirOperation decl) {
  MlirAttribute buffer = tt_circular_buffer_buffer(relayed_from(s, decl));
  return tt_arena_str(s->arena,
                      mlirAttributeIsNull(buffer) ? tt_symbol_name(decl) : tt_string(buffer));
}

/* On level 2: the tensor that a block is read from, or written to. */
static const char *name_of_alloc(const Subject *s, MlirValue cb) {
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    TtMove move;
    const char *name =
        tt_move_of(mlirOpOperandGetOwner(use), &move) ? tensor_name(s, move.tensor) : NULL;
    if (name) return name;
  }
  return tt_arena_str(s->arena, tt_string(tt_alloc_cb_name(tt_defining_op(cb))));
}

static const char *name_of(const Subject *s, MlirValue cb) {
  MlirOperation op = mlirValueIsNull(cb) ? (MlirOperation){NULL} : tt_defining_op(cb);
  if (mlirOperationIsNull(op)) return NULL;
  if (tt_alloc_cb_isa(op)) return name_of_alloc(s, cb);
  if (!tt_get_cb_isa(op) || mlirOperationIsNull(s->program)) return NULL;
  MlirOperation decl = tt_cb_decl(s->program, cb);
  return mlirOperationIsNull(decl) ? NULL : name_of_decl(s, decl);
}

/* Loops have a name from D1 on, which is this one where the kernel gives none. */
static const char *loop_subject(const Subject *s, MlirOperation loop) {
  MlirAttribute name = tt_get_attr(loop, "tt.var");
  return tt_arena_printf(s->arena, "loop over %%%s",
                         mlirAttributeIsNull(name) ? "k" : tt_arena_str(s->arena, tt_string(name)));
}

/* "A, B -> C". */
static const char *operands_subject(const Subject *s, MlirOperation op) {
  MlirValue fills = tt_op_fills(op);
  const char *names[MAX_NAMES], *text = "", *out = name_of(s, fills);
  int n = 0;
  for (intptr_t i = 0; n < MAX_NAMES && i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    const char *name = name_of(s, operand);
    bool new = name && (mlirValueIsNull(fills) || !tt_value_eq(operand, fills));
    for (int j = 0; new && j < n; ++j) new = strcmp(names[j], name) != 0;
    if (new) names[n++] = name;
  }
  for (int i = 0; i < n; ++i)
    text = tt_arena_printf(s->arena, "%s%s%s", text, i ? ", " : "", names[i]);
  if (out) text = tt_arena_printf(s->arena, "%s%s%s", text, n ? " -> " : "", out);
  return *text ? text : NULL;
}

static const char *subject_of(Subject *s, MlirOperation op) {
  TtMove move;
  for (MlirOperation at = op; !mlirOperationIsNull(at); at = tt_parent(at)) {
    if (mlirOperationIsNull(s->function) && tt_is_function(at)) s->function = at;
    if (tt_program_isa(at)) s->program = at;
  }
  if (mlirOperationIsNull(s->function) || tt_op_eq(op, s->function)) return NULL;
  if (tt_op_is(op, "scf.for")) return loop_subject(s, op);
  if (tt_alloc_cb_isa(op) || tt_get_cb_isa(op)) return name_of(s, mlirOperationGetResult(op, 0));
  if (tt_move_of(op, &move)) return tensor_name(s, move.tensor);
  return operands_subject(s, op);
}

typedef struct Text {
  TtArena *arena; /* made for a remark that is wanted */
  MlirOperation op;
  const char *said;
} Text;

static const char *text_with_subject(void *of) {
  Text *text = of;
  Subject s = {.arena = text->arena = tt_arena_create()};
  const char *subject = subject_of(&s, text->op);
  bool says = !subject || strncmp(text->said, subject, strlen(subject)) == 0;
  return says ? text->said : tt_arena_printf(s.arena, "%s: %s", subject, text->said);
}

void tt_remark(MlirOperation op, TtRemark kind, const char *pass, const char *format, ...) {
  char said[2048];
  va_list args;
  if (!tt_remarks_wanted(op)) return;
  va_start(args, format);
  vsnprintf(said, sizeof said, format, args);
  va_end(args);
  Text text = {.op = op, .said = said};
  tt_emit_remark(tt_place_of(op), kind, pass, text_with_subject, &text);
  if (text.arena) tt_arena_destroy(text.arena);
}
