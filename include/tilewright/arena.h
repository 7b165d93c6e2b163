/*===- arena.h - the memory of one run --------------------------------------===
 *
 * All host-side data of one run is allocated from an arena and freed at once; IR
 * belongs to MLIR.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_ARENA_H
#define TILEWRIGHT_ARENA_H

#include "mlir-c/IR.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Allocation does not fail: out of memory ends the process. An arena is for one thread at a
 * time. Destroying it frees all that came from it; NULL is nothing to destroy. */
typedef struct TtArena TtArena;
TtArena *tt_arena_create(void);
void tt_arena_destroy(TtArena *arena);
/* What these return lives as long as the arena. */
void *tt_arena_alloc(TtArena *arena, size_t bytes); /* zeroed, aligned for any type */
char *tt_arena_printf(TtArena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *tt_arena_str(TtArena *arena, MlirStringRef text); /* NUL-terminated copy */
/* `text` itself where `name` is a C identifier that is no keyword of C++; else a
 * name made from it: other bytes become `_xHH`, a digit in front gets `_`. */
char *tt_arena_identifier(TtArena *arena, MlirStringRef name);

/* A growing list of operations, in an arena. */
typedef struct TtOps {
  MlirOperation *data;
  intptr_t n, capacity;
} TtOps;
void tt_ops_add(TtArena *arena, TtOps *ops, MlirOperation op);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
