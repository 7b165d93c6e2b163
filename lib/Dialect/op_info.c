/*===- op_info.c - the facts of each op, generated from dialects/ -------------------------===*/

#include "Dialect/op_info.h"

#include "Dialect/target.h"

#include <stdlib.h>
#include <string.h>

static const TtOpInfo rows[] = {
/* by length of name, and by name */
#include "op_info.inc"
};
enum { NUM_ROWS = sizeof rows / sizeof *rows };

static const TtOpInfo other = {.name = "",
                               .fills = {0, -1},
                               .moves = {0, -1},
                               .count = {0, -1},
                               .address = {0, -1},
                               .dst = {0, -1},
                               .sources = {-1, -1},
                               .node = -1,
                               .variant = -1,
                               .startup = -1,
                               .spell = (const char *(*const[])(int)){NULL},
                               .operands = (const char *const[]){NULL},
                               .attrs = (const char *const[]){NULL}};

static int compare(const void *key, const void *row) {
  const MlirStringRef *name = key;
  const TtOpInfo *other_row = row;
  if (name->length != other_row->length) return name->length < other_row->length ? -1 : 1;
  return memcmp(name->data, other_row->name, name->length);
}

const TtOpInfo *tt_op_info_named(MlirStringRef name) {
  if (name.length < 3 || (memcmp(name.data, "tt.", 3) != 0 && memcmp(name.data, "met", 3) != 0))
    return NULL; /* of another dialect, as most are */
  return bsearch(&name, rows, NUM_ROWS, sizeof *rows, compare);
}

const TtOpInfo *tt_op_info(MlirOperation op) {
  const TtOpInfo *row = mlirOperationIsNull(op) ? NULL : tt_op_info_named(tt_op_name(op));
  return row ? row : &other;
}

const TtOpInfo *tt_tile_op(const char *variant) {
  for (int i = 0; i < NUM_ROWS; ++i)
    if (rows[i].does == TT_ACT_MATH && rows[i].variant >= 0 &&
        strcmp(tt_binary_str(rows[i].variant), variant) == 0)
      return &rows[i];
  return NULL;
}

/*===- Operands -----------------------------------------------------------------------------===*/

intptr_t tt_operand_number(MlirOperation op, TtOperandPlace place) {
  intptr_t n = mlirOperationGetNumOperands(op);
  if (place.of < 0 || (place.of > 0 && place.of != n)) return -1;
  return place.at < 0 ? n + place.at : place.at;
}

MlirValue tt_operand_at(MlirOperation op, TtOperandPlace place) {
  intptr_t i = tt_operand_number(op, place);
  return i < 0 ? (MlirValue){NULL} : mlirOperationGetOperand(op, i);
}

MlirValue tt_op_reads(MlirOperation op, int i) {
  const TtOpInfo *info = tt_op_info(op);
  return i < info->num_reads ? tt_operand_at(op, info->reads[i]) : (MlirValue){NULL};
}

MlirValue tt_op_fills(MlirOperation op) { return tt_operand_at(op, tt_op_info(op)->fills); }

bool tt_move_of(MlirOperation op, TtMove *move) {
  const TtOpInfo *info = tt_op_info(op);
  MlirValue tensor = tt_operand_at(op, info->moves), fills = tt_op_fills(op);
  if (mlirValueIsNull(tensor)) return false;
  bool in = !mlirValueIsNull(fills);
  *move = (TtMove){op, in, tensor, in ? fills : tt_op_reads(op, 0),
                   mlirShapedTypeGetRank(mlirValueGetType(tensor))};
  return true;
}

MlirValue tt_move_offset(const TtMove *move, intptr_t d) {
  intptr_t tensor = tt_operand_number(move->op, tt_op_info(move->op)->moves);
  return mlirOperationGetOperand(move->op, tensor + 1 + d);
}

MlirValue tt_move_size(const TtMove *move, intptr_t d) {
  intptr_t tensor = tt_operand_number(move->op, tt_op_info(move->op)->moves),
           at = tensor + 1 + move->rank + d;
  bool given = tensor + 1 + 2 * move->rank <= mlirOperationGetNumOperands(move->op) &&
               mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetOperand(move->op, at)));
  return given ? mlirOperationGetOperand(move->op, at) : (MlirValue){NULL};
}

MlirAttribute tt_move_box(const TtMove *move) { return tt_op_attr(move->op, "box"); }

int64_t tt_op_dst(MlirOperation op) { return tt_int(tt_op_attr(op, "dst")); }

