/*===- chips.c - the table of chips --------------------------------------------------------===*/

#include "Target/chips.h"

#include <string.h>

#define CHIP(chip, ...) {.name = #chip, __VA_ARGS__},
const TtChip tt_chips[] = {
#include "Target/chips.def"
};
const int tt_num_chips = sizeof tt_chips / sizeof *tt_chips;
#undef CHIP

const TtChip *tt_chip_named(const char *name) {
  for (int i = 0; i < tt_num_chips; ++i)
    if (strcmp(name, tt_chips[i].name) == 0) return &tt_chips[i];
  return NULL;
}

const char tt_chip_help[] = "chip, the first by default:"
#define CHIP(chip, ...) " " #chip
#include "Target/chips.def"
#undef CHIP
    ;

const char *tt_chip_names(void) {
  static const char text[] =
#define CHIP(chip, ...) " and " #chip
#include "Target/chips.def"
#undef CHIP
      ;
  return text + strlen(" and ");
}

uint32_t tt_usable_l1(const TtChip *chip) { return chip->l1_size - chip->l1_base; }
