/*===- share_relayed.c - blocks that are fetched by one processor, and sent by the other -------===
 *
 *   before  reader  tt.read_to_cb %A[%m, %k], %fetched     (the same on all cores of a row)
 *           writer  tt.relay %fetched -> %a
 *   after   reader  if %in0_sends { tt.read_to_cb %A[%m, %k], %fetched }
 *           writer  cb_reserve_back %a, n
 *                   %l1 = get_write_ptr %a
 *                   if not %in0_sends {
 *                     noc_semaphore_set %in0_there, 0
 *                     noc_semaphore_inc (the sender, %in0_ready), 1
 *                   }
 *                   if %in0_sends {
 *                     cb_wait_front %fetched, n
 *                     noc_semaphore_wait %in0_ready, others; noc_semaphore_set %in0_ready, 0
 *                     noc_async_write_multicast_loopback_src (its read_ptr), (the row, %l1), …
 *                     noc_semaphore_set %in0_there, 1
 *                     noc_semaphore_set_multicast %in0_there, (the row, %in0_there), others
 *                   }
 *                   if %in0_sends {
 *                     noc_async_write_barrier
 *                     cb_pop_front %fetched, n
 *                   } else {
 *                     noc_semaphore_wait %in0_there, 1
 *                   }
 *                   cb_push_back %a, n
 *
 * A core that sends has the block by its own multicast, like the others. Blocks that are needed
 * together are on their way together.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/op_info.h"
#include "Transforms/Optimize/shared_read.h"
#include "Transforms/Protocol/given.h"

MlirOperation tt_relay_of(TtArena *arena, MlirOperation program, MlirOperation read,
                          MlirOperation *kernel) {
  MlirOperation decl = tt_cb_decl(program, tt_read_to_cb_cb(read));
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_WRITER);
  for (intptr_t k = 0; k < kernels.n; ++k) {
    TtOps relays = tt_collect(arena, kernels.data[k], "tt.relay");
    *kernel = kernels.data[k];
    for (intptr_t i = 0; i < relays.n; ++i)
      if (tt_op_eq(tt_cb_decl(program, tt_relay_from(relays.data[i])), decl)) return relays.data[i];
  }
  return (MlirOperation){NULL};
}

/* Has no core but the sender fetch. */
static bool fetch_alone(TtShared *s) {
  MlirLocation loc = mlirOperationGetLocation(s->read);
  if (!tt_read_move(s->arena, s->kernel, s->read, &s->move)) return false;
  TtBuilder b = tt_builder_before(s->read);
  MlirValue sends = tt_take_sends(s, s->kernel);
  MlirOperation choice = tt_if(&b, loc, tt_ne(&b, loc, sends, tt_index(&b, loc, 0)));
  TtBuilder in = tt_builder_at_terminator(tt_body(choice));
  return tt_read_blocks(&in, &s->move, 1);
}

static MlirValue named(const TtShared *s, MlirOperation op, MlirValue cb, const char *suffix) {
  tt_name_hint(op, tt_arena_printf(s->arena, "%s_%s", tt_handle_name(s->arena, cb), suffix));
  return mlirOperationGetResult(op, 0);
}

static MlirValue pages_of(TtBuilder *b, MlirLocation loc, MlirValue cb) {
  return tt_index(b, loc, tt_cb_tiles(mlirValueGetType(cb)));
}

/* Room for a block, and the receivers' word for it. */
static void make_room(TtShared *s, TtBuilder *b, MlirLocation loc) {
  MlirValue to = tt_relay_to(s->relay);
  metalium_cb_reserve_back_create(b, loc, to, pages_of(b, loc, to));
  s->l1 = named(s, metalium_get_write_ptr_create(b, loc, to), to, "write_ptr");
  MlirOperation others = tt_if(b, loc, tt_equal(b, loc, s->args[SENDS], tt_index(b, loc, 0)));
  TtBuilder in = tt_builder_at_terminator(tt_body(others));
  tt_say_ready(s, &in);
}

/* The sender's block, on its way to all of the group. */
static void send(const TtShared *s, TtBuilder *b, MlirLocation loc) {
  MlirValue fetched = tt_relay_from(s->relay);
  MlirOperation choice = tt_if(b, loc, tt_ne(b, loc, s->args[SENDS], tt_index(b, loc, 0)));
  TtBuilder in = tt_builder_at_terminator(tt_body(choice));
  MlirValue n = pages_of(&in, loc, fetched);
  metalium_cb_wait_front_create(&in, loc, fetched, n);
  MlirValue from = named(s, metalium_get_read_ptr_create(&in, loc, fetched), fetched, "read_ptr");
  tt_await_ready(s, &in);
  MlirValue all = tt_add(&in, loc, tt_group_others(s, &in), tt_index(&in, loc, 1));
  metalium_noc_async_write_multicast_loopback_src_create(
      &in, loc, from, tt_group_rectangle(s, &in, s->l1), tt_mul(&in, loc, n, s->tile), all);
  if (tt_target_of(s->program).chip->separate_buffers)
    metalium_noc_async_writes_flushed_create(&in, loc); /* or the flag would overtake the block */
  tt_say_there(s, &in);
}

/* The block is there. */
static void receive(const TtShared *s, TtBuilder *b, MlirLocation loc) {
  MlirValue fetched = tt_relay_from(s->relay), to = tt_relay_to(s->relay);
  TtBuilder yes, no;
  tt_choose_sender(b, loc, s->args[SENDS], &yes, &no);
  metalium_noc_async_write_barrier_create(&yes, loc);
  metalium_cb_pop_front_create(&yes, loc, fetched, pages_of(&yes, loc, fetched));
  metalium_noc_semaphore_wait_create(&no, loc, s->there, tt_index(&no, loc, 1));
  metalium_cb_push_back_create(b, loc, to, pages_of(b, loc, to));
}

bool tt_share_relayed(TtShared *reads, intptr_t n) {
  MlirOperation last = reads[n - 1].relay;
  MlirLocation loc = mlirOperationGetLocation(last);
  for (intptr_t i = 0; i < n; ++i) {
    TtShared *s = &reads[i];
    MlirValue to = tt_relay_to(s->relay);
    tt_give_group(s);
    tt_take_group(s, s->relayed_in);
    if (!fetch_alone(s)) return false;
    TtBuilder top = tt_top_of_kernel(s->relayed_in);
    s->tile = named(s, metalium_get_tile_size_create(&top, loc, to), to, "tile_bytes");
  }
  TtBuilder b = tt_builder_before(last);
  for (intptr_t i = 0; i < n; ++i) make_room(&reads[i], &b, loc);
  for (intptr_t i = 0; i < n; ++i) send(&reads[i], &b, loc);
  for (intptr_t i = 0; i < n; ++i) receive(&reads[i], &b, loc);
  for (intptr_t i = 0; i < n; ++i)
    mlirOperationDestroy(reads[i].relay), mlirOperationDestroy(reads[i].read);
  return true;
}
