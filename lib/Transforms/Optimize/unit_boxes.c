/*===- unit_boxes.c - boxes of cores for lines of units -----------------------------------------===
 *
 *   16 lines of 8 cores on 13 x 10     15 boxes of 4 x 2, and in the last column one of 1 x 8
 *   4 lines of 32 cores on 13 x 10     4 boxes of 6 x 5, each with 2 cores of the last column
 *
 * The cores are cut into two areas, each with boxes of one size side by side.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/unit_boxes.h"

typedef struct Search {
  int64_t lines, cores;
  TtUnitArea areas[2]; /* where they begin; of the boxes, only the sizes vary */
  int64_t sides[2][2]; /* columns and rows of the areas */
  int64_t least;       /* cost of the best one so far; 0 where there is none */
  TtUnitBoxes *best;
} Search;

/* A box is read for once, and its block passes its columns and rows. */
static int64_t cost_of(const TtUnitBoxes *b) {
  int64_t sides = 0;
  for (int i = 0; i < 2; ++i) sides += (b->areas[i].width + b->areas[i].height) * b->areas[i].boxes;
  return (b->areas[0].boxes + b->areas[1].boxes) * 1000 + sides;
}

static void take(Search *s, bool halves, int64_t first, int64_t second) {
  TtUnitBoxes boxes = {
      .areas = {s->areas[0], s->areas[1]}, .lines = s->lines, .cores = s->cores, .halves = halves};
  boxes.areas[0].boxes = first, boxes.areas[1].boxes = second;
  int64_t cost = cost_of(&boxes);
  if (s->least > 0 && cost >= s->least) return;
  s->least = cost;
  *s->best = boxes;
}

/* Has boxes of `width` columns and `size` cores in an area: how many it has room for. */
static int64_t fill(Search *s, int area, int64_t width, int64_t size) {
  TtUnitArea *a = &s->areas[area];
  if (size % width != 0 || width > s->sides[area][0]) return 0;
  a->width = width, a->height = size / width, a->across = s->sides[area][0] / width;
  return a->across * (s->sides[area][1] / a->height);
}

/* What the second area has room for, where the first one has `room` boxes of `size` cores. */
static void fill_second(Search *s, int64_t room, int64_t size) {
  bool halves = size < s->cores;
  int64_t left = halves ? s->cores - size : s->cores, first = room < s->lines ? room : s->lines,
          needed = halves ? s->lines : s->lines - first;
  if (room == 0 || needed == 0 || (halves && (room < s->lines || left < 2))) return;
  for (int64_t width = 1; width <= left; ++width)
    if (fill(s, 1, width, left) >= needed) take(s, halves, first, needed);
}

static void cut_at(Search *s, TtTarget target, bool columns, int64_t at) {
  int64_t all[2] = {(int64_t)target.grid_x, (int64_t)target.grid_y};
  int along = columns ? 0 : 1;
  for (int i = 0; i < 2; ++i) s->sides[0][i] = s->sides[1][i] = all[i];
  s->sides[0][along] = at, s->sides[1][along] = all[along] - at;
  s->areas[0].first = (TtCore){0, 0};
  s->areas[1].first = columns ? (TtCore){at, 0} : (TtCore){0, at};
  for (int64_t size = 2; size <= s->cores; ++size)
    for (int64_t width = 1; width <= size; ++width) fill_second(s, fill(s, 0, width, size), size);
}

bool tt_find_unit_boxes(int64_t lines, int64_t cores, TtTarget target, TtUnitBoxes *boxes) {
  Search s = {.lines = lines, .cores = cores, .best = boxes};
  if (lines < 2 || cores < 2 || lines * cores > (int64_t)(target.grid_x * target.grid_y))
    return false;
  for (int64_t at = 1; at < (int64_t)target.grid_x; ++at) cut_at(&s, target, true, at);
  for (int64_t at = 1; at < (int64_t)target.grid_y; ++at) cut_at(&s, target, false, at);
  return s.least > 0;
}

TtCore tt_core_of_line(const TtUnitBoxes *b, int64_t line, int64_t i) {
  int64_t half = b->areas[0].width * b->areas[0].height;
  bool second = b->halves ? i >= half : line >= b->areas[0].boxes;
  const TtUnitArea *a = &b->areas[second];
  if (second && b->halves) i -= half;
  else if (second) line -= b->areas[0].boxes;
  return (TtCore){a->first.x + line % a->across * a->width + i % a->width,
                  a->first.y + line / a->across * a->height + i / a->width};
}
