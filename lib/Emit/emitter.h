/* What the files that emit one kernel share. */
#ifndef TILEWRIGHT_EMITTER_H
#define TILEWRIGHT_EMITTER_H

#include "Emit/emit_kernel.h"
#include "Support/value_map.h"

typedef struct TtEmitter {
  TtArena *arena;
  MlirOperation program, func;
  TtApi api;
  TtText *out;
  TtNames names;
  TtValueMap bound; /* of values: which of the variables */
  const char **variables;
  int num_variables, capacity;
  int indent;
  bool ok, source_comments;
  const char *place; /* of the last comment */
} TtEmitter;

/* A line at the indentation of the scope. */
void tt_emit_line(TtEmitter *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Gives a value a name of the scope, `wish` or one like it. */
const char *tt_emit_bind(TtEmitter *e, MlirValue value, const char *wish);
/* Makes a value the variable of this name, which the scope has. */
void tt_emit_bind_to(TtEmitter *e, MlirValue value, const char *variable);
/* The name of a value, or NULL. */
const char *tt_emit_bound(TtEmitter *e, MlirValue value);

/*===- Values (emit_kernel.c) ----------------------------------------------------------------===*/

/* A value in C++: its variable, or what computes it. */
const char *tt_emit_expression(TtEmitter *e, MlirValue value);
/* A row's call with what stands for $0, $1, … and letters in it (emit_call.c). */
const char *tt_emit_call(TtEmitter *e, MlirOperation op, const char *call);
/* Whether an op fills a tile with an integer on a chip where fill_tile_int may step too far. */
bool tt_emit_fills_words(TtEmitter *e, MlirOperation op);
/* A constant of the scope for an op's value, if it has a name or more than one use. */
void tt_emit_define(TtEmitter *e, MlirOperation op);

/*===- Before the body (emit_prologue.c) ----------------------------------------------------===*/

void tt_emit_includes(TtEmitter *e, bool compute);
/* Functions that a kernel brings along. */
void tt_emit_helpers(TtEmitter *e);
/* Those that move elements between tiles and blocks (emit_parts.c). */
void tt_emit_part_helpers(TtEmitter *e);
void tt_emit_runtime_args(TtEmitter *e);
/* Constants for the circular buffers that the kernel uses. */
void tt_emit_cbs(TtEmitter *e);
void tt_emit_accessors(TtEmitter *e);

/*===- Formats (emit_formats.c) -------------------------------------------------------------===*/

/* "<true>" where reconfigurations of source registers say whether these hold integers, or "". */
const char *tt_emit_reconfig_option(TtEmitter *e);
/* After the startup: where accesses of 16 bits find UInt16 in DST of 32 bits. */
void tt_emit_halves_of_words(TtEmitter *e);

/*===- Semaphores (emit_semaphores.c) -------------------------------------------------------===*/

/* Addresses of those that the kernel uses, and pointers to them where it looks at their values. */
void tt_emit_semaphores(TtEmitter *e);
/* The pointer to the word of a semaphore's address, or NULL where there is none. */
const char *tt_emit_word(TtEmitter *e, MlirValue address);

#endif
