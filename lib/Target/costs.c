/*===- costs.c - the tables of costs, by chip ----------------------------------------------===*/

#include "Target/costs.h"

#include "Target/eras.h"
#include "Target/formats.h"
#include "Target/sfpu.h"

#include <string.h>

/* Columns of wormhole_b0, then of blackhole, in the order of chips.def. */
static const TtCosts costs_of[] = {
    {
        .math =
            {
#define MATH(name, ...) {__VA_ARGS__},
#include "Target/costs.def"
            },
        .pack =
            {
#define PACK(name, wormhole, blackhole) wormhole,
#include "Target/costs.def"
            },
        .step =
            {
#define STEP(name, wormhole, blackhole) wormhole,
#include "Target/costs.def"
            },
        .vector =
            {
#define VECTOR(name, call, wormhole, wide, ...) {wormhole, wide},
#include "Target/vector.def"
#undef VECTOR
            },
        .typecast =
            {
#define TYPECAST(from, to, wormhole, blackhole) wormhole,
#include "Target/costs.def"
            },
    },
    {
        .math =
            {
#define MATH(name, ...) {__VA_ARGS__},
#include "Target/costs.def"
            },
        .pack =
            {
#define PACK(name, wormhole, blackhole) blackhole,
#include "Target/costs.def"
            },
        .step =
            {
#define STEP(name, wormhole, blackhole) blackhole,
#include "Target/costs.def"
            },
        .vector =
            {
#define VECTOR(name, call, w, ww, blackhole, wide, ...) {blackhole, wide},
#include "Target/vector.def"
#undef VECTOR
            },
        .typecast =
            {
#define TYPECAST(from, to, wormhole, blackhole) blackhole,
#include "Target/costs.def"
            },
    },
};

const TtCosts *tt_costs(const TtChip *chip) {
  return &costs_of[tt_chip_named(chip->name) - tt_chips];
}

uint32_t tt_math_clk(const TtCosts *costs, TtMath op, int phases) {
  return costs->math[op][phases - 1];
}

uint32_t tt_block_max_clk(const TtCosts *costs, bool is_last) {
  return tt_math_clk(costs, is_last ? TT_MATH_reduce_row : TT_MATH_reduce_col, 1);
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

uint32_t tt_moved_clk(const TtChip *chip, const TtCosts *costs, uint64_t bytes, bool alone) {
  uint64_t rate = chip->unpack_bytes_per_clk;
  return (uint32_t)((bytes + rate - 1) / rate) + (alone ? costs->step[TT_COST_unpack_alone] : 0);
}

uint32_t tt_unpack_clk(const TtChip *chip, const TtCosts *costs, uint64_t bytes, bool alone) {
  return larger(tt_moved_clk(chip, costs, bytes, alone) + costs->step[TT_COST_unpack_start],
                costs->step[TT_COST_issue_unpack]);
}

uint32_t tt_unpack_block_clk(const TtChip *chip, const TtCosts *costs, uint32_t rt, uint32_t ct,
                             uint64_t bytes_a, uint64_t bytes_b) {
  bool keeps_a = ct >= rt;
  uint32_t both = keeps_a ? rt : ct, tiles = rt * ct;
  uint32_t clk = both * tt_moved_clk(chip, costs, bytes_a + bytes_b, false) +
                 (tiles - both) * tt_moved_clk(chip, costs, keeps_a ? bytes_b : bytes_a, true);
  return larger(clk + costs->step[TT_COST_unpack_start], costs->step[TT_COST_issue_unpack]);
}

uint32_t tt_pack_clk(const TtCosts *costs, uint32_t element_bytes, bool onto) {
  bool wide = element_bytes > 2;
  return costs->pack[onto   ? wide ? TT_COST_pack_onto_4 : TT_COST_pack_onto_2
                     : wide ? TT_COST_pack_4
                            : TT_COST_pack_2];
}

static const char *const vector_calls[] = {
#define VECTOR(name, call, ...) call,
#include "Target/vector.def"
#undef VECTOR
};

/* The row of a call that has n characters, or TT_NUM_VECTOR. */
static int row_of(const char *call, size_t n) {
  for (int i = 0; i < TT_NUM_VECTOR; ++i)
    if (strlen(vector_calls[i]) == n && strncmp(vector_calls[i], call, n) == 0) return i;
  return TT_NUM_VECTOR;
}

TtVector tt_vector_of_call(const char *call) {
  size_t name = strcspn(call, "<(");
  int row = row_of(call, strcspn(call, "("));
  return (TtVector)(row < TT_NUM_VECTOR ? row : row_of(call, name));
}

TtVector tt_vector_of_sfpu(int function) {
  const TtSfpuFunction *f = &tt_sfpu_functions[function];
  TtApi newest = (TtApi)(TT_API_COUNT - 1);
  return tt_vector_of_call(tt_era_column(f->call[0] ? f->call : f->value_call, newest));
}

uint32_t tt_vector_clk(const TtCosts *costs, TtVector function, bool wide) {
  return costs->vector[function][wide];
}

uint32_t tt_sfpu_clk(const TtCosts *costs, int function, bool wide) {
  TtVector row = tt_vector_of_sfpu(function);
  uint32_t clk =
      row == TT_NUM_VECTOR ? costs->step[TT_COST_vector_least] : tt_vector_clk(costs, row, wide);
  return tt_sfpu_is_of_column(function) ? clk / 2 : clk;
}

uint32_t tt_typecast_clk(const TtCosts *costs, uint32_t from, uint32_t to) {
  static const char *const formats[][2] = {
#define TYPECAST(from, to, ...) {#from, #to},
#include "Target/costs.def"
  };
  const TtFormat *a = tt_format_of_code((int)from), *b = tt_format_of_code((int)to);
  for (int i = 0; a && b && i < TT_NUM_TYPECASTS; ++i)
    if (strcmp(formats[i][0], a->data_format) == 0 && strcmp(formats[i][1], b->data_format) == 0)
      return costs->typecast[i];
  return costs->vector[TT_VECTOR_TYPECAST][0];
}
