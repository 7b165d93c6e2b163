/* What writes attention in blocks of keys as text: blocks of tensors (stream_blocks.c), and the
 * grid (stream_text.c). */
#ifndef TILEWRIGHT_STREAM_TEXT_H
#define TILEWRIGHT_STREAM_TEXT_H

#include "Support/text.h"
#include "Transforms/Model/stream_softmax.h"
#include "Transforms/Raise/inline_text.h"

typedef struct TtStreamText {
  TtArena *arena;
  const TtStream *s;
  TtText out;
  int64_t queries;                  /* rows of a block */
  intptr_t dims;                    /* of the grid */
  const char *rows, *keys;          /* sizes of a block: a number or a value */
  const char *row_type, *key_type;  /* the same in types */
  const char *stats, *block, *sums; /* types of a number a row, of scores, of weighted values */
  MlirValue q, k, v, o;
  MlirAffineMap qs, ks, vs, os;
} TtStreamText;

/* One of four lists of the parts of a tensor: where they begin, their sizes, their sizes in the
 * type of the block, and their loops in a block of scores. */
enum { TT_STREAM_AT, TT_STREAM_SIZE, TT_STREAM_TYPE, TT_STREAM_LOOP };

/* How the type of the elements of a tensor is written, and its own. */
const char *tt_stream_element(TtStreamText *w, MlirValue tensor);
const char *tt_stream_type(TtStreamText *w, MlirValue value);
const char *tt_stream_list(TtStreamText *w, MlirValue tensor, MlirAffineMap map,
                           const intptr_t *names, int which);
const char *tt_stream_block(TtStreamText *w, MlirValue tensor, MlirAffineMap map,
                            const intptr_t *names, const char *element);
/* "[at] [size] [1, 1]" */
const char *tt_stream_box(TtStreamText *w, MlirValue tensor, MlirAffineMap map,
                          const intptr_t *names);
/* The type of a block with all dimensions of the tensor, and how these become those of the block:
 * "[[0, 1], [2]]". Null where a block has as many. */
const char *tt_stream_groups(TtStreamText *w, MlirValue tensor, MlirAffineMap map,
                             const intptr_t *names, const char *element, const char **full);
/* A block of the argument `name`; its type. */
const char *tt_stream_slice(TtStreamText *w, const char *name, MlirValue tensor, MlirAffineMap map,
                            const intptr_t *names);
/* How many elements dimension `name` of the scores has, by an operand of the first product, of
 * which it is dimension `r`. */
int64_t tt_stream_extent(TtStreamText *w, MlirValue tensor, MlirAffineMap map, intptr_t name,
                         intptr_t *r);

#endif
