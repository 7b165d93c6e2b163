/*===- lower_relays.c - blocks that go from one processor to the other ------------------------===
 *
 *   tt.relay %fetched -> %a                                   (n tiles; no cores share the block)
 * = cb_wait_front %fetched, n
 *   cb_reserve_back %a, n
 *   noc_async_read (the own core, get_read_ptr %fetched), get_write_ptr %a, n * tile
 *   noc_async_read_barrier
 *   cb_push_back %a, n
 *   cb_pop_front %fetched, n
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Protocol/lower_relays.h"

#include "Dialect/op_info.h"
#include "Transforms/Protocol/given.h"
#include "Transforms/Protocol/move.h"

static const char *const names[] = {"own_x", "own_y"};

/* Where the own core is. */
static void give_place(TtArena *arena, MlirOperation program, MlirLocation loc) {
  MlirOperation op = tt_program_core_args(program);
  TtBuilder b = tt_builder_before(mlirBlockGetTerminator(tt_body(op)));
  MlirOperation place = tt_worker_core_create(&b, loc, mlirBlockGetArgument(tt_body(op), 0),
                                              mlirBlockGetArgument(tt_body(op), 1));
  MlirValue values[] = {mlirOperationGetResult(place, 0), mlirOperationGetResult(place, 1)};
  tt_give_cores(arena, program, 2, names, values);
}

static MlirValue named(TtArena *arena, MlirOperation op, MlirValue cb, const char *suffix) {
  tt_name_hint(op, tt_arena_printf(arena, "%s_%s", tt_handle_name(arena, cb), suffix));
  return mlirOperationGetResult(op, 0);
}

static void lower(TtArena *arena, MlirOperation op, const MlirValue own[2]) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue from = tt_relay_from(op), to = tt_relay_to(op);
  TtBuilder b = tt_builder_before(op);
  MlirValue n = tt_index(&b, loc, tt_cb_tiles(mlirValueGetType(from)));
  MlirValue tile = named(arena, metalium_get_tile_size_create(&b, loc, to), to, "tile_size");
  metalium_cb_wait_front_create(&b, loc, from, n);
  MlirValue there = named(arena, metalium_get_read_ptr_create(&b, loc, from), from, "read_ptr");
  metalium_cb_reserve_back_create(&b, loc, to, n);
  MlirValue here = named(arena, metalium_get_write_ptr_create(&b, loc, to), to, "write_ptr");
  MlirOperation place = metalium_get_noc_addr_create(&b, loc, own[0], own[1], there);
  metalium_noc_async_read_create(&b, loc, mlirOperationGetResult(place, 0), here,
                                 tt_mul(&b, loc, n, tile));
  metalium_noc_async_read_barrier_create(&b, loc);
  metalium_cb_push_back_create(&b, loc, to, n);
  metalium_cb_pop_front_create(&b, loc, from, n);
  mlirOperationDestroy(op);
}

void tt_lower_relays(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  TtOps relays = tt_collect(arena, kernel, "tt.relay");
  if (relays.n == 0) return;
  MlirLocation loc = mlirOperationGetLocation(relays.data[0]);
  give_place(arena, program, loc);
  TtBuilder top = tt_top_of_kernel(kernel);
  MlirValue own[2];
  for (int i = 0; i < 2; ++i) own[i] = tt_take_given(&top, loc, names[i]);
  for (intptr_t i = 0; i < relays.n; ++i) lower(arena, relays.data[i], own);
}
