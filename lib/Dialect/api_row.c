/*===- api_row.c - the row of the API table that an op becomes -----------------------------===*/

#include "Dialect/api_row.h"
#include "Dialect/op_info.h"

#include "tilewright/dialects.h"
#include "tilewright/ir.h"

/* An op is of the variant that its `kind` or `op` names, and of those of its flags; a tile that is
 * packed out of order has a place. */
static bool is_variant(MlirOperation op, const char *variant) {
  if (metalium_pack_tile_isa(op)) return !mlirValueIsNull(metalium_pack_tile_place(op));
  static const char *const names[] = {"kind", "op"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (mlirOperationHasInherentAttributeByName(op, tt_str(names[i])))
      return tt_str_eq(tt_attr_word(op, names[i]), variant);
  return mlirOperationHasInherentAttributeByName(op, tt_str(variant)) &&
         !mlirAttributeIsNull(tt_op_attr(op, variant));
}

const TtApiRow *tt_api_row(MlirOperation op) {
  for (size_t i = 0; i < tt_num_api_rows; ++i) {
    const TtApiRow *row = &tt_api_rows[i];
    if (row->call[0] && tt_op_is(op, row->op) && (!row->variant || is_variant(op, row->variant)))
      return row;
  }
  return NULL;
}
