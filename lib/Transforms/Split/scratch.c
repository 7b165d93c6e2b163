/*===- scratch.c - circular buffers for the tiles that boxes lie in ----------------------------===
 *
 *   tt.read_to_cb %Q[…], %q box = …   =   tt.circular_buffer @cb_parts0 …
 *                                         tt.read_to_cb %Q[…], %q box = … through @cb_parts0
 *
 * One for each kernel and format; its processor alone uses it.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/box.h"
#include "Analysis/program.h"
#include "Dialect/target.h"
#include "Target/eras.h"
#include "Transforms/Split/split.h"

/* The tiles that a move needs in L1 besides its block; 0 where it needs none. */
static int64_t tiles_of(TtArena *arena, MlirOperation op, TtDType stored) {
  TtBox box;
  TtMove move;
  if (!tt_box_of(op, &box) || !tt_move_of(op, &move)) return 0;
  if (move.in) return tt_box_scratch(&box);
  return tt_box_has_runs(arena, op, &box, tt_format(stored)->datum_bits / 8) ? 0 : 1;
}

/* The highest number that no circular buffer has, of those that headers of all eras name, where one
 * is left. */
static int64_t free_id(TtArena *arena, MlirOperation program) {
  TtOps cbs = tt_collect(arena, program, "tt.circular_buffer");
  int64_t limit = tt_target_of(program).cbs;
  for (int64_t n = 0; n < limit; ++n) {
    int64_t id = tt_cb_downwards(n, limit);
    bool taken = false;
    for (intptr_t i = 0; i < cbs.n; ++i) taken |= tt_int(tt_circular_buffer_id(cbs.data[i])) == id;
    if (!taken) return id;
  }
  return -1;
}

static MlirOperation create(TtArena *arena, MlirOperation program, MlirOperation kernel,
                            MlirType element, TtDType stored, int64_t tiles, intptr_t number) {
  MlirContext context = mlirOperationGetContext(kernel);
  MlirType type = tt_cb_type_get(context, 2, (int64_t[]){1, tiles}, element);
  TtBuilder b = tt_builder_before(kernel);
  int64_t id = free_id(arena, program);
  if (id < 0) {
    tt_error(program, "[rule 8] no circular buffer is left for the tiles that blocks are assembled "
                      "of; split the kernel");
    return (MlirOperation){NULL};
  }
  return tt_circular_buffer_create(
      &b, mlirOperationGetLocation(kernel), tt_arena_printf(arena, "cb_parts%jd", (intmax_t)number),
      tt_op_attr(kernel, "cores"), TT_CB_ROLE_INTERMEDIATE, mlirTypeAttrGet(type), id, tiles,
      tt_format(stored)->tile_bytes, tt_data_format_attr_get(context, tt_data_format_of(stored)),
      mlirAttributeGetNull(), mlirAttributeGetNull(), mlirAttributeGetNull());
}

bool tt_add_scratch(TtArena *arena, MlirOperation program, MlirOperation kernel, int64_t *bytes,
                    intptr_t *number) {
  TtOps moves = tt_collect(arena, kernel, NULL);
  int64_t tiles[TT_D_TYPE_COUNT] = {0};
  MlirOperation cbs[TT_D_TYPE_COUNT];
  for (int pass = 0; pass < 2; ++pass)
    for (intptr_t i = 0; i < moves.n; ++i) {
      TtMove move;
      if (!tt_move_of(moves.data[i], &move)) continue;
      const TtArg *arg = tt_arg_of(tt_kernel_args(arena, kernel), move.tensor);
      TtDType stored = tt_stored_as(program, arg);
      int64_t n = tiles_of(arena, moves.data[i], stored);
      if (n == 0) continue;
      if (pass == 0) {
        if (n > tiles[stored]) tiles[stored] = n;
        continue;
      }
      if (tiles[stored] > 0) {
        cbs[stored] =
            create(arena, program, kernel, tt_cb_type_element_type(mlirValueGetType(move.cb)),
                   stored, tiles[stored], (*number)++);
        if (mlirOperationIsNull(cbs[stored])) return false;
        *bytes += tiles[stored] * tt_format(stored)->tile_bytes;
        tiles[stored] = 0;
      }
      mlirOperationSetInherentAttributeByName(
          moves.data[i], tt_str("scratch"),
          mlirFlatSymbolRefAttrGet(mlirOperationGetContext(kernel), tt_symbol_name(cbs[stored])));
    }
  return true;
}
