/* The elements of constants: of models, and of globals that host functions take. */
#ifndef TILEWRIGHT_WEIGHTS_H
#define TILEWRIGHT_WEIGHTS_H

#include "tilewright/ir.h"

/* `n` bytes at `data`, `times` times over, which belong to the context. */
typedef struct TtElements {
  const char *data;
  size_t n, times;
} TtElements;

/* Those of `value` (dense<…> or dense_resource; may be null), the value of a tensor or memref of
 * type `type`. False after an error at `op`, which calls it `name`. */
bool tt_elements(MlirOperation op, MlirAttribute value, MlirType type, const char *name,
                 TtElements *elements);
/* Those that memref.get_global `get` names. False after an error at `get`. */
bool tt_weight_data(MlirOperation get, const char **data, size_t *n, size_t *times);

#endif
