/* Integer points of linear constraints, by MLIR's Presburger library (in the bridge). */
#ifndef TILEWRIGHT_INTEGERS_H
#define TILEWRIGHT_INTEGERS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether there are integers x[0 … variables) with
 *   rows[i][0] * x[0] + … + rows[i][variables - 1] * x[variables - 1] + rows[i][variables] >= 0
 * for every row, which are `num_rows` of variables + 1 numbers, one after the other. If so,
 * `x` has them. Exact; the search takes longer the more variables there are. */
bool tt_find_integers(int variables, int num_rows, const int64_t *rows, int64_t *x);

#ifdef __cplusplus
}
#endif
#endif
