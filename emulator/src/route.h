/*===- route.h - ways through the NoC --------------------------------------------------------===*/

#ifndef TTEMU_ROUTE_H
#define TTEMU_ROUTE_H

#include "core.h"

#include <stdio.h>

void emu_routes_open(void);
void emu_routes_close(void);
void emu_routes_reset(void);
TtNocPoint emu_noc_of_core(uint32_t x, uint32_t y);
TtNocPoint emu_noc_of_bank(uint32_t bank);
uint32_t emu_hops(TtNocPoint from, TtNocPoint to, int noc);

/* The links that a transfer takes. */
enum { MAX_WAY = (TT_MAX_SIDE + 1) * (TT_MAX_SIDE + 1) };
typedef struct Link Link;
typedef struct Way {
  Link *links[MAX_WAY];
  size_t n;
} Way;
void emu_way(Way *way, TtNocPoint from, TtNocPoint to, int noc);
/* The same to all cores of a rectangle: on NoC 0 a row and, from there, columns; on NoC 1 a column
 * and rows. */
void emu_way_to_all(Way *way, TtNocPoint from, const ttemu_rect *cores, int noc);
/* Whose write it is, and how much longer it takes where it meets those of others. */
typedef struct Mix {
  const Core *source;
  uint64_t percent;
} Mix;
/* When the last byte of a transfer that takes each link for `clk`, after what came before, has
 * passed them all. `mix`: of a write, else NULL. */
uint64_t emu_way_share(const Way *way, uint64_t start, uint64_t clk, const Mix *mix);
/* The same of one that takes all of its links at the same time. */
uint64_t emu_way_hold(const Way *way, uint64_t start, uint64_t clk);
/* For how many clk, in all launches, the link that leaves a node along its row (axis 0) or its
 * column (1) was taken. */
uint64_t emu_link_carried(int noc, int axis, uint32_t x, uint32_t y);
/* Writes, as JSON, where the nodes of the chip are, and how long each core's processors worked and
 * each link was taken; `working` has NUM_RISCS figures for each core (heat.c). */
void emu_write_heat(FILE *file, const uint64_t *working);

#endif
