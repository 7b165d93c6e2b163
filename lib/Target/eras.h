/*===- eras.h - the eras of the kernel API ------------------------------------------------===
 *
 * One table, tilewright/eras.def, for the compiler and the emulated device. Nothing of LLVM
 * here.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_TARGET_ERAS_H
#define TILEWRIGHT_TARGET_ERAS_H

#include "tilewright/eras.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TtEra {
  const char *name;    /* as --metalium-api takes it */
  int number;          /* TTEMU_API of the emulated headers */
  const char *headers; /* the folder of emulated headers that stands for it */
  int cbs;             /* circular buffers that its headers name; 0: all of the chip */
} TtEra;

extern const TtEra tt_eras[TT_API_COUNT];

/* Of a table with a column an era, the entry for one: an era without its own has that of the
 * era before it. NULL where there is none. */
const char *tt_era_column(const char *const columns[TT_API_COUNT], TtApi api);
/* The era of this name, or NULL. */
const TtEra *tt_era_named(const char *name);
/* The `i`-th circular buffer to try of `cbs` of a chip, upwards from `first` or downwards from the
 * last: at first those that headers of all eras name. */
int64_t tt_cb_upwards(int64_t i, int64_t first, int64_t cbs);
int64_t tt_cb_downwards(int64_t i, int64_t cbs);
/* For messages: "2025, 2026-03 or 2026-08". */
const char *tt_era_names(void);
/* For help: "API era, the last by default: 2025 2026-03 2026-08". */
extern const char tt_era_help[];

#ifdef __cplusplus
}
#endif

#endif
