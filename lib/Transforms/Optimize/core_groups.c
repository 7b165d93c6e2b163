/*===- core_groups.c - cores that have a unit of work together ----------------------------------===
 *
 *   16 cores, 2 units of 8 parts:   %unit = %core / 8, %part = %core % 8
 *
 *   tt.gather_parts %own -> %both apart = 1                                  (1x1 to 1x2)
 *   tt.part_to_dst %both[0, 0], dst = 0; tt.part_to_dst %both[0, 1], dst = 1
 *   tt.sfpu.combine add, [0, 1], dst = 0 -> %own2
 *   … with the cores 2 apart, and 4 apart …
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/core_groups.h"

#include "Dialect/op_info.h"
#include "Target/costs.h"

static int64_t least_factor(int64_t n) {
  int64_t factor = 2;
  while (n % factor != 0) ++factor;
  return factor;
}

/*===- How many -------------------------------------------------------------------------------===*/

TtGroups tt_without_groups(TtTarget target, int64_t units, TtGroupsClk *clk, const void *kernel) {
  int64_t cores = target.grid_x * target.grid_y;
  TtGroups g = {.parts = 1, .width = units < cores ? units : cores, .height = 1};
  g.each = (units + g.width - 1) / g.width, g.cores = g.width;
  g.clk = clk(kernel, &g);
  return g;
}

/* Groups that stand in columns, as many beside each other as there are columns. */
static bool find_down(TtTarget target, int64_t units, int64_t parts, TtGroups *g) {
  int64_t width = units < target.grid_x ? units : target.grid_x,
          height = parts * ((units + width - 1) / width);
  *g = (TtGroups){parts, width, height, 1, units * parts, true, 0};
  return height <= target.grid_y;
}

static void take_better(TtGroups *best, TtGroups g, TtGroupsClk *clk, const void *kernel) {
  g.clk = clk(kernel, &g);
  if (best->parts == 1 || g.clk < best->clk || (g.clk == best->clk && !g.down)) *best = g;
}

bool tt_find_groups(TtTarget target, int64_t units, int64_t pieces, bool down, TtGroupsClk *clk,
                    const void *kernel, TtGroups *best) {
  best->parts = 1;
  for (int64_t parts = 2; parts <= TT_MOST_PARTS && parts <= pieces; ++parts) {
    if (pieces % parts != 0) continue;
    for (int64_t width = parts; width <= target.grid_x; width += parts)
      for (int64_t height = 1; height <= target.grid_y; ++height) {
        if (units * parts != width * height) continue;
        take_better(best, (TtGroups){parts, width, height, 1, width * height, false, 0}, clk,
                    kernel);
      }
    TtGroups g;
    if (down && find_down(target, units, parts, &g)) take_better(best, g, clk, kernel);
  }
  return best->parts > 1;
}

double tt_gather_clk(const TtChip *chip, bool wide, bool max, int64_t tiles, int64_t parts) {
  const TtCosts *costs = tt_costs(chip);
  uint32_t element = wide ? 4 : 2;
  double page = element * TT_TILE * TT_TILE, clk = 0, t = (double)tiles,
         way = (double)(chip->write_latency + chip->write_hop * chip->grid_x / 2),
         apart = (double)chip->read_latency[TT_READ_OTHER], /* the cores, in time: measured */
      move = page / (double)chip->noc_bytes_per_clk,
         add = tt_sfpu_clk(costs, max ? (int)TT_SFPU_MAX : (int)TT_SFPU_ADD, wide) +
               tt_unpack_clk(chip, costs, (uint64_t)page, true);
  for (int64_t left = parts, n; left > 1; left /= n) {
    n = least_factor(left);
    clk += t * (tt_pack_clk(costs, element, false) + 2 * costs->step[TT_COST_section]) + way +
           apart + (double)n * (t * (move + add) + 3 * (double)chip->call);
  }
  return clk;
}

/*===- The kernel -----------------------------------------------------------------------------===*/

/* Core c = number / each is in row c / width, and the (c % width / apart)-th of its group. In
 * columns, groups are numbered one after the other, and their cores within them. */
