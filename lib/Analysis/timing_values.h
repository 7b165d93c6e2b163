/* The numbers that steer the kernels of a core, for what follows them step by step
 * (timing_steps.c). */
#ifndef TILEWRIGHT_TIMING_VALUES_H
#define TILEWRIGHT_TIMING_VALUES_H

#include "Analysis/timing.h"
#include "Support/value_map.h"
#include "Target/costs.h"

enum { TT_STEPS_MAX_VALUES = 1 << 14 };

typedef struct TtStepsOfCore {
  TtArena *arena;
  MlirOperation program, kernel;
  const TtCoreTable *table;
  const TtSizes *sizes;
  int64_t core;
  const TtChip *chip;
  const TtCosts *costs;
  TtCoreEvents *out;
  TtEvents *mover; /* of this kernel; NULL in compute */
  TtOps cbs;
  TtValueMap places;
  int64_t *values;
  bool *known;
  int num_values;
  int phases;
  bool wide, onto_l1; /* DST of 32 bits; the packer adds */
  int64_t cores;      /* that do what stands here */
} TtStepsOfCore;

/* What is known of a value from here on; past TT_STEPS_MAX_VALUES nothing is. */
void tt_steps_set(TtStepsOfCore *s, MlirValue value, bool known, int64_t number);
bool tt_steps_get(const TtStepsOfCore *s, MlirValue value, int64_t *number);
/* Sets the results of an op on indices; they are unknown where it is none of those that kernels
 * have, or an operand is. */
void tt_steps_compute(TtStepsOfCore *s, MlirOperation op);
/* What the host gives a core as the runtime argument `value`; not known where it is none. */
int64_t tt_steps_argument(const TtStepsOfCore *s, MlirValue value, int64_t core, bool *known);
/* Of the cores that come here, those for which a condition is as for this one, where it is `here`;
 * those that come to step `at` of a loop up to `upper`. All, where the host does not say. */
int64_t tt_cores_with(const TtStepsOfCore *s, MlirValue condition, int64_t here);
int64_t tt_cores_at_step(const TtStepsOfCore *s, MlirValue upper, int64_t at);

#endif
