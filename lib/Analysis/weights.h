/* The elements of globals that host functions take. */
#ifndef TILEWRIGHT_WEIGHTS_H
#define TILEWRIGHT_WEIGHTS_H

#include "tilewright/ir.h"

/* The elements that memref.get_global `get` names: `n` bytes at `data`, `times` times over. They
 * belong to the context. False after an error at `get`. */
bool tt_weight_data(MlirOperation get, const char **data, size_t *n, size_t *times);

#endif
