/*===- formats.c - the table of formats ----------------------------------------------------===*/

#include "Target/formats.h"

#include <stddef.h>

#define FORMAT(dtype, data_format, name, ...) {#name, __VA_ARGS__},
#define DEVICE_FORMAT(name, ...) {#name, __VA_ARGS__},
const TtFormat tt_formats[] = {
#include "Target/formats.def"
};
const int tt_num_formats = sizeof tt_formats / sizeof *tt_formats;

const TtFormat *tt_format_of_code(int code) {
  for (int i = 0; i < tt_num_formats; ++i)
    if (tt_formats[i].code == code) return &tt_formats[i];
  return NULL;
}
