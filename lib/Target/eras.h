/*===- eras.h - the eras of the kernel API ------------------------------------------------===
 *
 * One table, tilewright/eras.def, for the compiler and the emulated device. Nothing of LLVM
 * here.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_TARGET_ERAS_H
#define TILEWRIGHT_TARGET_ERAS_H

#include "tilewright/eras.h"

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
/* For messages: "2025, 2026-03 or 2026-08". */
const char *tt_era_names(void);
/* For help: "API era, the last by default: 2025 2026-03 2026-08". */
extern const char tt_era_help[];

#ifdef __cplusplus
}
#endif

#endif
