/*===- stream_blocks.c - blocks of tensors in attention over keys, as text --------------------===
 *
 *   k, a head's keys of tensor<2x?x32xbf16>, in a block:
 *   %k_f = tensor.extract_slice %k[%h0, %key, 0] [1, %keys, 32] [1, 1, 1] : … to
 * tensor<1x?x32xbf16> %k_b = tensor.collapse_shape %k_f [[0, 1], [2]] : tensor<1x?x32xbf16> into
 * tensor<?x32xbf16>
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Model/stream_text.h"

#define SAY(...) tt_text_printf(&w->out, __VA_ARGS__)

const char *tt_stream_element(TtStreamText *w, MlirValue tensor) {
  return tt_type_text(w->arena, mlirShapedTypeGetElementType(mlirValueGetType(tensor)));
}

const char *tt_stream_type(TtStreamText *w, MlirValue value) {
  return tt_type_text(w->arena, mlirValueGetType(value));
}

static const char *number(TtStreamText *w, int64_t n) {
  return tt_arena_printf(w->arena, "%jd", (intmax_t)n);
}

/*===- Blocks of tensors ---------------------------------------------------------------------===*/

/* What a dimension of a tensor is in a block: where it begins, its size, its size in the type
 * (nothing where it goes) and its loop in a block of scores. */
typedef struct Part {
  const char *at, *size, *type, *loop;
} Part;

/* Of dimension `r` of a tensor; keys, and values, have no rows: a row there is a batch. */
static Part part_of(TtStreamText *w, MlirValue tensor, MlirAffineMap map, const intptr_t *names,
                    intptr_t r) {
  int64_t divisor;
  intptr_t name = names[tt_stream_loop(map, r, &divisor)];
  bool keys = tt_value_eq(tensor, w->k) || tt_value_eq(tensor, w->v);
  if (keys && divisor != 1)
    return (Part){tt_arena_printf(w->arena, "%%g%jd_%jd", (intmax_t)name, (intmax_t)divisor), "1",
                  NULL, NULL};
  if (name == w->s->row && !keys) return (Part){"%row", w->rows, w->row_type, "d0"};
  if (name == w->s->row) return (Part){"%row", "1", NULL, NULL};
  if (name == w->s->rank - 1) return (Part){"%key", w->keys, w->key_type, "d1"};
  if (name != TT_STREAM_OTHER)
    return (Part){tt_arena_printf(w->arena, "%%h%jd", (intmax_t)name), "1", NULL, NULL};
  const char *size = number(w, mlirShapedTypeGetDimSize(mlirValueGetType(tensor), r));
  return (Part){"0", size, size, "d2"};
}

const char *tt_stream_list(TtStreamText *w, MlirValue tensor, MlirAffineMap map,
                           const intptr_t *names, int which) {
  const char *text = "";
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
    Part p = part_of(w, tensor, map, names, r);
    const char *items[] = {p.at, p.size, p.type, p.loop}, *item = items[which];
    if (!item) continue;
    text = which == TT_STREAM_TYPE
               ? tt_arena_printf(w->arena, "%s%sx", text, item)
               : tt_arena_printf(w->arena, "%s%s%s", text, *text ? ", " : "", item);
  }
  return text;
}

const char *tt_stream_block(TtStreamText *w, MlirValue tensor, MlirAffineMap map,
                            const intptr_t *names, const char *element) {
  return tt_arena_printf(w->arena, "tensor<%s%s>",
                         tt_stream_list(w, tensor, map, names, TT_STREAM_TYPE), element);
}

const char *tt_stream_box(TtStreamText *w, MlirValue tensor, MlirAffineMap map,
                          const intptr_t *names) {
  const char *ones = "1";
  for (intptr_t r = 1; r < mlirAffineMapGetNumResults(map); ++r)
    ones = tt_arena_printf(w->arena, "%s, 1", ones);
  return tt_arena_printf(w->arena, "[%s] [%s] [%s]",
                         tt_stream_list(w, tensor, map, names, TT_STREAM_AT),
                         tt_stream_list(w, tensor, map, names, TT_STREAM_SIZE), ones);
}

const char *tt_stream_groups(TtStreamText *w, MlirValue tensor, MlirAffineMap map,
                             const intptr_t *names, const char *element, const char **full) {
  const char *text = "", *open = "[";
  intptr_t kept = 0, rank = mlirAffineMapGetNumResults(map);
  *full = "";
  for (intptr_t r = 0; r < rank; ++r) kept += part_of(w, tensor, map, names, r).type != NULL;
  if (kept == rank) return NULL;
  for (intptr_t r = 0, left = kept; r < rank; ++r) {
    const char *type = part_of(w, tensor, map, names, r).type;
    *full = tt_arena_printf(w->arena, "%s%sx", *full, type ? type : "1");
    bool ends = type && (--left > 0 || r == rank - 1);
    text = tt_arena_printf(w->arena, "%s%s%jd%s", text, open, (intmax_t)r,
                           ends || r == rank - 1 ? "]" : "");
    open = ends ? ", [" : ", ";
  }
  *full = tt_arena_printf(w->arena, "tensor<%s%s>", *full, element);
  return tt_arena_printf(w->arena, "[%s]", text);
}

const char *tt_stream_slice(TtStreamText *w, const char *name, MlirValue tensor, MlirAffineMap map,
                            const intptr_t *names) {
  const char *element = tt_stream_element(w, tensor), *full,
             *type = tt_stream_block(w, tensor, map, names, element),
             *to = tt_stream_groups(w, tensor, map, names, element, &full);
  SAY("%%%s_%s = tensor.extract_slice %%%s%s : %s to %s\n", name, to ? "f" : "b", name,
      tt_stream_box(w, tensor, map, names), tt_stream_type(w, tensor), to ? full : type);
  if (to)
    SAY("%%%s_b = tensor.collapse_shape %%%s_f %s : %s into %s\n", name, name, to, full, type);
  return type;
}

int64_t tt_stream_extent(TtStreamText *w, MlirValue tensor, MlirAffineMap map, intptr_t name,
                         intptr_t *r) {
  int64_t divisor;
  for (*r = 0; w->s->first[tt_stream_loop(map, *r, &divisor)] != name;) ++*r;
  return mlirShapedTypeGetDimSize(mlirValueGetType(tensor), *r);
}
