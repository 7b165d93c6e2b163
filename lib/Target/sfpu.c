/*===- sfpu.c - the table of functions of the vector unit ----------------------------------===*/

#include "Target/sfpu.h"

#include "Target/eras.h"

#include <stddef.h>
#include <string.h>

#define SAME(call) {call}
#define ERAS(...) {__VA_ARGS__}
#define NONE {NULL}
#define IN_PLACE true
#define SEVERAL false
#define SFPU(name, inputs, scalar, form, header, init, call, value_call)                           \
  {#name, inputs, scalar, form, init, call, value_call},
const TtSfpuFunction tt_sfpu_functions[] = {
#include "Target/sfpu.def"
};
const int tt_num_sfpu_functions = sizeof tt_sfpu_functions / sizeof *tt_sfpu_functions;

const TtSfpuFunction *tt_sfpu_function(const char *name) {
  for (int i = 0; i < tt_num_sfpu_functions; ++i)
    if (strcmp(name, tt_sfpu_functions[i].name) == 0) return &tt_sfpu_functions[i];
  return NULL;
}

static const char column[] = "_column";

int tt_sfpu_of_column(int function) {
  const char *name = tt_sfpu_functions[function].name;
  size_t n = strlen(name);
  for (int i = 0; i < tt_num_sfpu_functions; ++i)
    if (strncmp(tt_sfpu_functions[i].name, name, n) == 0 &&
        strcmp(tt_sfpu_functions[i].name + n, column) == 0)
      return i;
  return -1;
}

bool tt_sfpu_is_of_column(int function) {
  const char *name = tt_sfpu_functions[function].name;
  size_t n = strlen(name), end = strlen(column);
  return n > end && strcmp(name + n - end, column) == 0;
}

bool tt_sfpu_shares_init_in(TtApi api, int function, int other) {
  return strcmp(tt_era_column(tt_sfpu_functions[function].init, api),
                tt_era_column(tt_sfpu_functions[other].init, api)) == 0;
}

bool tt_sfpu_shares_init(int function, int other) {
  for (int api = 0; api < TT_API_COUNT; ++api)
    if (!tt_sfpu_shares_init_in((TtApi)api, function, other)) return false;
  return true;
}
