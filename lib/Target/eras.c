/*===- eras.c - the table of eras ----------------------------------------------------------===*/

#include "Target/eras.h"

#include <stdio.h>
#include <string.h>

#define ERA(id, ...) {__VA_ARGS__},
const TtEra tt_eras[TT_API_COUNT] = {
#include "tilewright/eras.def"
};

#undef ERA

const char tt_era_help[] = "API era, the last by default:"
#define ERA(id, name, ...) " " name
#include "tilewright/eras.def"
#undef ERA
    ;

const char *tt_era_column(const char *const columns[TT_API_COUNT], TtApi api) {
  int i = (int)api;
  while (i > 0 && !columns[i]) --i;
  return columns[i];
}

const TtEra *tt_era_named(const char *name) {
  for (int i = 0; i < TT_API_COUNT; ++i)
    if (strcmp(name, tt_eras[i].name) == 0) return &tt_eras[i];
  return NULL;
}

/* Circular buffers that all eras name. */
static int64_t common_cbs(int64_t cbs) {
  for (int k = 0; k < TT_API_COUNT; ++k)
    if (tt_eras[k].cbs > 0 && tt_eras[k].cbs < cbs) cbs = tt_eras[k].cbs;
  return cbs;
}

int64_t tt_cb_upwards(int64_t i, int64_t first, int64_t cbs) {
  int64_t common = common_cbs(cbs);
  return i < common ? (first + i) % common : i;
}

int64_t tt_cb_downwards(int64_t i, int64_t cbs) {
  int64_t common = common_cbs(cbs);
  return i < common ? common - 1 - i : cbs - 1 - (i - common);
}

const char *tt_era_names(void) {
  static char text[256];
  if (*text) return text;
  char names[sizeof text];
  size_t n = 0;
  for (int i = 0; i < TT_API_COUNT; ++i)
    n += (size_t)snprintf(names + n, sizeof names - n, "%s%s",
                          i == 0                  ? ""
                          : i == TT_API_COUNT - 1 ? " or "
                                                  : ", ",
                          tt_eras[i].name);
  return strcpy(text, names);
}