MlirValue tt_part_of_unit(TtBuilder *b, MlirLocation loc, MlirValue number, const TtGroups *groups,
                          MlirValue *unit) {
  if (groups->down) {
    MlirValue parts = tt_index(b, loc, groups->parts), own = tt_rem(b, loc, number, parts);
    tt_name_hint(tt_defining_op(own), "part");
    *unit = tt_div(b, loc, number, parts);
    return own;
  }
  int64_t apart = groups->width / groups->parts;
  MlirValue width = tt_index(b, loc, groups->width), each = tt_index(b, loc, groups->each),
            by = tt_index(b, loc, apart);
  MlirValue core = tt_div(b, loc, number, each), column = tt_rem(b, loc, core, width),
            part = tt_div(b, loc, column, by);
  tt_name_hint(tt_defining_op(part), "part");
  MlirValue group = tt_mul(b, loc, tt_div(b, loc, core, width), by);
  if (apart > 1) group = tt_add(b, loc, group, tt_rem(b, loc, column, by));
  *unit = tt_mul(b, loc, group, each);
  if (groups->each > 1) *unit = tt_add(b, loc, *unit, tt_rem(b, loc, number, each));
  return part;
}

MlirValue tt_set_group_unit(MlirValue unit, const TtGroups *groups) {
  MlirOperation old = tt_defining_op(unit);
  MlirLocation loc = mlirOperationGetLocation(old);
  TtBuilder b = tt_builder_before(old);
  MlirValue block,
      number = tt_add(&b, loc, mlirOperationGetOperand(old, 0), mlirOperationGetOperand(old, 1));
  tt_name_hint(tt_defining_op(number), "tid");
  MlirValue part = tt_part_of_unit(&b, loc, number, groups, &block);
  tt_name_hint(tt_defining_op(block), "block");
  tt_replace(old, block);
  return part;
}

int64_t tt_tile_bytes(MlirValue cb) {
  TtDType dtype = TT_D_TYPE_BF16;
  tt_dtype_of(tt_cb_type_element_type(mlirValueGetType(cb)), &dtype);
  return tt_format(dtype)->tile_bytes;
}

MlirValue tt_new_blocks(MlirOperation func, MlirLocation loc, const char *name, MlirType like,
                        int64_t n) {
  TtBuilder top = tt_builder_at_start(tt_body(func));
  bool tile = tt_cb_tiles(like) == 1;
  int64_t shape[2] = {tile ? 1 : n * tt_cb_rows(like), tile ? n : tt_cb_cols(like)};
  MlirType type = tt_cb_type_get(top.context, 2, shape, tt_cb_type_element_type(like));
  return tt_alloc_cb_cb(tt_alloc_cb_create(&top, loc, type, name, tt_i64_attr(top.context, 1)));
}

void tt_combine_blocks(TtBuilder *b, MlirLocation loc, MlirValue all, MlirType part, bool max,
                       int64_t dst, int64_t next, MlirValue out) {
  MlirValue zero = tt_index(b, loc, 0), null = {NULL};
  MlirAttribute both = mlirDenseI64ArrayGet(b->context, 2, (int64_t[]){dst, next});
  int64_t n = tt_cb_tiles(mlirValueGetType(all)) / tt_cb_tiles(part), rows = tt_cb_rows(part);
  tt_part_to_dst_create(b, loc, all, zero, zero, dst, null);
  for (int64_t q = 1; q < n; ++q) {
    bool tile = tt_cb_tiles(part) == 1;
    MlirValue at = tt_index(b, loc, tile ? q : q * rows);
    tt_part_to_dst_create(b, loc, all, tile ? zero : at, tile ? at : zero, next, null);
    tt_sfpu_combine_create(b, loc, max ? TT_SFPU_MAX : TT_SFPU_ADD, both, dst,
                           q + 1 == n ? out : null);
  }
}

MlirValue tt_gather_groups(TtArena *arena, TtBuilder *b, MlirLocation loc, MlirOperation func,
                           MlirValue own, bool max, const TtGroups *groups, intptr_t number) {
  MlirType part = mlirValueGetType(own);
  for (int64_t left = groups->parts, apart = groups->down ? 1 : groups->width / groups->parts;;) {
    int64_t n = least_factor(left);
    const char *name = tt_arena_printf(arena, "all%jd_%jd", (intmax_t)number, (intmax_t)apart);
    MlirValue all = tt_new_blocks(func, loc, name, part, n);
    MlirAttribute down = groups->down ? mlirUnitAttrGet(b->context) : (MlirAttribute){NULL};
    tt_gather_parts_create(b, loc, own, all, apart, down);
    left /= n, apart *= n;
    if (left == 1) return all;
    name = tt_arena_printf(arena, "own%jd_%jd", (intmax_t)number, (intmax_t)apart);
    own = tt_new_blocks(func, loc, name, part, 1);
    tt_combine_blocks(b, loc, all, part, max, 0, 1, own);
  }
}

int64_t tt_gather_tiles(const TtGroups *groups) {
  int64_t tiles = 0;
  for (int64_t left = groups->parts, n; left > 1; left /= n) {
    n = least_factor(left);
    tiles += 1 + n;
  }
  return tiles;
}
