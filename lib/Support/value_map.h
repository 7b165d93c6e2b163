/* A number for each of many SSA values, or of many ops. */
#ifndef TILEWRIGHT_VALUE_MAP_H
#define TILEWRIGHT_VALUE_MAP_H

#include "tilewright/ir.h"

typedef struct TtValueMap {
  struct TtValueMapRow {
    const void *key; /* NULL: free */
    int value;
  } *rows;
  size_t n, capacity; /* a power of two, or 0 */
} TtValueMap;

/* The number of `value`, or -1. */
int tt_value_map_get(const TtValueMap *map, MlirValue value);
/* Sets it; the arena's memory is used. */
void tt_value_map_set(TtArena *arena, TtValueMap *map, MlirValue value, int number);

/* The same, of ops. */
typedef TtValueMap TtOpMap;
int tt_op_map_get(const TtOpMap *map, MlirOperation op);
void tt_op_map_set(TtArena *arena, TtOpMap *map, MlirOperation op, int number);

#endif
