/*===- refused.c - what to write instead of ops that people bring along ---------------------===*/

#include "Dialect/refused.h"

#include <string.h>

/* Those whose names start so. */
static const char *const instead[][2] = {
#define REFUSED(prefix, text) {prefix, text},
#include "Dialect/refused.def"
#undef REFUSED
};

bool tt_check_refused(MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  for (size_t i = 0; i < sizeof instead / sizeof *instead; ++i) {
    const char *prefix = instead[i][0];
    if (name.length >= strlen(prefix) && memcmp(name.data, prefix, strlen(prefix)) == 0)
      return tt_error(op, "%.*s cannot stand in a kernel: %s", (int)name.length, name.data,
                      instead[i][1]);
  }
  return true;
}
