/* Attention in blocks of keys: what --tt-stream-softmax finds (stream_read.c), and the grid that it
 * puts there, as text (stream_text.c). */
#ifndef TILEWRIGHT_STREAM_SOFTMAX_H
#define TILEWRIGHT_STREAM_SOFTMAX_H

#include "Transforms/Model/model.h"

enum {
  TT_STREAM_RANK = 6,    /* of the scores: batches, queries, keys */
  TT_STREAM_INPUTS = 8,  /* of what is computed of the scores */
  TT_STREAM_OTHER = -1,  /* a loop of one product alone */
  TT_STREAM_WIDEST = 256 /* elements of a key, or of a value: a core has blocks of them whole */
};

typedef struct TtStream {
  MlirOperation product, last; /* queries by keys; weights by values */
  MlirOperation map;           /* what is computed of the scores; null where nothing is */
  MlirOperation most, exps, sum, norm;
  MlirOperation after; /* elementwise, of the result; null where there is none */
  MlirValue scores;    /* as their largest is taken */
  intptr_t rank, row;  /* of the scores: how many dimensions, which has the rows of a block */
  bool alone;          /* each row is a block: keys differ from one to the next */
  intptr_t from;       /* the input of `map` that is the product's */
  intptr_t q, k;       /* operands of `product` */
  intptr_t p, v;       /* operands of `last`: weights and values */
  /* What each loop of the two products is: a dimension of the scores, or TT_STREAM_OTHER. */
  intptr_t first[TT_STREAM_RANK + 1], second[TT_STREAM_RANK + 1];
} TtStream;

/* Whether `last` is the second product of an attention. False with what else it is, in `why`, where
 * only that has no form in blocks of keys. */
bool tt_stream_read(TtArena *arena, MlirOperation last, TtStream *s, const char **why);
/* Finds rows, keys, and what the loops of both products are (stream_products.c); whether there is a
 * block of each. */
bool tt_stream_read_products(TtStream *s);
/* The loop that result `r` of a map is, or is a part of: of `divisor` heads, which read the same
 * one; -1 where it is none. */
int64_t tt_stream_loop(MlirAffineMap map, intptr_t r, int64_t *divisor);
/* A sum of products: named, or of operands of which several heads read one. */
bool tt_stream_is_product(MlirOperation op);
/* Rows of a block, and keys. */
int64_t tt_stream_rows(const TtStream *s);
enum { TT_STREAM_KEYS = 128 };
/* A function of q, k, v and the other inputs of `map` that returns what `last`, or `after`, does.
 * In it, a cast with the attribute body stands for what `map` computes, and what `after` does:
 * of the inputs, then of the number of each loop. Ops have the name of what they do in of. */
const char *tt_stream_text(TtArena *arena, const TtStream *s);

#endif
