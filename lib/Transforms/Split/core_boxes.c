/*===- core_boxes.c - the units of cores that are numbered box by box ---------------------------===
 *
 *   15 boxes of 4 x 2 cores, three beside each other, and behind column 12 one of 1 x 8; two units
 *   a core:
 *
 *   %first  = ((%y / 2 * 3 + %x / 4) * 8 + %y % 2 * 4 + %x % 4) * 2
 *   %second = (%y + 120) * 2
 *   %start  = %x < 12 ? %first : %second
 *
 * A list of cores in the order of their units is cut into boxes, each row by row, as large as they
 * come. They have a formula where they are of one size and side by side, or so on each side of a
 * cut; those of a side need not follow each other in the list, as where a line of units has one on
 * each side.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Split/core_places.h"

typedef struct Box {
  int64_t from; /* in the list */
  int64_t x, y, width, height;
} Box;

/* Boxes of one size: `across` beside each other, and `apart` in the list. */
typedef struct Area {
  Box first;
  int64_t across, apart, boxes;
} Area;

typedef struct List {
  MlirAttribute partition;
  int64_t n, count;
  Area areas[2];
  int num_areas;
  bool columns; /* the second area begins at column `at`, or else at that row */
  int64_t at;
} List;

static int64_t x_of(const List *l, int64_t i) {
  return tt_work_attr_core(mlirArrayAttrGetElement(l->partition, i), 0);
}

static int64_t y_of(const List *l, int64_t i) {
  return tt_work_attr_core(mlirArrayAttrGetElement(l->partition, i), 1);
}

/* All cores have as many units, one after the other. */
static bool read_list(List *l, MlirAttribute partition) {
  *l = (List){.partition = partition, .n = mlirArrayAttrGetNumElements(partition)};
  if (l->n == 0) return false;
  l->count = tt_work_attr_count(mlirArrayAttrGetElement(partition, 0));
  for (int64_t i = 0; i < l->n; ++i) {
    MlirAttribute w = mlirArrayAttrGetElement(partition, i);
    if (tt_work_attr_count(w) != l->count || tt_work_attr_start_id(w) != i * l->count) return false;
  }
  return true;
}

static Box box_at(const List *l, int64_t from) {
  Box b = {from, x_of(l, from), y_of(l, from), 1, 1};
  while (from + b.width < l->n && y_of(l, from + b.width) == b.y &&
         x_of(l, from + b.width) == b.x + b.width)
    ++b.width;
  for (int64_t next = from + b.width;; next += b.width, ++b.height)
    for (int64_t i = 0; i < b.width; ++i)
      if (next + i >= l->n || y_of(l, next + i) != b.y + b.height || x_of(l, next + i) != b.x + i)
        return b;
}

/* A box is the next one of its area, whose second one says how far apart they are, and whose first
 * one of another row how many are beside each other. */
static bool add_box(Area *a, Box b) {
  int64_t i = a->boxes++;
  if (i == 0) a->first = b;
  if (i == 1) a->apart = b.from - a->first.from;
  if (b.y == a->first.y) a->across = i + 1;
  return b.from == a->first.from + i * a->apart &&
         b.x == a->first.x + i % a->across * a->first.width &&
         b.y == a->first.y + i / a->across * a->first.height;
}

static bool find_areas(List *l) {
  for (int64_t i = 0; i < l->n;) {
    Box b = box_at(l, i);
    Area *a = &l->areas[0];
    bool first = a->boxes == 0 || (b.width == a->first.width && b.height == a->first.height);
    if (!first) a = &l->areas[1];
    if (a->boxes > 0 && (b.width != a->first.width || b.height != a->first.height)) return false;
    if (!add_box(a, b)) return false;
    i += b.width * b.height;
  }
  l->num_areas = l->areas[1].boxes > 0 ? 2 : 1;
  return true;
}

/* The place in the list of the core at (x, y) of an area. */
static int64_t place_of(const Area *a, int64_t x, int64_t y) {
  int64_t w = a->first.width, h = a->first.height, dx = x - a->first.x, dy = y - a->first.y;
  return a->first.from + (dy / h * a->across + dx / w) * a->apart + dy % h * w + dx % w;
}

/* Whether the formula holds for all cores. */
static bool holds(const List *l) {
  for (int64_t i = 0; i < l->n; ++i) {
    int64_t x = x_of(l, i), y = y_of(l, i);
    bool second = l->num_areas == 2 && (l->columns ? x : y) >= l->at;
    const Area *a = &l->areas[second];
    if (x < a->first.x || y < a->first.y || place_of(a, x, y) != i) return false;
  }
  return true;
}

/* A column, or a row, that the second area begins at, behind all of the first. */
static bool find_cut(List *l) {
  const Area *a = &l->areas[0], *b = &l->areas[1];
  int64_t lines = (a->boxes + a->across - 1) / a->across;
  l->columns = a->first.x + a->across * a->first.width <= b->first.x;
  l->at = l->columns ? b->first.x : b->first.y;
  return l->columns || a->first.y + lines * a->first.height <= b->first.y;
}

typedef struct Maker {
  TtBuilder *b;
  MlirLocation loc;
} Maker;

static MlirValue number(const Maker *m, int64_t value) { return tt_index(m->b, m->loc, value); }

/* `at` * by + more. */
static MlirValue line(const Maker *m, MlirValue at, int64_t by, MlirValue more) {
  return tt_add(m->b, m->loc, tt_mul(m->b, m->loc, at, number(m, by)), more);
}

/* The box that a place is in, along a side where there is room for `boxes` of them, and the place
 * in it. */
static void divide(const Maker *m, MlirValue at, int64_t first, int64_t size, int64_t boxes,
                   MlirValue *box, MlirValue *in) {
  MlirValue from = tt_sub(m->b, m->loc, at, number(m, first));
  *box = boxes == 1 ? number(m, 0) : tt_div(m->b, m->loc, from, number(m, size));
  *in = size == 1 ? number(m, 0) : boxes == 1 ? from : tt_rem(m->b, m->loc, from, number(m, size));
}

/* The place in the list of the core at (x, y), which is in the area. */
static MlirValue place_in(const Maker *m, const Area *a, MlirValue x, MlirValue y) {
  MlirValue across, down, col, row;
  divide(m, x, a->first.x, a->first.width, a->across, &across, &col);
  divide(m, y, a->first.y, a->first.height, (a->boxes + a->across - 1) / a->across, &down, &row);
  MlirValue box = line(m, down, a->across, across), in = line(m, row, a->first.width, col);
  return tt_add(m->b, m->loc, line(m, box, a->apart, in), number(m, a->first.from));
}

bool tt_follow_boxes(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y,
                     MlirAttribute partition, MlirValue *start, MlirValue *count) {
  Maker m = {b, loc};
  List l;
  if (!read_list(&l, partition) || !find_areas(&l) || (l.num_areas == 2 && !find_cut(&l)) ||
      !holds(&l))
    return false;
  MlirValue place = place_in(&m, &l.areas[0], x, y);
  if (l.num_areas == 2) {
    MlirValue second = place_in(&m, &l.areas[1], x, y),
              before = tt_less(b, loc, l.columns ? x : y, number(&m, l.at));
    place = tt_select(b, loc, before, place, second);
  }
  *start = tt_mul(b, loc, place, number(&m, l.count));
  *count = number(&m, l.count);
  return true;
}
