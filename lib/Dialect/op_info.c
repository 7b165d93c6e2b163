/*===- op_info.c - the facts of each op, generated from dialects/ -------------------------===*/

#include "Dialect/op_info.h"

#include "Dialect/target.h"

#include <stdlib.h>
#include <string.h>

static const TtOpInfo rows[] = {
/* by name */
#include "op_info.inc"
};
enum { NUM_ROWS = sizeof rows / sizeof *rows };

static const TtOpInfo other = {.name = "",
                               .fills = {0, -1},
                               .count = {0, -1},
                               .address = {0, -1},
                               .dst = {0, -1},
                               .sources = {-1, -1},
                               .node = -1,
                               .operands = (const char *const[]){NULL},
                               .attrs = (const char *const[]){NULL}};

static int compare(const void *key, const void *row) {
  const MlirStringRef *name = key;
  const char *other_name = ((const TtOpInfo *)row)->name;
  size_t n = strlen(other_name);
  int order = memcmp(name->data, other_name, name->length < n ? name->length : n);
  return order ? order : (name->length > n) - (name->length < n);
}

const TtOpInfo *tt_op_info_named(MlirStringRef name) {
  return bsearch(&name, rows, NUM_ROWS, sizeof *rows, compare);
}

const TtOpInfo *tt_op_info(MlirOperation op) {
  const TtOpInfo *row = mlirOperationIsNull(op) ? NULL : tt_op_info_named(tt_op_name(op));
  return row ? row : &other;
}

const TtOpInfo *tt_tile_op(const char *variant) {
  for (int i = 0; i < NUM_ROWS; ++i)
    if (rows[i].does == TT_ACT_MATH && rows[i].variant && strcmp(rows[i].variant, variant) == 0)
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

int64_t tt_op_dst(MlirOperation op) { return tt_int(tt_op_attr(op, "dst")); }

/* Where a name is in a list; -1 where it is not. */
static int find(const char *const *names, const char *name) {
  for (int i = 0; names[i]; ++i)
    if (strcmp(names[i], name) == 0) return i;
  return -1;
}

/* The attribute `op`; empty where there is none. */
static MlirStringRef operation(const TtOpInfo *info, MlirOperation op) {
  if (find(info->attrs, "op") < 0) return (MlirStringRef){"", 0};
  return tt_string(tt_op_attr(op, "op"));
}

bool tt_changes_dst(MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  if (info->dst_use != TT_DST_USE_CHANGES) return false;
  const TtSfpuFunction *function =
      info->unit == TT_UNIT_SFPU ? tt_sfpu_function(operation(info, op)) : NULL;
  return !function || function->inputs > 0;
}

/*===- Settings -----------------------------------------------------------------------------===*/

int tt_source_read(MlirOperation op, TtUnit source) {
  const TtOpInfo *info = tt_op_info(op);
  bool a = source == TT_UNIT_SOURCE_A;
  /* What is subtracted from DST changes places with it. */
  if (info->dst_use == TT_DST_USE_CHANGES && tt_str_eq(operation(info, op), "sub")) a = !a;
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
    bool none = mlirAttributeIsNull(attr);
    const char *word = none                         ? info->variant
                       : mlirAttributeIsAUnit(attr) ? name
                       : mlirAttributeIsAInteger(attr)
                           ? tt_arena_printf(arena, "%s = %jd", name, (intmax_t)tt_int(attr))
                           : tt_arena_str(arena, tt_string(attr));
    if (word) text = *text ? tt_arena_printf(arena, "%s, %s", text, word) : word;
  }
  return text;
}

const char *tt_startup(MlirOperation op) { return init_of(tt_op_info(op))->startup; }

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
                         : info->variant ? tt_string_attr(builder->context, info->variant)
                                         : mlirAttributeGetNull();
    tt_op_state_attr(&state, builder->context, name, attr);
  }
  return tt_builder_insert(builder, tt_op_state_finish(&state));
}
