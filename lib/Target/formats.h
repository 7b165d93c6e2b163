/*===- formats.h - how elements are stored ------------------------------------------------===
 *
 * One table, formats.def, for the compiler and the emulated device. Nothing of LLVM here.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_FORMATS_H
#define TILEWRIGHT_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

enum { TT_TILE = 32 }; /* rows and columns of a tile, in elements */

typedef struct TtFormat {
  const char *data_format; /* tt::DataFormat::… */
  int code;                /* its number there */
  int64_t tile_bytes;
  int64_t datum_bits; /* of one element, shared exponents left out */
  bool is_float;
  int exponent; /* bits, with which a kernel is built; 0: any */
} TtFormat;

/* Those of the compiler first, in the order of the IR's enums. */
extern const TtFormat tt_formats[];
extern const int tt_num_formats;

/* Integers of a byte: what copies them to DST adds them, as integers, to source B's zeros, so that
 * source B is set to the format as well. */
static inline bool tt_format_is_byte(const TtFormat *format) {
  return !format->is_float && format->datum_bits == 8;
}

/* What makes the matrix engine take the source registers for integers: bytes, and Int32, though
 * that goes past them. */
static inline bool tt_format_sets_integers(const TtFormat *format) {
  return tt_format_is_byte(format) || (!format->is_float && format->code == 8);
}

/* The format of a number of tt::DataFormat, or NULL. */
const TtFormat *tt_format_of_code(int code);

#endif
