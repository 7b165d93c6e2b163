/*===- value_map.c - a number for each of many values or ops
 * ------------------------------------------*/

#include "Support/value_map.h"

static struct TtValueMapRow *find(const TtValueMap *map, const void *key) {
  size_t mask = map->capacity - 1, at = ((uintptr_t)key >> 4) * 0x9E3779B97F4A7C15u >> 16 & mask;
  while (map->rows[at].key && map->rows[at].key != key) at = (at + 1) & mask;
  return &map->rows[at];
}

int tt_value_map_get(const TtValueMap *map, MlirValue value) {
  if (map->capacity == 0) return -1;
  const struct TtValueMapRow *row = find(map, value.ptr);
  return row->key ? row->value : -1;
}

static void grow(TtArena *arena, TtValueMap *map) {
  TtValueMap larger = {NULL, map->n, map->capacity ? map->capacity * 2 : 64};
  larger.rows = tt_arena_alloc(arena, larger.capacity * sizeof *larger.rows);
  for (size_t i = 0; i < map->capacity; ++i)
    if (map->rows[i].key) *find(&larger, map->rows[i].key) = map->rows[i];
  *map = larger;
}

void tt_value_map_set(TtArena *arena, TtValueMap *map, MlirValue value, int number) {
  if (map->n * 2 >= map->capacity) grow(arena, map);
  struct TtValueMapRow *row = find(map, value.ptr);
  if (!row->key) ++map->n;
  *row = (struct TtValueMapRow){value.ptr, number};
}

int tt_op_map_get(const TtOpMap *map, MlirOperation op) {
  return tt_value_map_get(map, (MlirValue){op.ptr});
}

void tt_op_map_set(TtArena *arena, TtOpMap *map, MlirOperation op, int number) {
  tt_value_map_set(arena, map, (MlirValue){op.ptr}, number);
}
