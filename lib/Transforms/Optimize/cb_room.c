/*===- cb_room.c - room in circular buffers -------------------------------------------------===*/

#include "Transforms/Optimize/cb_room.h"

#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Dialect/shapes.h"

void tt_grow_cb(TtArena *arena, MlirOperation program, MlirOperation cb, int64_t pages,
                int64_t group) {
  int64_t now = tt_int(tt_circular_buffer_pages(cb));
  if (now > pages) pages = now;
  pages = (pages + group - 1) / group * group;
  MlirContext context = mlirOperationGetContext(cb);
  mlirOperationSetInherentAttributeByName(cb, tt_str("pages"), tt_i64_attr(context, pages));
  MlirAttribute tensor = tt_circular_buffer_buffer(cb);
  if (mlirAttributeIsNull(tensor)) return;
  const char *name = tt_arena_str(arena, tt_string(tensor));
  MlirAttribute of = tt_named_attr(program, "cb", name);
  if (!tt_cb_attr_isa(of) || tt_cb_attr_cb_id(of) != tt_int(tt_circular_buffer_id(cb))) return;
  int64_t depth = pages / tt_cb_tiles(mlirTypeAttrGetValue(tt_circular_buffer_type(cb)));
  tt_set_named_attr(program, "cb", name,
                    tt_cb_attr_get(context, tt_cb_attr_cb_id(of), tt_cb_attr_page_size(of), depth,
                                   tt_cb_attr_data_format(of)));
}
