/*===- costs.c - the tables of costs, by chip ----------------------------------------------===*/

#include "Target/costs.h"
#include "Target/formats.h"

#include <ctype.h>
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

uint32_t tt_unpack_clk(const TtChip *chip, const TtCosts *costs, uint64_t bytes) {
  uint64_t rate = chip->unpack_bytes_per_clk;
  uint32_t clk = (uint32_t)((bytes + rate - 1) / rate) + costs->step[TT_COST_unpack_start],
           issue = costs->step[TT_COST_issue_unpack];
  return clk > issue ? clk : issue;
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

TtVector tt_vector_of_call(const char *call) {
  size_t n = 0;
  while (isalnum((unsigned char)call[n]) || call[n] == '_') ++n;
  for (int i = 0; i < TT_NUM_VECTOR; ++i)
    if (strlen(vector_calls[i]) == n && strncmp(vector_calls[i], call, n) == 0) return (TtVector)i;
  return TT_NUM_VECTOR;
}

uint32_t tt_vector_clk(const TtCosts *costs, TtVector function, bool wide) {
  return costs->vector[function][wide];
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
