/*===- eras.h - the eras of the TT-Metalium API ------------------------------------------===
 *
 * `docs/api-eras.md` says what differs between them. Nothing of LLVM here.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_ERAS_H
#define TILEWRIGHT_ERAS_H

/* Oldest first. */
typedef enum TtApi {
#define ERA(id, name, ...) TT_API_##id,
#include "tilewright/eras.def"
#undef ERA
  TT_API_COUNT,
  TT_API_NEWEST = TT_API_COUNT - 1
} TtApi;

#endif
