/* How ops are spelled in each era of the kernel API. */
#ifndef TILEWRIGHT_API_TABLE_H
#define TILEWRIGHT_API_TABLE_H

#include "Target/eras.h"

#include <stdbool.h>
#include <stddef.h>

/* A row. In a call, $0, $1, … are operands, $s is the scalar's bits, $f the scalar as a
 * float, $t the data format of DST, $w operand 0 as a pointer to its word, $b the sides of a
 * block, $k the tiles of a row of it, $x whether the engine is told of integers, and $n0 … $n3 the
 * corners of a rectangle as the kernel's NoC counts them. tt_api_absent: the era has no such
 * function; NULL: what it had before. Calls with a result end without a semicolon. */
typedef struct TtApiRow {
  const char *op;      /* name of the op */
  const char *variant; /* value of its attribute `kind` or `op`; NULL: any */
  const char *call[TT_API_COUNT];
  const char *header[TT_API_COUNT]; /* below the era's compute folder; NULL: none */
  /* The startup of that era covers this setting if it follows at once. */
  bool in_startup[TT_API_COUNT];
} TtApiRow;

extern const char tt_api_absent[];
extern const TtApiRow tt_api_rows[];
extern const size_t tt_num_api_rows;

/* What kernels are made of beside their calls. */
typedef enum TtApiText {
  TT_API_COMPUTE_FOLDER,     /* what includes of compute headers start with, "api/compute/" */
  TT_API_COMPUTE_KERNEL_API, /* the path of compute_kernel_api.h */
  TT_API_COMPUTE_COMMON,     /* the header that every compute kernel includes */
  TT_API_DATAFLOW,           /* the header of data movement kernels */
  TT_API_COMPUTE_OPENS,      /* the entry of a compute kernel, before its body … */
  TT_API_COMPUTE_CLOSES,     /* … and after it */
  TT_API_ACCESSOR_COMMA,     /* before an accessor's page size; empty where it takes none */
  TT_API_HALVES_OF_WORDS,    /* puts UInt16 in halves of the words of DST, or "": it lies so */
  TT_API_FRONT_WORD, /* a function that reads the word at the front of a circular buffer, or "" */
  TT_API_ROW_MAXIMA, /* a function that reduces a row of tiles, or "" */
  TT_API_FILL_WORDS, /* fills a tile with an integer without fill_tile_int */
  TT_API_NUM_TEXTS
} TtApiText;
const char *tt_api_text(TtApiText text, TtApi api);
/* Lines that stand before the include of a header, below the compute folder, in all eras; NULL
 * for most. */
const char *tt_api_before_header(const char *header);
/* Names that emitted code uses or that the API's headers define at file scope. */
extern const char *const tt_api_reserved[];
extern const size_t tt_num_api_reserved;

#endif
