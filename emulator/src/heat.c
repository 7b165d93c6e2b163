/*===- heat.c - how busy cores and links were -------------------------------------------------===
 *
 * What the page of TTEMU_REPORT shows as a map of the chip: its nodes, what worked at each, and
 * for how long each link of both NoCs was taken. All cores, where the timeline has some only.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

static void write_point(FILE *file, size_t i, TtNocPoint at) {
  fprintf(file, "%s[%u,%u]", i ? "," : "", at.x, at.y);
}

static void write_cores(FILE *file, const uint64_t *working) {
  const TtChip *chip = emu.chip;
  for (uint32_t i = 0; i < chip->grid_x * chip->grid_y; ++i) {
    TtNocPoint at = emu_noc_of_core(i % chip->grid_x, i / chip->grid_x);
    fprintf(file, "%s[%u,%u", i ? "," : "", at.x, at.y);
    for (int r = 0; r < NUM_RISCS; ++r)
      fprintf(file, ",%llu", (unsigned long long)working[i * NUM_RISCS + (uint32_t)r]);
    fputc(']', file);
  }
}

static void write_links(FILE *file, int noc) {
  const TtChip *chip = emu.chip;
  const char *comma = "";
  for (int axis = 0; axis < 2; ++axis)
    for (uint32_t y = 0; y < chip->noc_y; ++y)
      for (uint32_t x = 0; x < chip->noc_x; ++x) {
        uint64_t clk = emu_link_carried(noc, axis, x, y);
        if (clk == 0) continue;
        fprintf(file, "%s[%d,%u,%u,%llu]", comma, axis, x, y, (unsigned long long)clk);
        comma = ",";
      }
}

void emu_write_heat(FILE *file, const uint64_t *working) {
  const TtChip *chip = emu.chip;
  fprintf(file, "{\"width\":%u,\"height\":%u,\"banks\":[", chip->noc_x, chip->noc_y);
  for (uint32_t i = 0; i < chip->dram_banks; ++i) write_point(file, i, emu_noc_of_bank(i));
  fprintf(file, "],\"cores\":[");
  write_cores(file, working);
  fprintf(file, "],\"links\":[[");
  write_links(file, 0);
  fprintf(file, "],[");
  write_links(file, 1);
  fprintf(file, "]]}");
}