/* Where a name is in a list; -1 where it is not. */
static int find(const char *const *names, const char *name) {
  for (int i = 0; names[i]; ++i)
    if (strcmp(names[i], name) == 0) return i;
  return -1;
}

/* The value of attribute `op`, an enum; -1 where there is none. */
static int operation(const TtOpInfo *info, MlirOperation op) {
  return find(info->attrs, "op") < 0 ? -1 : (int)tt_int(tt_op_attr(op, "op"));
}

MlirStringRef tt_attr_word(MlirOperation op, const char *name) {
  const TtOpInfo *info = tt_op_info(op);
  int i = find(info->attrs, name);
  MlirAttribute attr = i < 0 ? mlirAttributeGetNull() : tt_op_attr(op, name);
  if (mlirAttributeIsNull(attr)) return tt_str("");
  return info->spell[i] ? tt_str(info->spell[i]((int)tt_int(attr))) : tt_string(attr);
}

bool tt_changes_dst(MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  if (info->dst_use != TT_DST_USE_CHANGES) return false;
  return info->unit != TT_UNIT_SFPU || tt_sfpu_functions[operation(info, op)].inputs > 0;
}

static const struct {
  bool max, row;
} reductions[TT_REDUCE_COUNT] = {[TT_REDUCE_SUM_ROW] = {false, true},
                                 [TT_REDUCE_SUM_COL] = {false, false},
                                 [TT_REDUCE_MAX_ROW] = {true, true},
                                 [TT_REDUCE_MAX_COL] = {true, false}};

bool tt_reduce_is_max(TtReduce reduce) { return reductions[reduce].max; }
bool tt_reduce_is_row(TtReduce reduce) { return reductions[reduce].row; }

/*===- Settings -----------------------------------------------------------------------------===*/

int tt_source_read(MlirOperation op, TtUnit source) {
  const TtOpInfo *info = tt_op_info(op);
  bool a = source == TT_UNIT_SOURCE_A;
  /* What is subtracted from DST changes places with it. */
  bool reuses = info->dst_use == TT_DST_USE_CHANGES && info->num_reads > 0;
  if (reuses && operation(info, op) == TT_REUSE_SUB) a = !a;
  return info->sources[a ? 0 : 1];
}

/* The init of an op; of an init, itself. */
static const TtOpInfo *init_of(const TtOpInfo *info) {
  return info->init ? tt_op_info_named(tt_str(info->init)) : info;
}

const char *tt_setting(TtArena *arena, MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op), *init = init_of(info);
  const char *text = init->mode;
  for (int i = 0; init->attrs[i]; ++i) {
    const char *name = init->attrs[i];
    MlirAttribute attr =
        find(info->attrs, name) >= 0 ? tt_op_attr(op, name) : mlirAttributeGetNull();
    int at = find(info->attrs, name);
    const char *word = NULL;
    if (mlirAttributeIsNull(attr)) word = info->variant < 0 ? NULL : tt_binary_str(info->variant);
    else if (mlirAttributeIsAUnit(attr)) word = name;
    else if (mlirAttributeIsAInteger(attr) && !info->spell[at])
      word = tt_arena_printf(arena, "%s = %jd", name, (intmax_t)tt_int(attr));
    else word = tt_arena_str(arena, tt_attr_word(op, name));
    if (word) text = *text ? tt_arena_printf(arena, "%s, %s", text, word) : word;
  }
  return text;
}

TtStartup tt_startup(MlirOperation op) { return (TtStartup)init_of(tt_op_info(op))->startup; }

MlirOperation tt_create_init(TtBuilder *builder, MlirOperation user, MlirValue out) {
  const TtOpInfo *info = tt_op_info(user), *init = init_of(info);
  TtOpState state = tt_op_state(init->name, mlirOperationGetLocation(user));
  for (int i = 0; init->operands[i]; ++i) {
    int j = find(info->operands, init->operands[i]);
    tt_op_state_operand(&state, j >= 0 ? mlirOperationGetOperand(user, j) : out);
  }
  for (int i = 0; init->attrs[i]; ++i) {
    const char *name = init->attrs[i];
    MlirAttribute attr = find(info->attrs, name) >= 0 ? tt_op_attr(user, name)
                         : info->variant >= 0         ? tt_i32_attr(builder->context, info->variant)
                                                      : mlirAttributeGetNull();
    tt_op_state_attr(&state, builder->context, name, attr);
  }
  return tt_builder_insert(builder, tt_op_state_finish(&state));
}

bool tt_is_index_op(MlirOperation op) {
  return tt_op_info(op)->level == TT_LEVEL_OTHER && mlirOperationGetNumRegions(op) == 0;
}
