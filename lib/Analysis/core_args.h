/* What the host gives each core of a program: tt.core_args, interpreted. */
#ifndef TILEWRIGHT_CORE_ARGS_H
#define TILEWRIGHT_CORE_ARGS_H

#include "Dialect/members.h"

/* Sizes of dynamic dimensions, by name ("A_d0"), and scalar arguments. */
typedef struct TtSizes {
  char **names;
  const int64_t *sizes;
  intptr_t n;
  int64_t others; /* of those that are not named */
  int loaded;     /* which integers are loaded from tensors: 0 the least that they may be, 1 the
                     greatest, 2 both in turn, 3 any */
} TtSizes;
bool tt_has_size(const TtSizes *sizes, MlirStringRef name);
int64_t tt_size_named(const TtSizes *sizes, MlirStringRef name);

/* What is added to logical coordinates for those on the NoC, so that they are not taken for each
 * other: only the device knows where its cores are. */
enum { TT_NOC_ORIGIN = 1 << 20 };

typedef struct TtCore {
  int64_t x, y; /* logical */
} TtCore;

/* A row for each core, set by set and row by row. */
typedef struct TtCoreTable {
  const TtCore *cores;
  int64_t n;
  const char **names; /* those that tt.core_args gives */
  intptr_t num_names;
  int64_t *values; /* num_names for each core */
} TtCoreTable;

bool tt_core_set_has(MlirOperation core_set, TtCore core);
/* The names of the sizes that tt.core_args takes after x and y, in order. */
const char **tt_core_arg_sizes(TtArena *arena, MlirOperation program, intptr_t *n);

/* The cores on which a kernel of the program runs, and what each gets. False after an error: the
 * region cannot be interpreted, or divides by zero. */
bool tt_core_table(TtArena *arena, MlirOperation program, const TtSizes *sizes, TtCoreTable *table);
/* How many coordinates of the NoC are in the sum that an argument is, less those that are taken
 * from it: 1 for a coordinate, 0 for a number, TT_NO_SUM for what is neither. `*sum` is an op that
 * adds to coordinates or takes from them, or null. */
enum { TT_NO_SUM = 1 << 20 };
int tt_core_arg_coordinates(MlirOperation program, MlirStringRef name, MlirOperation *sum);
/* The column of a name; -1 where it is not given. */
intptr_t tt_core_table_column(const TtCoreTable *table, MlirStringRef name);

#endif
