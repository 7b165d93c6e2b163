/* What a number is in each step of a loop (index_table.c). */
#ifndef TILEWRIGHT_INDEX_TABLE_H
#define TILEWRIGHT_INDEX_TABLE_H

#include "Analysis/kernel.h"

/* Notes in table[i] what `value`, an index, an integer or a flag, is where `iv` is i, for i from 0
 * to n - 1. False where it is made of something else than `iv` and constants, or of what has no
 * such value, as a quotient by zero. */
bool tt_tabulate(MlirValue value, MlirValue iv, int64_t n, int64_t *table);
/* The least period, up to `most`, with table[i + period] = table[i] + *by for all i; 0: none. */
int64_t tt_table_period(const int64_t *table, int64_t n, int64_t most, int64_t *by);
/* How many entries from the first one on have a period up to `most`: a multiple of it, the most of
 * all periods, which is *of; at least two of them. 0: none. */
int64_t tt_table_prefix(const int64_t *table, int64_t n, int64_t most, int64_t *of);
/* How many entries from the first one on have one difference from each to the next. */
int64_t tt_table_run(const int64_t *table, int64_t n);

#endif
