/*===- insert_dst_management.c - D5: --tt-insert-dst-management -----------------------------===
 *
 * Wraps each section of math in the lifecycle of DST. A section is what computes
 * between one tt.pack_to_cb and the next, in the block of the latter:
 *
 *   before  for %k { … matmul_tiles … }
 *           cb_reserve_back %c, n
 *           tt.pack_to_cb dst = 0 tiles = n -> %c
 *           cb_push_back %c, n
 *   after   tt.dst.acquire
 *           for %k { … matmul_tiles … }
 *           cb_reserve_back %c, n
 *           tt.dst.commit
 *           tt.dst.wait
 *           for %t < n { pack_tile %t, %c }
 *           tt.dst.release
 *           cb_push_back %c, n
 *
 * So a sum holds DST over its K loop, and an elementwise op holds it for a tile. Packs
 * that follow each other share a section: sums over one loop, side by side in DST.
 *
 * Requires D4. Leaves no tt.pack_to_cb.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"

typedef struct Content {
  bool math, pack;
} Content;

static MlirWalkResult look(MlirOperation op, void *data) {
  Content *content = data;
  content->math |= tt_is_tile_math(op);
  content->pack |= tt_op_info(op)->does == TT_ACT_PACK_BLOCK;
  return MlirWalkResultAdvance;
}

static Content content_of(MlirOperation op) {
  Content content = {false, false};
  mlirOperationWalk(op, look, &content, MlirWalkPreOrder);
  return content;
}

static bool packs_only(Content content) { return content.pack && !content.math; }

/* The last of the packs that follow each other from `pack` on, without math between. */
static MlirOperation last_pack(MlirOperation pack) {
  for (MlirOperation op = tt_next(pack); !mlirOperationIsNull(op); op = tt_next(op)) {
    Content content = content_of(op);
    if (packs_only(content)) pack = op;
    else if (content.math) return pack;
  }
  return pack;
}

static void lower_pack_to_cb(MlirOperation pack) {
  MlirLocation loc = mlirOperationGetLocation(pack);
  TtBuilder in = tt_builder_before(pack);
  int64_t n = tt_int(tt_pack_to_cb_tiles(pack));
  MlirValue t = tt_counted_loop(&in, loc, n, "t");
  MlirValue dst = tt_add(&in, loc, t, tt_index(&in, loc, tt_int(tt_pack_to_cb_dst(pack))));
  MlirValue place = tt_pack_to_cb_place(pack);
  if (!tt_is_null_value(place)) place = tt_add(&in, loc, place, t);
  metalium_pack_tile_create(&in, loc, dst, tt_pack_to_cb_out(pack), place);
  mlirOperationDestroy(pack);
}

/* A pack, or a loop of packs. */
static void lower_pack(TtArena *arena, MlirOperation pack, bool first, bool last) {
  MlirLocation loc = mlirOperationGetLocation(pack);
  TtBuilder before = tt_builder_before(pack), after = tt_builder_after(pack);
  if (first) {
    tt_dst_commit_create(&before, loc);
    tt_dst_wait_create(&before, loc);
  }
  if (last) tt_dst_release_create(&after, loc);
  TtOps inside = tt_collect(arena, pack, "tt.pack_to_cb");
  for (intptr_t i = 0; i < inside.n; ++i) lower_pack_to_cb(inside.data[i]);
  if (tt_pack_to_cb_isa(pack)) lower_pack_to_cb(pack);
}

static bool manage(TtArena *arena, MlirBlock block) {
  MlirOperation start = {NULL}, last = {NULL}; /* of the section that is open; its last pack */
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next; !mlirOperationIsNull(op);
       op = next) {
    next = tt_next(op);
    Content content = content_of(op);
    if (packs_only(content)) {
      bool first = mlirOperationIsNull(last);
      if (first && mlirOperationIsNull(start))
        return tt_error(op, "[rule 10] packs DST, but nothing was computed since the last time");
      if (first) {
        TtBuilder b = tt_builder_before(start);
        tt_dst_acquire_create(&b, mlirOperationGetLocation(start));
        last = last_pack(op);
      }
      bool ends = tt_op_eq(op, last);
      lower_pack(arena, op, first, ends);
      if (ends) start = last = (MlirOperation){NULL};
    } else if (content.pack) {
      if (!mlirOperationIsNull(start))
        return tt_error(start,
                        "[rule 10] what this leaves in DST would be lost in the section that "
                        "follows; pack it to a circular buffer first");
      for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
        MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
        if (!mlirBlockIsNull(body) && !manage(arena, body)) return false;
      }
    } else if (content.math && mlirOperationIsNull(start)) {
      start = op;
    }
  }
  if (mlirOperationIsNull(start)) return true;
  return tt_error(start, "[rule 10] what this computes in DST is never packed");
}

static bool insert(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t i = 0; i < kernels.n; ++i) {
    if (tt_collect(arena, kernels.data[i], "tt.engine.init_common").n == 0)
      return tt_error(kernels.data[i],
                      "the compute kernel has no startup: run --tt-insert-compute-init first");
    if (!manage(arena, tt_body(kernels.data[i]))) return false;
  }
  return true;
}

bool tt_run_insert_dst_management(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, insert);
}
