/*===- copies.c - copies of blocks, one after the other ----------------------------------------===
 *
 *   tt.copy_to_dst %a, dst = 0 -> %b
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/copies.h"

/* Whether `op` packs a block as it is, not transposed and once. */
static bool is_plain(MlirOperation op) {
  return !tt_is_null_value(tt_copy_to_dst_out(op)) &&
         mlirAttributeIsNull(tt_copy_to_dst_transpose(op)) &&
         mlirAttributeIsNull(tt_copy_to_dst_repeat(op));
}

/* Goes on from copy `*next` to the first that is taken away. */
static bool take_one(TtArena *arena, MlirOperation func, TtOps copies, intptr_t *next, bool *any,
                     TtTakeCopy take) {
  TtDfg dfg;
  if (!tt_analyze_dfg(arena, func, &dfg)) return false;
  for (*any = false; *next < copies.n && !*any; ++*next) {
    MlirOperation op = copies.data[*next];
    if (!is_plain(op)) continue;
    const TtCB *from = tt_dfg_cb(&dfg, tt_copy_to_dst_a(op)),
               *to = tt_dfg_cb(&dfg, tt_copy_to_dst_out(op));
    if (from && to && from != to) *any = take(arena, &dfg, op, from, to);
  }
  return true;
}

bool tt_take_copies(TtArena *arena, MlirOperation func, TtTakeCopy take) {
  TtOps copies = tt_collect(arena, func, "tt.copy_to_dst");
  intptr_t next = 0;
  bool ok = copies.n == 0 || tt_complete_short_form(arena, func), any = ok && copies.n > 0;
  while (ok && any) ok = take_one(arena, func, copies, &next, &any, take);
  return ok;
}
